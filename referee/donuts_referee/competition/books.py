"""The folder of an event: opened for one runner at a time, made at the first start, compared at every later one."""

import time
from pathlib import Path

import msgspec

from donuts_referee.competition.balanced import FILE as OPENINGS
from donuts_referee.competition.balanced import keep
from donuts_referee.competition.chain import ChainedJournal, write_seal
from donuts_referee.competition.description import FILE, Description, describe, differences, read_description
from donuts_referee.competition.event import Event
from donuts_referee.competition.reading import Kept, fold
from donuts_referee.competition.state import Roster
from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.faults import ReadFault, RecordsFault, WriteFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.lock import FolderLock
from donuts_referee.records.pgn import PgnFile, pgn
from donuts_referee.records.record import new_match_id
from donuts_referee.records.sheet import Sheet
from donuts_referee.records.whole import put_whole

__all__ = ["EventBooks", "OtherEvent"]

SEAL_EVERY = 1.0
"""seconds between two seals while games come in"""

TAIL = 65536
"""bytes at the end of the PGN file in which the last game's id is looked for"""


class OtherEvent(RecordsFault):
    """The folder keeps an event that the file does not describe; the text names every difference."""


class EventBooks:
    """Description, journal, PGN file and seal of an event; `kept` is what the journal held when it was opened."""

    def __init__(self, event: Event) -> None:
        """Open or make the folder. Raises RecordsFault or FolderTaken, and then nothing was written but the lock."""
        self.folder = event.records
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.folder, "event")
        except OSError as error:
            raise WriteFault.of(self.folder, error) from error
        try:
            self.resumed = (self.folder / FILE).exists()
            self.description = self._description(event)
            self.kept: Kept = fold(self.folder, self.description)
            durable = event.running.durable
            self._journal = ChainedJournal(
                self.folder / JOURNAL, self.kept.chain, self.kept.entries, durable=durable
            )
            try:
                self._mend_pgn()
                self._pgn = PgnFile(self.folder / PGN)
            except BaseException:
                self._journal.close()
                raise
        except BaseException:
            self._lock.close()
            raise
        self._sealed = 0.0

    def keep(self, line: bytes, text: bytes) -> None:
        """Add one game: its record as a line of JSON and its PGN. Raises WriteFault; it may then be handed in again."""
        self._journal.append(line)
        self._pgn.append_text(text)
        now = time.monotonic()
        if now - self._sealed > SEAL_EVERY:
            self._sealed = now
            self._journal.sync()  # a seal must never be on the disk before what it seals
            write_seal(self.folder, self._journal.seal)

    def change(self, roster: Roster) -> None:
        """Add a change of the roster. Raises WriteFault."""
        self._journal.change(roster)

    def close(self) -> None:
        """Seal and close everything; twice is harmless."""
        try:
            if self._journal.entries:
                self._journal.sync()
                write_seal(self.folder, self._journal.seal)
        finally:
            self._journal.close()
            self._pgn.close()
            self._lock.close()

    def __enter__(self) -> "EventBooks":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self.close()
        except WriteFault:
            if kind is None:  # else there is a fault already, and it says more
                raise

    def _description(self, event: Event) -> Description:
        """That of the folder, where it is of this event; a new one where the folder keeps nothing yet."""
        path = self.folder / FILE
        if path.exists():
            kept = read_description(self.folder)
            other = differences(kept, describe(event, kept.id))
            if other:
                raise OtherEvent(
                    f"{event.file} is not what it was when {self.folder} was begun: {'; '.join(other)}; "
                    "put it back, or name another folder (records = ...)"
                )
            return kept
        if (self.folder / JOURNAL).exists():
            raise OtherEvent(
                f"{self.folder} holds a {JOURNAL} and no {FILE}; name another folder (records = ...)"
            )
        made = describe(event, new_match_id())
        if event.openings.boards == "balanced":
            listed = keep(event.openings, event.tiles, event.rings)
            put_whole(self.folder / OPENINGS, (listed,), durable=True)
        put_whole(path, (msgspec.json.format(msgspec.json.encode(made)), b"\n"), durable=True)
        return made

    def _mend_pgn(self) -> None:
        """Write the PGN file anew from the journal where a kill came between the two."""
        path = self.folder / PGN
        last = self.kept.last
        if last is None or (path.exists() and _last_id(path) == last):
            return
        records = (entry.record for entry in JournalReader(self.folder / JOURNAL))
        put_whole(path, (pgn(Sheet.of(record)).encode() for record in records))


def _last_id(path: Path) -> str | None:
    """The id of the last game of a PGN file; None when it has none there."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - TAIL))
            text = file.read()
    except OSError as error:
        raise ReadFault.of(path, error) from error
    at = text.rfind(b'[GameId "')
    end = text.find(b'"', at + 9)
    whole = text.endswith(b"\n\n")
    return text[at + 9 : end].decode(errors="replace") if at >= 0 and whole else None
