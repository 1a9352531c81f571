"""Keeps what the arena's matches leave: journal and PGN, with nothing lost while the disk is full.

A game that cannot be written is held here and tried again; until it is written, no new game should begin.
"""

from collections import deque
from pathlib import Path

from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.faults import WriteFault
from donuts_referee.records.journal import Journal
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.record import Record
from donuts_referee.table.finished import FinishedGame

__all__ = ["Ledger"]


class Ledger:
    """The files of an arena; raises RecordsFault when they cannot be opened."""

    def __init__(self, folder: Path, *, durable: bool = False) -> None:
        self.fault: str | None = None
        """why the games that are held could not be written; None: all are"""
        self._journal = Journal(folder / JOURNAL, durable=durable)
        try:
            self._pgn = PgnFile(folder / PGN)
        except BaseException:
            self._journal.close()
            raise
        self._unwritten: deque[Record] = deque()
        self._for_pgn: deque[Record] = deque()

    @property
    def held(self) -> int:
        """Games that wait to be written."""
        return max(len(self._unwritten), len(self._for_pgn))

    def keep(self, game: FinishedGame, match_id: str) -> str:
        """Write one game, or hold it until it can be written; returns the id of its record."""
        record = Record.of(game, match_id)
        self._unwritten.append(record)
        self._for_pgn.append(record)
        self.settle()
        return record.id

    def settle(self) -> bool:
        """Write what is held; True when nothing is left. `fault` says why not."""
        self.fault = None
        try:
            while self._unwritten:
                self._journal.append(self._unwritten[0])
                self._unwritten.popleft()
            while self._for_pgn:
                self._pgn.append(self._for_pgn[0])
                self._for_pgn.popleft()
        except WriteFault as fault:
            self.fault = str(fault)
        return self.fault is None

    def close(self) -> None:
        """Try once more to write what is held, and close the files."""
        self.settle()
        self._journal.close()
        self._pgn.close()
