"""Keeps those who look on from doing harm to the event: one that fails is told of once and dropped.

An onlooker has three ways to be in the way: it fails (a full disk, a reader that left), it is slow, or it asks for too
much. The first ends here as `Gone`; for the second, onlookers hand on what is slow to a thread of their own; and for
the third, `Pace` says when the standings, whose cost grows with the event, are worth another look.
"""

import time
from collections.abc import Callable, Iterable

from donuts_referee.competition.happenings import Ended, Happening, Onlooker, Rows, StandingsChanged

__all__ = ["Gone", "Onlookers", "Pace"]


class Gone(Exception):
    """An onlooker cannot look on any more; the text says what it is and why, in one line."""


class Onlookers:
    """Several onlookers as one that never fails."""

    def __init__(self, onlookers: Iterable[Onlooker], note: Callable[[str], None]) -> None:
        """`note` is told in one line of an onlooker that is dropped."""
        self._onlookers = tuple(onlookers)
        self._note = note

    def see(self, happening: Happening) -> None:
        """Let each of them look; who raises Gone or OSError never looks again."""
        for onlooker in self._onlookers:
            try:
                onlooker.see(happening)
            except (Gone, OSError) as fault:
                self._drop(onlooker, fault)

    def close(self) -> None:
        """Close each of them; twice is harmless."""
        onlookers, self._onlookers = self._onlookers, ()
        for onlooker in onlookers:
            try:
                onlooker.close()
            except (Gone, OSError) as fault:
                self._tell(fault)

    def _drop(self, onlooker: Onlooker, fault: Exception) -> None:
        self._onlookers = tuple(one for one in self._onlookers if one is not onlooker)
        self._tell(fault)
        try:
            onlooker.close()
        except (Gone, OSError):
            return  # it was told of already

    def _tell(self, fault: Exception) -> None:
        self._note(f"{fault}; the event goes on without it")


class Pace:
    """Looks at the standings now and then: at most once in `least` seconds, and for 1/`share` of the time at most."""

    def __init__(
        self, least: float = 1.0, share: int = 20, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._least = least
        self._share = share
        self._clock = clock
        self._next = float("-inf")
        self._pending: StandingsChanged | None = None

    def look(self, happening: Happening) -> tuple[int, Rows] | None:
        """Encounters settled and the standings, when they have changed and are due; to be asked at every happening.

        So what was not due yet is seen later; at the end the standings are always due.
        """
        if type(happening) is StandingsChanged:
            self._pending = happening
        elif type(happening) is Ended:
            self._pending = None
            return happening.settled, happening.standings()
        if self._pending is None or (began := self._clock()) < self._next:
            return None
        settled, standings = self._pending.settled, self._pending.standings
        self._pending = None
        rows = standings()
        ended = self._clock()
        self._next = ended + max(self._least, (ended - began) * self._share)
        return settled, rows
