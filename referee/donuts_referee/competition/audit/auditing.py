"""Goes through an event, or any journal, from its first line to its last and stops at the first that does not hold.

Lines are read one after the other; games are judged some dozens at a time, in worker processes where there are many, so
that memory does not grow with the moves of a journal. What stays of each game is its id and how its encounter begins.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from donuts_engine.numba_here import obstacle
from donuts_referee.competition.archive import MANIFEST, Archive
from donuts_referee.competition.audit.finding import Audit, Broken, Finding
from donuts_referee.competition.audit.following import Read, Sums, follow, listed_in
from donuts_referee.competition.audit.jury import Jury
from donuts_referee.competition.audit.ledger import Ledger
from donuts_referee.competition.audit.sources import FolderSource, Source, journal_lines
from donuts_referee.competition.balanced import FILE as OPENINGS
from donuts_referee.competition.balanced import MOST, Listing, read_listing
from donuts_referee.competition.chain import SEALED, Seal, link, root, split
from donuts_referee.competition.description import FILE, Description, listing_digest
from donuts_referee.competition.faults import ArchiveFault
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import BadLine, ReadFault
from donuts_referee.records.journal import ROSTER, Torn

__all__ = ["audit"]


def audit(path: Path, *, workers: int | None = None) -> Audit:
    """Verify the archive, the folder of records or the journal at `path`; see `jury.Jury` for `workers`.

    Raises ReadFault where there is nothing of the kind; what is there and damaged does not hold.
    """
    try:
        with _opened(path) as (source, journal):
            return _Auditor(source, journal, workers).run()
    except ArchiveFault as fault:
        return _refused(Finding(path.name, str(fault).removeprefix(f"{path}: ")))


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Source, str]]:
    """What is at `path`, and the name of its journal."""
    if path.is_dir():
        yield FolderSource(path), JOURNAL
        return
    with FolderSource(path.parent).open(path.name) as file:
        zipped = file.read(2) == b"PK"
    if zipped or path.suffix.lower() == ".zip":
        with Archive(path) as archive:
            yield archive, JOURNAL
    else:
        yield FolderSource(path.parent), path.name


class _Auditor:
    def __init__(self, source: Source, journal: str, workers: int | None) -> None:
        self._source = source
        self._journal = journal
        self._names = frozenset(source.names)
        if journal not in self._names:
            raise ReadFault(
                f"there is no {JOURNAL} in what was named; name a directory of records or an event.zip"
            )
        self._workers = workers
        self._lines = 0
        self._torn: list[Torn] = []
        self._chain: str | None = None
        self._seal: Seal | None = None
        self._solver = False

    def run(self) -> Audit:
        finding: Finding | None = None
        sums = Sums()
        ledger, plies = None, 0
        try:
            description = self._description()
            self._solver = description is not None and "solver" in description.adjudication.split()
            self._seal = self._read_seal()
            ledger = Ledger(self._journal, description, self._listed(description))
            with Jury(self._journal, description, self._workers) as jury:
                try:
                    self._read(ledger, jury, description)
                finally:
                    plies = jury.plies
            self._check_end()
            read = Read(self._journal, self._lines, self._chain or "", tuple(self._torn))
            sums = follow(self._source, ledger, description, read)
        except Broken as broken:
            finding = broken.finding
        return Audit(
            holds=finding is None,
            place=None if finding is None else finding.place,
            fault=None if finding is None else finding.what,
            event=None if ledger is None or ledger.event is None else ledger.event,
            games=0 if ledger is None else ledger.games,
            voids=0 if ledger is None else ledger.voids,
            lines=self._lines,
            plies=plies,
            chain=self._chain,
            checked=sums.checked,
            unchecked=(*self._notes(), *sums.unchecked),
        )

    def _description(self) -> Description | None:
        if FILE not in self._names or self._journal != JOURNAL:
            return None
        source = self._source
        if isinstance(source, Archive) and listed_in(source).get(FILE) != source.digest(FILE):
            raise Broken(FILE, f"not as {MANIFEST} lists it")
        try:
            return msgspec.json.decode(source.read(FILE), type=Description)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Broken(FILE, f"not the description of an event ({error})") from None

    def _listed(self, description: Description | None) -> Listing | None:
        """The balanced openings of the event, which must be those that its description means."""
        if description is None or not description.solved or OPENINGS not in self._names:
            return None
        try:
            kept = read_listing(self._source.read(OPENINGS, MOST), OPENINGS)
        except ReadFault as fault:
            raise Broken(OPENINGS, str(fault).removeprefix(f"{OPENINGS}: ")) from None
        if listing_digest(kept.listed(), kept.tiles) != description.openings or (kept.solved, kept.rings) != (
            description.solved,
            description.rings,
        ):
            raise Broken(OPENINGS, f"not the openings that {FILE} means")
        return kept

    def _read(self, ledger: Ledger, jury: Jury, description: Description | None) -> None:
        """Every line in order; a game that was found not to hold comes before a line behind it."""
        try:
            if description is not None:
                self._chain = root(self._source.read(FILE))
            with self._source.open(self._journal) as file:
                for line in journal_lines(file, self._journal):
                    if line.torn:
                        self._torn.append(Torn(line.number, len(line.data)))
                        continue
                    self._check_link(line.number, line.data, description)
                    self._lines += 1
                    self._check_seal(f"{self._journal}:{line.number}")
                    if line.data.startswith(ROSTER):
                        ledger.change(line)
                    else:
                        ledger.game(line)
                        jury.hear(line)
        except Broken:
            jury.decide()
            raise
        except BadLine as fault:
            jury.decide()
            raise Broken(fault.place, fault.fault) from None
        except ArchiveFault as fault:
            jury.decide()
            raise Broken(f"{self._journal}:{self._lines + len(self._torn) + 1}", str(fault)) from None
        jury.decide()

    def _check_link(self, number: int, data: bytes, description: Description | None) -> None:
        """The link of a line; the first line of a journal without a description says whether there is a chain."""
        place = f"{self._journal}:{number}"
        parts = split(data)
        if parts is None:
            if self._chain is not None:
                raise Broken(place, "the line has no chain at its end")
            return
        body, chain = parts
        if self._chain is None:
            if self._lines:
                raise Broken(place, "the line has a chain at its end, and those before it have none")
        elif link(self._chain, body) != chain:
            where = f", or {FILE} is that of another event" if not self._lines else ""
            raise Broken(
                place,
                f"the chain is broken: this line was changed, or one before it added, removed or moved{where}",
            )
        self._chain = chain

    def _read_seal(self) -> Seal | None:
        if SEALED not in self._names or self._journal != JOURNAL:
            return None
        try:
            return msgspec.json.decode(self._source.read(SEALED), type=Seal)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise Broken(SEALED, f"not a seal ({error})") from None

    def _check_seal(self, place: str) -> None:
        """The line that the seal names is the one it was."""
        seal = self._seal
        if seal is None or self._chain is None or seal.entries != self._lines:
            return
        if seal.chain != self._chain:
            raise Broken(place, f"{SEALED} names another line at this place")

    def _check_end(self) -> None:
        """All lines are there that the seal knows of."""
        seal = self._seal
        if seal is not None and seal.entries > self._lines:
            raise Broken(
                f"{self._journal}:{self._lines + len(self._torn) + 1}",
                f"{seal.entries - self._lines} of {seal.entries} lines are gone from the end; {SEALED} knows of them",
            )

    def _notes(self) -> list[str]:
        notes = []
        if self._chain is None and self._lines:
            notes.append(
                "the journal has no chain: whether lines are missing or were written anew cannot be told"
            )
        elif self._chain is not None and FILE not in self._names:
            notes.append(
                f"there is no {FILE}: whether this is the schedule, the clock and the boards of the event"
            )
        if self._solver and (reason := obstacle()):
            notes.append(f"games that a solver ended, whom it gave them to ({reason})")
        if self._chain is not None and SEALED not in self._names:
            notes.append(f"there is no {SEALED}: whether lines are missing at the end cannot be told")
        if self._torn:
            notes.append(f"lines that were never finished, which count for nothing: {len(self._torn)}")
        return notes


def _refused(finding: Finding) -> Audit:
    return Audit(
        holds=False,
        place=finding.place,
        fault=finding.what,
        event=None,
        games=0,
        voids=0,
        lines=0,
        plies=0,
        chain=None,
        checked=(),
        unchecked=(),
    )
