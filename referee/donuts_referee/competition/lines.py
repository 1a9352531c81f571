"""The happenings of an event as JSON objects, one a line: what `--events` writes and what hook commands read on stdin.

The objects are told apart by `event`: began, job, game, lost, roster, benched, standings, ended; `at` is the Unix time
in seconds. Bots are named as the event names them; `null` stands for none. Within a major version keys are added, never
renamed or retyped. A reader skips a line that is no JSON: it was being written when the event was killed.
"""

import msgspec
from msgspec import Struct

from donuts_referee.competition.event import Format
from donuts_referee.competition.happenings import (
    Began,
    Benched,
    Ended,
    GameEnded,
    Happening,
    JobLost,
    JobStarted,
    RosterChanged,
    Rows,
    StandingsChanged,
)

__all__ = [
    "BeganLine",
    "BenchedLine",
    "EndedLine",
    "GameLine",
    "JobLine",
    "Line",
    "LostLine",
    "RosterLine",
    "StandingLine",
    "StandingsLine",
    "encoded",
    "line",
    "standings_line",
]


class Line(Struct, frozen=True, kw_only=True, tag_field="event"):
    """What all lines share: the keys `event` and `at`."""

    at: float


class BeganLine(Line, frozen=True, kw_only=True, tag="began"):
    """The event begins, or goes on after it was stopped (`resumed`); a file holds one such line for each start."""

    name: str
    id: str
    """unique; with it stands `place.event` in the journal"""
    resumed: bool
    bots: tuple[str, ...]
    """who was entered when the event began first"""
    format: Format
    size: int
    rings: int
    tc: str
    planned: int | None
    """encounters of the whole event, two games each; null: without end"""
    settled: int
    """encounters that are settled already"""
    games: int
    """games that are in the journal already"""
    workers: int
    records: str
    names: tuple[str, ...]
    """every bot that ever took part, in order of entry"""
    gone: tuple[str, ...]
    """those of them that were withdrawn or benched"""
    over: bool
    """nothing is left to play"""


class JobLine(Line, frozen=True, kw_only=True, tag="job"):
    """Games of an encounter are about to be played."""

    job: int
    encounter: int
    label: str
    first: str
    second: str
    games: int


class GameLine(Line, frozen=True, kw_only=True, tag="game"):
    """A game is over; `record` is its id in the journal."""

    encounter: int | None
    round: int | None
    leg: int | None
    label: str
    x: str
    o: str
    winner: str
    """x, o or - (draw or void)"""
    why: str
    text: str
    fault: str | None
    void: bool
    seconds: float
    counted: bool
    """false for a void game that is played again, and for a game whose encounter is a walkover by now"""
    settled: int
    record: str


class LostLine(Line, frozen=True, kw_only=True, tag="lost"):
    """Whoever played a job is gone; what it did not report is played again."""

    job: int
    why: str


class RosterLine(Line, frozen=True, kw_only=True, tag="roster"):
    """The operator added bots, from encounter `start` on, or withdrew some, who give away what they have not begun."""

    start: int
    """of bots that were withdrawn, the first encounter that they are not paired for any more"""
    added: tuple[str, ...]
    withdrawn: tuple[str, ...]
    planned: int | None


class BenchedLine(Line, frozen=True, kw_only=True, tag="benched"):
    """A bot had one fault too many, in this encounter, and plays no later one."""

    bot: str
    encounter: int


class StandingLine(Struct, frozen=True, kw_only=True):
    """One bot of a `standings` line; `columns` is what else the format ranks by."""

    place: int
    bot: str
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    columns: dict[str, float | str]


class StandingsLine(Line, frozen=True, kw_only=True, tag="standings"):
    """The standings, the best first: now and then (once in a second at most), and before `ended`."""

    settled: int
    standings: tuple[StandingLine, ...]


class EndedLine(Line, frozen=True, kw_only=True, tag="ended"):
    """Nothing is played any more: `over`, `interrupted` by a signal, or `stopped` for what `text` says."""

    reason: str
    text: str
    games: int
    settled: int


encoded = msgspec.json.Encoder().encode
"""A line as bytes, without LF."""


def line(happening: Happening, at: float) -> Line | None:
    """The line of a happening at Unix time `at`; None for StandingsChanged, whose line is `standings_line`."""
    match happening:
        case GameEnded(head, counted, settled):
            place, verdict = head.place, head.verdict
            return GameLine(
                at=at,
                encounter=place.encounter if place else None,
                round=place.round if place else None,
                leg=place.leg if place else None,
                label=place.label if place else "",
                x=head.x.bot,
                o=head.o.bot,
                winner=verdict.winner,
                why=verdict.why,
                text=verdict.text,
                fault=verdict.fault,
                void=verdict.void,
                seconds=head.seconds,
                counted=counted,
                settled=settled,
                record=head.id,
            )
        case JobStarted(job, encounter, label, first, second, games):
            return JobLine(
                at=at, job=job, encounter=encounter, label=label, first=first, second=second, games=games
            )
        case Began():
            return _began(happening, at)
        case JobLost(job, why):
            return LostLine(at=at, job=job, why=why)
        case RosterChanged(start, added, withdrawn, planned):
            return RosterLine(at=at, start=start, added=added, withdrawn=withdrawn, planned=planned)
        case Benched(bot, encounter):
            return BenchedLine(at=at, bot=bot, encounter=encounter)
        case Ended(reason, text, games, settled):
            return EndedLine(at=at, reason=reason, text=text, games=games, settled=settled)
        case StandingsChanged():
            return None


def standings_line(settled: int, rows: Rows, at: float) -> StandingsLine:
    """The line of the standings after `settled` encounters."""
    return StandingsLine(
        at=at,
        settled=settled,
        standings=tuple(
            StandingLine(
                place=row.place,
                bot=row.bot,
                points=row.points,
                games=row.games,
                wins=row.wins,
                draws=row.draws,
                losses=row.losses,
                columns=dict(row.columns),
            )
            for row in rows
        ),
    )


def _began(began: Began, at: float) -> BeganLine:
    description = began.description
    return BeganLine(
        at=at,
        name=description.name,
        id=description.id,
        resumed=began.resumed,
        bots=tuple(bot.name for bot in description.bots),
        format=description.format,
        size=description.size,
        rings=description.rings,
        tc=description.tc,
        planned=began.planned,
        settled=began.settled,
        games=began.games,
        workers=began.workers,
        records=str(began.records),
        names=began.names,
        gone=began.gone,
        over=began.over,
    )
