"""Bots as child processes on reader and writer threads, for systems that cannot poll a pipe.

A bot has four threads: one reads stdout, one stderr, one writes stdin, one waits for the process. A reader
may be four chunks of 64 KiB ahead of the wait and then stops, as does its bot when the pipe is full. Nothing
here needs more of a system than threads, pipes and a blocking read. Where a pipe can be polled all the same,
nothing that is heard depends on when its reader is scheduled (see `inlet`).
"""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from donuts_referee.channels import terminal
from donuts_referee.channels.inlet import AHEAD, inlet
from donuts_referee.channels.link import NAP, Arrival, Chunk, Sent
from donuts_referee.channels.process import SECOND, ignore_sigpipe, start
from donuts_referee.channels.program import Program
from donuts_referee.channels.shortage import no_thread
from donuts_referee.channels.stderr import Tee
from donuts_referee.channels.threaded import ThreadChild, ThreadLink, ThreadParent, Written

MOMENT = 0.0002
"""seconds a thread gets to say what it has just done, where nobody can look whether it has"""


class _Typed(NamedTuple):
    """Bytes read from a descriptor for whichever local link is attached to it."""

    fd: int
    data: bytes
    at: int


class _Desk:
    """A descriptor that local links read from, one at a time.

    Its thread cannot be stopped in a read, so it stays for the next one; what it read meanwhile is kept.
    """

    def __init__(self, fd: int, put: Callable[[_Typed], None], now: Callable[[], int]) -> None:
        self.local: terminal.LocalLink | None = None
        self.kept: list[_Typed] = []

        def take(data: bytes | None) -> bool:
            if data is not None:
                put(_Typed(fd, data, now()))
            return data is not None

        def listen() -> None:
            while not self.inlet.over:
                self.inlet.listen()

        self.inlet = inlet(fd, take, shared=True)
        threading.Thread(target=listen, name="person", daemon=True).start()


def _order(item: Arrival | Written | _Typed) -> int:
    """Writes before reads: nothing that was read can be the answer to what was not yet written."""
    return 0 if isinstance(item, Written) else 1


class ThreadExchange:
    """The wait over all links of one match, on one queue."""

    def __init__(self, now: Callable[[], int] = time.monotonic_ns) -> None:
        ignore_sigpipe()
        self.now = now
        self.arrived: queue.SimpleQueue[Arrival | Written | _Typed] = queue.SimpleQueue()
        self.links: list[ThreadLink] = []
        self._desks: dict[int, _Desk] = {}

    def spawn(self, program: Program, tee: Tee = None) -> "ThreadChild":
        """Start a bot; raises StartFailure or Shortage. From the main thread only, or the bot will survive a
        killed referee."""
        process = start(program)
        try:
            return ThreadChild(self, process, tee)
        except RuntimeError as error:
            raise no_thread("start the threads for a bot") from error

    def parent(self, read_fd: int = 0, write_fd: int = 1) -> "ThreadParent":
        """The program that started us, as a bot on our own stdin and stdout."""
        return ThreadParent(self, read_fd, write_fd)

    def attach(self, local: "terminal.LocalLink") -> None:
        """Read for a person: what `local.fileno()` gives is handed to `local.heard`, b"" at its end."""
        fd = local.fileno()
        if fd not in self._desks:
            self._desks[fd] = _Desk(fd, self.arrived.put, self.now)
        desk = self._desks[fd]
        desk.local = local
        for typed in desk.kept:
            self.arrived.put(typed)
        desk.kept.clear()

    def detach(self, local: "terminal.LocalLink") -> None:
        """Read no more for this one; what comes from its descriptor is kept for the next."""
        for desk in self._desks.values():
            if desk.local is local:
                desk.local = None

    def post(self, arrival: Arrival) -> None:
        """Let the next wait deliver an arrival that no reader announces."""
        self.arrived.put(arrival)

    def close(self) -> None:
        """End every bot that is left, all of them at once."""
        children = [link for link in self.links if isinstance(link, ThreadChild)]
        for link in children:
            link.hang_up()
        for link in children:
            link.reap()

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        """See `Exchange.wait`."""
        while True:
            first = self._first(deadline)
            batch = [] if first is None else [first]
            blind = self._look()
            self._drain(batch)
            if not batch and blind:
                with contextlib.suppress(queue.Empty):
                    batch.append(self.arrived.get(timeout=MOMENT))
            if not batch:
                return []
            self._hear_of_writes(batch)
            arrivals: list[Arrival] = []
            for item in sorted(batch, key=_order):
                self._take(item, arrivals)
            if arrivals:
                return arrivals

    def _drain(self, batch: list[Arrival | Written | _Typed]) -> None:
        """Add all that was handed on; this ends, for no reader may be further ahead than it is."""
        with contextlib.suppress(queue.Empty):
            while True:
                batch.append(self.arrived.get_nowait())

    def _hear_of_writes(self, batch: list[Arrival | Written | _Typed]) -> None:
        """Hear of every question that is through, where the answer is here already.

        The bot may answer before the writer gets to run again; who waits must hear of the question first. Where nobody
        can tell what the writer has done, it is given a moment.
        """
        for _ in range(AHEAD):
            done = {item.link: item.number for item in batch if isinstance(item, Written)}
            answered = {i.link for i in batch if isinstance(i, Chunk) and isinstance(i.link, ThreadLink)}
            unheard = [link for link in answered if link.unwritten(done.get(link))]
            if not unheard:
                return
            before = len(batch)
            certain = [link.settle() for link in unheard]
            self._drain(batch)
            if len(batch) == before:
                if all(certain):
                    return
                try:
                    batch.append(self.arrived.get(timeout=MOMENT))
                except queue.Empty:
                    return

    def _take(self, item: Arrival | Written | _Typed, arrivals: list[Arrival]) -> None:
        if isinstance(item, _Typed):
            desk = self._desks[item.fd]
            if desk.local is None:
                desk.kept.append(item)
                return
            desk.inlet.credit.release()
            if not item.data:
                del self._desks[item.fd]
            arrivals.extend(desk.local.heard(item.data, item.at))
        elif isinstance(item, Written):
            if item.link.all_written(item.number):
                arrivals.append(Sent(item.link, item.at))
        elif not isinstance(item.link, ThreadLink) or item.link.takes(item):
            arrivals.append(item)

    def _first(self, deadline: int | None) -> Arrival | Written | _Typed | None:
        while True:
            left = NAP if deadline is None else min(NAP, max(0, deadline - self.now()) / SECOND)
            with contextlib.suppress(queue.Empty):
                return self.arrived.get(timeout=left)
            if deadline is not None and self.now() >= deadline:
                return None

    def _look(self) -> bool:
        """Have all that can be read handed on, whether readers are scheduled or not; True where that is not certain.

        Every wake-up looks at both bots (DBP-5.1), and what is there when a wait ends past its deadline was in time
        (DBP-8.9).
        """
        blind = False
        for link in self.links:
            link.look()
            blind = blind or link.blind
        for desk in self._desks.values():
            if desk.local is not None:
                desk.inlet.look()
                blind = blind or desk.inlet.blind
        return blind
