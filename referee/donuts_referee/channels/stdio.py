"""Bots as child processes on a blocking poll loop: one write, one wait and one read for a ply, and no thread.

The wait looks at the stdout, stderr and process descriptor of every live link. Each ready descriptor is read
once a wait, 64 KiB at most, so a bot that floods neither starves the other nor the deadline, and nothing is
buffered here: what is not read stays in the pipe, where it stops the bot.
"""

import os
import time
from collections.abc import Callable, Sequence

from donuts_referee.channels import terminal
from donuts_referee.channels.ladder import see_out
from donuts_referee.channels.link import Arrival, Chunk, Exit, Gone, Link, Sent, Stderr
from donuts_referee.channels.parent import ParentLink
from donuts_referee.channels.poller import READ, WRITE, Poller, poller, spare
from donuts_referee.channels.process import LEGACY, SECOND, Process, ignore_sigpipe, start
from donuts_referee.channels.program import Program
from donuts_referee.channels.stderr import StderrKeeper, Tee

GULP = 65536
"""bytes a read may return"""

MOST = 16
"""descriptors that one wait hands out"""

MS = 1_000_000

LOOKS = range(20)
"""how often a wait looks, giving way to whoever wants the processor, before it sleeps: to fall asleep and be
woken takes longer than an instant bot to answer (measured: 79 us a ply without looking, 51 with, and the same
CPU time)"""

BRISK = 100_000
"""ns within which an answer came if the next wait is to look before it sleeps"""

give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: None)

PERIOD = 0.05
"""seconds between two looks at a process that has no descriptor"""


class PipeExchange:
    """The wait over all links of one match, on pipes."""

    def __init__(
        self, now: Callable[[], int] = time.monotonic_ns, poll: Callable[[], Poller] = poller
    ) -> None:
        ignore_sigpipe()
        self.now = now
        self.poller = poll()
        self.sources: dict[int, ChildLink | ParentLink] = {}
        """by the descriptor a bot's protocol bytes come from"""
        self.others: dict[int, Callable[[list[Arrival]], None]] = {}
        """what to do when any other descriptor is ready"""
        self.writers: dict[int, ChildLink | ParentLink] = {}
        """by descriptor: links with bytes pending"""
        self.children: list[ChildLink] = []
        self.unwatched: list[ChildLink] = []
        """children whose end only asking shows"""
        self.dying: list[ChildLink] = []
        """children that have ended, with bytes perhaps still to be read"""
        self.ready: dict[int, Callable[[list[Arrival]], None]] = {}
        """descriptors of plain files, which are always ready and cannot be waited for"""
        self.posted: list[Arrival] = []
        self.brisk = False
        """the last answer came at once, so the next one may"""

    def spawn(self, program: Program, tee: Tee = None) -> "ChildLink":
        """Start a bot; raises StartFailure or Shortage. From the main thread only, or the bot will survive a
        killed referee."""
        link = ChildLink(self, start(program), tee)
        self.children.append(link)
        return link

    def parent(self, read_fd: int = 0, write_fd: int = 1) -> ParentLink:
        """The program that started us, as a bot on our own stdin and stdout."""
        return ParentLink(self, read_fd, write_fd)

    def attach(self, local: "terminal.LocalLink") -> None:
        """Read for a person: what `local.fileno()` gives is handed to `local.heard`, b"" at its end."""

        def listen(arrivals: list[Arrival]) -> None:
            try:
                data = os.read(fd, GULP)
            except BlockingIOError:
                return
            except OSError:  # a terminal that went away
                data = b""
            arrivals.extend(local.heard(data, self.now()))
            if not data:
                self.forget(fd)

        fd = local.fileno()
        self.watch(fd, listen)

    def detach(self, local: "terminal.LocalLink") -> None:
        """Read no more for a person."""
        self.forget(local.fileno())

    def post(self, arrival: Arrival) -> None:
        """Let the next wait deliver an arrival that no descriptor announces."""
        self.posted.append(arrival)

    def close(self) -> None:
        """End every bot that is left, all of them at once, and give back what the exchange holds."""
        for link in self.children:
            link.hang_up()
        for link in tuple(self.children):
            link.reap()
        self.poller.close()

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        """See `Exchange.wait`. Past the deadline everything readable is still looked at once."""
        arrivals: list[Arrival] = []
        if self.posted or self.dying or self.ready:
            self._attend(arrivals)
        poll, sources, now = self.poller.poll, self.sources, self.now
        last = False
        began = now()
        while True:
            if arrivals:
                last = True
                ready = poll(0, MOST)
            elif self.brisk:
                self.brisk = False
                for _ in LOOKS:
                    give_way()
                    if ready := poll(0, MOST):
                        break
                else:
                    continue
            elif deadline is None:
                ready = poll(PERIOD if self.unwatched else -1, MOST)
            elif (left := deadline - now()) > MS:
                # the system rounds up to whole ms: one ms less is never too long
                if self.unwatched:
                    left = min(left, 50 * MS)
                ready = poll((left - MS) / SECOND, MOST)
            else:
                if left > 0:
                    self.poller.nap(left / SECOND)
                last = left <= 0
                ready = poll(0, MOST)
            if self.writers:
                for writer in tuple(self.writers.values()):
                    writer.flush(arrivals)
            for fd, _ in ready:
                source = sources.get(fd)
                if source is None:
                    if fd in self.others:
                        self.others[fd](arrivals)
                    continue
                try:
                    data = os.read(fd, GULP)
                except BlockingIOError:
                    continue
                except OSError:
                    data = b""
                at = now()
                if data:
                    arrivals.append(Chunk(source, data, at))
                    self.brisk = at - began < BRISK
                else:
                    source.end_of_output(arrivals)
            if self.unwatched:
                for child in tuple(self.unwatched):
                    if child.process.ended():
                        child.process_ended(arrivals)
            if arrivals or last:
                return arrivals

    def _attend(self, arrivals: list[Arrival]) -> None:
        """What no wait announces: posted arrivals, the last words of the dead, plain files."""
        arrivals += self.posted
        self.posted.clear()
        for child in tuple(self.dying):
            child.last_words(arrivals)
        for listen in tuple(self.ready.values()):
            listen(arrivals)

    def watch(self, fd: int, listen: Callable[[list[Arrival]], None], mask: int = READ) -> None:
        """Call `listen` whenever `fd` is ready."""
        try:
            self.poller.register(fd, mask)
            self.others[fd] = listen
        except PermissionError:
            self.ready[fd] = listen

    def forget(self, fd: int) -> None:
        """Look at `fd` no more. Twice is harmless."""
        self.ready.pop(fd, None)
        if self.others.pop(fd, None) or self.sources.pop(fd, None):
            self.poller.unregister(fd)

    def await_writing(self, fd: int, link: "ChildLink | ParentLink") -> None:
        """Wake up when bytes pending on `link` can go on."""
        if fd not in self.writers:
            self.writers[fd] = link
            self.poller.register(fd, WRITE)

    def written(self, fd: int) -> None:
        """Nothing is pending on `fd` any more."""
        if self.writers.pop(fd, None):
            self.poller.unregister(fd)


