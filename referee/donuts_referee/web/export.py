"""Packs an event for others: description, journal, PGN and site in one zip file that `donuts verify` takes.

What is packed is the journal as it was when the export began; everything else is made of that copy, so that the parts
agree even while games are played.
"""

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from donuts_referee.competition.archive import Chunks, file_chunks, write_archive
from donuts_referee.competition.audit.sums import CSV, JSON
from donuts_referee.competition.balanced import FILE as OPENINGS
from donuts_referee.competition.chain import SEALED, Seal, write_seal
from donuts_referee.competition.description import FILE
from donuts_referee.competition.reading import read_event
from donuts_referee.competition.standings import csv, report
from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.faults import ReadFault, WriteFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.pgn import pgn
from donuts_referee.records.sheet import Sheet
from donuts_referee.web.site import write_site

__all__ = ["SITE", "export"]

SITE = "site"
"""The folder of the site in the archive."""


def export(folder: Path, target: Path, *, force: bool = False) -> None:
    """Write the records in `folder` as the archive `target`, or nothing at all.

    Raises ReadFault, BadLine and WriteFault; the latter also where `target` is there already, unless `force`.
    """
    if not (folder / JOURNAL).exists():
        raise ReadFault(f"{folder} holds no {JOURNAL}; name a directory of records")
    if target.exists() and not force:
        raise WriteFault(f"{target} is there already; name another file or say --force")
    try:
        place = TemporaryDirectory(dir=target.parent, prefix=".donuts-export-")
    except OSError as error:
        raise WriteFault.of(target, error) from error
    with place as name:
        copy = Path(name) / folder.resolve().name
        _copy(folder, copy)
        members: dict[str, Chunks] = {
            "README.txt": lambda: [_README.encode()],
            JOURNAL: partial(file_chunks, copy / JOURNAL),
            PGN: partial(_pgn, copy / JOURNAL),
        }
        if (copy / FILE).exists():
            kept = read_event(copy)
            write_seal(copy, Seal(kept.entries, kept.chain))
            standings = report(kept)
            texts = {
                JSON: msgspec.json.format(msgspec.json.encode(standings)) + b"\n",
                CSV: csv(standings).encode(),
            }
            members |= {name: partial(iter, [text]) for name, text in texts.items()}
            beside = (FILE, SEALED, *((OPENINGS,) if (copy / OPENINGS).exists() else ()))
            members |= {one: partial(file_chunks, copy / one) for one in beside}
        site = Path(name) / SITE
        write_site(copy, site, pgn=f"../{PGN}")
        for path in site.rglob("*"):
            if path.is_file():
                members[f"{SITE}/{path.relative_to(site).as_posix()}"] = partial(file_chunks, path)
        write_archive(target, members, force=force)


def _copy(folder: Path, copy: Path) -> None:
    """The journal up to its last whole line, the description, and the openings where they are listed."""
    try:
        copy.mkdir()
        for name in (FILE, OPENINGS):
            if (folder / name).exists():
                shutil.copyfile(folder / name, copy / name)
        with (folder / JOURNAL).open("rb") as file, (copy / JOURNAL).open("wb") as kept:
            while line := file.readline():
                if line.endswith(b"\n"):
                    kept.write(line)
    except OSError as error:
        raise WriteFault.of(copy, error) from error


def _pgn(journal: Path) -> Iterator[bytes]:
    for entry in JournalReader(journal):
        yield pgn(Sheet.of(entry.record)).encode()


_README = f"""\
An event as the DONUTS arena kept it.

{JOURNAL}  every game as one line of JSON, the lines held together by a chain of hashes
{FILE}     what the event is: bots, format, clock, rules
{OPENINGS}  how encounters begin, where they are balanced; with the value of each
{SEALED}   how far the journal goes
{PGN}      the same games as PGN
{JSON} {CSV}   places, points, ratings
{SITE}/        standings, bots and games as pages: unpack it and open {SITE}/index.html

`donuts verify FILE.zip` plays every move over, judges every verdict again, and names the first line that does not hold.
"""
