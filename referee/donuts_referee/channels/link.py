"""What a transport offers to the table: a link to one bot, an exchange that waits on all links of a match.

The table is written as generators: they send through links, yield the absolute deadline until which they can
wait (ns of the monotonic clock; None: for ever) and are handed the arrivals that ended the wait; no arrivals
means that the deadline has passed and nothing was readable. `drive.drive` joins such a generator to an
exchange. Time enters only through the stamps of arrivals and `Exchange.now`, so the same generators run on a
virtual clock.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

LEGACY = 1 << 20
"""bytes believed after a process has ended: as many as the largest pipe holds that an ordinary user may make"""

NAP = 1.0
"""seconds that no wait of an exchange sleeps at once: a signal that comes just before a sleep is handled when it ends,
and on Windows one that comes during it too"""


class Chunk(NamedTuple):
    """Bytes that a bot wrote, as one read returned them; `at` was taken when the read returned."""

    link: "Link"
    data: bytes
    at: int


class Sent(NamedTuple):
    """All that was pending on a link has been handed to the kernel."""

    link: "Link"
    at: int


class Shut(NamedTuple):
    """The bot has closed its stdin, as a write has shown: nothing can be sent to it any more (DBP-10.10)."""

    link: "Link"
    at: int


class Gone(NamedTuple):
    """The bot's stdout is at its end or its process has ended; all that was readable was delivered before."""

    link: "Link"
    at: int


class Away(NamedTuple):
    """A remote bot cannot be reached any more; it may come back (DBP-11.11)."""

    link: "Link"
    at: int


class Back(NamedTuple):
    """A remote bot is back, over a fresh connection: what is open has to be sent again (DBP-11.11)."""

    link: "Link"
    at: int


Arrival: TypeAlias = Chunk | Sent | Shut | Gone | Away | Back


class Exit(NamedTuple):
    """How a process ended: `status` is its exit code, or `signal` the number of the signal; both None if
    unknown."""

    status: int | None
    signal: int | None
    strays: int = 0
    """processes the bot left behind, which were killed"""
    sent: int | None = None
    """number of the signal that we ended it with, because it lived on; a `signal` that is the same was ours"""
    closed: bool = False
    """it had closed its stdout and lived on before anything was done to end it"""


class Stderr(NamedTuple):
    """What a bot wrote to stderr: its first and last bytes and how many there were; never parsed."""

    head: bytes
    tail: bytes
    total: int


class StartFailure(Exception):
    """A program could not be started; the text says why, `status` is 126 or 127 as a shell would say."""

    def __init__(self, text: str, status: int = 126) -> None:
        super().__init__(text)
        self.status = status


class Shortage(Exception):
    """The referee's own system lacks what it takes to start a bot, whichever bot it is: no bot is at fault (DBP-9.14).

    The text names what is lacking and what helps; see `channels.shortage`.
    """


class Link(Protocol):
    """Bytes to and from one bot."""

    @property
    def lost(self) -> int | None:
        """Since when (ns) the bot cannot be reached; None: it can, as far as is known. A child can always."""
        ...

    def send(self, data: bytes) -> int | None:
        """Hand `data` to the kernel without blocking.

        Returns the stamp (ns) at which all of it was handed over, or None when a part is pending: then a
        `Sent` arrives when it is through. A bot that has closed its stdin takes nothing: None, and no `Sent`
        follows, but a `Shut` where the system tells, and a `Gone` if it has ended (DBP-10.10). After `hang_up` the
        bytes are dropped at once. Nothing is raised.
        """
        ...

    def hang_up(self) -> None:
        """Begin the end: close the bot's stdin. Returns at once; twice is harmless."""
        ...

    def reap(self) -> Exit:
        """Finish the end: wait, SIGTERM, wait, SIGKILL, sweep strays; a little over 2 s, or 5 s where
        processes cannot be killed at once. Twice is harmless."""
        ...

    def stderr(self) -> Stderr:
        """What came on stderr so far."""
        ...


class Exchange(Protocol):
    """The wait over all links of one match."""

    def now(self) -> int:
        """Monotonic time in ns."""
        ...

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        """The arrivals that could be had, in order; empty only when `deadline` has passed and nothing was
        readable."""
        ...
