"""What `donuts analyse` prints: a game move by move, a line for each of many games, and both for programs."""

from collections.abc import Sequence

import msgspec

from donuts_referee.analysis.bots import BotFigures
from donuts_referee.analysis.game import Analysed, Move
from donuts_referee.cli.opened import game_facts, headline, outcome_text, plain
from donuts_referee.columns import aligned

__all__ = ["analysed_facts", "bot_facts", "game_line", "game_text"]

NAMES = 6
"""Moves that would have been right, of which so many are named; --json has all."""


def game_text(game: Analysed) -> str:
    """A game for people, a line a move; ends without LF."""
    sheet = game.sheet
    lines = headline(game.found)
    rows = [("ply", "side", "move", "value", "kept by", ""), *map(_row, game.moves)]
    lines += ["", *aligned(rows, {1, 2, 3, 4, 5})]
    unknown = sum(not move.known for move in game.moves)
    if sheet.size != 6:
        lines += ["", f"{sheet.size} x {sheet.size} boards cannot be solved: every value is unknown"]
    elif unknown:
        lines += ["", f"unknown: {unknown} of {len(game.moves)}, for which the time was too short"]
    lines += ["", f"{outcome_text(sheet)}; {plain(sheet.text)}"]
    return "\n".join(lines)


def _row(move: Move) -> tuple[str, ...]:
    remark = "(opening)" if move.opening else ""
    if move.mark:
        more = ", ..." if len(move.keeping) > NAMES else ""
        remark = f"best {', '.join(move.keeping[:NAMES])}{more}" + (", opening" if move.opening else "")
    return (
        str(move.ply),
        move.side,
        move.square + move.mark,
        _value(move),
        f"{len(move.keeping)} of {move.legal}" if move.known else f"? of {move.legal}",
        remark,
    )


def _value(move: Move) -> str:
    before, after = move.before, move.after
    if move.plies_before is None or move.plies_after is None:
        return before if before == after else f"{before} to {after}"
    if (before, move.plies_before) == (after, move.plies_after):
        return f"{before} in {move.plies_before}"
    return f"{before} in {move.plies_before} to {after} in {move.plies_after}"


def game_line(game: Analysed) -> str:
    """One of many games: who played, how it ended, and the mistakes."""
    sheet = game.sheet
    marked = [f"{move.ply} {move.side} {move.square}{move.mark}" for move in game.moves if move.mark]
    unknown = sum(not move.known for move in game.moves)
    told = ", ".join(marked) or ("no mistake" if not unknown else "")
    if unknown:
        told += f"{'; ' if told else ''}{unknown} of {len(game.moves)} moves unknown"
    return plain(f"{sheet.id}  {sheet.x} - {sheet.o}  {sheet.result}  {told}")


def analysed_facts(game: Analysed) -> dict[str, object]:
    """A game for programs."""
    return {**game_facts(game.found), "moves": [_move(move) for move in game.moves]}


def _move(move: Move) -> dict[str, object]:
    facts: dict[str, object] = {
        "ply": move.ply,
        "side": move.side,
        "sq": move.square,
        "opening": move.opening,
        "before": move.before,
        "after": move.after,
        "mark": move.mark,
        "legal": move.legal,
        "keeping": list(move.keeping) if move.known else None,
        "best": move.keeping[0] if move.known else None,
    }
    if move.plies_before is not None:
        facts |= {"plies_before": move.plies_before, "plies_after": move.plies_after}
    return facts


def bot_facts(rows: Sequence[BotFigures]) -> object:
    """The figures of bots for programs."""
    return msgspec.to_builtins(tuple(rows))
