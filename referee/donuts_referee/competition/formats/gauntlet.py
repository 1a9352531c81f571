"""Gauntlet: a few challengers meet all the others; neither challengers nor the others meet among themselves."""

from collections.abc import Sequence

from donuts_referee.competition.encounter import Schedule, Tables
from donuts_referee.competition.event import Gauntlet
from donuts_referee.competition.formats.blocks import Pair, in_blocks

__all__ = ["challengers", "schedule"]


def schedule(format: Gauntlet, tables: Tables) -> Schedule:
    """Bots that are added later are met by the challengers that are still there, after what stood in the schedule."""

    def rounds(old: Sequence[str], new: Sequence[str]) -> list[list[Pair]]:
        seeds = challengers(format, tables)
        here = [bot for bot in seeds if bot in old or bot in new]
        return _rounds(here, [bot for bot in new if bot not in seeds])

    return in_blocks(tables, format.cycles, rounds)


def challengers(format: Gauntlet, tables: Tables) -> tuple[str, ...]:
    """The bots that challenge: the first of those who were there at the start."""
    return tables.entrants(1, 0)[: format.seeds]


def _rounds(seeds: Sequence[str], others: Sequence[str]) -> list[list[Pair]]:
    """In round r challenger i meets number r - i of the others, so that nobody plays twice in a round."""
    around = max(len(seeds), len(others))
    rounds: list[list[Pair]] = []
    for turn in range(around):
        pairs: list[Pair] = []
        for place, seed in enumerate(seeds):
            at = (turn - place) % around
            if at < len(others):
                pairs.append((seed, others[at]) if turn % 2 == 0 else (others[at], seed))
        rounds.append(pairs)
    return [pairs for pairs in rounds if pairs]
