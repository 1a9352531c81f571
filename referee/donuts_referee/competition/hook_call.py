"""One call of a hook: the command runs in a process group of its own, and all that is left of it is killed at its end.

The head of what it writes to stderr is kept in hooks.log, with a word on how it ended where that was a fault; its
stdout is thrown away.
"""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal, NamedTuple, TypeAlias

from donuts_protocol.escape import shown

__all__ = ["LOG", "Fault", "HookLimits", "HookLog", "Kind", "Place", "called"]

LOG = "hooks.log"

LOOK = 0.1
"""seconds until it is noticed at the latest that a call is given up"""

Kind: TypeAlias = Literal["start", "verdict", "standings", "end"]


class HookLimits(NamedTuple):
    """What hooks may take."""

    seconds: float = 10.0
    """after which one that still runs is killed, and which all but `end` have once the event is over"""
    hasty: float = 2.0
    """seconds that they have instead where a signal ended the event"""
    waiting: int = 1000
    """calls of one kind that wait at most"""
    kept: int = 4096
    """bytes of the stderr of each call that are kept"""
    log: int = 16 << 20
    """bytes of hooks.log after which nothing more is kept"""


class Fault(NamedTuple):
    """What was wrong with a call; faults of one `what` are told once."""

    what: str
    text: str


class HookLog:
    """hooks.log; a fault of the disk costs what would have been written, and nothing else."""

    def __init__(self, path: Path, most: int) -> None:
        self.path = path
        self._most = most
        self._file: IO[bytes] | None = None
        self._lock = threading.Lock()
        self.written = False
        """there is something of this start in it"""

    def add(self, title: str, text: bytes) -> bool:
        """Add a title and what a command wrote; False when it could not be kept. From any thread."""
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        lines = "".join(
            f"  {shown(part, None)}\n" for part in text.decode("utf-8", "backslashreplace").splitlines()
        )
        with self._lock, contextlib.suppress(OSError):
            if self._file is None:
                self._file = self.path.open("ab", buffering=0)
            if self._file.tell() < self._most:
                self._file.write(f"{stamp} {title}{':' if lines else ''}\n{lines}".encode())
                self.written = True
                return True
        return False

    def close(self) -> None:
        """Close the file; twice is harmless."""
        with self._lock:
            if self._file is not None:
                self._file.close()


class Place(NamedTuple):
    """What all calls share: the folder they run in, what they may take, and where their stderr goes."""

    folder: Path
    limits: HookLimits
    log: HookLog


def called(
    kind: Kind, command: tuple[str, ...], payload: bytes, place: Place, given_up: Callable[[], str | None]
) -> Fault | None:
    """Run a command to its end, with `payload` on stdin; returns what was wrong with it.

    `given_up` says from some moment on why its end is not waited for any more: then it is killed.
    """
    with tempfile.TemporaryFile() as told:
        told.write(payload)
        told.seek(0)
        try:
            process = subprocess.Popen(
                command,
                stdin=told,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=place.folder,
                env={**os.environ, "DONUTS_EVENT": kind},
                start_new_session=True,
                bufsize=0,
            )
        except (OSError, ValueError) as error:
            why = error.strerror or str(error) if isinstance(error, OSError) else str(error)
            fault = Fault("start", f"cannot run {shown(command[0])}: {why.lower()}")
            place.log.add(f"{kind}: {fault.text}", b"")
            return fault
    began = time.monotonic()
    head, ended = _attend(process, place.limits, given_up)
    failed = _fault(process, given_up(), place.limits, time.monotonic() - began, ended=ended)
    title = f"{kind}, process {process.pid}"
    if failed is None:
        if head:
            place.log.add(title, head)
        return None
    kept = place.log.add(f"{title}, {failed.text}", head)
    if failed.what == "exit":
        wrote = f"and its stderr is in {place.log.path}" if kept and head else "and nothing on stderr"
        return Fault("exit", f"{failed.text}, {wrote}") if kept or not head else failed
    return failed


def _fault(
    process: "subprocess.Popen[bytes]", why: str | None, limits: HookLimits, took: float, *, ended: bool
) -> Fault | None:
    if not ended:
        if took >= limits.seconds or why is None:
            return Fault("time", f"killed after {limits.seconds:g} s")
        return Fault("end", f"killed after {took:.1f} s, since {why}")
    if process.returncode < 0:
        return Fault("signal", f"ended by signal {-process.returncode}")
    if process.returncode:
        return Fault("exit", f"exit status {process.returncode}")
    return None


def _attend(
    process: "subprocess.Popen[bytes]", limits: HookLimits, given_up: Callable[[], str | None]
) -> tuple[bytes, bool]:
    """Wait for the end of a command, then end what is left of its group; head of its stderr, and whether it ended."""
    assert process.stderr is not None
    with process.stderr as stream:
        fd = stream.fileno()
        os.set_blocking(fd, False)
        end = time.monotonic() + limits.seconds
        head = bytearray()
        reads = True
        ended = False
        while (
            not (ended := process.poll() is not None)
            and (left := end - time.monotonic()) > 0
            and given_up() is None
        ):
            # its end is looked for again and again: it may close its stderr early, or leave it to a child
            if reads:
                if select.select([fd], [], [], min(left, 0.02))[0]:
                    reads = _read(fd, head, limits.kept)
            else:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(min(left, LOOK))
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        for _ in range(16):  # what is in the pipe; not more, since an escaped child may write on and on
            if not reads:
                break
            reads = _read(fd, head, limits.kept)
        return bytes(head), ended


def _read(fd: int, head: bytearray, kept: int) -> bool:
    """Take what is there to read, of which the first `kept` bytes in all are kept; False at the end or when empty."""
    try:
        piece = os.read(fd, 65536)
    except BlockingIOError:
        return True
    head += piece[: max(0, kept - len(head))]
    return bool(piece)
