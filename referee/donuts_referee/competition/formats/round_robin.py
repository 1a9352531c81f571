"""Round robin: everyone meets everyone, in rounds of the circle method.

Leg 1 is x for the bot that stands earlier in the list when the places of the two differ by an odd number, and for the
later one otherwise, as in Berger's tables: in a cycle each bot is first and second equally often, or but for one.
Of n bots without an opponent in a round nothing is said; it is no bye, for everyone has as many of them.
"""

from collections.abc import Sequence

from donuts_referee.competition.encounter import Schedule, Tables
from donuts_referee.competition.event import RoundRobin
from donuts_referee.competition.formats.blocks import Pair, in_blocks

__all__ = ["circle", "schedule"]


def schedule(format: RoundRobin, tables: Tables) -> Schedule:
    """Bots that are added later meet everyone who is there, and each other, after all that stood in the schedule."""
    return in_blocks(tables, format.cycles, _rounds)


def circle(players: int) -> list[list[tuple[int, int]]]:
    """The rounds of the circle method: every two of 0 .. players - 1 meet once, nobody twice in a round.

    The last of an even number stays in its place while the others go round it; of an odd number one pauses in turn.
    The first of a pair is the one who is first in leg 1.
    """
    around = players - 1 + players % 2
    rounds: list[list[tuple[int, int]]] = []
    for turn in range(around if players > 1 else 0):
        pairs = [((turn + step) % around, (turn - step) % around) for step in range(1, around // 2 + 1)]
        if players % 2 == 0:
            pairs.insert(0, (turn, players - 1))
        rounds.append([_ordered(one, other) for one, other in pairs])
    return rounds


def _ordered(one: int, other: int) -> tuple[int, int]:
    low, high = min(one, other), max(one, other)
    return (low, high) if (high - low) % 2 else (high, low)


def _rounds(old: Sequence[str], new: Sequence[str]) -> list[list[Pair]]:
    everyone = [*old, *new]
    rounds = [
        [(everyone[one], everyone[other]) for one, other in pairs if max(one, other) >= len(old)]
        for pairs in circle(len(everyone))
    ]
    return [pairs for pairs in rounds if pairs]
