"""A bot that we started, on a poll loop: three pipes and the descriptor of its process (see `stdio`)."""

import os
from typing import TYPE_CHECKING

from donuts_referee.channels.ladder import lives_on, see_out
from donuts_referee.channels.link import LEGACY, Arrival, Chunk, Exit, Gone, Link, Sent, Shut, Stderr
from donuts_referee.channels.poller import READ, spare
from donuts_referee.channels.process import SECOND, Process
from donuts_referee.channels.stderr import StderrKeeper, Tee

if TYPE_CHECKING:
    from donuts_referee.channels.stdio import PipeExchange

GULP = 65536
"""bytes a read may return"""

MOST = 16
"""descriptors that one wait hands out"""

PERIOD = 0.05
"""seconds between two looks at a process that has no descriptor"""


class ChildLink:
    """A bot we started, through three pipes and its process descriptor."""

    lost: int | None = None

    def __init__(self, exchange: "PipeExchange", process: Process, tee: Tee = None) -> None:
        self.process = process
        self._exchange = exchange
        self._now = exchange.now
        self._stdin = process.stdin.fileno()
        self._stdout = process.stdout.fileno()
        self._stderr = process.stderr.fileno()
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)  # our ends alone: those of the bot are other descriptions
        self._pending = b""
        self._keeper = StderrKeeper(tee, process.ended)
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
        except OSError as error:  # it closed its stdin or has ended (DBP-10.10), or we hung up
            if self._hung_up is not None:
                return self._now()
            self._refused(error, self._exchange.posted)
            return None
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
        except OSError as error:  # nobody will read it, so it is never sent
            self._pending = b""
            self._exchange.written(self._stdin)
            self._refused(error, arrivals)
            return
        if not self._pending:
            at = self._now()
            self._exchange.written(self._stdin)
            arrivals.append(Sent(self, at))

    def _refused(self, error: OSError, arrivals: list[Arrival]) -> None:
        """A write failed: when nobody can read it any more, that is known."""
        if isinstance(error, BrokenPipeError) and not self._gone:
            arrivals.append(Shut(self, self._now()))

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
        if self._exit is None:
            closed = self._gone and self._hung_up is None and lives_on(self._ended_by, self._now)
            self.hang_up()
            assert self._hung_up is not None
            exit_ = see_out(self.process, self._hung_up, self._ended_by, self._now)
            self._drain_stderr()
            self._let_go()
            self._exit = exit_._replace(closed=closed)
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
