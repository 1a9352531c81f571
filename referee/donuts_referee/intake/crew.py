"""Hands teams to worker processes and takes what comes back; a worker that is lost costs one team its result."""

import os
import select
import subprocess
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import IO, NamedTuple

import msgspec

from donuts_referee.channels.containment import binding
from donuts_referee.intake.examination import Cause, Examined, Stage, Task, Why
from donuts_referee.modules import own_modules, running

__all__ = ["SLOW", "Slow", "examinations"]

GRACE = 10
"""seconds that a worker has to end what it started"""


SLOW = 20.0
"""seconds at one team after which, and after which again, a word is said"""


class Slow(NamedTuple):
    """A team that takes long."""

    folder: str
    at: str
    """in safe words"""
    seconds: float
    """since its examination began"""


_answers: msgspec.json.Decoder[Stage | Examined] = msgspec.json.Decoder(Stage | Examined)


class _Worker:
    """One process, and what it is at."""

    def __init__(self, slow: float) -> None:
        self.process = subprocess.Popen(
            running("donuts_referee.intake.worker"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=own_modules(),
            preexec_fn=binding(),
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self.task: Task | None = None
        self.at = ""
        self.began = self.due = 0.0
        """when its task began, and when a word is said of it next"""
        self._slow = slow
        self._read = bytearray()

    def give(self, task: Task) -> None:
        """Begin with a task; a worker that has ended is noticed when its answer is read."""
        self.task = task
        self.at = "its bot.toml"
        self.began = time.monotonic()
        self.due = self.began + self._slow
        with suppress(BrokenPipeError):
            self.stdin.write(msgspec.json.encode(task) + b"\n")
            self.stdin.flush()

    def hear(self) -> Examined | None:
        """The answer, once all of it has come; a task whose worker has ended is told as such."""
        assert self.task is not None
        data = os.read(self.stdout.fileno(), 1 << 20)
        self._read += data
        if not data:
            task, self.task = self.task, None
            code = self.process.wait()
            text = f"the process that examined it ended ({code}); run the intake again for it"
            return Examined(folder=task.folder, cause=Cause(Why.OURS, text))
        while (end := self._read.find(b"\n")) >= 0:
            answer = _answers.decode(bytes(self._read[:end]))
            del self._read[: end + 1]
            if isinstance(answer, Examined):
                self.task = None
                return answer
            self.at = answer.at
        return None

    def late(self, now: float) -> Slow | None:
        """What is to be said of it now, if anything."""
        if self.task is None or now < self.due:
            return None
        self.due = now + self._slow
        return Slow(self.task.folder, self.at, now - self.began)

    def close(self) -> None:
        """End it, with all that it started."""
        with suppress(OSError):
            self.stdin.close()
        if self.task is not None:
            self.process.terminate()
        try:
            self.process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.stdout.close()


def examinations(
    tasks: Sequence[Task], jobs: int, slow: float = SLOW
) -> Generator[Examined | Slow, None, None]:
    """The results as they come, `jobs` teams at once, and now and then what takes longer than `slow` seconds.

    Closing the iterator ends what is under way.
    """
    left = list(reversed(tasks))
    crew: dict[int, _Worker] = {}
    poll = select.poll()
    try:
        while left or crew:
            while left and len(crew) < jobs:
                worker = _Worker(slow)
                crew[worker.stdout.fileno()] = worker
                poll.register(worker.stdout, select.POLLIN)
                worker.give(left.pop())
            wait = max(0.0, min(worker.due for worker in crew.values()) - time.monotonic())
            for fd, _ in poll.poll(1000 * wait + 1):
                worker = crew[fd]
                answer = worker.hear()
                if answer is None:
                    continue
                lost = worker.process.poll() is not None
                if left and not lost:
                    worker.give(left.pop())
                else:
                    poll.unregister(fd)
                    del crew[fd]
                    worker.close()
                yield answer
            now = time.monotonic()
            yield from [told for worker in crew.values() if (told := worker.late(now)) is not None]
    finally:
        for worker in crew.values():
            if worker.task is not None:
                worker.process.terminate()
        for worker in crew.values():
            worker.close()
