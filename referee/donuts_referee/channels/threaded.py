"""Links whose ends are read and written by threads of their own (see `threads`)."""

import contextlib
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from donuts_referee.channels.inlet import SETTLED, inlet
from donuts_referee.channels.ladder import lives_on, see_out
from donuts_referee.channels.link import LEGACY, Arrival, Chunk, Exit, Gone, Link, Shut, Stderr
from donuts_referee.channels.outlet import outlet
from donuts_referee.channels.process import SECOND, Process, discard
from donuts_referee.channels.stderr import StderrKeeper, Tee

if TYPE_CHECKING:
    from donuts_referee.channels.threads import ThreadExchange


LEFT_BEHIND = 1.0
"""seconds after which a thread that is still in a read is left behind: its pipe is held by a process out of reach"""


class Written(NamedTuple):
    """The writer has handed over the piece of that number."""

    link: "ThreadLink"
    number: int
    at: int


class ThreadLink(ABC):
    """Two descriptors with a thread each; the threads own them and close them.

    `shared`: they may be open in other processes.
    """

    lost: int | None = None

    def __init__(self, exchange: "ThreadExchange", read_fd: int, write_fd: int, shared: bool) -> None:
        self._exchange = exchange
        self._now = exchange.now
        self._inlet = inlet(read_fd, self._take, shared)
        self._write_fd = write_fd
        self._outlet = outlet(write_fd, self._wrote, self._refused, shared)
        self._gone = False
        self._closing = threading.Event()
        self._hung_up: int | None = None
        self._told = False
        self._at_end = threading.Event()
        self._threads: list[threading.Thread] = []
        exchange.links.append(self)

    def _begin(self, *works: Callable[[], None]) -> None:
        """Start the threads, in this order; the link is whole by then."""
        self._threads = [threading.Thread(target=w, name=w.__name__, daemon=True) for w in works]
        for thread in self._threads:
            thread.start()

    def send(self, data: bytes) -> int | None:
        """See `Link.send`."""
        if self._hung_up is not None or self._outlet.send(data):
            return self._now()
        return None

    def all_written(self, number: int) -> bool:
        """Is the piece of that number the last that was asked for? For the exchange, which has heard of it."""
        return self._outlet.hear(number) and self._hung_up is None

    def unwritten(self, number: int | None) -> bool:
        """Is there a piece of which the exchange has not heard, `number` being the last it is about to hear of?"""
        return self._hung_up is None and self._outlet.unheard(number)

    def settle(self) -> bool:
        """Return when the exchange can hear of all that was written; False where nobody can tell."""
        self._outlet.settle()
        return not self._outlet.blind

    def takes(self, arrival: Arrival) -> bool:
        """Is this arrival to be delivered? Nothing is after Gone or reap. For the exchange."""
        if isinstance(arrival, Chunk):
            self._inlet.credit.release()
        if self._gone or self._closing.is_set():
            return False
        self._gone = isinstance(arrival, Gone)
        return True

    def look(self) -> None:
        """Read in the thread's place, for a wait that is to end: what it finds was in time. For the exchange."""
        if not self._gone and not self._closing.is_set():
            self._inlet.look()

    @property
    def blind(self) -> bool:
        """Does `look` find nothing, whatever there is?"""
        return self._inlet.blind

    def _listen(self) -> None:
        while not self._inlet.over:
            if self._told:  # what comes now is not of the bot, and is read to let go of who writes it
                self._closing.wait()
            self._inlet.listen()
        self._listened()

    def _take(self, data: bytes | None) -> bool:
        """What a read returned goes to the queue; so does Gone, as soon as nothing more is to be believed."""
        at = self._now()
        passed = bool(data) and not self._told and not self._closing.is_set()
        if data and passed:
            self._exchange.arrived.put(Chunk(self, data, at))
        if data == b"":
            self._at_end.set()
        if data == b"" or self._silenced(len(data or b"")):
            self._tell(at)
        return passed

    def _tell(self, at: int) -> None:
        """Gone, once, with the lock of the inlet held: it overtakes nothing that was read."""
        if not self._told:
            self._told = True
            self._exchange.arrived.put(Gone(self, at))

    def _part(self) -> None:
        """What to do before the other end can know that we hang up."""
        return

    def _silenced(self, read: int) -> bool:
        """Are these, so many bytes, the last that are to be believed?"""
        return False

    @abstractmethod
    def _listened(self) -> None:
        """Nothing more comes: let go of the descriptor."""

    def _speak(self) -> None:
        self._outlet.work()
        self._spoken()

    def _wrote(self, number: int) -> None:
        self._exchange.arrived.put(Written(self, number, self._now()))

    def _refused(self) -> None:
        self._exchange.arrived.put(Shut(self, self._now()))

    @abstractmethod
    def _spoken(self) -> None:
        """Nothing more is said: show the other end."""

    def hang_up(self) -> None:
        """See `Link.hang_up`; the writer closes once it is through with what was sent before."""
        if self._hung_up is None:
            self._hung_up = self._now()
            self._part()
            self._outlet.finish()

    @abstractmethod
    def reap(self) -> Exit:
        """See `Link.reap`."""

    def stderr(self) -> Stderr:
        """See `Link.stderr`."""
        return Stderr(b"", b"", 0)

    def _let_go(self) -> None:
        """From here on the reader reads into the void, however fast the bot writes."""
        self._closing.set()
        self._inlet.credit.release()


