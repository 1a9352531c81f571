"""What the records in a folder say of points and strength, whether an event, `donuts play` or an arena wrote them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from donuts_referee.competition.description import FILE
from donuts_referee.competition.encounter import Duel, Leg
from donuts_referee.competition.formats.ranking import last_counted, ranking
from donuts_referee.competition.reading import Kept, read_event
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import ReadFault
from donuts_referee.records.journal import Head, JournalReader, Torn
from donuts_referee.records.record import Record
from donuts_referee.statistics.results import Game, Meeting

__all__ = [
    "Results",
    "counted",
    "game_of",
    "games_of",
    "meeting_of",
    "of_event",
    "of_journal",
    "read_results",
]


@dataclass(frozen=True, slots=True)
class Results:
    """Games and encounters in the order of their numbers, those that count alone."""

    bots: tuple[str, ...]
    """in the order of their places in an event, else by points"""
    games: tuple[Game, ...]
    meetings: tuple[Meeting, ...]
    torn: tuple[Torn, ...] = ()


def read_results(path: Path) -> Results:
    """The results of a folder of records, or of a journal alone. Raises ReadFault and BadLine."""
    if (path / FILE).exists():
        return of_event(read_event(path))
    return of_journal(path / JOURNAL if path.is_dir() else path)


def of_event(kept: Kept) -> Results:
    """The encounters of an event that are settled."""
    description, state = kept.description, kept.state
    last = last_counted(description.format, state)
    duels = counted(state.duels(), last)
    ranked = ranking(description.format, state, last)
    return Results(
        bots=tuple(row.bot for row in ranked),
        games=tuple(game for duel in duels for game in games_of(duel)),
        meetings=tuple(meeting_of(duel) for duel in duels),
        torn=kept.torn,
    )


def counted(duels: Iterable[Duel], last: int | None) -> list[Duel]:
    """The duels up to number `last`, see `formats.ranking.last_counted`."""
    return [duel for duel in duels if last is None or duel.encounter.number <= last]


def games_of(duel: Duel) -> Iterator[Game]:
    """The two games of an encounter."""
    for leg in duel.legs:
        yield Game(leg.x, leg.o, leg.points(leg.x), leg.points(leg.o), leg.played)


def meeting_of(duel: Duel) -> Meeting:
    """An encounter as it tells of strength: neither walkovers do nor legs that came out void for good."""
    first = duel.encounter.first
    leg1, leg2 = (_share(leg, first) for leg in duel.legs)
    return Meeting(first, duel.encounter.second, leg1, leg2)


def _share(leg: Leg, bot: str) -> float | None:
    return leg.points(bot) if leg.played and leg.winner else None


def of_journal(path: Path) -> Results:
    """The games of a plain journal. Raises ReadFault and BadLine.

    Games 2k - 1 and 2k of a match, with sides swapped, are one encounter (see `programme`); any other is one alone.
    """
    if not path.exists():
        raise ReadFault(f"there is no {path}; name a directory of records, or its {JOURNAL}")
    reader = JournalReader(path)
    games: list[Game] = []
    meetings: list[Meeting] = []
    halves: dict[tuple[str, int], tuple[int, Head]] = {}
    for located in reader.located():
        head = located.head
        if head.verdict.void:
            continue
        games.append(game_of(head))
        if head.number % 2:
            halves[head.match, head.number + 1] = len(meetings), head
            meetings.append(Meeting(head.x.bot, head.o.bot, games[-1].x_points, None))
            continue
        at, half = halves.pop((head.match, head.number), (0, None))
        if half is not None and (half.x.bot, half.o.bot) == (head.o.bot, head.x.bot):
            meetings[at] = meetings[at]._replace(leg2=games[-1].o_points)
        else:
            meetings.append(Meeting(head.x.bot, head.o.bot, games[-1].x_points, None))
    return Results(_by_points(games), tuple(games), tuple(meetings), tuple(reader.torn))


def game_of(record: Head | Record) -> Game:
    """A game of no competition, which is not void."""
    points = {"x": 1.0, "o": 0.0}.get(record.verdict.winner, 0.5)
    return Game(record.x.bot, record.o.bot, points, 1 - points)


def _by_points(games: Iterable[Game]) -> tuple[str, ...]:
    """The bots by their share of the points, then by name."""
    made: dict[str, list[float]] = {}
    for game in games:
        made.setdefault(game.x, []).append(game.x_points)
        made.setdefault(game.o, []).append(game.o_points)
    return tuple(sorted(made, key=lambda bot: (-sum(made[bot]) / len(made[bot]), bot)))
