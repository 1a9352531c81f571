"""Plays jobs on a Dask cluster: each job is a task, which a worker process on the machine of a Dask worker plays.

The journal stays here, so that the cluster may come and go. A task whose Dask worker dies is given to another one by
Dask itself; where that does not help, its job is `Lost` and played again by whoever runs the event.
"""

import contextlib
import logging
import queue
import time
import uuid
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import distributed

from donuts_referee.competition import errand
from donuts_referee.competition.frames import BrokenFrame, Unframing, framed_job, read_report
from donuts_referee.competition.job import ExecutorFault, Job, Lost, Report
from donuts_referee.records.faults import flat
from donuts_referee.version import __version__

__all__ = ["Cluster", "ClusterFault"]

CONNECT = 10.0
"""seconds in which the scheduler must answer, and a first worker must be there"""

TELL = 5.0
"""seconds that all workers have to take note of something"""

CHECK = 1.0
"""seconds between two looks at whether the scheduler is there, and how many workers"""

FETCH = 2.0
"""seconds to wait for the reports of a job that is done, before others are looked at"""


class ClusterFault(ExecutorFault):
    """The cluster cannot play for us."""


class Cluster:
    """The executor of a Dask cluster; see `job.Executor`."""

    def __init__(
        self, address: str, note: Callable[[str], None] = lambda text: None, *, connect: float = CONNECT
    ) -> None:
        """Connect to the scheduler at `address`, such as tcp://10.0.0.1:8786; `note` is told of workers that go.

        Raises ClusterFault.
        """
        logging.getLogger("distributed").setLevel(
            logging.CRITICAL
        )  # what happens is told here, in one line each
        self._address = address
        self._note = note
        self._token = uuid.uuid4().hex
        self._finished: queue.SimpleQueue[int] = queue.SimpleQueue()
        self._futures: dict[int, Any] = {}
        self._tasks = 0
        self._closed = False
        self._looked = float("-inf")
        self._capacity = 0
        self._client: Any = self._connected(connect)
        try:
            self._look(connect)
            self._compare_versions()
        except BaseException:
            self._client.close(timeout=TELL)
            raise

    @property
    def capacity(self) -> int:
        """Threads of all workers there are; 1 at least, so that a job waits for the first worker to come back."""
        if time.monotonic() - self._looked > CHECK:
            self._look()
        return max(1, self._capacity)

    def submit(self, job: Job) -> None:
        """See `job.Executor`. Raises ClusterFault when the scheduler is gone."""
        self._check()
        self._tasks += 1
        key = f"donuts-{self._token}-{self._tasks}"
        future = self._client.submit(
            errand.play, job.id, framed_job(job), self._token, key, __version__, key=key, pure=False
        )
        self._futures[job.id] = future
        number = job.id
        future.add_done_callback(lambda _: self._finished.put(number))

    def wait(self, seconds: float | None) -> Sequence[Report]:
        """See `job.Executor`. Raises ClusterFault when the scheduler is gone, or no worker can play."""
        until = float("inf") if seconds is None else time.monotonic() + seconds
        while True:
            self._check()
            left = until - time.monotonic()
            try:
                number = self._finished.get(timeout=max(0.0, min(CHECK, left)))
            except queue.Empty:
                if left <= CHECK:
                    return ()
                self._look()
                continue
            reports = self._reports(number)
            with contextlib.suppress(queue.Empty):
                while True:
                    reports += self._reports(self._finished.get_nowait())
            if reports:
                return reports

    def compute(self, work: Callable[..., object], *args: object) -> Any:
        """A future of Dask for work that is no job: a function that every worker can import, and plain values.

        Raises ClusterFault when the scheduler is gone.
        """
        self._check()
        return self._client.submit(work, *args, pure=False)

    def check(self) -> None:
        """Raises ClusterFault when the scheduler is gone."""
        self._check()

    def stop(self) -> None:
        """See `job.Executor`."""
        self._tell(errand.stop)

    def close(self) -> None:
        """See `job.Executor`."""
        if self._closed:
            return
        self._closed = True
        if self._client.status == "running":
            self._client.cancel(list(self._futures.values()))
            self._tell(errand.dismiss)
        self._futures.clear()
        self._client.close(timeout=TELL)

    def _connected(self, connect: float) -> Any:
        # made in two steps: one that could not connect must be closed here and now, or the garbage collector closes it
        # some time in any thread, which can stand in the way of the next one for many seconds
        kind: Any = distributed.Client
        client: Any = kind.__new__(kind)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # versions are compared below
                try:
                    client.__init__(self._address, timeout=connect, set_as_default=False)
                except BaseException:
                    with contextlib.suppress(AttributeError, OSError, TimeoutError):
                        client.close(timeout=TELL)
                        client._loop_runner.stop()  # which it leaves running where it closed itself
                    raise
            return client
        except (OSError, ValueError) as fault:
            raise ClusterFault(
                f"no Dask scheduler answers at {self._address} ({flat(fault)}); start one with `dask scheduler` and "
                "name its address"
            ) from fault
        except ImportError as fault:
            raise ClusterFault(
                f"the scheduler at {self._address} has another Dask: {flat(fault)}; install the same version of "
                "distributed on both sides"
            ) from fault

    def _compare_versions(self) -> None:
        """Every worker must referee as we do. Raises ClusterFault."""
        found = self._client.run(errand.version, on_error="return", callback_timeout=CONNECT)
        for worker, answer in sorted(found.items()):
            if isinstance(answer, ImportError):
                raise ClusterFault(
                    f"worker {worker} has no donuts-arena {__version__} ({flat(answer)}); install it there"
                )
            if isinstance(answer, Exception):
                raise ClusterFault(
                    f"worker {worker} does not say which donuts-arena it has ({flat(answer)}); see its log, start it "
                    "anew or do without it, and then the same command again"
                )
            if answer != __version__:
                raise ClusterFault(
                    f"worker {worker} has donuts-arena {flat(answer)} and the event runs on {__version__}; install "
                    "the same version there"
                )

    def _check(self) -> None:
        if self._client.status != "running":
            raise ClusterFault(
                f"the Dask scheduler at {self._address} went away; start it and its workers, and then the same command "
                "again: what was not reported is played again"
            )

    def _look(self, patience: float = 0.0) -> None:
        """Count the threads; without any for so long, raises ClusterFault at the start and is told of later on."""
        end = time.monotonic() + patience
        before = self._capacity
        while True:
            try:
                threads: dict[str, int] = self._client.nthreads(callback_timeout=TELL)
            except (OSError, TimeoutError):  # it is seen at the next check whether the scheduler is gone
                return
            self._looked = time.monotonic()
            self._capacity = sum(threads.values())
            if self._capacity or self._looked >= end:
                break
            with contextlib.suppress(TimeoutError, OSError):
                self._client.wait_for_workers(1, timeout=end - self._looked)
        if patience and not self._capacity:
            raise ClusterFault(
                f"the scheduler at {self._address} has no workers; start some with `dask worker {self._address}`"
            )
        if before and not self._capacity:
            self._note(
                f"the cluster has no workers any more; the games wait for `dask worker {self._address}`"
            )

    def _reports(self, number: int) -> list[Report]:
        """What came of a job; [] when it is not here yet. Raises ClusterFault when none can be played."""
        future = self._futures.get(number)
        if future is None:
            return []
        try:
            frames: bytes = future.result(timeout=FETCH)
        except TimeoutError:  # whoever held it died, and Dask has it played again
            self._finished.put(number) if future.done() else self._again(number, future)
            return []
        except (errand.OtherVersion, ImportError) as fault:
            raise ClusterFault(
                f"a worker of the cluster cannot play ({flat(fault)}); install donuts-arena {__version__} there"
            ) from fault
        except distributed.KilledWorker as fault:
            return self._lost(
                number, f"the workers that it was given to died ({fault.last_worker.address} last)"
            )
        except (errand.AideGone, OSError) as fault:
            return self._lost(number, flat(fault))
        except _cancelled() as fault:
            self._check()
            return self._lost(number, f"its task was cancelled ({flat(fault)})")
        del self._futures[number]
        try:
            return [read_report(number, kind, content) for kind, content in Unframing().feed(frames)]
        except BrokenFrame as fault:
            return [Lost(number, str(fault))]

    def _again(self, number: int, future: Any) -> None:
        future.add_done_callback(lambda _: self._finished.put(number))

    def _lost(self, number: int, why: str) -> list[Report]:
        del self._futures[number]
        return [Lost(number, why)]

    def _tell(self, what: Callable[[str], None]) -> None:
        """Have it called on every worker that there is, as far as they answer."""
        with contextlib.suppress(OSError, TimeoutError):
            self._client.run(what, self._token, on_error="ignore", callback_timeout=TELL)


def _cancelled() -> tuple[type[BaseException], ...]:
    """What Dask raises for a task that was cancelled; the class has moved between its versions."""
    from concurrent.futures import CancelledError

    from distributed.client import FutureCancelledError

    return CancelledError, FutureCancelledError
