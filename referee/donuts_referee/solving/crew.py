"""Those who solve boards at the same time: threads of this process, or the workers of a Dask cluster."""

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import Protocol

from donuts_engine.tiles import TileSet
from donuts_referee.solving.growing import Growing
from donuts_referee.solving.one_board import solve

__all__ = ["Crew", "Pending", "Task", "Threads", "solve_all"]

CHECK = 1.0
"""seconds between two looks at whether a crew is still there"""


@dataclass(frozen=True, slots=True)
class Task:
    """What all boards of one run have in common."""

    tiles: TileSet
    rings: int
    """a side"""
    memory: int
    """bytes, for each board that is solved at the time"""


class Pending(Protocol):
    """A board that somebody is at work on; a future of the standard library or of Dask."""

    def result(self) -> str | None:
        """Its values; None when the crew was told to stop. Raises what went wrong."""
        ...


class Crew(Protocol):
    """Whoever solves."""

    @property
    def capacity(self) -> int:
        """Boards at once; 1 or more."""
        ...

    def submit(self, number: int, done: Callable[[Pending], None]) -> None:
        """Have a board solved; `done` is called afterwards, by any thread."""
        ...

    def check(self) -> None:
        """Raises an exception where nothing more is to be expected."""
        ...

    def close(self) -> None:
        """Stop; what is not done yet is lost. Twice is harmless."""
        ...


class Threads:
    """Threads of this process: the search needs the interpreter's lock for a small part of its time."""

    def __init__(self, task: Task, workers: int) -> None:
        self.capacity = workers
        self._task = task
        self._pool = ThreadPoolExecutor(workers)
        self._faces = tuple((tile.front, tile.back) for tile in task.tiles.tiles)
        self._stopped = False

    def submit(self, number: int, done: Callable[[Pending], None]) -> None:
        """See `Crew`."""
        task = self._task
        future = self._pool.submit(solve, number, self._faces, task.rings, task.memory, self._limit)
        future.add_done_callback(done)

    def check(self) -> None:
        """See `Crew`; threads are there as long as we are."""

    def close(self) -> None:
        """See `Crew`; within some hundredths of a second."""
        self._stopped = True
        self._pool.shutdown(cancel_futures=True)

    def _limit(self, _: int) -> bool:
        return self._stopped


def solve_all(file: Growing, numbers: Iterable[int], crew: Crew, told: Callable[[int, str], None]) -> None:
    """Solve these boards into the file; `told` hears of each that is written, with its number and values.

    Raises GrowingFault, and whatever `crew` raises. An exception, KeyboardInterrupt too, leaves whole records.
    """
    finished: SimpleQueue[tuple[int, Pending]] = SimpleQueue()
    left = iter(numbers)
    running = 0

    def hand_out() -> int:
        started = 0
        # one more than are solved at once, so that nobody waits for us
        while running + started <= crew.capacity:
            number = next(left, None)
            if number is None:
                break
            crew.submit(number, lambda pending, number=number: finished.put((number, pending)))  # type: ignore[misc]
            started += 1
        return started

    running += hand_out()
    while running:
        try:
            number, pending = finished.get(timeout=CHECK)
        except Empty:
            crew.check()
            continue
        running -= 1
        letters = pending.result()
        if letters is not None:
            file.add(number, letters)
            told(number, letters)
        running += hand_out()
