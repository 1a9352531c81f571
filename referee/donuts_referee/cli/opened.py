"""What `replay`, `explain`, `probe` and their like share: which game of which file, and its words made fit to print."""

import argparse
import re
import sys
from pathlib import Path

from donuts_protocol.escape import shown
from donuts_referee.cli.fault import UsageFault
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import RecordsFault
from donuts_referee.records.finding import FoundGame, read_game
from donuts_referee.records.sheet import Sheet, conditions_text

__all__ = ["add_game_arguments", "game_facts", "headline", "opened", "outcome_text", "plain", "split_lines"]


def add_game_arguments(parser: argparse.ArgumentParser) -> None:
    """FILE and --game."""
    parser.add_argument(
        "file",
        metavar="FILE",
        type=_file,
        help=f"a journal ({JOURNAL}), a PGN file, or the folder of records",
    )
    parser.add_argument(
        "--game",
        metavar="ID",
        help="which game: its id, a part of it that only one has, or its place in the file, -1 the last (the default)",
    )


def _file(word: str) -> str:
    """The file of games that FILE means: of a folder of records its journal."""
    try:
        return str(Path(word) / JOURNAL) if Path(word).is_dir() else word
    except OSError:
        return word  # whoever reads it says what is wrong


def opened(args: argparse.Namespace) -> FoundGame:
    """The game that the arguments name; unfinished games of the file are told on stderr. Raises UsageFault."""
    try:
        found = read_game(args.file, args.game)
    except RecordsFault as fault:
        raise UsageFault(plain(str(fault))) from None
    for torn in found.torn:
        sys.stderr.write(
            f"donuts: {plain(args.file)}:{torn.line}: a game that was never finished ({torn.size} bytes), skipped\n"
        )
    return found


def headline(found: FoundGame) -> list[str]:
    """Which game this is, in two lines."""
    sheet = found.sheet
    board = "" if sheet.board is None else f", board {sheet.board}"
    opening = f", opening {','.join(sheet.moves[: sheet.opening])}" if sheet.opening else ""
    return [
        plain(f"game {sheet.id} ({found.number} of {found.of} in {found.place})"),
        plain(
            f"{sheet.x} (x) - {sheet.o} (o), {sheet.size} x {sheet.size}{board}, {sheet.rings} rings each, "
            f"{conditions_text(sheet.conditions)}, margin {sheet.conditions.margin} ms{opening}"
        ),
    ]


def game_facts(found: FoundGame) -> dict[str, object]:
    """What the record says of the game as a whole, for programs."""
    sheet = found.sheet
    return {
        "id": sheet.id,
        "match": sheet.match,
        "place": found.place,
        "number": found.number,
        "of": found.of,
        "x": sheet.x,
        "o": sheet.o,
        "size": sheet.size,
        "layout": sheet.layout,
        "board": sheet.board,
        "rings": sheet.rings,
        "seed": sheet.seed,
        "opening": list(sheet.moves[: sheet.opening]),
        "winner": sheet.winner,
        "why": sheet.why,
        "text": sheet.text,
        "fault": sheet.fault,
        "void": sheet.void,
    }


def outcome_text(sheet: Sheet) -> str:
    """Who won, in words: `greedy (x) wins`, `draw`, `void`."""
    if sheet.void:
        return "void"
    if sheet.winner == "-":
        return "draw"
    return plain(f"{sheet.x if sheet.winner == 'x' else sheet.o} ({sheet.winner}) wins")


def plain(text: str) -> str:
    """Text of a file made fit for a terminal; what a record keeps escaped is not escaped a second time."""
    if text.isprintable():
        return text
    return "".join([letter if letter.isprintable() else shown(letter) for letter in text])


def split_lines(kept: str) -> list[str]:
    """The lines of a bot's stderr, which a record keeps as one; a doubled backslash is no escape."""
    parts = re.split(r"(\\\\|(?:\\x0d)?\\x0a|\n)", kept)
    joined = "".join("\n" if part.endswith((r"\x0a", "\n")) else part for part in parts)
    return [plain(line) for line in joined.split("\n") if line.strip()]
