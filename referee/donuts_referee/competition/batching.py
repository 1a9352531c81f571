"""Makes jobs of what is to be played: one encounter a job, and many of the same two bots where games are quick.

A job has its bots started anew. So that this does not weigh, a job holds about a second of games where there are enough
of one pair; so that no worker idles at the end, never more than its share of what is ready.
"""

from collections import deque
from collections.abc import Callable

from donuts_referee.competition.encounter import Encounter

__all__ = ["Batching", "Task"]

SECONDS = 1.0
"""of games that one job holds, where they are quick"""

MOST = 256
"""encounters in one job"""

AHEAD = 64
"""encounters for each worker that are looked at where others wait too; more would leave a stopped event lopsided"""

ENOUGH = 0.25
"""seconds of games of each pair that are looked for all the same, so that the start of two bots weighs little; an event
that is stopped is lopsided by no more than that"""

FAR = 8192
"""encounters that are looked at for that in all; they stand in memory"""

WEIGHT = 0.05
"""of one game in the running mean of how long games take"""

Task = tuple[Encounter, tuple[int, ...]]
"""An encounter and the legs of it that are to be played, in the order of a job."""


class Batching:
    """Holds the encounters that can be played, in the order of the schedule."""

    def __init__(self, next_encounter: Callable[[], Encounter | None], workers: int) -> None:
        """`next_encounter` gives one that is to be played, None where there is none for now."""
        self._next = next_encounter
        self._workers = workers
        self._ready: deque[Encounter] = deque()
        self._later: deque[Encounter] = deque()
        """to be played when nothing else can be"""
        self._seconds: float | None = None

    def took(self, seconds: float) -> None:
        """A game took so long."""
        mean = self._seconds
        self._seconds = seconds if mean is None else mean + WEIGHT * (seconds - mean)

    def again(self, encounter: Encounter, *, last: bool = False) -> None:
        """An encounter that was handed out is still to be played, in part or whole: first of all, or `last`."""
        (self._later if last else self._ready).appendleft(encounter)

    def job(self, missing: Callable[[Encounter], tuple[int, ...]]) -> list[Task]:
        """The next job; empty when nothing can be played for now."""
        most = self._most()
        ahead = min(2 * most, AHEAD) * self._workers
        self._fill(ahead, most)
        while self._ready:
            tasks = self._gathered(most, missing)
            if tasks:
                return tasks
            self._fill(ahead, most)  # all that was ready is settled by now
        self._ready, self._later = self._later, self._ready
        return self._gathered(most, missing)

    def _gathered(self, most: int, missing: Callable[[Encounter], tuple[int, ...]]) -> list[Task]:
        tasks: list[Task] = []
        x: str | None = None
        """who is x in the next game of the job"""
        kept: deque[Encounter] = deque()
        pair: frozenset[str] = frozenset()
        while self._ready and len(tasks) < most:
            encounter = self._ready.popleft()
            legs = missing(encounter)
            if not legs:
                continue
            if tasks and {encounter.first, encounter.second} != pair:
                kept.append(encounter)
                continue
            order = _ordered(encounter, legs, x)
            if not order:
                kept.append(encounter)
                break
            tasks.append((encounter, order))
            pair = frozenset((encounter.first, encounter.second))
            x = _other(encounter, _x(encounter, order[-1]))
        self._ready.extendleft(reversed(kept))
        return tasks

    def _most(self) -> int:
        if not self._seconds:
            return 1
        return max(1, min(MOST, int(SECONDS / (2 * self._seconds))))

    def _fill(self, ahead: int, most: int) -> None:
        """Look so far ahead, further for enough of each pair, and for a whole job as long as nobody else is waiting."""
        pairs = {frozenset((each.first, each.second)) for each in self._ready}
        enough = min(MOST, int(ENOUGH / (2 * self._seconds))) if self._seconds else 1
        while len(self._ready) < max(ahead, min(FAR, len(pairs) * enough) if len(pairs) > 1 else most):
            encounter = self._next()
            if encounter is None:
                return
            self._ready.append(encounter)
            pairs.add(frozenset((encounter.first, encounter.second)))


def _x(encounter: Encounter, leg: int) -> str:
    return encounter.first if leg == 1 else encounter.second


def _other(encounter: Encounter, bot: str) -> str:
    return encounter.second if bot == encounter.first else encounter.first


def _ordered(encounter: Encounter, legs: tuple[int, ...], x: str | None) -> tuple[int, ...]:
    """The legs in an order in which `x` (None: anyone) is x first and sides swap; () when there is none."""
    for order in (legs, legs[::-1]):
        if x is None or _x(encounter, order[0]) == x:
            return order
    return ()
