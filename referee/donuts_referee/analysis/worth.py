"""What each legal move of one position is worth: the form in which it is computed, kept and judged by."""

from typing import NamedTuple

from donuts_engine.position import Position
from donuts_engine.solved import WORDS

__all__ = ["Worth", "fits"]


class Worth(NamedTuple):
    """One position, solved: every legal move, in the order of `Position.legal`."""

    letters: str
    """W, D or L for each move, for the side that makes it"""
    plies: tuple[int, ...] | None = None
    """placements to the end of the game for each move, itself included, where the winner hurries and the loser
    delays; None where nobody asked"""

    @property
    def best(self) -> str:
        """The letter of the position for the side on turn."""
        return next(letter for letter in "WDL" if letter in self.letters)

    @property
    def keeping(self) -> tuple[int, ...]:
        """The places, from 0, of the moves that keep the value; where plies are known the best in time come first."""
        best = self.best
        places = [at for at, letter in enumerate(self.letters) if letter == best]
        plies = self.plies
        if plies is None:
            return tuple(places)
        return tuple(sorted(places, key=lambda at: plies[at] if best == "W" else -plies[at]))


def fits(worth: Worth, position: Position) -> bool:
    """Can this be the worth of the moves of `position`, by its form?"""
    count, left = len(position.legal), 2 * position.rings - position.ply
    return (
        0 < count == len(worth.letters)
        and set(worth.letters) <= set(WORDS)
        and (
            worth.plies is None
            or (len(worth.plies) == count and all(1 <= plies <= left for plies in worth.plies))
        )
    )
