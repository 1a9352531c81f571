"""The file of solved boards while it grows: opened by one process at a time, gone on with after any kind of end.

GrowingFault    the file cannot be used or written to; nothing of it was changed
"""

import os
import stat
from pathlib import Path
from typing import NoReturn

from donuts_engine.solved import HEAD_BYTES, RECORD_BYTES, Solved, SolvedFault, head, record
from donuts_engine.tiles import TileSet
from donuts_referee.records.lock import claimed

__all__ = ["Growing", "GrowingFault"]


class GrowingFault(Exception):
    """One line that names the file and says what is wrong and what would do."""


class Growing:
    """A file of boards of one tile set and number of rings; made when there is none, else gone on with.

    A record is written by one call of the system and at once, so that a process that is killed leaves whole records.
    Where one was cut off all the same, by a power cut or a full disk, the rest of it is dropped at the next start and
    `mended` is true. Use as a context manager.
    """

    def __init__(self, path: Path, tiles: TileSet, rings: int) -> None:
        """Raises GrowingFault, and then the file is as it was."""
        self.path = path
        self.mended = False
        self._head = head(tiles, rings)
        try:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK
            self._fd = os.open(path, flags, 0o644)
        except OSError as fault:
            self._refuse(fault)
        try:
            self._lock()
            self.kept = self._read(tiles, rings)
        except OSError as fault:
            os.close(self._fd)
            self._refuse(fault)
        except BaseException:
            os.close(self._fd)
            raise
        self._known = set(self.kept)

    def __contains__(self, number: object) -> bool:
        return number in self._known

    def __len__(self) -> int:
        """Boards in the file, as long as it is open: also one whose writing was the last thing that was done."""
        return max(0, os.fstat(self._fd).st_size - HEAD_BYTES) // RECORD_BYTES

    def add(self, number: int, letters: str) -> None:
        """Write what the first moves of a board are worth, see `solved.record`. Raises GrowingFault."""
        whole = record(self._head, number, letters)
        try:
            size = os.fstat(self._fd).st_size
            if os.write(self._fd, whole) != len(whole):
                os.ftruncate(self._fd, size)
                raise GrowingFault(f"{self.path}: the disk is full; the boards written so far are kept")
        except OSError as fault:
            self._refuse(fault)
        self._known.add(number)

    def close(self) -> None:
        """Let another process have it; twice is harmless."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> "Growing":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        if not stat.S_ISREG(os.fstat(self._fd).st_mode):
            raise GrowingFault(f"{self.path}: is not a regular file; name a file of its own")
        if not claimed(self._fd):
            raise GrowingFault(
                f"{self.path}: another `donuts solve --all` writes to it; name another file, or stop that one"
            )

    def _read(self, tiles: TileSet, rings: int) -> Solved:
        try:
            most = HEAD_BYTES + 2 * RECORD_BYTES * tiles.count  # of what is no file of ours no more is read
            data = os.pread(self._fd, most, 0)
            if len(data) < HEAD_BYTES and self._head.startswith(data):
                os.ftruncate(self._fd, 0)
                os.write(self._fd, self._head)
                return Solved(tiles, rings, {})
            whole = len(data) - max(0, len(data) - HEAD_BYTES) % RECORD_BYTES
            kept = Solved.parse(data[:whole], tiles, str(self.path))
            if kept.rings != rings:
                raise GrowingFault(
                    f"{self.path}: holds boards with {kept.rings} rings a side, not {rings}; say --rings "
                    f"{kept.rings}, or name another file"
                )
            if whole < len(data):
                os.ftruncate(self._fd, whole)
                self.mended = True
            return kept
        except SolvedFault as fault:
            raise GrowingFault(str(fault)) from None

    def _refuse(self, fault: OSError) -> NoReturn:
        reason = (fault.strerror or str(fault)).lower()
        raise GrowingFault(f"cannot write {self.path}: {reason}; name another file, or make room") from fault
