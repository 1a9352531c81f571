"""Who meets whom in one round of a Swiss: equals on points, and nobody whom they have met.

Bots are their ranks, 0 the best. The best that is still free takes the most wanted opponent that leaves (a) a round
for all the others without a rematch, and (b) as many pairs among those who have at least the opponent's points as
there could be. Where no one leaves (b), (a) alone decides. (a) is never given up: it is counted exactly, see
`matching`, so that no pairing is missed and nothing is tried twice.

Most wanted in a group of 2k or 2k + 1 on the same points is, as in the Dutch system, number k + 1 for the first, then
k + 2 and so on, then k, k - 1, ...; after the group come those below it, the best first. Of an odd group thus the last
one plays the first of the next.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from donuts_referee.competition.formats.matching import bits, most_pairs

__all__ = ["Round", "pair_round"]


class Round(NamedTuple):
    """The pairs, the better rank first, and who has a bye (None: nobody)."""

    pairs: tuple[tuple[int, int], ...]
    bye: int | None


def pair_round(points: Sequence[float], met: Mapping[tuple[int, int], int], byes: Sequence[int]) -> Round:
    """Pair ranks 0 .. len(points) - 1; `points` do not rise from one rank to the next.

    `met` says how often two have met, the better rank first; `byes` how many byes each has had. Of an odd number the
    lowest of those with the fewest byes has one. Two meet again only where no round for all is possible without, and
    then those who met least often.
    """
    count = len(points)
    everyone = (1 << count) - 1
    odd = count % 2
    for times in range(max(met.values(), default=0) + 1):
        graph = _strangers(count, met, times)
        for out in _resting(byes) if odd else (None,):
            free = everyone if out is None else everyone & ~(1 << out)
            if most_pairs(graph, free) == count // 2:
                return Round(tuple(_pairs(points, graph, met, free)), out)
    raise AssertionError("where everyone may meet everyone there is always a round")


def _strangers(count: int, met: Mapping[tuple[int, int], int], times: int) -> list[int]:
    """The graph of those who have met at most so many times."""
    graph = [(1 << count) - 1 & ~(1 << one) for one in range(count)]
    for (one, other), often in met.items():
        if often > times:
            graph[one] &= ~(1 << other)
            graph[other] &= ~(1 << one)
    return graph


def _resting(byes: Sequence[int]) -> list[int]:
    """Who may have the bye, the lowest first."""
    fewest = min(byes)
    return [rank for rank in reversed(range(len(byes))) if byes[rank] == fewest]


def _pairs(
    points: Sequence[float], graph: Sequence[int], met: Mapping[tuple[int, int], int], free: int
) -> Iterator[tuple[int, int]]:
    while free:
        one = next(bits(free))
        group = sum(1 << rank for rank in bits(free) if points[rank] == points[one])
        wanted = [other for other in _wanted(one, group, free) if graph[one] >> other & 1]
        wanted.sort(key=lambda other: met.get((one, other), 0))
        other = _chosen(one, wanted, points, graph, free)
        yield one, other
        free &= ~(1 << one | 1 << other)


def _wanted(one: int, group: int, free: int) -> list[int]:
    mates = list(bits(group & ~(1 << one)))
    half = (len(mates) + 1) // 2
    start = max(half - 1, 0)
    return [*mates[start:], *reversed(mates[:start]), *bits(free & ~group)]


def _chosen(one: int, wanted: Sequence[int], points: Sequence[float], graph: Sequence[int], free: int) -> int:
    possible: int | None = None
    before: dict[float, tuple[int, int]] = {}
    for other in wanted:
        both = 1 << one | 1 << other
        if most_pairs(graph, free & ~both) < free.bit_count() // 2 - 1:
            continue
        if possible is None:
            possible = other
        least = points[other]
        if least not in before:
            level = sum(1 << rank for rank in bits(free) if points[rank] >= least)
            before[least] = level, most_pairs(graph, level)
        level, pairs = before[least]
        if most_pairs(graph, level & ~both) == pairs - 1:
            return other
    if possible is None:
        raise AssertionError("the round was possible before this pair")
    return possible