class ThreadChild(ThreadLink):
    """A bot we started.

    Raises RuntimeError, with nothing left of the bot, when a thread cannot be started.
    """

    def __init__(self, exchange: "ThreadExchange", process: Process, tee: Tee = None) -> None:
        self._process = process
        self._keeper = StderrKeeper(tee, process.ended)
        self._ended = threading.Event()
        self._exit: Exit | None = None
        self._legacy = LEGACY
        self._errors = inlet(process.stderr.fileno(), self._take_stderr)
        super().__init__(exchange, process.stdout.fileno(), process.stdin.fileno(), shared=False)
        try:
            self._begin(self._hear_stderr, self._listen, self._speak, self._watch)
        except RuntimeError:
            self._abandon()
            raise

    def _abandon(self) -> None:
        """End the bot, for which not every thread could be started, and those threads that were."""
        self._exchange.links.remove(self)
        self._let_go()
        self._outlet.finish()
        discard(self._process)
        for thread in self._threads:
            if thread.ident is not None:
                thread.join(1.0)
        self._inlet.close()
        self._errors.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            pipe.close()

    def _hear_stderr(self) -> None:
        while not self._errors.over:
            self._errors.listen()
        self._process.stderr.close()

    def _take_stderr(self, data: bytes | None) -> bool:
        if data:
            self._keeper.feed(data)
        return False

    def _watch(self) -> None:
        """Wait for the end of the process, and say Gone when another process keeps its stdout open and
        empty."""
        self._process.outlast()
        self._ended.set()
        self._inlet.once_dry(lambda: self._tell(self._now()), self._closing)

    def _part(self) -> None:
        self._process.remember()

    def _silenced(self, read: int) -> bool:
        """After its end a bot has no more to say than its pipe holds: the rest is of a process that it left."""
        if not self._ended.is_set():
            return False
        self._legacy -= read
        return self._legacy <= 0 or self._inlet.dry()

    def _listened(self) -> None:
        self._process.stdout.close()

    def _spoken(self) -> None:
        with contextlib.suppress(OSError):
            self._process.stdin.close()

    def reap(self) -> Exit:
        """See `Link.reap`; a thread whose pipe is held by a process out of our reach is left behind."""
        if self._exit is None:
            closed = self._gone and self._hung_up is None and lives_on(self._ended_by, self._now)
            self.hang_up()
            assert self._hung_up is not None
            self._let_go()
            exit_ = see_out(self._process, self._hung_up, self._ended_by, self._now)
            end = time.monotonic() + LEFT_BEHIND
            for thread in self._threads:
                thread.join(max(0.0, end - time.monotonic()))
            if self in self._exchange.links:
                self._exchange.links.remove(self)
            self._exit = exit_._replace(closed=closed)
        return self._exit

    def _ended_by(self, deadline: int) -> bool:
        """Has the process ended by then? The thread that waits for it may hear of it late, and so is not believed."""
        return self._ended.wait(max(0, deadline - self._now()) / SECOND) or self._process.ended()

    def stderr(self) -> Stderr:
        """See `Link.stderr`: with what is there now, and no more of it than a pipe can hold."""
        if self._gone and self._errors.blind:
            self._threads[0].join(SETTLED)  # what stderr holds belongs to the story of an end
        self._errors.drain(LEGACY)
        return self._keeper.kept


class ThreadParent(ThreadLink):
    """The program that started us (DBP-14)."""

    def __init__(self, exchange: "ThreadExchange", read_fd: int, write_fd: int) -> None:
        if os.name == "nt":
            import msvcrt

            for fd in (read_fd, write_fd):
                getattr(msvcrt, "setmode")(fd, getattr(os, "O_BINARY"))  # noqa: B009
        super().__init__(exchange, read_fd, write_fd, shared=True)
        self._begin(self._listen, self._speak)

    def _listened(self) -> None:
        """Our stdin stays as it is."""

    def _spoken(self) -> None:
        with contextlib.suppress(OSError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, self._write_fd)
            os.close(null)

    def reap(self) -> Exit:
        """Give the parent 1 s to close its end; nothing is known of its exit."""
        self.hang_up()
        if not self._closing.is_set():
            self._let_go()
            end = time.monotonic() + 1.0
            self._at_end.wait(1.0)
            self._threads[1].join(max(0.0, end - time.monotonic()))  # it is to close what it writes to
            if self in self._exchange.links:
                self._exchange.links.remove(self)
        return Exit(None, None)


_satisfied: type[Link] = ThreadChild
