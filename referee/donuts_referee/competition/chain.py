"""The journal of a competition: the lines of any journal, each with a hash that holds it to all lines before it.

The last key of a line is `chain`: SHA-256, in hex, of the link before (64 ASCII digits; before the first line stands
the SHA-256 of event.json as it is kept) and the line's own bytes up to `,"chain"`. Whoever changes, adds, removes or
moves a line breaks the chain at that line, unless every link behind it is made anew; against that the last link can be
published. Lines cut off at the end are told by the seal beside the journal, which is at most some seconds behind.

Two kinds of lines: games (records), and `{"roster":...}` for bots that the operator added, withdrew or had mended
(`changed`: name, version, and a hash of the command of each). One process writes; the lock of the folder sees to that.
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from donuts_referee.competition.state import Changed, Roster
from donuts_referee.files import FileFault, read_small
from donuts_referee.records.appending import Appender, WriteCall
from donuts_referee.records.faults import BadLine, WriteFault
from donuts_referee.records.journal import ROSTER, SEAL, Head, JournalReader, Torn
from donuts_referee.records.whole import put_whole

__all__ = [
    "SEALED",
    "ChainedJournal",
    "ChainedReader",
    "Entry",
    "Seal",
    "link",
    "read_change",
    "read_seal",
    "root",
    "split",
    "write_seal",
]

SEALED = "journal.seal"
"""The file beside the journal that says how far it went."""

_TAIL = b',"chain":"'
_LENGTH = len(_TAIL) + 64 + len(b'"}')

REMEDY = "restore the line from a copy; nothing was written"


class Entry(NamedTuple):
    """A line of the journal: a game or a change of the roster, its number from 1, and the link that it ends in."""

    line: int
    what: Head | Roster
    chain: str


class Seal(Struct, frozen=True):
    """How far a journal went when this was written."""

    entries: Annotated[int, Meta(ge=0)]
    """lines that count"""
    chain: str
    """the link of the last of them"""


class _Change(Struct, frozen=True, omit_defaults=True):
    start: int
    added: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    changed: tuple[Changed, ...] = ()
    out: int | None = None


class _RosterLine(Struct, frozen=True):
    roster: _Change


_rosters = msgspec.json.Decoder(_RosterLine)


def root(description: bytes) -> str:
    """The link before the first line: of the event whose event.json holds these bytes."""
    return sha256(description).hexdigest()


def link(before: str, body: bytes) -> str:
    """The link of a line with these bytes (up to `,"chain"`) behind the link `before`."""
    hashed = sha256(before.encode())
    hashed.update(body)
    return hashed.hexdigest()


def split(line: bytes) -> tuple[bytes, str] | None:
    """The bytes of a line that its link covers, and the link; None when it has none."""
    if line[-_LENGTH : 10 - _LENGTH] != _TAIL or line[-2:] != b'"}':
        return None
    try:
        return line[:-_LENGTH], line[-66:-2].decode("ascii")
    except UnicodeDecodeError:
        return None


def read_change(line: bytes) -> Roster:
    """The change that a line which begins with ROSTER holds. Raises msgspec.DecodeError and its like."""
    change = _rosters.decode(line).roster
    return Roster(change.start, change.added, change.withdrawn, change.changed, change.out)


class ChainedJournal:
    """The journal of an event to add lines to, behind the link `chain` of its last one (or its `root`)."""

    def __init__(
        self, path: Path, chain: str, entries: int, *, durable: bool = False, write: WriteCall = os.write
    ) -> None:
        """Open or make it; `durable`: an fsync after each line. Raises WriteFault."""
        self.chain = chain
        self.entries = entries
        self._end = Appender(path, ends=(b"\n",), seal=SEAL, durable=durable, write=write)
        try:
            if not self._end.claim():
                raise WriteFault(f"{path} is being written by another event; let that one end first")
            self._length = self._end.length
        except BaseException:
            self._end.close()
            raise

    def append(self, line: bytes) -> None:
        """Add one JSON object, without LF, and its link. Raises WriteFault; the line may then be handed in again."""
        if self._end.length != self._length or self._length is None:
            raise WriteFault(
                f"{self._end.path} was changed, moved or removed by somebody else; put it back as it was: this "
                "line is not in it"
            )
        body = line[:-1]
        chain = link(self.chain, body)
        try:
            self._end.append(b"".join((body, _TAIL, chain.encode(), b'"}\n')))
        finally:
            self._length = self._end.length
        self.chain = chain
        self.entries += 1

    def change(self, roster: Roster) -> None:
        """Add a change of the roster. Raises WriteFault."""
        self.append(msgspec.json.encode(_RosterLine(_Change(*roster))))

    def sync(self) -> None:
        """Have the system write it to the disk."""
        self._end.sync()

    @property
    def seal(self) -> Seal:
        """How far it goes now."""
        return Seal(self.entries, self.chain)

    def close(self) -> None:
        """Close the file; twice is harmless."""
        self._end.close()


class ChainedReader:
    """Reads a chained journal and checks every link; `torn` then tells of the lines that were never finished."""

    def __init__(self, path: Path, chain: str) -> None:
        """`chain` is the link before the first line."""
        self.path = path
        self.chain = chain
        self.entries = 0
        self._reader = JournalReader(path)

    @property
    def torn(self) -> tuple[Torn, ...]:
        """The torn lines that the last complete reading skipped."""
        return tuple(self._reader.torn)

    def __iter__(self) -> Iterator[Entry]:
        """Every line in order. Raises ReadFault, and BadLine at the first that is not what it was written as."""
        for number, line in self._reader.lines():
            parts = split(line)
            if parts is None:
                raise BadLine(f"{self.path}:{number}", "the line has no chain at its end", REMEDY)
            body, chain = parts
            if link(self.chain, body) != chain:
                raise BadLine(
                    f"{self.path}:{number}",
                    "the chain is broken: this line was changed, one before it added or removed, or event.json is "
                    "another",
                    REMEDY,
                )
            self.chain = chain
            self.entries += 1
            yield Entry(number, self._what(number, line), chain)

    def _what(self, number: int, line: bytes) -> Head | Roster:
        if not line.startswith(ROSTER):
            return self._reader.head(number, line)
        try:
            return read_change(line)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise BadLine(f"{self.path}:{number}", f"not a change of the roster ({error})", REMEDY) from error


def read_seal(folder: Path) -> Seal | None:
    """The seal in a folder of records; None when there is none that can be read."""
    try:
        return msgspec.json.decode(read_small(folder / SEALED, most=1024)[0], type=Seal)
    except (FileFault, msgspec.DecodeError, UnicodeDecodeError):
        return None


def write_seal(folder: Path, seal: Seal) -> None:
    """Put the seal in its place, whole or not at all. Raises WriteFault."""
    put_whole(folder / SEALED, (msgspec.json.encode(seal), b"\n"))
