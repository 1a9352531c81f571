"""`--events FILE|-`: what happens, as JSON lines that a viewer can tail (see `lines` for the keys).

A thread of its own writes, so that a reader that stops reading never stops a game. Lines reach the file whole and at
once; a start that resumes an event adds to the file that is there, beginning with a `began` line of its own. The stream
is for looking on: what counts is in the journal.
"""

import os
import queue
import select
import stat
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from donuts_referee.competition.happenings import Happening
from donuts_referee.competition.lines import Line, encoded, line, standings_line
from donuts_referee.competition.onlooking import Gone, Pace
from donuts_referee.patience import ends
from donuts_referee.records.faults import WriteFault

__all__ = ["Stream", "open_stream"]

WAITING = 10_000
"""lines that wait at most for a reader that has stopped"""

LAST = 2.0
"""seconds that the last lines have at the end"""

PIECE = 256
"""lines that are written together at most, when several wait"""


class Stream:
    """The onlooker that writes the lines to a descriptor, which it closes at the end."""

    def __init__(
        self, fd: int, name: str, *, waiting: int = WAITING, now: Callable[[], float] = time.time
    ) -> None:
        """`name` is what people call the stream; a line `at` has the Unix time that `now` says."""
        self._fd = fd
        self._name = name
        self._now = now
        self._pace = Pace()
        self._lines: queue.Queue[bytes | None] = queue.Queue(waiting)
        self._fault: OSError | None = None
        self._closed = False
        self._given_up = False
        self._thread = threading.Thread(target=self._write_all, name="events", daemon=True)
        self._thread.start()

    def see(self, happening: Happening) -> None:
        """Write its line soon. Raises Gone when nobody takes them any more."""
        due = self._pace.look(happening)
        at = round(self._now(), 3)
        if due is not None:
            self._put(standings_line(*due, at))
        told = line(happening, at)
        if told is not None:
            self._put(told)

    def close(self) -> None:
        """Write what is left, as far as somebody reads it. Raises Gone when it could not be written."""
        if self._closed:
            return
        self._closed = True
        try:
            self._lines.put(None, timeout=LAST)
            over = ends(self._thread, LAST)
        except queue.Full:
            over = False
        if not over:
            raise Gone(f"{self._name} lacks its end: nobody reads it")
        if self._fault is not None:
            raise self._gone(self._fault)

    def _put(self, told: Line) -> None:
        if self._fault is not None:
            raise self._gone(self._fault)
        try:
            self._lines.put_nowait(encoded(told) + b"\n")
        except queue.Full:
            self._closed = self._given_up = True  # nobody waits for such a reader at the end either
            raise Gone(
                f"{self._name} ends here: {self._lines.maxsize} lines wait for a reader that does not read"
            ) from None

    def _gone(self, fault: OSError) -> Gone:
        if isinstance(fault, BrokenPipeError):
            return Gone(f"{self._name} ends here: its reader went away")
        return Gone(f"{self._name} ends here: {(fault.strerror or str(fault)).lower()}")

    # --- the thread ----------------------------------------------------------------------------------------------

    def _write_all(self) -> None:
        try:
            more = True
            while more:
                piece, more = self._next_piece()
                self._write(piece)
                more = more and not self._given_up
        except OSError as fault:
            self._fault = fault
        finally:
            os.close(self._fd)

    def _next_piece(self) -> tuple[bytes, bool]:
        """The lines that wait, after waiting for one; False after the last."""
        lines: list[bytes] = []
        one = self._lines.get()
        while one is not None:
            lines.append(one)
            if len(lines) == PIECE:
                break
            try:
                one = self._lines.get_nowait()
            except queue.Empty:
                break
        return b"".join(lines), one is not None

    def _write(self, piece: bytes) -> None:
        rest = memoryview(piece)
        while rest:
            try:
                rest = rest[os.write(self._fd, rest) :]
            except BlockingIOError:  # a terminal or pipe that another process made non-blocking
                select.select([], [self._fd], [])


def open_stream(word: str) -> Stream:
    """The stream that `--events` names: a file that is added to, a named pipe that is being read, or `-` for stdout.

    Raises WriteFault.
    """
    if word == "-":
        return Stream(os.dup(sys.stdout.fileno()), "the event stream on stdout")
    path = Path(word)
    flags = os.O_APPEND | os.O_CREAT | os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
    try:
        if path.exists() and stat.S_ISFIFO(path.stat().st_mode):
            fd = os.open(path, os.O_WRONLY | os.O_NONBLOCK)  # ENXIO instead of waiting for a reader
            os.set_blocking(fd, True)
        else:
            fd = os.open(path, flags, 0o644)
            _end_torn_line(fd)
    except OSError as fault:
        raise WriteFault(
            f"cannot write {path}: {_reason(fault)}; name a file that can be written, or - for stdout"
        ) from fault
    return Stream(fd, f"the event stream in {path}")


def _end_torn_line(fd: int) -> None:
    """What a killed start left unfinished gets a line of its own, which no reader takes for an event."""
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        return
    size = os.lseek(fd, 0, os.SEEK_END)
    if size and os.pread(fd, 1, size - 1) != b"\n":
        os.write(fd, b"\n")


def _reason(fault: OSError) -> str:
    import errno

    if fault.errno == errno.ENXIO:
        return "it is a named pipe that nobody reads"
    return (fault.strerror or str(fault)).lower()
