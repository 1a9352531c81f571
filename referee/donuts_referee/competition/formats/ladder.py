"""Ladder without end: whoever had the fewest encounters is next, against the nearest in rating.

Encounter n is paired on the results of those up to n - `window`, and on who was paired in all before it. The bot with
the fewest encounters chooses, of several the one that waited longest. Its opponent is of those with the fewest, too:
the nearest in rating, and in every second encounter that it chooses one drawn from the seed. Bots that met only their
neighbours would never be measured against the rest. Whom it met last it does not meet, nor one that met it last, while
there is another. Bots that are added begin with no encounters and catch up; the last but one to leave ends it.
"""

import random

from donuts_referee.competition.encounter import Encounter, Schedule, Tables
from donuts_referee.competition.event import Ladder
from donuts_referee.competition.formats.elo import Elo
from donuts_referee.competition.formats.waiting import duel_of, settled

__all__ = ["schedule"]


def schedule(format: Ladder, seed: int, tables: Tables) -> Schedule:
    """One encounter after the other; the round is the how-manieth it is of the bot that had fewest."""
    elo = Elo()
    queue = _Queue(seed, elo)
    number = known = 0
    while format.encounters is None or number < format.encounters:
        yield from settled(tables, number + 1 - format.window)
        while known < number + 1 - format.window:
            known += 1
            elo.add(duel_of(tables, known))
        while len(here := tables.entrants(number + 1, known)) < 2:
            if tables.frontier >= number:
                return
            yield None
        number += 1
        first, second, round = queue.pair(here)
        yield Encounter(number, round, first, second)


class _Queue:
    """Bots by the number of their encounters; those with the same number in the order in which they came to it."""

    def __init__(self, seed: int, elo: Elo) -> None:
        self._elo = elo
        self._draw = random.Random(f"donuts ladder {seed}").random
        self._here: tuple[str, ...] = ()
        self._waiting: dict[int, list[str]] = {}
        self._count: dict[str, int] = {}
        self._firsts: dict[str, int] = {}
        self._chosen: dict[str, int] = {}
        """encounters for which a bot was the one to choose"""
        self._last: dict[str, str] = {}

    def pair(self, here: tuple[str, ...]) -> tuple[str, str, int]:
        """The next two, who is first before the other, and the round."""
        if here != self._here:
            self._admit(here)
        chooser = self._waiting[min(self._waiting)][0]
        other = self._opponent(chooser)
        round = self._count[chooser] + 1
        self._chosen[chooser] += 1
        self._last[chooser], self._last[other] = other, chooser
        for bot in (chooser, other):
            self._move_on(bot)
        first, second = chooser, other
        if self._firsts[other] < self._firsts[chooser]:
            first, second = other, chooser
        self._firsts[first] += 1
        return first, second, round

    def _admit(self, here: tuple[str, ...]) -> None:
        """Take in who is new, and leave out who has gone."""
        for bot in here:
            if bot not in self._count:
                self._count[bot] = self._firsts[bot] = self._chosen[bot] = 0
                self._waiting.setdefault(0, []).append(bot)
        among = set(here)
        left = {count: [bot for bot in bots if bot in among] for count, bots in self._waiting.items()}
        self._waiting = {count: bots for count, bots in left.items() if bots}
        self._here = here

    def _opponent(self, chooser: str) -> str:
        last = self._last.get
        met = last(chooser)
        for count in sorted(self._waiting):
            bots = [bot for bot in self._waiting[count] if last(bot) != chooser]
            for one in (chooser, met):
                if one in bots:
                    bots.remove(one)
            if bots and self._chosen[chooser] % 2:
                return bots[int(self._draw() * len(bots))]
            if bots:
                return self._elo.nearest(chooser, bots)
        others = (bot for count in sorted(self._waiting) for bot in self._waiting[count] if bot != chooser)
        return next(others)

    def _move_on(self, bot: str) -> None:
        count = self._count[bot]
        bots = self._waiting[count]
        bots.remove(bot)
        if not bots:
            del self._waiting[count]
        self._count[bot] = count + 1
        self._waiting.setdefault(count + 1, []).append(bot)
