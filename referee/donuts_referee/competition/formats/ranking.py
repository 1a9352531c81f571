"""Who stands where by the format's own rules, and which encounters count for it.

Places are shared where nothing tells two bots apart; then the next place is left out: 1, 2, 2, 4. What the results say
of strength is another matter, see `statistics`.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from donuts_referee.competition.encounter import Bye, Duel, Tables
from donuts_referee.competition.event import Format, Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.competition.formats.elo import Elo
from donuts_referee.competition.formats.knockout import THIRD, Bracket, Pairing
from donuts_referee.competition.formats.sprt_match import Match
from donuts_referee.competition.formats.swiss import BYE
from donuts_referee.competition.formats.tiebreaks import Scores

__all__ = ["Kept", "Ranked", "last_counted", "ranking"]

Columns: TypeAlias = tuple[tuple[str, float | str], ...]
"""What parts bots with the same points: the heading and the value, the most important first."""

EQUAL = 1e-9
"""Sums of points that differ by less are the same."""

NEVER = 1e6
"""How low a bot stands that came too late for a knockout."""


class Kept(Tables, Protocol):
    """What a ranking needs of the results; `state.State` has it."""

    def names(self) -> tuple[str, ...]:
        """Every bot that ever took part, in order of entry."""
        ...

    def duels(self) -> Iterator[Duel]:
        """Every settled encounter, by number."""
        ...

    def byes(self) -> tuple[Bye, ...]:
        """The byes that the schedule gave so far."""
        ...


class Ranked(NamedTuple):
    """A bot and its place."""

    bot: str
    place: int
    """from 1; several bots may share one"""
    points: float
    columns: Columns


class _Row(NamedTuple):
    bot: str
    points: float
    key: tuple[float, ...]
    """more is better"""
    columns: Columns


def last_counted(format: Format, tables: Tables) -> int | None:
    """The number of the last encounter that counts; None: all of them do.

    Encounters of an SPRT beyond the one that decided it were under way when it fell. They are left out of standings and
    of everything that is said of strength.
    """
    if not isinstance(format, Sprt):
        return None
    match = Match(format, tables)
    match.look()
    return match.last


def ranking(format: Format, kept: Kept, last: int | None) -> tuple[Ranked, ...]:
    """Every bot that ever took part, the first place first, those that share one in order of entry.

    `last`: what `last_counted` says.
    """
    duels = [duel for duel in kept.duels() if last is None or duel.encounter.number <= last]
    byes = [(bye.bot, BYE) for bye in kept.byes()] if isinstance(format, Swiss) else []
    names = kept.names()
    scores = Scores(names, duels, byes)
    match format:
        case RoundRobin():
            rows = _by_direct_encounter(names, scores)
        case Gauntlet():
            rows = [_row(bot, scores, ("share", scores.share(bot)), leading=True) for bot in names]
        case Swiss():
            rows = [
                _row(
                    bot,
                    scores,
                    ("Buchholz", scores.buchholz(bot)),
                    ("Sonneborn-Berger", scores.sonneborn_berger(bot)),
                )
                for bot in names
            ]
        case Knockout():
            rows = _by_stage(format, kept, scores)
        case Ladder():
            elo = Elo()
            for duel in duels:
                elo.add(duel)
            rows = [_by_elo(bot, scores, elo.rating(bot)) for bot in names]
        case _:
            rows = [_row(bot, scores) for bot in names]
    return _placed(rows)


def _row(bot: str, scores: Scores, *columns: tuple[str, float], leading: bool = False) -> _Row:
    """A row in order of the columns, after the points or, where they are `leading`, without these."""
    points = scores.points(bot)
    values = tuple(value for _, value in columns)
    return _Row(bot, points, values if leading else (points, *values), columns)


def _by_elo(bot: str, scores: Scores, elo: float) -> _Row:
    """A row in order of the Elo, of which whole points are shown: K is 20 at least, so that fractions say nothing."""
    return _Row(bot, scores.points(bot), (elo,), (("Elo", float(round(elo))),))


def _placed(rows: Sequence[_Row]) -> tuple[Ranked, ...]:
    ordered = sorted(rows, key=lambda row: [-round(value / EQUAL) for value in row.key])
    ranked: list[Ranked] = []
    for at, row in enumerate(ordered):
        same = at > 0 and _same(row.key, ordered[at - 1].key)
        ranked.append(Ranked(row.bot, ranked[-1].place if same else at + 1, row.points, row.columns))
    return tuple(ranked)


def _same(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return all(round(mine / EQUAL) == round(its / EQUAL) for mine, its in zip(one, other, strict=True))


def _by_direct_encounter(names: Sequence[str], scores: Scores) -> list[_Row]:
    """Points, then the points against those who have as many, then Sonneborn-Berger."""
    tied: dict[float, list[str]] = defaultdict(list)
    for bot in names:
        tied[scores.points(bot)].append(bot)
    return [
        _row(
            bot,
            scores,
            ("direct encounter", scores.direct(bot, tied[scores.points(bot)])),
            ("Sonneborn-Berger", scores.sonneborn_berger(bot)),
        )
        for bot in names
    ]


def _by_stage(format: Knockout, kept: Kept, scores: Scores) -> list[_Row]:
    """How far each came: who lost earlier stands lower, and those who are still in share the first place."""
    bracket = Bracket(format, kept)
    for due in bracket.schedule():
        if due is None:
            break
    beginning: Columns = (("stage", "bye in round 1"), ("decided by", ""))
    standing: dict[str, tuple[float, Columns]] = dict.fromkeys(bracket.seeds, (0.0, beginning))
    for pairing in bracket.pairings:
        for bot in (pairing.better, pairing.other):
            won = pairing.winner == bot
            out = 0.0 if pairing.winner is None else _lost_in(pairing.size, won)
            standing[bot] = (out, (("stage", _stage(pairing, won)), ("decided by", pairing.how)))
    return [_stage_row(bot, scores, standing) for bot in kept.names()]


def _stage(pairing: Pairing, won: bool) -> str:
    """What a pairing was for one of its bots, in words."""
    if pairing.size == THIRD:
        if pairing.winner is None:
            return "plays for third place"
        return "third place" if won else "fourth place"
    the = "in the " if pairing.winner is None or pairing.size > 4 else "the "
    if pairing.winner is None:
        return the + pairing.label
    if won:
        return "winner" if pairing.size == 2 else f"won {the}{pairing.label}"
    return f"lost {the}{pairing.label}"


def _lost_in(size: int, won: bool) -> float:
    """How low a bot stands after a pairing, 0 for one that is still in or has won."""
    if size == THIRD:
        return float(THIRD if won else THIRD + 1)
    return 0.0 if won else float(size)


def _stage_row(bot: str, scores: Scores, standing: Mapping[str, tuple[float, Columns]]) -> _Row:
    low, columns = standing.get(bot, (NEVER, (("stage", ""), ("decided by", ""))))
    return _Row(bot, scores.points(bot), (-low,), columns)
