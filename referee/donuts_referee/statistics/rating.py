"""Ratings of all bots of an event at once, on the Elo scale, with the intervals that hold them; see `strength`.

Two bots can be compared when a chain of games leads from one to the other: they are of one pool. The middle of a pool,
the mean of its bots weighted by what their games tell of each, has 1500. Whether two bots differ is asked of the
interval of their difference, which is narrower or wider than their two intervals make it look.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from donuts_referee.statistics.pentanomial import Floats
from donuts_referee.statistics.results import Meeting
from donuts_referee.statistics.scale import LEVEL, MIDDLE, POINTS, expected, normal
from donuts_referee.statistics.strength import Ends, Games, Strengths, strengths

__all__ = ["FARTHEST", "Difference", "Rating", "Ratings", "rate"]

FARTHEST = 1_000_000
"""Games; what takes more will not be settled."""

MOST_AHEAD = 3.0
"""What playing x or o is worth at the most, in logarithms of odds: twenty to one."""


class Rating(NamedTuple):
    """One bot."""

    bot: str
    rating: float
    """points; 1500 is the middle of its pool"""
    deviation: float
    """points up and down within which its strength lies with 95 %"""
    games: int
    """that say something of its strength"""
    pool: int
    """the place of its pool in `Ratings.pools`"""


class Difference(NamedTuple):
    """By how much one bot is stronger than another."""

    points: float
    deviation: float
    """points up and down within which the difference lies with 95 %"""

    @property
    def tied(self) -> bool:
        """True when the interval holds 0: they cannot be told apart."""
        return abs(self.points) <= self.deviation

    @property
    def superiority(self) -> float:
        """The likelihood, 0..1, that the one is stronger than the other."""
        return normal(self.points / self.deviation * LEVEL)


class Ratings:
    """What `rate` found."""

    def __init__(self, bots: Sequence[str], found: Strengths, pools: Sequence[Sequence[int]], games: Floats):
        self._place = {bot: place for place, bot in enumerate(bots)}
        self._found = found
        self._pool_of = {place: number for number, pool in enumerate(pools) for place in pool}
        rows: list[Rating] = []
        for number, pool in enumerate(pools):
            level, deviations = _centred(found, pool)
            own = [
                Rating(
                    bots[place],
                    MIDDLE + POINTS * float(found.strength[place] - level),
                    LEVEL * POINTS * float(deviation),
                    int(games[place]),
                    number,
                )
                for place, deviation in zip(pool, deviations, strict=True)
            ]
            rows += sorted(own, key=lambda row: -row.rating)  # equal ratings in the order of `bots`
        self.rows: tuple[Rating, ...] = tuple(rows)
        """the pools one after the other, the greatest first; within a pool by rating"""
        self.pools: tuple[tuple[str, ...], ...] = tuple(
            tuple(row.bot for row in rows if row.pool == number) for number in range(len(pools))
        )
        """bots that can be compared, by rating"""
        self._of = {row.bot: row for row in rows}

    def of(self, bot: str) -> Rating:
        """The row of a bot."""
        return self._of[bot]

    def difference(self, one: str, other: str) -> Difference | None:
        """By how much `one` is stronger than `other`; None when they are of different pools, or the same bot."""
        i, j = self._place[one], self._place[other]
        if i == j or self._pool_of[i] != self._pool_of[j]:
            return None
        spread = self._found.covariance
        variance = float(spread[i, i] + spread[j, j] - 2 * spread[i, j])
        points = POINTS * float(self._found.strength[i] - self._found.strength[j])
        return Difference(points, LEVEL * POINTS * math.sqrt(max(variance, 1e-12)))

    def games_to_settle(self, one: str, other: str) -> int | None:
        """How many more games between the two make the interval of their difference exclude 0, if it stays as it is.

        0 when it does so already; even, for games are played in encounters; None when they look so equal that none
        will (or more than `FARTHEST`), or when they are of different pools.
        """
        difference = self.difference(one, other)
        if difference is None:
            return None
        if not difference.tied:
            return 0
        gap = difference.points / POINTS
        if abs(gap) < 1e-9:
            return None
        i, j = sorted((self._place[one], self._place[other]))
        share = expected(difference.points)
        of_encounter = 2 * share * (1 - share) / self._found.ratios.get((i, j), self._found.ratio)
        wanted, had = (LEVEL / gap) ** 2, (LEVEL * POINTS / difference.deviation) ** 2
        games = 2 * math.floor((wanted - had) / of_encounter + 1)
        return games if games <= FARTHEST else None

    def ties(self) -> tuple[tuple[str, ...], ...]:
        """All longest runs of neighbours by rating of which no two can be told apart; a bot may be in several."""
        return tuple(run for pool in self.pools for run in self._runs(pool))

    def _runs(self, pool: Sequence[str]) -> list[tuple[str, ...]]:
        places = [self._place[bot] for bot in pool]
        strength, spread = self._found.strength[places], self._found.covariance[np.ix_(places, places)]
        own = np.diag(spread)
        margin = LEVEL * np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * spread, 1e-12))
        tied = np.abs(strength[:, None] - strength[None, :]) <= margin
        runs: list[tuple[str, ...]] = []
        stop = 0
        for start in range(len(pool)):
            end = start + 1
            while end < len(pool) and tied[start:end, end].all():
                end += 1
            if end - start > 1 and end > stop:
                runs.append(tuple(pool[start:end]))
                stop = end
        return runs


def rate(meetings: Iterable[Meeting] | Mapping[Meeting, int], bots: Sequence[str] = ()) -> Ratings:
    """The ratings of `bots` and of all who met; `meetings` may be counted already.

    Games of a bot with itself are passed over. A bot without a game is a pool of its own. Never infinite, never nan.
    """
    counted = Counter(meetings)
    names = list(dict.fromkeys([*bots, *(name for one in counted for name in (one.first, one.second))]))
    place = {bot: number for number, bot in enumerate(names)}
    rows = [
        (place[one.first], place[one.second], legs, sum(legs), times, one.leg2 is None)
        for one, times in counted.items()
        if one.first != one.second and (legs := [leg for leg in (one.leg1, one.leg2) if leg is not None])
    ]
    first, second, kept, points, times, alone = zip(*rows, strict=True) if rows else ((), (), (), (), (), ())
    ends = Ends(np.array(first, dtype=np.intp), np.array(second, dtype=np.intp))
    games = np.array([len(one) for one in kept], dtype=np.float64)
    counts = np.array(times, dtype=np.float64)
    ahead = _first_move(counted)
    offset = np.where(games == 2, 0.0, np.where(np.array(alone, dtype=bool), ahead, -ahead))
    table = Games(ends, games, np.array(points, dtype=np.float64), counts, offset)
    played = np.zeros(len(names))
    for side in ends:
        np.add.at(played, side, games * counts)
    return Ratings(names, strengths(table, len(names)), _pools(len(names), ends, played), played)


def _first_move(counted: Mapping[Meeting, int]) -> float:
    """What playing x is worth, in logarithms of odds: how many of all points x made. Needed for lone legs only."""
    x = o = 1.0  # a game of each, so that neither is 0
    for one, times in counted.items():
        if one.first == one.second:
            continue
        if one.leg1 is not None:
            x, o = x + times * one.leg1, o + times * (1 - one.leg1)
        if one.leg2 is not None:
            x, o = x + times * (1 - one.leg2), o + times * one.leg2
    return max(-MOST_AHEAD, min(math.log(x / o), MOST_AHEAD))


def _pools(bots: int, ends: Ends, played: Floats) -> list[list[int]]:
    """The connected components: the one with the most games first, then by their first bots."""
    met: list[set[int]] = [set() for _ in range(bots)]
    for one, other in set(zip(ends.first.tolist(), ends.second.tolist(), strict=True)):
        met[one].add(other)
        met[other].add(one)
    pools: list[list[int]] = []
    unseen = dict.fromkeys(range(bots))
    while unseen:
        pool, reached = [next(iter(unseen))], 0
        del unseen[pool[0]]
        while reached < len(pool):
            new = [bot for bot in met[pool[reached]] if bot in unseen]
            for bot in new:
                del unseen[bot]
            pool += new
            reached += 1
        pools.append(sorted(pool))
    return sorted(pools, key=lambda pool: (-float(played[pool].sum()), pool[0]))


def _centred(found: Strengths, pool: Sequence[int]) -> tuple[float, Floats]:
    """The middle of a pool, and the standard deviation of each of its bots from it (of one alone: from the prior's)."""
    spread = found.covariance[np.ix_(pool, pool)]
    if len(pool) == 1:
        return 0.0, np.sqrt(np.diag(spread))
    weights = found.information[pool] / found.information[pool].sum()
    towards = spread @ weights
    variance = np.diag(spread) - 2 * towards + weights @ towards
    return float(weights @ found.strength[pool]), np.sqrt(np.maximum(variance, 1e-12))
