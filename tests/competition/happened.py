"""Happenings of an event as a runner would tell them, for the tests of those who look on."""

from pathlib import Path
from typing import Literal

from donuts_referee.competition.description import Description, Listed
from donuts_referee.competition.event import RoundRobin
from donuts_referee.competition.happenings import Began, Ended, GameEnded, Row, Rows, StandingsChanged
from donuts_referee.records.journal import Head, Player
from donuts_referee.records.record import Place
from donuts_referee.table.finished import Verdict

ROWS: Rows = (
    Row(place=1, bot="alpha", points=1.5, games=2, wins=1, draws=1, losses=0, columns=(("buchholz", 2.5),)),
    Row(place=2, bot="beta", points=0.5, games=2, wins=0, draws=1, losses=1, columns=(("buchholz", 1.0),)),
)

DESCRIPTION = Description(
    id="20260101-000000-000000-abcdef01",
    name="spring",
    seed=1,
    bots=(Listed("alpha"), Listed("beta", "2")),
    format=RoundRobin(),
    size=6,
    rings=15,
    tc="0.1/move",
    margin=50,
    openings="",
    on_fault="forfeit",
    replays=3,
    crash_limit=None,
    adjudication="",
)


def began(*, planned: int | None = 10, settled: int = 0, workers: int = 1, resumed: bool = False) -> Began:
    """An event of two bots begins."""
    return Began(
        description=DESCRIPTION,
        planned=planned,
        settled=settled,
        games=2 * settled,
        workers=workers,
        resumed=resumed,
        records=Path("records"),
        names=("alpha", "beta"),
        gone=(),
        over=False,
        standings=lambda: ROWS,
    )


def game(number: int, *, text: str = "five in a row", winner: str = "x", counted: bool = True) -> GameEnded:
    """Game `number`, from 1, ended; two are an encounter."""
    encounter, leg = (number + 1) // 2, 2 - number % 2
    head = Head(
        id=f"game-{number}",
        match="m",
        number=leg,
        started=0.0,
        seconds=0.5,
        size=6,
        verdict=Verdict(winner=winner, why="five", text=text, void=not counted),
        x=Player("alpha"),
        o=Player("beta"),
        place=Place(event=DESCRIPTION.id, encounter=encounter, round=1, leg=leg),
    )
    return GameEnded(head, counted, encounter if leg == 2 else encounter - 1)


def standings(settled: int) -> StandingsChanged:
    """The standings changed."""
    return StandingsChanged(settled, lambda: ROWS, 10)


def ended(games: int = 4, reason: Literal["over", "interrupted"] = "over") -> Ended:
    """All is settled, or a signal came."""
    return Ended(reason, "", games, games // 2, lambda: ROWS)
