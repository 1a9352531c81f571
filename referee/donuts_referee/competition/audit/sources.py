"""Where an event lies that is looked at: the folder it was played in, or the archive it was handed on in."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from donuts_referee.records.faults import BadLine, ReadFault
from donuts_referee.records.journal import SEAL

__all__ = ["LONGEST", "FolderSource", "Line", "Source", "journal_lines"]

LONGEST = 16 << 20
"""bytes of the longest line that a record may be"""

SMALL = 1 << 20
"""bytes of the largest file that is read whole"""


class Source(Protocol):
    """Files of an event by name; `Archive` is one too."""

    @property
    def names(self) -> tuple[str, ...]:
        """The files that are there."""
        ...

    def open(self, name: str) -> AbstractContextManager[IO[bytes]]:
        """The bytes of a file, to be read in order. Raises RecordsFault, also while they are read."""
        ...

    def read(self, name: str, most: int = SMALL) -> bytes:
        """A small file whole. Raises RecordsFault."""
        ...


class FolderSource:
    """The files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def names(self) -> tuple[str, ...]:
        """The plain files of the folder itself, sorted. Raises ReadFault."""
        try:
            return tuple(sorted(path.name for path in self.folder.iterdir() if path.is_file()))
        except OSError as error:
            raise ReadFault.of(self.folder, error) from error

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """The bytes of a file. Raises ReadFault."""
        path = self.folder / name
        try:
            file = path.open("rb")
        except OSError as error:
            raise ReadFault.of(path, error) from error
        with file:
            try:
                yield file
            except OSError as error:
                raise ReadFault.of(path, error) from error

    def read(self, name: str, most: int = SMALL) -> bytes:
        """A small file whole. Raises ReadFault."""
        with self.open(name) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise ReadFault(f"{self.folder / name}: longer than {most} bytes, which no {name} is")
        return data


class Line(NamedTuple):
    """A line of a journal: its number from 1, and its bytes without LF; `torn` when it was never finished."""

    number: int
    data: bytes
    torn: bool = False


def journal_lines(file: IO[bytes], name: str) -> Iterator[Line]:
    """The lines of a journal as `records.journal` counts them, one in memory at a time.

    Raises BadLine at one that is longer than any record.
    """
    number = 0
    while data := file.readline(LONGEST + 1):
        number += 1
        if not data.endswith(b"\n"):
            if len(data) > LONGEST:
                raise BadLine(
                    f"{name}:{number}", f"longer than {LONGEST} bytes, which no record is", "look what it is"
                )
            yield Line(number, data, torn=True)
        elif data.endswith(SEAL):
            if len(data) > len(SEAL):
                yield Line(number, data.removesuffix(SEAL), torn=True)
        elif len(data) > 1:
            yield Line(number, data[:-1])
