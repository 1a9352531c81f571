"""Boards solved on a Dask cluster: a task for each, of which the values come back and are written here."""

from collections.abc import Callable
from concurrent.futures import CancelledError
from typing import Any

import distributed
from distributed.client import FutureCancelledError

from donuts_engine.solver import SolverFault
from donuts_referee.competition.cluster import Cluster, ClusterFault
from donuts_referee.solving.crew import Pending, Task
from donuts_referee.solving.one_board import solve

__all__ = ["Answer", "DaskCrew"]

FETCH = 30.0
"""seconds in which the values of a board that is solved must be here"""


class Answer:
    """A task that is done; failures in words."""

    def __init__(self, future: Any) -> None:
        self._future = future

    def result(self) -> str | None:
        """See `crew.Pending`. Raises ClusterFault."""
        try:
            found: str | None = self._future.result(timeout=FETCH)
        except distributed.KilledWorker as fault:
            raise ClusterFault(
                f"the workers that solved a board died ({fault.last_worker.address} last)"
            ) from fault
        except ImportError as fault:
            raise ClusterFault(f"a worker of the cluster cannot solve ({fault}); install it there") from fault
        except SolverFault as fault:
            raise ClusterFault(str(fault)) from fault
        except (CancelledError, FutureCancelledError, TimeoutError, OSError) as fault:
            raise ClusterFault(
                f"the cluster went away while boards were solved ({type(fault).__name__}); start it, and then the same "
                "command again"
            ) from fault
        return found


class DaskCrew:
    """The workers of a cluster; see `crew.Crew`. A board whose worker dies is solved by another."""

    def __init__(self, task: Task, address: str, note: Callable[[str], None]) -> None:
        """Connect to the scheduler at `address`. Raises ClusterFault."""
        self._task = task
        self._faces = tuple((tile.front, tile.back) for tile in task.tiles.tiles)
        self._cluster = Cluster(address, note)

    @property
    def capacity(self) -> int:
        """Threads of all workers."""
        return self._cluster.capacity

    def submit(self, number: int, done: Callable[[Pending], None]) -> None:
        """See `crew.Crew`."""
        task = self._task
        future = self._cluster.compute(solve, number, self._faces, task.rings, task.memory)
        future.add_done_callback(lambda future: done(Answer(future)))

    def check(self) -> None:
        """Raises ClusterFault when the scheduler is gone."""
        self._cluster.check()

    def close(self) -> None:
        """See `crew.Crew`; boards under way on the cluster are solved in vain."""
        self._cluster.close()
