"""Finds one game in a file of games, be it a journal or a PGN file.

A game is named by its id, by the beginning or another part of an id that only one has, or by its place in
the file (1 the first, -1 the last, and the last also when nothing is said).
"""

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from donuts_referee.records.faults import NoSuchGame, ReadFault
from donuts_referee.records.journal import JournalReader, Torn
from donuts_referee.records.pgn_reading import PgnReader
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet

__all__ = ["FoundGame", "read_game", "read_games"]

_PLACE = re.compile(r"(0|-?[1-9][0-9]{0,6})\Z")  # an id begins with the eight digits of a date

SHOWN = 5
"""Ids of games that are listed where several answer to one word."""

T = TypeVar("T")


class FoundGame(NamedTuple):
    """A game and where it stands; `record` is None when the file is PGN, which holds the sheet alone."""

    sheet: Sheet
    record: Record | None
    place: str
    """file:line"""
    number: int
    """its place in the file, from 1"""
    of: int
    torn: Sequence[Torn]
    """unfinished games of the file, which were skipped"""


def read_game(path: str | os.PathLike[str], game: str | int | None = None) -> FoundGame:
    """Read the game that `game` names (see above). Raises ReadFault, BadLine or NoSuchGame."""
    return _from_journal(Path(path), game) if _is_journal(Path(path)) else _from_pgn(Path(path), game)


def read_games(path: str | os.PathLike[str]) -> Iterator[FoundGame]:
    """Read all games that the file holds now, in order and one at a time; errors as for `read_game`."""
    path = Path(path)
    if not _is_journal(path):
        sheets = PgnReader(path)
        entries = list(sheets)
        for number, entry in enumerate(entries, 1):
            yield FoundGame(entry.sheet, None, f"{path}:{entry.line}", number, len(entries), sheets.torn)
        return
    reader = JournalReader(path)
    of = sum(1 for _ in reader.located())
    torn = reader.torn
    for number, (line, record) in enumerate(islice(reader, of), 1):
        yield FoundGame(Sheet.of(record), record, f"{path}:{line}", number, of, torn)


def _is_journal(path: Path) -> bool:
    """A journal's first byte is a brace; a PGN file begins with a tag."""
    try:
        mode = path.stat().st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # read more than once, and a pipe might never end
            raise ReadFault(f"cannot read {path}: not a regular file; name a journal or a PGN file")
        with path.open("rb") as file:
            start = file.read(512)
    except OSError as error:
        raise ReadFault.of(path, error, "name a journal or a PGN file") from error
    first = start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    if first in (b"[", b"%", b";"):
        return False
    if first == b"{" or path.suffix == ".jsonl":
        return True
    if not start and path.suffix == ".pgn":
        return False
    if not start:
        raise NoSuchGame(f"{path} is empty: no game has been written to it")
    raise ReadFault(f"{path} is neither a journal (JSON lines) nor a PGN file")


def _from_journal(path: Path, game: str | int | None) -> FoundGame:
    reader = JournalReader(path)
    games = reader.index()
    at = _choose(path, game, games, lambda one: one.head.id, reader.torn)
    torn = reader.torn
    record = reader.at(games[at])
    return FoundGame(Sheet.of(record), record, f"{path}:{games[at].line}", at + 1, len(games), torn)


def _from_pgn(path: Path, game: str | int | None) -> FoundGame:
    reader = PgnReader(path)
    games = list(reader)
    at = _choose(path, game, games, lambda one: one.sheet.id, reader.torn)
    return FoundGame(games[at].sheet, None, f"{path}:{games[at].line}", at + 1, len(games), reader.torn)


def _choose(
    path: Path, game: str | int | None, games: Sequence[T], id_of: Callable[[T], str], torn: Sequence[Torn]
) -> int:
    if not games:
        rest = f", only {len(torn)} that never got its end" if torn else ""
        raise NoSuchGame(f"{path} holds no finished game{rest}")
    if game is None or game == "":
        return len(games) - 1
    if isinstance(game, int) or _PLACE.match(game):
        place = int(game)
        if 1 <= place <= len(games):
            return place - 1
        if -len(games) <= place <= -1:
            return len(games) + place
        if isinstance(game, int) or not _begins_an_id(game, [id_of(one) for one in games]):
            raise NoSuchGame(
                f"{path} has no game {place}; it holds {len(games)}, counted from 1 (-1 is the last)"
            )
    ids = [id_of(one) for one in games]
    for matches in (
        [at for at, one in enumerate(ids) if one == game],
        [at for at, one in enumerate(ids) if one.startswith(game)],
        [at for at, one in enumerate(ids) if game in one],
    ):
        if len(matches) == 1:
            return matches[0]
        if matches:
            several = ", ".join(ids[at] for at in matches[:SHOWN])
            more = ", ..." if len(matches) > SHOWN else ""
            raise NoSuchGame(
                f"{game!a} is ambiguous: {len(matches)} games of {path} answer to it, {several}{more}; "
                "write more of the id"
            )
    raise NoSuchGame(f"{path} has no game {game!a}; its last is {ids[-1]}, number {len(games)}")


def _begins_an_id(number: str, ids: Sequence[str]) -> bool:
    """Is this the year of an id, or more of its date, and not a place in the file?"""
    return len(number) >= 4 and any(one.startswith(number) for one in ids)