class ChildLink:
    """A bot we started, through three pipes and its process descriptor."""

    lost: int | None = None

    def __init__(self, exchange: PipeExchange, process: Process, tee: Tee = None) -> None:
        self.process = process
        self._exchange = exchange
        self._now = exchange.now
        self._stdin = process.stdin.fileno()
        self._stdout = process.stdout.fileno()
        self._stderr = process.stderr.fileno()
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)  # our ends alone: those of the bot are other descriptions
        self._pending = b""
        self._keeper = StderrKeeper(tee)
        self._gone = False
        self._legacy = LEGACY
        self._hung_up: int | None = None
        self._exit: Exit | None = None
        exchange.poller.register(self._stdout, READ)
        exchange.sources[self._stdout] = self
        exchange.watch(self._stderr, self._hear_stderr)
        self._watched = process.watch()
        if self._watched is None:
            exchange.unwatched.append(self)
        else:
            exchange.watch(self._watched, self.process_ended)

    def send(self, data: bytes) -> int | None:
        """See `Link.send`: one write(2), as long as the bot reads."""
        if self._pending:
            self._pending += data
            return None
        try:
            written = os.write(self._stdin, data)
        except BlockingIOError:
            written = 0
        except OSError:  # it closed its stdin or has ended (DBP-10.10), or we hung up
            return None if self._hung_up is None else self._now()
        if written == len(data):
            return self._now()
        self._pending = data[written:]
        self._exchange.await_writing(self._stdin, self)
        return None

    def flush(self, arrivals: list[Arrival]) -> None:
        """Go on with what is pending."""
        try:
            self._pending = self._pending[os.write(self._stdin, self._pending) :]
        except BlockingIOError:
            return
        except OSError:  # nobody will read it, so it is never sent
            self._pending = b""
            self._exchange.written(self._stdin)
            return
        if not self._pending:
            at = self._now()
            self._exchange.written(self._stdin)
            arrivals.append(Sent(self, at))

    def end_of_output(self, arrivals: list[Arrival]) -> None:
        """Nothing comes from stdout any more; what stderr holds by now belongs to the story."""
        if not self._gone:
            self._gone = True
            at = self._now()
            self._exchange.forget(self._stdout)
            self._drain_stderr()
            arrivals.append(Gone(self, at))

    def process_ended(self, arrivals: list[Arrival]) -> None:
        """The process has ended: what is readable now is its last words, whoever holds the pipe (DBP-10.9)."""
        if self._watched is not None:
            self._exchange.forget(self._watched)
        elif self in self._exchange.unwatched:
            self._exchange.unwatched.remove(self)
        if not self._gone and self not in self._exchange.dying:
            self._exchange.forget(self._stdout)
            self._exchange.dying.append(self)
            self.last_words(arrivals)

    def last_words(self, arrivals: list[Arrival]) -> None:
        """One read more of a bot that has ended; Gone when there is nothing."""
        try:
            data = os.read(self._stdout, GULP) if self._legacy > 0 else b""
        except OSError:  # BlockingIOError: another process still holds the pipe
            data = b""
        if data:
            self._legacy -= len(data)
            arrivals.append(Chunk(self, data, self._now()))
            return
        self._exchange.dying.remove(self)
        self.end_of_output(arrivals)

    def hang_up(self) -> None:
        """See `Link.hang_up`; what was pending is dropped."""
        if self._hung_up is None:
            self._hung_up = self._now()
            self._pending = b""
            self._exchange.written(self._stdin)
            self._stdin = -1
            self.process.remember()
            self.process.stdin.close()

    def reap(self) -> Exit:
        """See `Link.reap`: the whole ladder, with this bot's pipes and the stderr of the others drained
        meanwhile."""
        self.hang_up()
        if self._exit is None:
            assert self._hung_up is not None
            exit_ = see_out(self.process, self._hung_up, self._ended_by, self._now)
            self._drain_stderr()
            self._let_go()
            self._exit = exit_
        return self._exit

    def stderr(self) -> Stderr:
        """See `Link.stderr`."""
        return self._keeper.kept

    def _ended_by(self, deadline: int) -> bool:
        """Wait for the end of the process with a poller of its own, so that no arrival of another bot is
        lost."""
        own = spare()
        held = (self._stdout, self._stderr, *((self._watched,) if self._watched is not None else ()))
        hearing = {c._stderr: c for c in self._exchange.children if c._stderr in self._exchange.others}
        hearing[self._stderr] = self
        for fd in {*held, *hearing}:
            own.register(fd, READ)
        try:
            while not self.process.ended():
                left = deadline - self._now()
                if left <= 0:
                    return False
                for fd, _ in own.poll(min(left / SECOND, PERIOD if self._watched is None else 2.0), MOST):
                    if fd in hearing:
                        if not hearing[fd].gulp_stderr():
                            own.unregister(fd)
                    elif fd == self._stdout and self._discard() == b"":
                        own.unregister(fd)
            return True
        finally:
            own.close()

    def _discard(self) -> bytes | None:
        try:
            return os.read(self._stdout, GULP)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def gulp_stderr(self) -> bool:
        """Read stderr once; False at its end."""
        try:
            data = os.read(self._stderr, GULP)
        except BlockingIOError:
            return True
        except OSError:
            return False
        self._keeper.feed(data)
        return bool(data)

    def _hear_stderr(self, arrivals: list[Arrival]) -> None:
        if not self.gulp_stderr():
            self._exchange.forget(self._stderr)

    def _drain_stderr(self) -> None:
        """What is there now, and no more of it than a pipe can hold."""
        before = self._keeper.kept.total
        while (had := self._keeper.kept.total) - before < LEGACY:
            if not self.gulp_stderr() or self._keeper.kept.total == had:
                return

    def _let_go(self) -> None:
        exchange = self._exchange
        for fd in (self._stdout, self._stderr):
            exchange.forget(fd)
        if self._watched is not None:
            exchange.forget(self._watched)
            os.close(self._watched)
            self._watched = None
        for crowd in (exchange.children, exchange.dying, exchange.unwatched):
            if self in crowd:
                crowd.remove(self)
        exchange.posted[:] = [a for a in exchange.posted if a.link is not self]
        self._gone = True
        self.process.stdout.close()
        self.process.stderr.close()


_satisfied: type[Link] = ChildLink
