"""Hands teams to worker processes and takes what comes back; a worker that is lost costs one team its result."""

import os
import select
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import suppress
from typing import IO

import msgspec

from donuts_referee.channels.containment import binding
from donuts_referee.intake.examination import Cause, Examined, Task, Why
from donuts_referee.modules import own_modules

__all__ = ["examinations"]

GRACE = 10
"""seconds that a worker has to end what it started"""


class _Worker:
    """One process, and what it is at."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "donuts_referee.intake.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=own_modules(),
            preexec_fn=binding(),
        )
        assert self.process.stdin is not None and self.process.stdout is not None
        self.stdin: IO[bytes] = self.process.stdin
        self.stdout: IO[bytes] = self.process.stdout
        self.task: Task | None = None
        self._read = bytearray()

    def give(self, task: Task) -> None:
        """Begin with a task; a worker that has ended is noticed when its answer is read."""
        self.task = task
        with suppress(BrokenPipeError):
            self.stdin.write(msgspec.json.encode(task) + b"\n")
            self.stdin.flush()

    def hear(self) -> Examined | None:
        """The answer, once all of it has come; a task whose worker has ended is told as such."""
        assert self.task is not None
        data = os.read(self.stdout.fileno(), 1 << 20)
        self._read += data
        if data and not data.endswith(b"\n"):
            return None
        task, self.task = self.task, None
        if not data:
            code = self.process.wait()
            text = f"the process that examined it ended ({code}); run the intake again for it"
            return Examined(folder=task.folder, cause=Cause(Why.OURS, text))
        answer = msgspec.json.decode(bytes(self._read), type=Examined)
        self._read.clear()
        return answer

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


def examinations(tasks: Sequence[Task], jobs: int) -> Generator[Examined, None, None]:
    """The results as they come, `jobs` teams at once. Closing the iterator ends what is under way."""
    left = list(reversed(tasks))
    crew: dict[int, _Worker] = {}
    poll = select.poll()
    try:
        while left or crew:
            while left and len(crew) < jobs:
                worker = _Worker()
                crew[worker.stdout.fileno()] = worker
                poll.register(worker.stdout, select.POLLIN)
                worker.give(left.pop())
            for fd, _ in poll.poll():
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
    finally:
        for worker in crew.values():
            if worker.task is not None:
                worker.process.terminate()
        for worker in crew.values():
            worker.close()
