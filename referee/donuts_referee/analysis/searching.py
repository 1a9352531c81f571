"""Solves positions: in this process where they are few, in worker processes where there are many boards."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.context import SpawnContext
from os import _exit
from typing import TYPE_CHECKING, Any, NamedTuple

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.solved import LETTER_OF, SolvedFault, known_moves
from donuts_referee.analysis.faults import SearchFault
from donuts_referee.analysis.worth import Worth

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from donuts_engine.solver import Solver

    Pipe = Connection[Any, Any]

__all__ = ["Effort", "Searchers", "Solved"]

Solved = tuple[Position, Worth | None]
"""A position and what came of it; None where the time was over first."""

Settle = Callable[[Sequence[Solved]], None]

CHUNK = 48
"""Positions of one board that are handed to a worker at once: a pair of games."""

FEW = 3
"""Boards that are solved in this process before workers are started, which takes as long."""

_GONE = (
    "a process that searched is gone, perhaps for lack of memory; what was found before is kept; "
    "give less --memory or fewer --workers"
)

_MASKS = hasattr(signal, "pthread_sigmask")


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
    """This process, or workers once there is enough to do for them; use as a context manager.

    Workers are ended when this process ends, however that comes about.
    """

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._workers: list[_Worker] = []

    def solve(self, positions: Sequence[Position], settle: Settle) -> None:
        """Solve all of them; `settle` gets them in parts, in any order, when they are done.

        Interrupted by an exception, it first hands over what is done. Raises SearchFault without the solver and
        when a worker is gone.
        """
        chunks = _chunks(positions)
        if not self._workers and self._effort.workers > 1 and len(chunks) > FEW:
            self._start()
        if self._workers:
            self._there(chunks, settle)
        else:
            for chunk in chunks:
                self._here(chunk, settle)

    def __enter__(self) -> "Searchers":
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def _here(self, chunk: Sequence[Position], settle: Settle) -> None:
        done: list[Solved] = []
        try:
            for position in chunk:
                done.append((position, _moves(position, self._effort)))
        finally:
            settle(done)

    def _there(self, chunks: Sequence[Sequence[Position]], settle: Settle) -> None:
        waiting = list(reversed(chunks))
        try:
            busy: dict[object, _Worker] = {}
            for worker in self._workers:
                if waiting:
                    worker.give(waiting.pop())
                    busy[worker.pipe] = worker
            while busy:
                for pipe in wait([worker.pipe for worker in busy.values()]):
                    worker = busy[pipe]
                    worker.hear()
                    if not worker.idle:
                        continue
                    settle(worker.taken())
                    if waiting:
                        worker.give(waiting.pop())
                    else:
                        del busy[pipe]
        except BaseException:
            settle([one for worker in self._end() for one in worker.last_words()])
            raise

    def _start(self) -> None:
        _solver_class()  # its absence is better said before there are workers
        context = get_context("spawn")
        with _no_interrupts():
            for _ in range(self._effort.workers):
                self._workers.append(_Worker(context, self._effort))

    def _end(self) -> "list[_Worker]":
        """Kill the workers, which have nothing to put away, and return them."""
        ended = self._workers
        for worker in ended:
            worker.process.kill()
        for worker in ended:
            worker.process.join()
        self._workers = []
        return ended


class _Worker:
    """A process that searches, as this process sees it: it is given a chunk, and tells of each position."""

    def __init__(self, context: SpawnContext, effort: Effort) -> None:
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(theirs, effort), daemon=True)
        self.process.start()
        theirs.close()
        self._chunk: Sequence[Position] = ()
        self._heard = 0
        self._done: list[Solved] = []

    @property
    def idle(self) -> bool:
        """Whether it has done all that it was given."""
        return self._heard == len(self._chunk)

    def give(self, chunk: Sequence[Position]) -> None:
        """Have an idle worker solve a chunk. Raises SearchFault when it is gone."""
        with _no_interrupts():
            self._chunk, self._heard = chunk, 0
            try:
                self.pipe.send(chunk)
            except OSError:
                raise SearchFault(_GONE) from None

    def hear(self) -> None:
        """Wait for what it tells next. Raises SearchFault when it is gone or cannot search."""
        with _no_interrupts():
            try:
                worth: Worth | SearchFault | None = self.pipe.recv()
            except (EOFError, OSError):
                raise SearchFault(_GONE) from None
            if isinstance(worth, SearchFault):
                raise worth
            self._done.append((self._chunk[self._heard], worth))
            self._heard += 1

    def taken(self) -> list[Solved]:
        """What was heard and not yet taken."""
        done, self._done = self._done, []
        return done

    def last_words(self) -> list[Solved]:
        """The same of a worker that was ended, with what it had told by then."""
        with suppress(SearchFault):
            while not self.idle:
                self.hear()
        return self.taken()


def _chunks(positions: Sequence[Position]) -> list[list[Position]]:
    """The positions by board and rings, so that one table serves them, in parts."""
    boards: dict[tuple[str, int], list[Position]] = {}
    for position in positions:
        boards.setdefault((position.board.layout, position.rings), []).append(position)
    return [group[at : at + CHUNK] for group in boards.values() for at in range(0, len(group), CHUNK)]


@contextmanager
def _no_interrupts() -> Iterator[None]:
    """Hold SIGINT back until the end, so that nothing is left half started, half sent or half heard.

    Workers that are started meanwhile never get it, and Ctrl-C goes to this process alone. To block the signal is not
    enough here: threads of libraries take it, and what they take is raised in the main thread.
    """
    if threading.current_thread() is not threading.main_thread():  # nothing is raised here
        yield
        return
    held: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: held.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if _MASKS else None
    try:
        yield
    finally:
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        signal.signal(signal.SIGINT, before)
        if held:
            signal.raise_signal(signal.SIGINT)


# --- in the process that searches ------------------------------------------------------------------------------

_solver: "Solver | None" = None


def _work(pipe: "Pipe", effort: Effort) -> None:
    """Solve what the parent gives until it ends this process; a worker hears of the end from its parent alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with suppress(EOFError, OSError):  # the parent is gone
        while True:
            for position in pipe.recv():
                pipe.send(_told(position, effort))


def _told(position: Position, effort: Effort) -> Worth | SearchFault | None:
    try:
        return _moves(position, effort)
    except SearchFault as fault:
        return fault
    except MemoryError:
        _exit(1)  # which the parent tells of in one line


def _leave_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        _exit(1)


def _moves(position: Position, effort: Effort) -> Worth | None:
    if not effort.plies and (letters := _known(position)) is not None:
        return Worth(letters)
    solver = _solver_for(position.board, position.rings, effort.memory)
    end = None if effort.seconds is None else time.monotonic() + effort.seconds

    def limit(nodes: int) -> bool:
        return end is not None and time.monotonic() >= end

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
