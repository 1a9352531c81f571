"""Adds whole games to the end of a file that several processes may write and that a crash may leave torn.

A game goes out in one write(2) on an O_APPEND descriptor, which local file systems never interleave. What a
full disk, a kill or a power cut leaves of a game has no proper end; the next writer adds a seal behind it,
by which a reader knows the torn part and skips it. Nothing is ever cut off: what looks torn may be a game
that another process is writing at this moment, and then the seal stands alone, which means nothing.
"""

import errno
import os
from pathlib import Path
from types import TracebackType
from typing import Protocol

from donuts_referee.records.faults import WriteFault
from donuts_referee.records.lock import claimed

__all__ = ["Appender", "WriteCall"]


class WriteCall(Protocol):
    """The system call that an `Appender` makes once per game: os.write, or another in its place."""

    def __call__(self, fd: int, data: bytes, /) -> int:
        """Write and return how many bytes were taken."""
        ...


class Appender:
    """The end of one file; every whole game ends with one of `ends`, `seal` what is put behind a torn one."""

    def __init__(
        self,
        path: Path,
        *,
        ends: tuple[bytes, ...],
        seal: bytes,
        durable: bool = False,
        write: WriteCall = os.write,
    ) -> None:
        """Open or make the file at `path`; `durable` asks for fsync after each game. Raises WriteFault."""
        self.path = path
        self._seal = seal
        self._durable = durable
        self._write = write
        flags = (
            os.O_APPEND | os.O_CREAT | os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        )
        try:
            self._fd = os.open(path, flags, 0o644)
        except OSError as error:
            raise WriteFault(
                f"cannot write {path}: {_reason(error)}; name a directory that can be written"
            ) from error
        self._torn = not _ends_with(self._fd, ends)

    def append(self, game: bytes) -> None:
        """Write one whole game, its end included. Raises WriteFault; the game may then be handed in again."""
        data = self._seal + game if self._torn else game
        try:
            written = self._write(self._fd, data)
        except OSError as error:
            raise WriteFault(f"cannot write {self.path}: {_reason(error)}; the game is not in it") from error
        if written != len(data):
            self._torn = True
            raise WriteFault(
                f"cannot write {self.path}: {written} of {len(data)} bytes went out (disk or quota full?); "
                "the game is not in it and the part is skipped when the file is read"
            )
        self._torn = False
        if self._durable:
            os.fsync(self._fd)

    @property
    def length(self) -> int | None:
        """Bytes of the file; None when another file, or none, is at its path by now."""
        ours = os.fstat(self._fd)
        try:
            there = os.stat(self.path)  # noqa: PTH116  (before every game of an event: no detour)
        except OSError:
            return None
        return ours.st_size if (there.st_ino, there.st_dev) == (ours.st_ino, ours.st_dev) else None

    def claim(self) -> bool:
        """Keep others who claim it from the file as long as it is open. May wait, and is then False, as `claimed` is.

        Raises WriteFault where it cannot be locked.
        """
        try:
            return claimed(self._fd)
        except OSError as error:
            raise WriteFault(f"cannot write {self.path}: {_reason(error)}") from error

    def sync(self) -> None:
        """Have the system write it to the disk."""
        os.fsync(self._fd)

    def close(self) -> None:
        """Close the file; twice is harmless."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def __enter__(self) -> "Appender":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _ends_with(fd: int, ends: tuple[bytes, ...]) -> bool:
    """True when the file is empty or its last bytes are one of `ends`; a device counts as empty."""
    size = os.fstat(fd).st_size
    if size == 0:
        return True
    most = max(map(len, ends))
    os.lseek(fd, max(0, size - most), os.SEEK_SET)
    return os.read(fd, most).endswith(ends)


def _reason(error: OSError) -> str:
    if error.errno == errno.ENOSPC:
        return "no space left on the device; make room"
    return (error.strerror or str(error)).lower()
