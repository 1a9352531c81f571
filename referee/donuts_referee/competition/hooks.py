"""Runs the operator's commands when something happens: start, verdict, standings, end, with the JSON line on stdin.

A hook may do what it likes and harms nothing: one runs at a time, off the thread that runs the event, in a process
group of its own that is killed when it takes too long, and when its first process ends. What waits is bounded;
standings give way first, since the next ones tell the same and more. The head of what a hook writes to stderr is kept
in hooks.log; its stdout is thrown away. What fails is counted, and told once for each hook and kind.
"""

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal, NamedTuple, TypeAlias

from donuts_protocol.escape import shown
from donuts_referee.competition.event import Hooks
from donuts_referee.competition.happenings import Began, Ended, GameEnded, Happening
from donuts_referee.competition.lines import Line, encoded, line, standings_line
from donuts_referee.competition.onlooking import Pace

__all__ = ["LOG", "HookLimits", "HookRunner"]

LOG = "hooks.log"

Kind: TypeAlias = Literal["start", "verdict", "standings", "end"]


class HookLimits(NamedTuple):
    """What hooks may take."""

    seconds: float = 10.0
    """after which one that still runs is killed"""
    waiting: int = 1000
    """calls that wait at most"""
    kept: int = 4096
    """bytes of the stderr of each call that are kept"""
    log: int = 16 << 20
    """bytes of hooks.log after which nothing more is kept"""


class _Call(NamedTuple):
    kind: Kind
    payload: bytes


class HookRunner:
    """The onlooker that calls the hooks; `note` gets one line for what went wrong, from another thread."""

    def __init__(
        self,
        hooks: Hooks,
        folder: Path,
        records: Path,
        note: Callable[[str], None],
        limits: HookLimits | None = None,
    ) -> None:
        """Commands run in `folder`; hooks.log is written into `records`."""
        self._commands: dict[Kind, tuple[str, ...]] = {
            "start": hooks.start,
            "verdict": hooks.verdict,
            "standings": hooks.standings,
            "end": hooks.end,
        }
        self._folder = folder
        self._limits = limits or HookLimits()
        self._log = _Log(records / LOG, self._limits.log)
        self._note = note
        self._pace = Pace()
        self._calls: deque[_Call] = deque()
        self._change = threading.Condition()
        self._closing: float | None = None
        """when the calls that wait are given up (monotonic)"""
        self._made: Counter[Kind] = Counter()
        self._failed: Counter[Kind] = Counter()
        self._dropped: Counter[Kind] = Counter()
        self._told: set[tuple[Kind, str]] = set()
        self._thread = threading.Thread(target=self._work, name="hooks", daemon=True)
        self._thread.start()

    def see(self, happening: Happening) -> None:
        """Have the hook of this happening called soon, where there is one."""
        if self._commands["standings"] and (due := self._pace.look(happening)) is not None:
            self._put("standings", standings_line(*due, _now()))
        kind = _kind(happening)
        if kind is not None and self._commands[kind] and (told := line(happening, _now())) is not None:
            self._put(kind, told)

    def close(self) -> None:
        """Call what waits, for as long as one call may take, and then `end`; tell how many failed."""
        with self._change:
            if self._closing is not None:
                return
            self._closing = time.monotonic() + self._limits.seconds
            self._change.notify()
        # the backlog, the call that was under way when its time was up, and `end` itself
        self._thread.join(3 * self._limits.seconds + 5)
        for kind in self._commands:
            if self._failed[kind] or self._dropped[kind]:
                dropped = f", {self._dropped[kind]} were not made" if self._dropped[kind] else ""
                failed = f"{self._failed[kind]} of {self._made[kind]} calls failed"
                self._note(f"hook {kind}: {failed}{dropped}; see {self._log.path}")
        self._log.close()

    def _put(self, kind: Kind, told: Line) -> None:
        call = _Call(kind, encoded(told) + b"\n")
        with self._change:
            if len(self._calls) >= self._limits.waiting:
                self._make_room(kind)
            if kind in ("start", "end") or len(self._calls) < self._limits.waiting:
                self._calls.append(call)
                self._change.notify()
            else:
                self._drop(kind)

    def _make_room(self, kind: Kind) -> None:
        """Give up the oldest standings that wait; they are told again with the next ones."""
        for waiting in self._calls:
            if waiting.kind == "standings":
                self._calls.remove(waiting)
                self._drop("standings")
                return

    def _drop(self, kind: Kind) -> None:
        self._dropped[kind] += 1
        self._tell(kind, "slow", f"more calls wait than {self._limits.waiting}, and some are not made")

    def _tell(self, kind: Kind, what: str, text: str) -> None:
        if (kind, what) not in self._told:
            self._told.add((kind, what))
            self._note(f"hook {kind}: {text}; the event goes on, and this is told once")

    # --- the thread ----------------------------------------------------------------------------------------------

    def _work(self) -> None:
        while (call := self._next()) is not None:
            self._made[call.kind] += 1
            fault = self._call(call)
            if fault is not None:
                self._failed[call.kind] += 1
                self._tell(call.kind, *fault)

    def _next(self) -> _Call | None:
        with self._change:
            while not self._calls:
                if self._closing is not None:
                    return None
                self._change.wait()
            if self._closing is not None and time.monotonic() >= self._closing:
                for call in [call for call in self._calls if call.kind != "end"]:
                    self._calls.remove(call)
                    self._drop(call.kind)
            return self._calls.popleft() if self._calls else None

    def _call(self, call: _Call) -> tuple[str, str] | None:
        """Run one command to its end; returns which kind of fault there was, and a text about it."""
        command = self._commands[call.kind]
        with tempfile.TemporaryFile() as told:
            told.write(call.payload)
            told.seek(0)
            try:
                process = subprocess.Popen(
                    command,
                    stdin=told,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    cwd=self._folder,
                    env={**os.environ, "DONUTS_EVENT": call.kind},
                    start_new_session=True,
                    bufsize=0,
                )
            except (OSError, ValueError) as fault:
                why = fault.strerror or str(fault) if isinstance(fault, OSError) else str(fault)
                return "start", f"cannot run {shown(command[0])}: {why.lower()}"
        head, ended = _attend(process, self._limits)
        self._log.add(f"{call.kind}, process {process.pid}", head)
        if not ended:
            return "time", f"killed after {self._limits.seconds:g} s"
        if process.returncode < 0:
            return "signal", f"ended by signal {-process.returncode}"
        if process.returncode:
            return "exit", f"exit status {process.returncode}, and its stderr is in {self._log.path}"
        return None


