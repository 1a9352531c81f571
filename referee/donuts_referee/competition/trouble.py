"""Jobs that came to nothing: when two bots are set aside, so that the others can go on, and when all is given up.

A worker that dies may have been ended by one of its bots, and nobody can tell which. So its two bots are tried again,
one encounter at a time and after the others; after some times they do not meet any more in this run, which then ends
with their names. Where nothing at all can be played the run ends at once.
"""

from collections import Counter

from donuts_referee.competition.encounter import Encounter

__all__ = ["Trouble"]

TRIES = 3
"""Jobs of two bots one after the other that may come to nothing."""

AT_ONCE = 5
"""Jobs one after the other, before any game has counted, after which the run is given up."""

IN_ALL = 30
"""The same once games have counted."""


class Trouble:
    """What came to nothing in one run of an event."""

    def __init__(self) -> None:
        self._tries: Counter[frozenset[str]] = Counter()
        self._aside: dict[frozenset[str], str] = {}
        self._running = 0
        self._counted = False
        self._last = ""

    @property
    def any_aside(self) -> bool:
        """Some bots are not to meet any more."""
        return bool(self._aside)

    def over(self, pair: frozenset[str]) -> None:
        """A game of these two has counted."""
        self._tries.pop(pair, None)
        self._running = 0
        self._counted = True

    def note(self, encounter: Encounter, why: str, *, fruitless: bool) -> bool:
        """A job that began with this encounter was lost, `fruitless`: without a game; True: give up the run."""
        self._last = why
        pair = frozenset((encounter.first, encounter.second))
        if fruitless:
            self._tries[pair] += 1
            self._running += 1
        if self._tries[pair] >= TRIES:
            self._aside[pair] = why
        return self._running >= (IN_ALL if self._counted else AT_ONCE)

    def suspects(self, encounter: Encounter) -> bool:
        """True when the last job of these two came to nothing."""
        return self._tries[frozenset((encounter.first, encounter.second))] > 0

    def aside(self, encounter: Encounter) -> bool:
        """True when these two are not to meet any more."""
        return frozenset((encounter.first, encounter.second)) in self._aside

    def text(self) -> str:
        """What the operator is to know."""
        if not self._aside:
            return f"{self._running} jobs one after the other came to nothing: {self._last}"
        pairs = sorted(" and ".join(sorted(pair)) for pair in self._aside)
        text = f"the games of {'; '.join(pairs)} cannot be played: {next(iter(self._aside.values()))}"
        common = frozenset.intersection(*self._aside)
        if len(self._aside) > 1 and len(common) == 1:
            text += f"; {next(iter(common))} is in all of them, withdraw it"
        return text
