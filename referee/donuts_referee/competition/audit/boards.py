"""Finds out from its description how each encounter of an event must begin, as far as that can be told.

The seed that bots are given follows from the event's in any case. Boards and first plies follow where they are drawn
from the tiles that come with the arena, and of balanced ones, whose list stands beside the journal; those of another
list, or of other tiles, the description names by a digest alone.
"""

from dataclasses import dataclass
from itertools import product
from typing import Literal

from donuts_engine.squares import NAMES
from donuts_engine.tiles import TileSet
from donuts_referee.competition.audit.starts import Start
from donuts_referee.competition.balanced import Listing
from donuts_referee.competition.description import Description, openings_digest
from donuts_referee.competition.event import Openings
from donuts_referee.competition.openings import OpeningFault, opening
from donuts_referee.programme import pair_seed

__all__ = ["Boards"]

MOST_PLIES = 40
"""Forced plies up to which the digest is tried."""

ORDERS: tuple[Literal["sequential", "shuffled"], ...] = ("sequential", "shuffled")


@dataclass(frozen=True, slots=True)
class _Source:
    """See `openings.Source`."""

    seed: int
    size: int
    rings: int
    tiles: TileSet
    openings: Openings


class Boards:
    """How the encounters of an event begin; `known`: boards and first plies can be told, and not the seed alone."""

    def __init__(self, description: Description, listed: Listing | None = None) -> None:
        """`listed`: the openings that are kept beside the journal, found to be those that the description means."""
        self._seed = description.seed
        self._source = _recognised(description) if listed is None else _listed(description, listed)
        self.known = self._source is not None

    def fault(self, number: int, start: Start) -> str | None:
        """In which way encounter `number` did not begin as it must; None when it did, as far as can be told."""
        due = pair_seed(self._seed, number)
        if start.seed != due:
            return f"the seed is {start.seed}, but encounter {number} of the event has {due}"
        if self._source is None:
            return None
        try:
            right = opening(self._source, number)
        except OpeningFault as fault:
            return f"encounter {number} of the event cannot be played: {fault}"
        names = NAMES[right.board.size]
        placements = tuple(names[square] for square in right.placements)
        if (start.layout, start.board, start.opening) != (right.board.layout, right.board_number, placements):
            return f"board or opening are not those that encounter {number} has by the seed of the event"
        return None


def _listed(description: Description, listed: Listing) -> _Source:
    size, rings = description.size, description.rings
    return _Source(description.seed, size, rings, TileSet.shipped(), listed.listed())


def _recognised(description: Description) -> _Source | None:
    tiles = TileSet.shipped()
    for plies, order in product(range(MOST_PLIES + 1), ORDERS):
        openings = Openings(plies=plies, order=order)
        if openings_digest(openings, tiles) == description.openings:
            return _Source(description.seed, description.size, description.rings, tiles, openings)
    return None