def _kind(happening: Happening) -> Kind | None:
    match happening:
        case GameEnded():
            return "verdict"
        case Began():
            return "start"
        case Ended():
            return "end"
        case _:
            return None


def _attend(process: "subprocess.Popen[bytes]", limits: HookLimits) -> tuple[bytes, bool]:
    """Wait for the end of a command, then end what is left of its group; head of its stderr, and whether it ended."""
    assert process.stderr is not None
    with process.stderr as stream:
        fd = stream.fileno()
        os.set_blocking(fd, False)
        end = time.monotonic() + limits.seconds
        head = bytearray()
        reads = True
        ended = False
        while not (ended := process.poll() is not None) and (left := end - time.monotonic()) > 0:
            # its end is looked for again and again: it may close its stderr early, or leave it to a child
            if reads:
                if select.select([fd], [], [], min(left, 0.02))[0]:
                    reads = _read(fd, head, limits.kept)
            else:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(left)
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


class _Log:
    """hooks.log; a fault of the disk costs what would have been written, and nothing else."""

    def __init__(self, path: Path, most: int) -> None:
        self.path = path
        self._most = most
        self._file: IO[bytes] | None = None

    def add(self, title: str, text: bytes) -> None:
        """Add what a command wrote, if it wrote something."""
        if not text:
            return
        stamp = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        lines = "".join(
            f"  {shown(part, None)}\n" for part in text.decode("utf-8", "backslashreplace").splitlines()
        )
        with contextlib.suppress(OSError):
            if self._file is None:
                self._file = self.path.open("ab", buffering=0)
            if self._file.tell() < self._most:
                self._file.write(f"{stamp} {title}:\n{lines}".encode())

    def close(self) -> None:
        """Close the file; twice is harmless."""
        if self._file is not None:
            self._file.close()


def _now() -> float:
    return round(time.time(), 3)
