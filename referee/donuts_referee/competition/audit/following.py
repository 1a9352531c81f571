"""Checks what follows from the games of an event: its schedule, its boards, its standings, its PGN file."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from donuts_referee.competition.archive import MANIFEST, Archive
from donuts_referee.competition.audit.finding import Broken
from donuts_referee.competition.audit.ledger import Ledger
from donuts_referee.competition.audit.pgn_file import PgnFound, check_pgn, pgn_of
from donuts_referee.competition.audit.sources import Source
from donuts_referee.competition.audit.sums import JSON, check_standings
from donuts_referee.competition.description import Description
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.reading import Kept
from donuts_referee.competition.state import ScheduleFault, State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.contest import JOURNAL, PGN
from donuts_referee.records.journal import Torn

__all__ = ["Read", "Sums", "follow", "listed_in"]


class Read(NamedTuple):
    """How the journal was found."""

    journal: str
    """its name"""
    lines: int
    """that count"""
    chain: str
    """the link of the last"""
    torn: tuple[Torn, ...]


class Sums(NamedTuple):
    """What was looked at, and what could not be, in words."""

    checked: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()


def follow(source: Source, ledger: Ledger, description: Description | None, read: Read) -> Sums:
    """Check all of it, the journal having been found to hold. Raises Broken at the first that does not."""
    journal = read.journal
    checked: list[str] = []
    unchecked: list[str] = []
    if description is not None and ledger.state is not None:
        timetable = _scheduled(journal, ledger, description, ledger.state)
        settled = sum(1 for _ in ledger.state.duels())
        checked.append(f"the schedule is that of the event; {_settled(settled)}")
        if ledger.boards is not None and ledger.boards.known:
            checked.append("every encounter has the board and the first plies that the seed gives it")
        else:
            unchecked.append(
                "whether boards are in the order of their list, of which event.json has a digest alone"
            )
        kept = Kept(description, ledger.state, timetable, read.lines, read.chain, read.torn, None)
        if check_standings(source, kept):
            checked.append(f"{JSON} is what the games make")
    if isinstance(source, Archive):
        if PGN in source.names:
            _same(source, PGN, pgn_of(source, journal))
            checked.append(f"{PGN} holds the games of the journal")
        _manifest(source)
        checked.append(f"every file is as {MANIFEST} lists it")
    elif PGN in source.names and journal == JOURNAL:
        found = check_pgn(source, PGN, journal)
        (unchecked if found.lacking or found.torn else checked).append(_beside(found))
    return Sums(tuple(checked), tuple(unchecked))


def _settled(encounters: int) -> str:
    return "1 encounter is settled" if encounters == 1 else f"{encounters} encounters are settled"


def _scheduled(journal: str, ledger: Ledger, description: Description, state: State) -> Timetable:
    """The schedule, unrolled over the games; the first game that is not in it is named."""
    timetable = Timetable(lambda: schedule_of(description.format, description.seed, state), state)
    try:
        timetable.catch_up()
    except ScheduleFault as fault:
        start = ledger.starts.get(timetable.number)
        raise Broken(journal if start is None else f"{journal}:{start.line}", str(fault)) from None
    beyond = (
        min((start.line, number) for number, start in ledger.starts.items() if number > timetable.number)
        if state.highest > timetable.number
        else None
    )
    if beyond is not None:
        line, number = beyond
        raise Broken(
            f"{journal}:{line}",
            f"encounter {number} is not in the schedule, which goes to {timetable.number} so far",
        )
    return timetable


def _beside(found: PgnFound) -> str:
    """What is said of the PGN in a folder."""
    parts = [f"games that {PGN} lacks: {found.lacking}"] if found.lacking else []
    parts += [f"games in {PGN} that were never finished: {found.torn}"] if found.torn else []
    if not parts:
        return f"{PGN} holds the games of the journal"
    return f"{', '.join(parts)}; its other {found.games} are in the journal (`donuts export` writes it whole)"


def _same(source: Source, name: str, due: Iterator[bytes]) -> None:
    """The file holds these bytes and no more; its first wrong line is named."""
    number = 1
    with source.open(name) as file:
        for piece in due:
            found = file.read(len(piece))
            if found != piece:
                pairs = zip(found.split(b"\n"), piece.split(b"\n"), strict=False)
                for at, (one, other) in enumerate(pairs):
                    if one != other:
                        number += at
                        break
                raise Broken(f"{name}:{number}", "not what the journal says of this game")
            number += piece.count(b"\n")
        if file.read(1):
            raise Broken(f"{name}:{number}", "more than the games of the journal")


def _manifest(archive: Archive) -> None:
    listed = listed_in(archive)
    for name in archive.names:
        if name != MANIFEST and listed.pop(name, None) != archive.digest(name):
            raise Broken(name, f"not as {MANIFEST} lists it")
    for name in listed:
        raise Broken(name, f"is missing, though {MANIFEST} lists it")


def listed_in(archive: Archive) -> dict[str, str]:
    """The sha256 of every member by name, as the manifest has them. Raises Broken where there is none."""
    if MANIFEST not in archive.names:
        raise Broken(MANIFEST, "is missing; every file that `donuts export` writes has one")
    try:
        return msgspec.json.decode(archive.read(MANIFEST, 64 << 20), type=dict[str, str])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Broken(MANIFEST, f"not a list of files ({error})") from None
