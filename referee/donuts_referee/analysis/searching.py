"""Solves positions: in this process where they are few, in worker processes where there are many boards."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.synchronize import Event
from os import _exit
from typing import TYPE_CHECKING, NamedTuple

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.solved import LETTER_OF, SolvedFault, known_moves
from donuts_referee.analysis.faults import SearchFault
from donuts_referee.analysis.worth import Worth

if TYPE_CHECKING:
    from donuts_engine.solver import Solver

__all__ = ["Effort", "Searchers", "Solved"]

Solved = tuple[Position, Worth | None]
"""A position and what came of it; None where the time was over first."""

Settle = Callable[[Sequence[Solved]], None]

CHUNK = 48
"""Positions of one board that are handed to a worker at once: a pair of games."""

FEW = 3
"""Boards that are solved in this process before workers are started, which takes as long."""


class Effort(NamedTuple):
    """How positions are solved."""

    memory: int = 256 << 20
    """bytes that each process may use for its table"""
    seconds: float | None = None
    """for the moves of one position together; None: as long as it takes"""
    plies: bool = False
    """find out how far the end is, too"""
    workers: int = 1
    """processes; 0 and 1: this one alone"""


class Searchers:
    """This process, or a pool of workers once there is enough to do for it; use as a context manager.

    Workers are ended when this process ends, however that comes about.
    """

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._pool: ProcessPoolExecutor | None = None
        self._stop: Event | None = None

    def solve(self, positions: Sequence[Position], settle: Settle) -> None:
        """Solve all of them; `settle` gets them in parts, in any order, when they are done.

        Interrupted by an exception, it first hands over what is done. Raises SearchFault without the solver and
        when a worker is gone.
        """
        chunks = _chunks(positions)
        if self._pool is None and self._effort.workers > 1 and len(chunks) > FEW:
            self._start()
        if self._pool is None or self._stop is None:
            for chunk in chunks:
                self._here(chunk, settle)
        elif chunks:
            self._there(self._pool, self._stop, chunks, settle)

    def __enter__(self) -> "Searchers":
        return self

    def __exit__(self, *_: object) -> None:
        if self._stop is not None:
            self._stop.set()
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _here(self, chunk: Sequence[Position], settle: Settle) -> None:
        done: list[Solved] = []
        try:
            for position in chunk:
                done.append((position, _moves(position, self._effort, _never)))
        finally:
            settle(done)

    def _there(
        self, pool: ProcessPoolExecutor, stop: Event, chunks: Sequence[Sequence[Position]], settle: Settle
    ) -> None:
        pending: set[Future[list[Solved]]] = set()
        try:
            with _no_interrupts():
                pending |= {pool.submit(_solve, chunk, self._effort) for chunk in chunks}
            for future in as_completed(list(pending)):
                pending.discard(future)
                settle(future.result())
        except BaseException as fault:
            stop.set()
            pool.shutdown(cancel_futures=True)
            for future in pending:
                if future.done() and not future.cancelled() and future.exception() is None:
                    settle(future.result())
            if isinstance(fault, BrokenProcessPool):
                raise SearchFault(
                    "a process that searched is gone, perhaps for lack of memory; what was found before is kept; "
                    "give less --memory or fewer --workers"
                ) from None
            raise

    def _start(self) -> None:
        _solver_class()  # its absence is better said before there are workers
        context = get_context("spawn")
        self._stop = context.Event()
        self._pool = ProcessPoolExecutor(
            self._effort.workers, mp_context=context, initializer=_begin, initargs=(self._stop,)
        )


def _chunks(positions: Sequence[Position]) -> list[list[Position]]:
    """The positions by board and rings, so that one table serves them, in parts."""
    boards: dict[tuple[str, int], list[Position]] = {}
    for position in positions:
        boards.setdefault((position.board.layout, position.rings), []).append(position)
    return [group[at : at + CHUNK] for group in boards.values() for at in range(0, len(group), CHUNK)]


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold SIGINT back; workers that are started meanwhile never get it, and Ctrl-C goes to this process alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _never() -> bool:
    return False


# --- in the process that searches ------------------------------------------------------------------------------

_stopped: Callable[[], bool] = _never
_solver: "Solver | None" = None


def _begin(stop: Event) -> None:
    """Set up a worker: it hears of the end from its parent alone, and does not outlive it."""
    global _stopped
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _stopped = stop.is_set
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        _exit(1)


def _solve(chunk: Sequence[Position], effort: Effort) -> list[Solved]:
    """In a worker: solve the positions until the end is called; returns those that are done."""
    done: list[Solved] = []
    for position in chunk:
        worth = _moves(position, effort, _stopped)
        if worth is None and _stopped():
            break
        done.append((position, worth))
    return done


def _moves(position: Position, effort: Effort, stopped: Callable[[], bool]) -> Worth | None:
    if not effort.plies and (letters := _known(position)) is not None:
        return Worth(letters)
    solver = _solver_for(position.board, position.rings, effort.memory)
    end = None if effort.seconds is None else time.monotonic() + effort.seconds

    def limit(nodes: int) -> bool:
        return stopped() or (end is not None and time.monotonic() >= end)

    choices = solver.moves(position, limit=limit, plies=effort.plies)
    values = [LETTER_OF[choice.verdict.low] for choice in choices if choice.verdict.value != "unknown"]
    plies = [choice.plies for choice in choices if choice.plies is not None]
    if len(values) < len(choices) or (effort.plies and len(plies) < len(choices)):
        return None
    return Worth("".join(values), tuple(plies) if effort.plies else None)


def _known(position: Position) -> str | None:
    """What the shipped table of boards says of the first moves."""
    try:
        return known_moves(position)
    except SolvedFault as fault:
        raise SearchFault(str(fault)) from None


def _solver_for(board: Board, rings: int, memory: int) -> "Solver":
    """The solver of the board searched last, whose table knows much of it already, or a new one."""
    global _solver
    if _solver is None or (_solver.board, _solver.rings) != (board, rings) or _solver.memory > memory:
        _solver = None  # one table at a time
        _solver = _solver_class()(board, rings, memory)
    return _solver


def _solver_class() -> "type[Solver]":
    try:
        from donuts_engine.solver import Solver
    except ImportError as fault:
        raise SearchFault(str(fault)) from None
    return Solver
