"""The journal: one JSON line per finished game, only ever added to, and the one truth about what was played.

A line counts when its LF is there. A torn last line is reported and skipped; so is a torn line in the middle
behind which the next writer put its seal ` #torn` (see `appending`). Any other line that is not a record is
an error which names file, line and remedy, because silence about a lost game would be worse than stopping.
"""

import mmap
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec
from msgspec import Struct

from donuts_referee.records.appending import Appender, WriteCall
from donuts_referee.records.bounds import check_verdict
from donuts_referee.records.faults import BadLine, ReadFault, flat
from donuts_referee.records.record import FORMAT, Place, Record, decode, encode
from donuts_referee.table.finished import Verdict

__all__ = ["ROSTER", "SEAL", "Entry", "Head", "Journal", "JournalReader", "Located", "Player", "Torn"]

SEAL = b" #torn\n"
"""Stands behind a line that was never finished; no record ends so."""

ROSTER = b'{"roster":'
"""How a line begins that is no game: in the journal of a competition, bots that were added or withdrawn."""

_TURNS = b',"turns":'
"""Where the long part of a line begins; the quotes in it would be escaped inside a JSON string."""


class Journal:
    """A journal to add games to; several processes may have the same one open."""

    def __init__(
        self, path: str | os.PathLike[str], *, durable: bool = False, write: WriteCall = os.write
    ) -> None:
        """Open or make the journal at `path`; `durable`: an fsync after each game. Raises WriteFault."""
        self._end = Appender(Path(path), ends=(b"\n",), seal=SEAL, durable=durable, write=write)

    @property
    def path(self) -> Path:
        """Where the journal is."""
        return self._end.path

    def append(self, record: Record) -> None:
        """Add one game in one write; raises WriteFault, after which the record may be handed in again."""
        self._end.append(encode(record) + b"\n")

    def close(self) -> None:
        """Close the file; twice is harmless."""
        self._end.close()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Torn(NamedTuple):
    """A line that was never finished and was skipped."""

    line: int
    size: int
    """bytes of it that are there"""


class Entry(NamedTuple):
    """A game of a journal and the line it stands on, from 1."""

    line: int
    record: Record


class Player(Struct, frozen=True):
    """The little an index knows of a side."""

    bot: str
    name: str | None = None
    ver: str | None = None


class Head(Struct, frozen=True, kw_only=True):
    """The part of a record that an index of many games needs."""

    id: str
    match: str
    number: int
    started: float
    seconds: float = 0.0
    size: int
    verdict: Verdict
    x: Player
    o: Player
    place: Place | None = None
    format: int = FORMAT


class Located(NamedTuple):
    """A game of an index: its head, its line from 1, and its bytes in the file as (start, stop)."""

    head: Head
    line: int
    start: int
    stop: int


class _Line(NamedTuple):
    number: int
    start: int
    stop: int


_heads = msgspec.json.Decoder(Head)


class JournalReader:
    """Reads a journal: record by record, as an index, or one game; `torn` then tells of lines torn."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._torn: list[Torn] = []

    @property
    def torn(self) -> Sequence[Torn]:
        """The torn lines that the last complete reading skipped."""
        return tuple(self._torn)

    def __iter__(self) -> Iterator[Entry]:
        """Every record in order. Raises ReadFault, and BadLine at a line that is neither whole nor torn."""
        with _Bytes(self.path) as data:
            for line in self._games(data):
                yield Entry(line.number, self._record(data, line))

    def index(self) -> list[Located]:
        """The heads of all games, in order, without decoding their turns; errors as for iteration.

        The bytes behind a head are only looked at when its game is read with `at`.
        """
        return list(self.located())

    def located(self) -> Iterator[Located]:
        """What `index` finds, one after the other, for a journal whose heads need not all be held at once."""
        with _Bytes(self.path) as data:
            for line in self._games(data):
                yield Located(self._head(data, line), line.number, line.start, line.stop)

    def at(self, located: Located) -> Record:
        """The whole record of a game that `index` found. Raises ReadFault or BadLine."""
        with _Bytes(self.path) as data:
            return self._record(data, _Line(located.line, located.start, located.stop))

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Every line that was finished with its number, games or not, without LF. Raises ReadFault."""
        with _Bytes(self.path) as data:
            for line in self._lines(data):
                yield line.number, data[line.start : line.stop]

    def head(self, number: int, line: bytes) -> Head:
        """The head of a game that stands on line `number`. Raises BadLine."""
        return self._head(line, _Line(number, 0, len(line)))

    def _games(self, data: "_Bytes") -> Iterator[_Line]:
        for line in self._lines(data):
            if data[line.start : line.start + len(ROSTER)] != ROSTER:
                yield line

    def _lines(self, data: "_Bytes") -> Iterator[_Line]:
        self._torn.clear()
        start, number = 0, 0
        while start < data.size:
            number += 1
            stop = data.find(b"\n", start)
            if stop < 0:
                self._torn.append(Torn(number, data.size - start))
                return
            if data[max(start, stop + 1 - len(SEAL)) : stop + 1] == SEAL:
                # the seal alone: the line that looked torn was whole by the time the seal was written
                if stop + 1 - len(SEAL) > start:
                    self._torn.append(Torn(number, stop + 1 - len(SEAL) - start))
            elif stop > start:
                yield _Line(number, start, stop)
            start = stop + 1

    def _record(self, data: "_Bytes", line: _Line) -> Record:
        try:
            record = decode(data[line.start : line.stop])
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._bad(data, line, error) from error
        self._check_format(record.format, line)
        return record

    def _head(self, data: "_Bytes | bytes", line: _Line) -> Head:
        cut = data.find(_TURNS, line.start, line.stop)
        try:
            if cut < 0 or data[line.stop - 1 : line.stop] != b"}":
                head = _heads.decode(data[line.start : line.stop])
            else:
                head = _heads.decode(data[line.start : cut] + b"}")
            check_verdict(head.verdict)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self._bad(data, line, error) from error
        self._check_format(head.format, line)
        return head

    def _check_format(self, number: int, line: _Line) -> None:
        if number > FORMAT:
            raise BadLine(
                f"{self.path}:{line.number}",
                f"the record has format {number} and this version reads up to {FORMAT}",
                "read it with the version of donuts-arena that wrote it, or a later one",
            )

    def _bad(self, data: "_Bytes | bytes", line: _Line, error: Exception) -> BadLine:
        place = f"{self.path}:{line.number}"
        try:
            form = _formats.decode(data[line.start : line.stop]).format
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            form = FORMAT
        self._check_format(form, line)
        remedy = "restore the line from a copy or take it out of the file, which leaves the other games alone"
        return BadLine(place, f"not a record of a game ({flat(error)})", remedy)


class _Form(Struct):
    format: int


_formats = msgspec.json.Decoder(_Form)


class _Bytes:
    """A file's bytes, mapped where that can be done."""

    def __init__(self, path: Path) -> None:
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise ReadFault.of(path, error, "name a journal or a PGN file") from error
        self._map: mmap.mmap | bytes
        try:
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError):  # empty, or no regular file
            try:
                self._map = self._file.read()
            except OSError as error:
                self._file.close()
                raise ReadFault.of(path, error) from error
        self.size = len(self._map)

    def find(self, what: bytes, start: int, stop: int | None = None) -> int:
        return self._map.find(what, start, self.size if stop is None else stop)

    def __getitem__(self, part: slice) -> bytes:
        return self._map[part]

    def __enter__(self) -> "_Bytes":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(self._map, mmap.mmap):
            self._map.close()
        self._file.close()
