"""Swiss: a few rounds in which equals on points meet, and nobody meets twice while a round without that is possible.

The order of the list is the seeding: it ranks those who have the same points. Bots that are added play from the next
round on, with no points for the rounds before; who was withdrawn or benched is not paired any more. A bye counts two
points, as an encounter won. Of two that meet, the one who was first less often is first; else the better ranked.
"""

from collections import Counter
from collections.abc import Sequence

from donuts_referee.competition.encounter import Bye, Encounter, Schedule, Tables
from donuts_referee.competition.event import Swiss
from donuts_referee.competition.formats.pairing import pair_round
from donuts_referee.competition.formats.waiting import duel_of, settled

__all__ = ["BYE", "rounds_of", "schedule"]

BYE = 2.0
"""The points of a bye."""


def schedule(format: Swiss, tables: Tables) -> Schedule:
    """Round after round; ends early when fewer than two bots are left."""
    standing = _Standing()
    number = played = 0
    while True:
        here = tables.entrants(number + 1, number)
        if len(here) < 2 or played >= rounds_of(format, len(tables.entrants(1, 0))):
            return
        played += 1
        pairs, rests = standing.pair(here)
        start = number
        for first, second in pairs:
            number += 1
            yield Encounter(number, played, first, second)
        if rests is not None:
            yield Bye(played, rests)
        yield from settled(tables, number)
        standing.add(tables, range(start + 1, number + 1))


def rounds_of(format: Swiss, bots: int) -> int:
    """How many rounds are played with so many bots at the start."""
    if format.rounds is not None:
        return format.rounds
    return max(0, min((bots - 1).bit_length() + 1, bots - 1))


class _Standing:
    """What the rounds that are over say of each bot."""

    def __init__(self) -> None:
        self._points: Counter[str] = Counter()
        """in half points"""
        self._met: Counter[tuple[str, str]] = Counter()
        self._byes: Counter[str] = Counter()
        self._firsts: Counter[str] = Counter()

    def pair(self, here: Sequence[str]) -> tuple[list[tuple[str, str]], str | None]:
        """The pairs of the next round, who is first in leg 1 before the other, and who has a bye."""
        order = sorted(here, key=lambda bot: -self._points[bot])
        rank = {bot: at for at, bot in enumerate(order)}
        met: dict[tuple[int, int], int] = {}
        for (one, other), times in self._met.items():
            if one in rank and other in rank:
                at, to = sorted((rank[one], rank[other]))
                met[at, to] = met.get((at, to), 0) + times
        paired = pair_round([self._points[bot] / 2 for bot in order], met, [self._byes[bot] for bot in order])
        pairs = [self._in_order(order[one], order[other]) for one, other in paired.pairs]
        for one, other in pairs:
            self._met[one, other] += 1
            self._firsts[one] += 1
        rests = None if paired.bye is None else order[paired.bye]
        if rests is not None:
            self._byes[rests] += 1
            self._points[rests] += int(2 * BYE)
        return pairs, rests

    def _in_order(self, better: str, worse: str) -> tuple[str, str]:
        return (worse, better) if self._firsts[worse] < self._firsts[better] else (better, worse)

    def add(self, tables: Tables, numbers: range) -> None:
        """The results of a round."""
        for number in numbers:
            duel = duel_of(tables, number)
            for bot in (duel.encounter.first, duel.encounter.second):
                self._points[bot] += int(2 * duel.points(bot))
