"""A person at a terminal as a link among others: what is typed becomes arrivals.

The exchange reads the descriptor in the same wait as those of the bots; who the person is and how a typed
line becomes an answer is the business of a `Person`, which this room does not know.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from donuts_referee.channels.link import Arrival, Chunk, Exit, Gone, Link, Stderr

LONGEST = 4096
"""bytes of a typed line"""


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


class Person(Protocol):
    """The one who plays: a translator between lines typed and bytes of the protocol."""

    def greets(self) -> bytes:
        """What this side says first."""
        ...

    def told(self, data: bytes) -> bytes:
        """Take what the referee sent; returns what is answered at once without asking the person, often
        b""."""
        ...

    def typed(self, line: str) -> bytes:
        """What a typed line (without its end) says in the protocol; b"" when it says nothing."""
        ...


class PersonLink:
    """The link of a person; `fd` is a terminal, or anything with lines. Its end is Gone."""

    def __init__(self, exchange: Hosting, person: Person, fd: int = 0) -> None:
        self._exchange = exchange
        self._person = person
        self._fd = fd
        self._begun = b""
        self._over = False
        exchange.attach(self)
        self._answer(person.greets())

    def fileno(self) -> int:
        """See `LocalLink`."""
        return self._fd

    def heard(self, data: bytes, at: int) -> Sequence[Arrival]:
        """See `LocalLink`: whole lines are handed to the person's side; a last line without an end counts
        too."""
        if self._over:
            return ()
        if data:
            *lines, self._begun = (self._begun + data).split(b"\n")
            if len(self._begun) > LONGEST:  # nobody types so much
                lines, self._begun = [*lines, self._begun], b""
        else:
            lines, self._begun, self._over = [self._begun] if self._begun else [], b"", True
        said = [self._person.typed(line.rstrip(b"\r").decode("utf-8", "replace")) for line in lines]
        arrivals: list[Arrival] = [Chunk(self, answer, at) for answer in said if answer]
        if self._over:
            arrivals.append(Gone(self, at))
        return arrivals

    def send(self, data: bytes) -> int | None:
        """Tell the person; always through at once."""
        if not self._over:
            self._answer(self._person.told(data))
        return self._exchange.now()

    def _answer(self, data: bytes) -> None:
        if data:
            self._exchange.post(Chunk(self, data, self._exchange.now()))

    def hang_up(self) -> None:
        """Ask the person nothing more."""
        if not self._over:
            self._over = True
            self._exchange.detach(self)

    def reap(self) -> Exit:
        """Nothing to wait for."""
        self.hang_up()
        return Exit(None, None)

    def stderr(self) -> Stderr:
        """A person has none."""
        return Stderr(b"", b"", 0)


_satisfied: Callable[[Hosting, Person, int], LocalLink] = PersonLink
