"""A match of two bots by a sequential test: it ends as soon as the results say which hypothesis holds.

Encounters are handed out ahead of results, but the test looks at them in the order of their numbers, and the first one
at which it decides is the last that counts. Those beyond it that were under way are kept in the journal and count for
nothing: see `Match.last`. An encounter with a leg that came out void says nothing to the test. A walkover ends the
match undecided, since one of the two is gone.
"""

from typing import Protocol

from donuts_referee.competition.encounter import Encounter, Schedule, Tables
from donuts_referee.competition.event import Sprt
from donuts_referee.competition.formats.waiting import duel_of

__all__ = ["Match", "Test", "schedule"]


class Test(Protocol):
    """What is asked for a decision; `statistics.sprt.SequentialTest` is one."""

    @property
    def encounters(self) -> int:
        """How many it looked at, that which decided it the last."""
        ...

    def extend(self, points: list[float]) -> str | None:
        """More encounters, by the points (0 to 2) of the first bot, each looked at in turn; the decision, if any."""
        ...


def schedule(format: Sprt, tables: Tables, test: Test | None = None) -> Schedule:
    """The two who were there first, until the test decides, one of them leaves, or the most encounters are played.

    `test`: another than that of `format`; it must be new.
    """
    match = Match(format, tables, test)
    for number in range(1, format.encounters + 1):
        # whatever there are games of was handed out before the test decided; it is looked at all at once
        if number > tables.highest:
            match.look()
            if match.last is not None:
                return
        here = tables.entrants(number, 0)
        two = tables.entrants(1, 0)[:2]
        if len(two) < 2 or not set(two) <= set(here):
            return
        yield Encounter(number, number, *(two if number % 2 else two[::-1]))


class Match:
    """The encounters of a match as the test sees them."""

    def __init__(self, format: Sprt, tables: Tables, test: Test | None = None) -> None:
        self.last: int | None = None
        """the last encounter that counts, once that is known"""
        self.decision: str | None = None
        """which hypothesis was accepted; None as long as neither was"""
        self._tables = tables
        self._test = _test_of(format) if test is None else test
        self._seen = 0
        self._first: str | None = None

    def look(self) -> None:
        """Look at what was settled since the last look."""
        points: list[float] = []
        numbers: list[int] = []
        gone: int | None = None
        while self.last is None and gone is None and self._seen < self._tables.frontier:
            self._seen += 1
            duel = duel_of(self._tables, self._seen)
            if self._first is None:
                self._first = duel.encounter.first
            if not all(leg.played for leg in duel.legs):
                gone = self._seen
            elif all(leg.winner for leg in duel.legs):
                numbers.append(self._seen)
                points.append(duel.points(self._first))
        if points:
            before = self._test.encounters
            self.decision = self._test.extend(points)
            if self.decision is not None:
                self.last = numbers[self._test.encounters - before - 1]
        if self.last is None:
            self.last = gone


def _test_of(format: Sprt) -> Test:
    from donuts_referee.statistics.sprt import (
        Hypotheses,
        SequentialTest,
    )  # numpy, which only this format needs

    return SequentialTest(
        Hypotheses(
            elo0=format.elo0, elo1=format.elo1, alpha=format.alpha, beta=format.beta, scale=format.scale
        )
    )
