"""Judges the games of a journal, some dozens at a time, in worker processes where there are many."""

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context

import msgspec

from donuts_referee.channels.affinity import allowed
from donuts_referee.competition.audit.finding import Broken, Finding
from donuts_referee.competition.audit.judging import judge
from donuts_referee.competition.audit.sources import Line
from donuts_referee.competition.description import Description
from donuts_referee.records.faults import flat
from donuts_referee.records.record import decode

__all__ = ["Jury"]

BATCH = 32
"""games that a worker is handed at once"""

FEW = 500
"""games that are judged in this process before workers are started, which takes longer than judging them"""

MOST = 8
"""workers at most: reading the lines and the chain keeps up with no more"""


class Jury:
    """Takes the lines of games in order; use as a context manager.

    `workers`: processes that judge, 0 for none but this one, None for as many as there are processors for us.
    """

    def __init__(self, name: str, description: Description | None, workers: int | None = None) -> None:
        self.plies = 0
        """placements played over so far"""
        self._name = name
        self._description = b"" if description is None else msgspec.json.encode(description)
        self._workers = min(MOST, allowed()) if workers is None else workers
        self._lines: list[Line] = []
        self._games = 0
        self._pool: ProcessPoolExecutor | None = None
        self._pending: deque[Future[tuple[int, Finding | None]]] = deque()

    def hear(self, line: Line) -> None:
        """The line of the next game. Raises Broken for the first line so far that is found not to hold."""
        self._lines.append(line)
        self._games += 1
        if len(self._lines) >= BATCH:
            self._hand_on()

    def decide(self) -> None:
        """Wait until every game that was heard is judged. Raises Broken for the first that does not hold."""
        if self._lines:
            self._hand_on()
        while self._pending:
            self._take(self._pending.popleft().result())

    def __enter__(self) -> "Jury":
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def _hand_on(self) -> None:
        lines, self._lines = self._lines, []
        if self._pool is None and self._workers > 1 and self._games > FEW:
            self._pool = ProcessPoolExecutor(self._workers, mp_context=get_context("spawn"))
        if self._pool is None:
            self._take(_judge(self._name, self._description, lines))
            return
        self._pending.append(self._pool.submit(_judge, self._name, self._description, lines))
        while len(self._pending) > 3 * self._workers or (self._pending and self._pending[0].done()):
            self._take(self._pending.popleft().result())

    def _take(self, judged: tuple[int, Finding | None]) -> None:
        plies, finding = judged
        self.plies += plies
        if finding is not None:
            self._pending.clear()
            raise Broken(*finding)


def _judge(name: str, description: bytes, lines: Sequence[Line]) -> tuple[int, Finding | None]:
    """Plies of the games, and the first of the lines that does not hold."""
    event = msgspec.json.decode(description, type=Description) if description else None
    plies = 0
    for line in lines:
        try:
            record = decode(line.data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            return plies, Finding(f"{name}:{line.number}", f"not a record of a game ({flat(error)})")
        fault = judge(record, event)
        if fault is not None:
            return plies, Finding(f"{name}:{line.number}", f"game {record.id}: {fault}")
        plies += len(record.moves)
    return plies, None
