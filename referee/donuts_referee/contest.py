"""A match from two entrants to the records: the path that `donuts play`, `donuts referee` and the bench all take."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol

from donuts_referee.channels.drive import Brake, drive
from donuts_referee.channels.link import Exchange
from donuts_referee.records.faults import RecordsFault, WriteFault
from donuts_referee.records.journal import Journal
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.record import Record, new_match_id
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import Event, GameOver, Score
from donuts_referee.table.finished import FinishedGame
from donuts_referee.table.match import match
from donuts_referee.table.player import Tap

if TYPE_CHECKING:
    from donuts_referee.records.wire import WireLog

__all__ = [
    "DESCRIPTION",
    "JOURNAL",
    "PGN",
    "Books",
    "Contest",
    "EventThere",
    "Witness",
    "default_records",
    "hold",
    "refuse_event",
]

JOURNAL = "journal.jsonl"
PGN = "games.pgn"

DESCRIPTION = "event.json"
"""The file that makes a folder of records that of an event, see `competition.description`."""


def default_records(event: Path) -> str:
    """The name of the folder beside an event file that gets its records where the file names none."""
    return f"{event.absolute().stem}-records"


class EventThere(RecordsFault):
    """The folder keeps an event, whose journal is a chain that no other games may be added to."""


def refuse_event(folder: Path) -> None:
    """Raises EventThere where the folder is that of an event; nothing is written."""
    try:
        there = (folder / DESCRIPTION).exists()
    except OSError:
        return  # whoever opens it says what is wrong
    if there:
        raise EventThere(
            f"{folder} holds the records of an event ({DESCRIPTION}), to which no other games are added; "
            "name another folder"
        )


class Witness(Protocol):
    """Sees the events of a match; `record` is the id under which the game of a `GameOver` is kept, else ""."""

    @property
    def each_move(self) -> bool:
        """True when it wants to see `MovePlayed` too."""
        ...

    def see(self, event: Event, record: str) -> None:
        """Look at one event, between two steps of the match: quickly."""
        ...


class Contest(NamedTuple):
    """Who plays, what, and by which rules."""

    first: Entrant
    second: Entrant
    settings: tuple[Setting, ...]
    rules: MatchRules


class Books:
    """The files that one match is kept in: a journal and a PGN file, and on request every line of the wire."""

    def __init__(self, folder: Path, wire: Path | None = None) -> None:
        """Open everything, so that a fault shows before a bot is started. Raises RecordsFault."""
        self.match_id = new_match_id()
        refuse_event(folder)
        _make(folder)
        self._journal = Journal(folder / JOURNAL)
        self._wire: WireLog | None = None
        try:
            self._pgn = PgnFile(folder / PGN)
            if wire is not None:
                self._wire = _wire_log(wire, self.match_id)
        except BaseException:
            self.close()
            raise
        self.paths: tuple[Path, ...] = (folder / JOURNAL, folder / PGN, *(() if wire is None else (wire,)))
        """where the match is kept, for people"""

    @property
    def tap(self) -> Tap | None:
        """What the match tells every line to; None when none are kept."""
        return self._wire

    def keep(self, game: FinishedGame) -> str:
        """Write one game; returns the id of its record. Raises WriteFault."""
        record = Record.of(game, self.match_id)
        self._journal.append(record)
        self._pgn.append(record)
        return record.id

    def close(self) -> None:
        """Close the files; twice is harmless."""
        self._journal.close()
        if hasattr(self, "_pgn"):
            self._pgn.close()
        if self._wire is not None:
            self._wire.close()

    def __enter__(self) -> "Books":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def hold(
    contest: Contest, exchange: Exchange, books: Books, witness: Witness, brake: Brake | None = None
) -> Score:
    """Play the contest; every finished game is kept before the witness sees its verdict. Raises WriteFault.

    A pulled `brake` makes the running game void and ends the match (see `table.match`); where no game was running, the
    KeyboardInterrupt comes out after both bots have been ended.
    """
    steps = match(
        contest.first,
        contest.second,
        contest.settings,
        contest.rules,
        exchange.now,
        _observer(books, witness),
        each_move=witness.each_move,
        tap=books.tap,
    )
    return drive(steps, exchange, brake)


def _observer(books: Books, witness: Witness) -> Callable[[Event], None]:
    see, keep = witness.see, books.keep

    def observe(event: Event) -> None:
        see(event, keep(event.game) if type(event) is GameOver else "")

    return observe


def _wire_log(folder: Path, match_id: str) -> "WireLog":
    from donuts_referee.records.wire import WireLog  # most matches keep no wire

    return WireLog(folder, match_id)


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WriteFault.of(folder, error) from error
