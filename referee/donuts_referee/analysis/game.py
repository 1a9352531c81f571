"""One game, move by move: what each was worth before and after, and whether it was a mistake."""

from collections.abc import Callable, Iterator
from typing import Literal, NamedTuple

from donuts_engine.position import Position
from donuts_engine.solved import WORDS, Value
from donuts_engine.squares import index
from donuts_referee.analysis.faults import Unplayable
from donuts_referee.analysis.worth import Worth
from donuts_referee.records.finding import FoundGame
from donuts_referee.records.pgn import Remark
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.records.verify import replay

__all__ = ["Analysed", "Move", "analysed", "positions", "remarks"]

Known = Value | Literal["unknown"]

_GLYPHS = {"?": 2, "??": 4}
"""What PGN calls a poor move and a very poor one."""


class Move(NamedTuple):
    """One placement; values are those for the side that made it, squares are named."""

    ply: int
    side: Literal["x", "o"]
    square: str
    opening: bool
    """it was made for both sides, and counts for nobody"""
    legal: int
    """how many moves there were"""
    before: Known
    """the value of the position, which is that of the best move"""
    after: Known
    """the value of the move that was made"""
    keeping: tuple[str, ...]
    """the moves that keep the value, in index order, or the best in time first where plies are known; () if unknown"""
    plies_before: int | None = None
    """placements to the end under best play; None where nobody asked or it is unknown"""
    plies_after: int | None = None
    """the same when this move is made, itself included"""

    @property
    def known(self) -> bool:
        """False where the search came to no end; such a move counts for nothing."""
        return self.before != "unknown"

    @property
    def mattered(self) -> bool:
        """There was a move that would have given the value away."""
        return 0 < len(self.keeping) < self.legal

    @property
    def mark(self) -> Literal["", "?", "??"]:
        """`?` for a win or a draw given away by one step, `??` for a win made a loss."""
        if self.before == self.after:
            return ""
        return "??" if (self.before, self.after) == ("win", "loss") else "?"


class Analysed(NamedTuple):
    """A game and all of its moves."""

    found: FoundGame
    moves: tuple[Move, ...]

    @property
    def sheet(self) -> Sheet:
        """The score sheet."""
        return self.found.sheet


def positions(sheet: Sheet, record: Record | None = None) -> tuple[Position, ...]:
    """The position before each move. Raises Unplayable where the moves break the rules, or the record does not hold.

    What is said of a game that `donuts verify` does not believe would be false as well: who won it, and who moved.
    """
    played = replay(sheet, record)
    if played.start is None or len(played.steps) < len(sheet.moves):
        raise Unplayable(f"the game cannot be played over: {played.faults[0]}")
    if not played.holds:
        raise Unplayable(f"the record does not hold: {played.faults[0]}")
    return tuple(position for ply in range(len(sheet.moves)) if (position := played.before(ply)) is not None)


def analysed(
    found: FoundGame, before: tuple[Position, ...], worth_of: Callable[[Position], Worth | None]
) -> Analysed:
    """Judge the moves made in the positions `before`; `worth_of` says None of what is unknown."""
    sheet = found.sheet
    return Analysed(
        found,
        tuple(
            _move(position, square, position.ply < sheet.opening, worth_of(position))
            for position, square in zip(before, sheet.moves, strict=True)
        ),
    )


def _move(position: Position, square: str, opening: bool, worth: Worth | None) -> Move:
    names = position.legal_names
    if worth is None:
        return Move(position.ply, position.you, square, opening, len(names), "unknown", "unknown", ())
    made = position.legal.index(index(square, position.board.size))
    keeping = worth.keeping
    return Move(
        ply=position.ply,
        side=position.you,
        square=square,
        opening=opening,
        legal=len(names),
        before=WORDS[worth.best],
        after=WORDS[worth.letters[made]],
        keeping=tuple(names[at] for at in keeping),
        plies_before=None if worth.plies is None else worth.plies[keeping[0]],
        plies_after=None if worth.plies is None else worth.plies[made],
    )


def remarks(game: Analysed) -> Iterator[tuple[int, Remark]]:
    """The mistakes, by ply, as PGN says them."""
    for move in game.moves:
        if move.mark:
            better = f"{move.before} to {move.after}, best {move.keeping[0]}"
            yield move.ply, Remark(_GLYPHS[move.mark], better)
