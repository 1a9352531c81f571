"""What a worker is handed: games between two bots, in the order in which they are to be played.

A job crosses a pipe or a network as msgpack, so that it holds plain values alone; bots' programs are named by paths
that must mean the same on every machine that plays.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeAlias

from msgspec import Struct

from donuts_referee.records.record import Place
from donuts_referee.table.adjudication import Adjudication
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import OnFault
from donuts_referee.teams.bot import Bot

__all__ = ["INTERRUPTED", "Done", "Executor", "ExecutorFault", "Fixture", "Job", "Lost", "Played", "Report"]


class Fixture(Struct, frozen=True):
    """One game of a job."""

    place: Place
    layout: str
    rings: int
    seed: int
    board: int | None = None
    """number of the board in its tile set, where it has one"""
    opening: tuple[int, ...] = ()
    """squares that are filled for both sides before the first turn"""


class Job(Struct, frozen=True):
    """Games of two bots; `first` is x in the first fixture, o in the second, and so on in turn."""

    id: int
    first: Bot
    second: Bot
    fixtures: tuple[Fixture, ...]
    control: TimeControl
    on_fault: OnFault
    reveal: bool
    adjudication: Adjudication | None = None

    @property
    def longest_game(self) -> float:
        """Seconds that a game can take by its clocks, with the start of the bots and a minute to spare."""
        control = self.control
        if control.unlimited:
            return float("inf")
        plies = 2 * max(fixture.rings for fixture in self.fixtures)
        clocks = 2 * control.main + plies * (control.inc + 2 * control.margin)
        return (2 * control.hello + 2 * control.prep + clocks) / 1000 + 60


INTERRUPTED = "interrupted"
"""Why a job stopped whose worker was told to end."""


class Played(NamedTuple):
    """A game of a job has its verdict."""

    job: int
    line: bytes
    """its record as one line of JSON, without LF (see `records.record.encode`)"""
    pgn: bytes
    """the same game as it is to stand in a PGN file"""


class Done(NamedTuple):
    """A job is over: every game of it that has a verdict was reported before."""

    job: int
    stopped: str | None = None
    """why not all of its games were played; None when they were"""
    failed: bool = False
    """it was stopped by a fault of the referee itself"""


class Lost(NamedTuple):
    """Whoever played the job is gone; what was not reported is to be played again."""

    job: int
    why: str


Report: TypeAlias = Played | Done | Lost


class ExecutorFault(Exception):
    """An executor can play nothing any more; the text says why and what to do, in one line."""


class Executor(Protocol):
    """Where games are played: worker processes here, or a cluster."""

    @property
    def capacity(self) -> int:
        """Jobs that are played at once."""
        ...

    def submit(self, job: Job) -> None:
        """Take one more job; it begins as soon as a worker is free. Raises ExecutorFault."""
        ...

    def wait(self, seconds: float | None) -> Sequence[Report]:
        """What came in, after waiting at most so long for the first report; may be empty."""
        ...

    def stop(self) -> None:
        """Take no job any more and void the games under way (`abort`); their reports still come by `wait`."""
        ...

    def close(self) -> None:
        """End every worker and give back what is held; twice is harmless."""
        ...
