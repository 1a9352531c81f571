"""Analyses the games of a file one after the other: what the cache does not know is searched, some dozens at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from donuts_engine.position import Position
from donuts_referee.analysis.cache import Cache
from donuts_referee.analysis.faults import Unplayable
from donuts_referee.analysis.game import Analysed, analysed, positions
from donuts_referee.analysis.searching import Effort, Searchers, Solved
from donuts_referee.analysis.worth import Worth
from donuts_referee.records.finding import FoundGame

__all__ = ["Analyst", "Stand"]

BATCH = 96
"""Games that are read before what they need is searched; the last boards of a batch keep only some workers busy."""

SOLVABLE = 6
"""The size of the boards that can be solved."""


class Stand(NamedTuple):
    """How far an analysis is."""

    games: int
    """analysed so far"""
    positions: int
    """searched so far; what the cache knew is not among them"""
    wanted: int
    """positions known by now to need a search"""


class Analyst:
    """Analyses games; use as a context manager. `report` hears of every step, `skip` of games that are not believed."""

    def __init__(
        self,
        effort: Effort,
        cache: Cache | None,
        *,
        openings: bool = True,
        report: Callable[[Stand], None] = lambda stand: None,
        skip: Callable[[FoundGame, Unplayable], None] = lambda found, fault: None,
    ) -> None:
        """Set up; without `openings` the moves made for both sides, which count for nobody, stay unknown."""
        self._effort = effort
        self._cache = cache
        self._openings = openings
        self._report = report
        self._skip = skip
        self._searchers = Searchers(effort)
        self.stand = Stand(0, 0, 0)

    def games(self, found: Iterable[FoundGame]) -> Iterator[Analysed]:
        """Each game with its moves, in order. Raises SearchFault; what was computed by then is kept.

        Raises what `skip` raises, and what reading the games does.
        """
        games = iter(found)
        while batch := list(islice(games, BATCH)):
            readable = list(self._readable(batch))
            known = self._known(readable)
            for game, before in readable:
                self.stand = self.stand._replace(games=self.stand.games + 1)
                self._report(self.stand)
                yield analysed(game, before, known.get)

    def __enter__(self) -> "Analyst":
        return self

    def __exit__(self, *_: object) -> None:
        self._searchers.__exit__()

    def _readable(self, batch: Sequence[FoundGame]) -> Iterator[tuple[FoundGame, tuple[Position, ...]]]:
        for game in batch:
            try:
                yield game, positions(game.sheet, game.record)
            except Unplayable as fault:
                self._skip(game, fault)

    def _known(self, games: Sequence[tuple[FoundGame, tuple[Position, ...]]]) -> dict[Position, Worth]:
        """What all positions of these games are worth, as far as it can be found."""
        known: dict[Position, Worth] = {}
        missing: dict[Position, None] = {}
        for game, before in games:
            for position in before[0 if self._openings else game.sheet.opening :]:
                if position.board.size != SOLVABLE or position in known or position in missing:
                    continue
                worth = None if self._cache is None else self._cache.find(position, plies=self._effort.plies)
                if worth is None:
                    missing[position] = None
                else:
                    known[position] = worth

        def settle(solved: Sequence[Solved]) -> None:
            found = [(position, worth) for position, worth in solved if worth is not None]
            known.update(found)
            if self._cache is not None:
                self._cache.keep(found)
            self.stand = self.stand._replace(positions=self.stand.positions + len(solved))
            self._report(self.stand)

        self.stand = self.stand._replace(wanted=self.stand.wanted + len(missing))
        self._searchers.solve(tuple(missing), settle)
        return known
