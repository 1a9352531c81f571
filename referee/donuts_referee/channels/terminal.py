"""A person at a terminal as a link among others: what is typed becomes arrivals.

The exchange reads the descriptor in the same wait as those of the bots. What the bytes mean, and how the
person is told what the referee says, is the business of the local link, which lives where people are known.
"""

from collections.abc import Sequence
from typing import Protocol

from donuts_referee.channels.link import Arrival, Link


class LocalLink(Link, Protocol):
    """A link in this process, fed from a descriptor that the exchange reads for it."""

    def fileno(self) -> int:
        """The descriptor to wait on and to read."""
        ...

    def heard(self, data: bytes, at: int) -> Sequence[Arrival]:
        """What the bytes that were read at `at` (ns) amount to, perhaps nothing yet; b"" is their end."""
        ...


class Hosting(Protocol):
    """What a local link needs of its exchange."""

    def now(self) -> int:
        """Monotonic time in ns."""
        ...

    def attach(self, local: LocalLink) -> None:
        """Read for this link from now on."""
        ...

    def detach(self, local: LocalLink) -> None:
        """Read for it no more."""
        ...

    def post(self, arrival: Arrival) -> None:
        """Let the next wait deliver it."""
        ...
