"""What an event tells those who look on while it runs: the terminal, the stream of JSON lines, the hook commands.

The runner tells every happening after what it tells is true and kept: a game that ended stands in the journal. An
onlooker looks on and no more; whatever befalls it must never reach the event (see `onlooking`).
"""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from donuts_referee.competition.description import Description
from donuts_referee.records.journal import Head

__all__ = [
    "Began",
    "Benched",
    "Ended",
    "GameEnded",
    "Happening",
    "JobLost",
    "JobStarted",
    "Onlooker",
    "RosterChanged",
    "Row",
    "Rows",
    "StandingsChanged",
]


class Row(Struct, frozen=True, kw_only=True):
    """One bot in the standings."""

    place: int
    """from 1; bots that stand level share the best place of theirs"""
    bot: str
    points: float
    games: int
    """that were played and count, of settled encounters, as the points do; wins + draws + losses"""
    wins: int
    draws: int
    losses: int
    columns: tuple[tuple[str, float | str], ...] = ()
    """what else the format ranks by, such as ("buchholz", 7.5)"""


Rows: TypeAlias = tuple[Row, ...]


class Began(NamedTuple):
    """The event begins, or goes on after it was stopped."""

    description: Description
    planned: int | None
    """encounters of the whole event, as far as that can be said (see `plan.planned`); None: without end"""
    settled: int
    """encounters that are settled already"""
    games: int
    """games that are in the journal already"""
    workers: int
    """games at once"""
    resumed: bool
    records: Path
    names: tuple[str, ...]
    """every bot that ever took part, in order of entry"""
    gone: tuple[str, ...]
    """those of them that were withdrawn or benched"""
    over: bool
    """nothing is left to play"""
    standings: Callable[[], Rows]
    """the standings as they are, the best first; to be called inside `see` alone"""


class JobStarted(NamedTuple):
    """Games of two bots were handed to an executor."""

    job: int
    encounter: int
    label: str
    first: str
    """x in the first of these games, if it is leg 1"""
    second: str
    games: int


class GameEnded(NamedTuple):
    """A game has its verdict and stands in the journal."""

    head: Head
    counted: bool
    """False for a void game that is played again, and for a game whose encounter is a walkover by now"""
    settled: int
    """encounters that are settled now"""


class JobLost(NamedTuple):
    """Whoever played a job is gone; what it did not report is played again."""

    job: int
    why: str


class RosterChanged(NamedTuple):
    """The operator added bots, from encounter `start` on, or withdrew some, who give away what they have not begun."""

    start: int
    """of bots that were withdrawn, the first encounter that they are not paired for any more"""
    added: tuple[str, ...]
    withdrawn: tuple[str, ...]
    planned: int | None
    """encounters of the whole event now"""


class Benched(NamedTuple):
    """A bot had one fault too many: it plays no more encounter."""

    bot: str
    encounter: int
    """whose fault was the one"""


class StandingsChanged(NamedTuple):
    """Another encounter is settled; the standings are made by whoever looks at them, since most onlookers do not."""

    settled: int
    standings: Callable[[], Rows]
    """the standings at the moment of the call, the best first; to be called inside `see` alone"""
    planned: int | None
    """encounters of the whole event now: tie-breaks of a knockout are known when they are due"""


class Ended(NamedTuple):
    """Nothing is played any more."""

    reason: Literal["over", "interrupted", "stopped"]
    """over: all is settled; interrupted: a signal; stopped: a policy or a fault, which `text` names"""
    text: str
    games: int
    settled: int
    standings: Callable[[], Rows]


Happening: TypeAlias = (
    Began | JobStarted | GameEnded | JobLost | RosterChanged | Benched | StandingsChanged | Ended
)


class Onlooker(Protocol):
    """Somebody who is told what happens."""

    def see(self, happening: Happening) -> None:
        """Look at one happening, quickly: the runner waits. Whatever goes wrong is the onlooker's own affair."""
        ...

    def close(self) -> None:
        """Nothing more will happen; give back what is held. Twice is harmless."""
        ...
