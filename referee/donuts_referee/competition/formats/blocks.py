"""Schedules that are known from the start: rounds of pairs, and a further block of rounds for bots that come later.

The first block is that of the bots at the start. When all of it is settled and bots were added meanwhile, a block
follows in which they meet whom the format says, of those who are there at that moment. Numbers never shift.
"""

from collections.abc import Iterator, Sequence
from typing import Protocol, TypeAlias

from donuts_referee.competition.encounter import Encounter, Schedule, Tables
from donuts_referee.competition.formats.waiting import settled

__all__ = ["Pair", "Rounds", "in_blocks"]

Pair: TypeAlias = tuple[str, str]
"""Who is x in leg 1, and the other."""


class Rounds(Protocol):
    """What a format makes of the bots of a block."""

    def __call__(self, old: Sequence[str], new: Sequence[str]) -> list[list[Pair]]:
        """The rounds of one cycle: bots in order of entry; of two `old` ones each other's games are scheduled."""
        ...


def in_blocks(tables: Tables, cycles: int, rounds: Rounds) -> Schedule:
    """Each block `cycles` times, with leg 1 the other way round in every second cycle."""
    seen: dict[str, None] = {}
    number = played = 0
    while True:
        yield from settled(tables, number)
        here = tables.entrants(number + 1, number)
        old = [bot for bot in here if bot in seen]
        new = [bot for bot in here if bot not in seen]
        plan = rounds(old, new) if new else []
        if not plan:
            return
        seen.update(dict.fromkeys(new))
        for due in _block(plan, cycles, number, played):
            number, played = due.number, due.round
            yield due


def _block(plan: list[list[Pair]], cycles: int, number: int, played: int) -> Iterator[Encounter]:
    for cycle in range(cycles):
        for pairs in plan:
            played += 1
            for first, second in pairs:
                number += 1
                if cycle % 2:
                    first, second = second, first
                yield Encounter(number, played, first, second)
