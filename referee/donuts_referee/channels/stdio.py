"""Bots as child processes on a blocking poll loop: one write, one wait and one read for a ply, and no thread.

The wait looks at the stdout, stderr and process descriptor of every live link. Each ready descriptor is read
once a wait, 64 KiB at most, so a bot that floods neither starves the other nor the deadline, and nothing is
buffered here: what is not read stays in the pipe, where it stops the bot.
"""

import os
import time
from collections.abc import Callable, Sequence

from donuts_referee.channels import terminal
from donuts_referee.channels.child import GULP, MOST, PERIOD, ChildLink
from donuts_referee.channels.link import NAP, Arrival, Chunk
from donuts_referee.channels.parent import ParentLink
from donuts_referee.channels.poller import READ, WRITE, Poller, poller
from donuts_referee.channels.process import SECOND, ignore_sigpipe, start
from donuts_referee.channels.program import Program
from donuts_referee.channels.stderr import Tee

MS = 1_000_000

LOOKS = range(20)
"""how often a wait looks, giving way to whoever wants the processor, before it sleeps: to fall asleep and be
woken takes longer than an instant bot to answer (measured: 79 us a ply without looking, 51 with, and the same
CPU time)"""

BRISK = 100_000
"""ns within which an answer came if the next wait is to look before it sleeps"""

give_way: Callable[[], None] = getattr(os, "sched_yield", lambda: None)


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

    def spawn(self, program: Program, tee: Tee = None) -> ChildLink:
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
                ready = poll(PERIOD if self.unwatched else NAP, MOST)
            elif (left := deadline - now()) > MS:
                # the system rounds up to whole ms: one ms less is never too long
                ready = poll(min((left - MS) / SECOND, PERIOD if self.unwatched else NAP), MOST)
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

    def await_writing(self, fd: int, link: ChildLink | ParentLink) -> None:
        """Wake up when bytes pending on `link` can go on."""
        if fd not in self.writers:
            self.writers[fd] = link
            self.poller.register(fd, WRITE)

    def written(self, fd: int) -> None:
        """Nothing is pending on `fd` any more."""
        if self.writers.pop(fd, None):
            self.poller.unregister(fd)
