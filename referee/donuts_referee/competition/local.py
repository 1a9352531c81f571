"""Plays jobs in worker processes on this machine, one game at a time in each."""

import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from donuts_referee.channels.affinity import processors
from donuts_referee.competition.frames import BrokenFrame, Unframing, framed_job, read_report
from donuts_referee.competition.job import INTERRUPTED, Done, Job, Lost, Report
from donuts_referee.modules import own_modules, running

__all__ = ["LOG", "LocalWorkers"]

LOG = "workers.log"
"""What the workers write to stderr, in the folder of the records; as a rule nothing."""

CHUNK = 1 << 18

PATIENCE = 5.0
"""seconds that workers have to end by themselves before they are killed"""


class _Worker:
    """One worker process and the job that it plays."""

    def __init__(self, number: int, processors: frozenset[int] | None, log: int) -> None:
        command = running("donuts_referee.competition.worker", str(os.getpid()))
        if processors is not None:
            command.append(",".join(map(str, sorted(processors))))
        self.number = number
        self.job: Job | None = None
        self.heard = 0.0
        """when the job was handed over, or its last game came in (monotonic)"""
        self.unframing = Unframing()
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=own_modules(),
            start_new_session=True,  # Ctrl-C at the terminal is ours to pass on
        )

    @property
    def source(self) -> int:
        """Where its reports come from."""
        assert self.process.stdout is not None
        return self.process.stdout.fileno()

    def take(self, job: Job) -> bool:
        """Hand it a job; False when it is gone."""
        assert self.process.stdin is not None
        self.job = job
        self.heard = time.monotonic()
        try:
            self.process.stdin.write(framed_job(job))
            self.process.stdin.flush()
        except BrokenPipeError:
            return False
        return True

    def end(self) -> None:
        """Let it end: it has nothing to do any more."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe is not None:
                with suppress(BrokenPipeError):
                    pipe.close()


class LocalWorkers:
    """The executor of this machine; see `job.Executor`."""

    def __init__(self, workers: int, folder: Path, *, affinity: bool = False, stagger: int = 50) -> None:
        """`stagger`: ms between the starts of two workers. Raises OSError where the log cannot be written."""
        self._count = workers
        self._affinity = affinity
        self._stagger = stagger / 1000
        self._log = os.open(folder / LOG, os.O_CREAT | os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC, 0o644)
        self._queue: deque[Job] = deque()
        self._crew: dict[int, _Worker] = {}
        self._due = time.monotonic()
        self._stopped = False
        self._selector = selectors.DefaultSelector()

    @property
    def capacity(self) -> int:
        """Jobs that are played at once."""
        return self._count

    def submit(self, job: Job) -> None:
        """See `job.Executor`."""
        self._queue.append(job)
        self._hand_out()

    def wait(self, seconds: float | None) -> Sequence[Report]:
        """See `job.Executor`."""
        until = None if seconds is None else time.monotonic() + seconds
        reports: list[Report] = []
        if self._stopped:
            reports += [Done(job.id, INTERRUPTED) for job in self._queue]
            self._queue.clear()
        while not reports:
            self._hand_out()
            now = time.monotonic()
            limits = [] if until is None else [until - now]
            if self._queue and len(self._crew) < self._count:
                limits.append(self._due - now)
            for key, _ in self._selector.select(max(0.0, min(limits)) if limits else None):
                reports += self._heard(self._crew[key.data])
            now = time.monotonic()
            reports += self._overdue(now)  # after what lay in the pipes: we ourselves may have stood still
            if until is not None and now >= until:
                break
        return reports

    def stop(self) -> None:
        """See `job.Executor`."""
        self._stopped = True
        for worker in self._crew.values():
            if worker.job is not None:
                worker.process.terminate()

    def close(self) -> None:
        """See `job.Executor`."""
        for worker in self._crew.values():
            if worker.job is not None:
                worker.process.terminate()
            worker.end()
        until = time.monotonic() + PATIENCE
        for worker in self._crew.values():
            try:
                worker.process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                worker.process.kill()
                worker.process.wait()
        self._crew.clear()
        self._selector.close()
        if self._log >= 0:
            os.close(self._log)
            self._log = -1

    def _hand_out(self) -> None:
        """Give waiting jobs to idle workers, and start a worker where one is missing and due."""
        for worker in [each for each in self._crew.values() if each.job is None]:
            if not self._queue:
                return
            worker.take(self._queue.popleft())
        if self._queue and len(self._crew) < self._count and time.monotonic() >= self._due:
            self._due = time.monotonic() + self._stagger
            worker = self._start()
            worker.take(self._queue.popleft())

    def _start(self) -> _Worker:
        number = next(each for each in range(self._count) if each not in self._crew)
        own = frozenset(processors(number, self._count)) if self._affinity else None
        worker = self._crew[number] = _Worker(number, own, self._log)
        self._selector.register(worker.source, selectors.EVENT_READ, number)
        return worker

    def _heard(self, worker: _Worker) -> list[Report]:
        """What one worker reports; a worker that is gone, or babbles, has lost its job."""
        data = os.read(worker.source, CHUNK)
        worker.heard = time.monotonic()
        reports: list[Report] = []
        if not data:
            return self._lost(worker, "")
        try:
            for kind, content in worker.unframing.feed(data):
                assert worker.job is not None
                report = read_report(worker.job.id, kind, content)
                reports.append(report)
                if isinstance(report, Done):
                    worker.job = None
        except BrokenFrame as fault:
            worker.process.kill()
            return reports + self._lost(worker, str(fault))
        return reports

    def _overdue(self, now: float) -> list[Report]:
        """The jobs of workers that cannot be playing any more: no game takes so long. They are killed."""
        reports: list[Report] = []
        for worker in list(self._crew.values()):
            if worker.job is not None and now - worker.heard > worker.job.longest_game:
                worker.process.kill()
                reports += self._lost(
                    worker, f"its worker played {now - worker.heard:.0f} s at one game, and was ended"
                )
        return reports

    def _lost(self, worker: _Worker, fault: str) -> list[Report]:
        self._selector.unregister(worker.source)
        del self._crew[worker.number]
        worker.end()
        try:
            status = worker.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            worker.process.kill()
            status = worker.process.wait()
        if worker.job is None:
            return []
        how = f"signal {-status}" if status < 0 else f"exit status {status}"
        return [Lost(worker.job.id, fault or f"its worker ended ({how}; {LOG} may say why)")]
