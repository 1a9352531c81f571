"""The positions that a bot is asked: those of ordinary games, and the ones at the edges of the rules.

All of them come up in games; a seed makes them the same in every run.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import NamedTuple

from donuts_engine.board import Board
from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS, Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES
from donuts_engine.tiles import TileSet

__all__ = [
    "Study",
    "blocked_line",
    "drawn",
    "find",
    "first_ring",
    "forced_line",
    "last_ring",
    "one_legal",
    "quiet",
    "some_rings",
    "walk",
]


class Study(NamedTuple):
    """A position in which somebody is on turn, and the placements that led to it."""

    position: Position
    moves: tuple[str, ...]

    def after(self, square: str) -> "Study":
        """The study one placement on."""
        index = NAMES[self.position.board.size].index(square)
        return Study(play(self.position, index), (*self.moves, square))


def drawn(rng: Random, size: int) -> Board:
    """A board of this size."""
    return TileSet.shipped().draw(size, rng)[0]


def first_ring(rng: Random, size: int, rings: int | None = None) -> Study:
    """The empty board: every square is legal."""
    return Study(Position.start(drawn(rng, size), rings), ())


def walk(rng: Random, size: int, rings: int | None = None) -> Iterator[Study]:
    """The positions of one random game from the start, in which nobody makes five as long as there is a choice."""
    study = first_ring(rng, size, rings)
    while study.position.result is None:
        yield study
        squares = list(study.position.legal_names)
        rng.shuffle(squares)
        then = [study.after(square) for square in squares[:4]]
        study = next((one for one in then if one.position.result is None), then[0])


def find(rng: Random, size: int, wanted: Callable[[Position], bool], rings: int | None = None) -> Study:
    """A study whose position is wanted, picked at random from a game that has some."""
    while True:
        found = [study for study in walk(rng, size, rings) if wanted(study.position)]
        if found:
            return rng.choice(found)


def quiet(rng: Random, size: int) -> Study:
    """An ordinary position in the middle of a game: the line of the last ring leaves a choice."""
    return find(rng, size, _ordinary)


def _ordinary(position: Position) -> bool:
    return 2 <= position.ply <= 20 and forced_line(position) and not one_legal(position)


def some_rings(rng: Random, size: int) -> int:
    """A number of rings a side: usually the published one."""
    return DEFAULT_RINGS[size] if rng.random() < 0.7 else rng.randint(1, MAX_RINGS[size])


def forced_line(position: Position) -> bool:
    """The line of the last ring restricts the choice."""
    return position.ply > 0 and len(position.legal) < position.free.bit_count()


def blocked_line(position: Position) -> bool:
    """The line of the last ring is full, so that any empty square will do."""
    return (
        position.ply > 0
        and position.free.bit_count() > 1
        and not position.board.places[position.last][3] & position.free
    )


def last_ring(position: Position) -> bool:
    """The last of all rings is to be placed."""
    return position.ply == 2 * position.rings - 1


def one_legal(position: Position) -> bool:
    """Only one square is legal."""
    return len(position.legal) == 1
