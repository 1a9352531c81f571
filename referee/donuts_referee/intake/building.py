"""Runs the build commands of one team: no shell, a scrubbed environment, a time limit, and nothing left running."""

import os
import select
import signal
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from types import FrameType

from msgspec import Struct

from donuts_protocol.escape import shown
from donuts_referee.channels.ladder import see_out
from donuts_referee.channels.link import Exit, Shortage, StartFailure, Stderr
from donuts_referee.channels.process import SECOND, Process, discard, start
from donuts_referee.channels.program import Program
from donuts_referee.channels.stderr import StderrKeeper
from donuts_referee.commands import runnable
from donuts_referee.table.sentences import ending
from donuts_referee.teams.bot import Bot

__all__ = ["MOST_OUTPUT", "Step", "build"]

MOST_OUTPUT = 64 << 20
"""Bytes that one command may write, to stdout and stderr together."""

RUST = ("CARGO_HOME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN")
GO = ("GOPATH", "GOROOT", "GOMODCACHE", "GOCACHE")
TOOLCHAINS = (*RUST, *GO, "JAVA_HOME", "MAVEN_HOME")
"""Variables by which compilers find their own files: a build sees them beside what a bot sees."""

HEAD, TAIL = 30, 100
"""Lines that are kept of the beginning and the end of a long output."""

GULP = 65536
PERIOD = 50
"""ms between two looks at a process that has no descriptor"""


class Step(Struct, frozen=True, kw_only=True):
    """One command of a build, and how it ended; all texts are safe."""

    command: str
    ended: str
    """in words"""
    ok: bool
    ms: int
    output: tuple[str, ...] = ()
    """lines of stdout and stderr, in the order in which they came; of a long output the beginning and the end"""


def build(bot: Bot, seconds: int) -> tuple[Step, ...]:
    """Run the build commands of a bot, up to the first that fails; each may take so many seconds."""
    assert bot.folder is not None
    steps: list[Step] = []
    tools = {name: os.environ[name] for name in TOOLCHAINS if name in os.environ}
    env = tuple({**tools, **dict(bot.program.env)}.items())
    for words in bot.build:
        program = Program(argv=runnable(words, bot.folder), cwd=str(bot.folder), env=env)
        steps.append(_step(shown(" ".join(words)), program, seconds))
        if not steps[-1].ok:
            break
    return tuple(steps)


def _step(command: str, program: Program, seconds: int) -> Step:
    began = time.monotonic_ns()
    waiting = _Waiting()
    try:
        process = start(program)
    except (StartFailure, Shortage) as failure:
        waiting.over()
        return Step(command=command, ended=shown(str(failure), 400), ok=False, ms=0)
    with _ended_in_any_case(process), closing(_Hearing(process)) as hearing:
        waiting.over()
        in_time = hearing.ended_by(began + seconds * SECOND)
        process.remember()
        exit = see_out(
            process, began if not in_time else time.monotonic_ns(), hearing.ended_by, time.monotonic_ns
        )
        kept = hearing.keeper.kept
    took = (time.monotonic_ns() - began) // 1_000_000
    ok = in_time and exit.status == 0
    return Step(
        command=command, ended=_ended(exit, kept, in_time, seconds), ok=ok, ms=took, output=_lines(kept)
    )


class _Waiting:
    """Lets signals wait while a process is started: one that came in between would leave it behind unseen."""

    def __init__(self) -> None:
        self._came: list[int] = []
        self._before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM)]
        for number, _ in self._before:
            signal.signal(number, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self._came.append(number)

    def over(self) -> None:
        """Nothing waits any more; what came goes to whom it would have gone to."""
        for number, handler in self._before:
            signal.signal(number, handler)
        if self._came:
            signal.raise_signal(self._came[0])


@contextmanager
def _ended_in_any_case(process: Process) -> Iterator[None]:
    """Leave nothing running where the wait for it is broken off."""
    try:
        yield
    except BaseException:
        discard(process)
        raise


class _Hearing:
    """Keeps the pipes of a process drained while it runs."""

    def __init__(self, process: Process) -> None:
        self.keeper = StderrKeeper()
        self._process = process
        process.stdin.close()
        self._poll = select.poll()
        self._pipes = {pipe.fileno() for pipe in (process.stdout, process.stderr)}
        for fd in self._pipes:
            os.set_blocking(fd, False)
            self._poll.register(fd, select.POLLIN)
        self._watched = process.watch()
        if self._watched is not None:
            self._poll.register(self._watched, select.POLLIN)

    @property
    def flooded(self) -> bool:
        return self.keeper.kept.total > MOST_OUTPUT

    def ended_by(self, deadline: int) -> bool:
        """Wait for the end of the process until `deadline` (ns); False, too, as soon as it has written too much."""
        said = self.flooded
        while not self._process.ended():
            left = (deadline - time.monotonic_ns()) // 1_000_000
            if left <= 0 or (self.flooded and not said):
                return False
            wait = left if self._watched is not None else min(left, PERIOD)
            for fd, _ in self._poll.poll(min(wait, 3_600_000)):
                if fd in self._pipes:
                    self._read(fd)
        for fd in tuple(self._pipes):  # what is there now; who holds the pipe besides is not waited for
            for _ in range(16):
                self._read(fd)
        return True

    def _read(self, fd: int) -> None:
        try:
            data = os.read(fd, GULP) if fd in self._pipes else b""
        except BlockingIOError:
            return
        if data:
            self.keeper.feed(data)
        elif fd in self._pipes:
            self._pipes.discard(fd)
            self._poll.unregister(fd)

    def close(self) -> None:
        """Give the descriptors back."""
        if self._watched is not None:
            os.close(self._watched)
        self._process.stdout.close()
        self._process.stderr.close()


def _ended(exit: Exit, kept: Stderr, in_time: bool, seconds: int) -> str:
    if kept.total > MOST_OUTPUT and not in_time:
        return f"wrote more than {MOST_OUTPUT >> 20} MiB, for which it was ended"
    if not in_time:
        return f"was not done after {seconds} s, for which it was ended"
    strays = f"; it left {exit.strays} processes running, which were ended" if exit.strays else ""
    return ending(exit) + strays


def _lines(kept: Stderr) -> tuple[str, ...]:
    gap = kept.total - len(kept.head) - len(kept.tail)
    parts = [kept.head + kept.tail] if gap <= 0 else [kept.head, kept.tail]
    lines = [[shown(line.rstrip(b"\r")) for line in part.split(b"\n")] for part in parts]
    if gap > 0:
        lines.insert(1, [f"(... {gap} bytes more ...)"])
    found = [line for part in lines for line in part]
    while found and not found[-1]:
        found.pop()
    more = len(found) - HEAD - TAIL
    return tuple(found if more <= 0 else (*found[:HEAD], f"(... {more} lines more ...)", *found[-TAIL:]))
