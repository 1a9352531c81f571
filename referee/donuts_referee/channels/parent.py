"""The program that started us, as a bot on our own stdin and stdout (DBP-14).

Neither descriptor is made non-blocking: they may be shared with a terminal or with other processes. A
descriptor is read when it is readable, and written to in pieces that fit when it is writable.
"""

import contextlib
import os
import select
import time
from typing import TYPE_CHECKING

from donuts_referee.channels.link import Arrival, Chunk, Exit, Gone, Sent, Shut, Stderr
from donuts_referee.channels.poller import READ

if TYPE_CHECKING:
    from donuts_referee.channels.stdio import PipeExchange

SECOND = 1_000_000_000

PATIENCE = 1.0
"""seconds that the parent has after `bye` to close its end"""

TERMINAL_PIECE = 256
"""bytes a terminal has room for when it calls itself writable"""


class ParentLink:
    """A link whose other end is not ours to start or to end; it has no stderr."""

    lost: int | None = None

    def __init__(self, exchange: "PipeExchange", read_fd: int, write_fd: int) -> None:
        self._exchange = exchange
        self._now = exchange.now
        self._read = read_fd
        self._write = write_fd
        self._piece = TERMINAL_PIECE if os.isatty(write_fd) else select.PIPE_BUF
        self._room = select.poll()
        self._room.register(write_fd, select.POLLOUT)
        self._pending = b""
        self._gone = False
        self._shut = False
        """nobody can read what we write any more"""
        self._hung_up = False
        self._reaped = False
        try:
            exchange.poller.register(read_fd, READ)
            exchange.sources[read_fd] = self
        except PermissionError:
            exchange.ready[read_fd] = self._listen_to_file

    def send(self, data: bytes) -> int | None:
        """See `Link.send`."""
        if self._hung_up:
            return self._now()
        if self._pending:
            self._pending += data
            return None
        self._pending = data
        if self._write_on():
            return self._now()
        if self._pending:
            self._exchange.await_writing(self._write, self)
        elif self._shut and not self._gone:
            self._exchange.post(Shut(self, self._now()))
        return None

    def flush(self, arrivals: list[Arrival]) -> None:
        """Go on with what is pending."""
        if self._write_on():
            at = self._now()
            self._exchange.written(self._write)
            arrivals.append(Sent(self, at))
        elif self._shut and not self._gone:
            arrivals.append(Shut(self, self._now()))

    def _write_on(self) -> bool:
        """Write as long as there is room; True when nothing is pending any more."""
        while self._pending:
            if not self._room.poll(0):
                return False
            try:
                self._pending = self._pending[os.write(self._write, self._pending[: self._piece]) :]
            except BlockingIOError:
                return False
            except OSError as error:  # nobody will read it, so it is never sent
                self._shut = isinstance(error, BrokenPipeError)
                self._pending = b""
                self._exchange.written(self._write)
                return False
        return True

    def _listen_to_file(self, arrivals: list[Arrival]) -> None:
        data = os.read(self._read, 65536)
        at = self._now()
        if data:
            arrivals.append(Chunk(self, data, at))
        else:
            self.end_of_output(arrivals)

    def end_of_output(self, arrivals: list[Arrival]) -> None:
        """The parent closed our stdin, or is no more."""
        if not self._gone:
            self._gone = True
            self._exchange.forget(self._read)
            arrivals.append(Gone(self, self._now()))

    def hang_up(self) -> None:
        """Our stdout becomes /dev/null: the parent sees its end, and a late print of ours harms nobody."""
        if self._hung_up:
            return
        self._write_on()
        self._hung_up = True
        self._pending = b""
        self._exchange.written(self._write)
        with contextlib.suppress(OSError):
            null = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
            os.dup2(null, self._write)
            os.close(null)

    def reap(self) -> Exit:
        """Give the parent 1 s to close its end; nothing is known of its exit."""
        self.hang_up()
        if not self._reaped:
            self._reaped = True
            self._exchange.forget(self._read)
            end = time.monotonic() + PATIENCE
            waiting = select.poll()
            waiting.register(self._read, select.POLLIN)
            while not self._gone and (left := end - time.monotonic()) > 0:
                if waiting.poll(left * 1000):
                    try:
                        self._gone = not os.read(self._read, 65536)
                    except BlockingIOError:
                        continue
                    except OSError:
                        self._gone = True
        return Exit(None, None)

    def stderr(self) -> Stderr:
        """Its stderr is its own."""
        return Stderr(b"", b"", 0)
