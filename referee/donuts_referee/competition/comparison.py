"""Two bots head to head: what they made against each other, by side and encounter, and what that says of strength."""

from collections.abc import Sequence
from typing import get_args

from msgspec import Struct

from donuts_referee.columns import cut, wrapped
from donuts_referee.competition.placings import TestReport
from donuts_referee.competition.results import Results
from donuts_referee.competition.standings import test_report
from donuts_referee.competition.standings_table import BOT, many, number, test_text
from donuts_referee.statistics.crosstable import Crosstable, Score
from donuts_referee.statistics.pentanomial import Scale
from donuts_referee.statistics.rating import Difference, rate
from donuts_referee.statistics.results import Meeting
from donuts_referee.statistics.sprt import Hypotheses, SequentialTest

__all__ = ["Comparison", "Gap", "compare", "comparison_text"]


class Gap(Struct, frozen=True):
    """By how much the one looks stronger."""

    elo: float
    """points, 400 are ten to one"""
    deviation: float
    """points up and down within which it lies with 95 %"""
    superiority: float
    """the likelihood, 0..1, that the one is stronger"""
    tied: bool
    """the interval holds 0: the two cannot be told apart"""

    @classmethod
    def of(cls, difference: Difference | None) -> "Gap | None":
        """None stays None."""
        if difference is None:
            return None
        return cls(
            round(difference.points, 1),
            round(difference.deviation, 1),
            round(difference.superiority, 4),
            difference.tied,
        )


class Comparison(Struct, frozen=True, kw_only=True):
    """What `--json` prints, from the view of `bot`. Within a major version keys are added, never renamed or retyped."""

    bot: str
    other: str
    points: float
    games: int
    """played between the two"""
    score: Score
    as_x: Score
    as_o: Score
    walkovers: float
    """points for games that were not played"""
    counts: tuple[int, int, int, int, int]
    """encounters in which `bot` made 0, 0.5, 1, 1.5 and 2 points"""
    alone: int
    """games of no whole encounter"""
    direct: Gap | None
    """from the games between the two; None without any"""
    joint: Gap | None
    """from all games of all bots; None where no chain of games connects the two"""
    to_settle: int | None
    """about how many more games between the two would tell them apart, if it goes on so; 0 when they are; None: none"""
    tests: tuple[TestReport, ...]
    """a sequential test of the encounters in their order, with the usual bounds on either scale"""


def compare(results: Results, bot: str, other: str) -> Comparison:
    """`bot` against `other`."""
    between = [
        meeting if meeting.first == bot else _turned(meeting)
        for meeting in results.meetings
        if {meeting.first, meeting.second} == {bot, other}
    ]
    cell = Crosstable(game for game in results.games if {game.x, game.o} == {bot, other}).cell(bot, other)
    whole = [points for meeting in between if (points := meeting.points) is not None]
    direct, joint = rate(between, (bot, other)), rate(results.meetings, results.bots)
    return Comparison(
        bot=bot,
        other=other,
        points=cell.points,
        games=cell.games,
        score=cell.score,
        as_x=cell.as_x,
        as_o=cell.as_o,
        walkovers=cell.walkovers,
        counts=_counts(whole),
        alone=direct.of(bot).games - 2 * len(whole),
        direct=Gap.of(direct.difference(bot, other)),
        joint=Gap.of(joint.difference(bot, other)),
        to_settle=direct.games_to_settle(bot, other),
        tests=tuple(_test(bot, other, between, whole, scale) for scale in get_args(Scale)),
    )


def _turned(meeting: Meeting) -> Meeting:
    """The same with the other one in the place of `first`, who was o in what is leg 1 now."""
    leg1, leg2 = (None if leg is None else 1 - leg for leg in (meeting.leg2, meeting.leg1))
    return Meeting(meeting.second, meeting.first, leg1, leg2)


def _counts(points: Sequence[float]) -> tuple[int, int, int, int, int]:
    none, half, one, more, two = (points.count(value) for value in (0.0, 0.5, 1.0, 1.5, 2.0))
    return none, half, one, more, two


def _test(
    bot: str, other: str, between: Sequence[Meeting], whole: Sequence[float], scale: Scale
) -> TestReport:
    test = SequentialTest(Hypotheses(scale=scale))
    test.extend(whole)
    return test_report(bot, other, test, between)


def comparison_text(told: Comparison, room: int | None = None) -> str:
    """The comparison for people in lines of at most `room` columns (None: no limit); ends with LF."""
    bot, other = cut(told.bot, BOT), cut(told.other, BOT)
    lines = [
        f"{bot} against {other}: {number(told.points)} points of {told.games} games, {told.score} (as x {told.as_x}, "
        f"as o {told.as_o})"
    ]
    if told.walkovers:
        lines.append(f"{number(told.walkovers)} points are from walkovers")
    if told.direct is None:
        lines.append("they have not met in a game that counts")
    else:
        lines.append(
            f"{bot} made 0, 0.5, 1, 1.5, 2 points in {', '.join(map(str, told.counts))} encounters"
            + (f"; {many(told.alone, 'game')} of no whole encounter" if told.alone else "")
        )
        lines.append(f"from these games:  {_gap(told.direct)}")
    if told.joint is not None and told.joint != told.direct:
        lines.append(f"from all games:    {_gap(told.joint)}")
    if told.direct is not None:
        lines.append(_settling(told, bot, other))
        lines += [test_text(test)[0] for test in told.tests]
    return "\n".join([*(part for line in lines for part in wrapped(line, room)), ""])


def _gap(gap: Gap) -> str:
    return f"{gap.elo:+.1f} +- {gap.deviation:.1f} points (95 %), LOS {100 * gap.superiority:.1f} %"


def _settling(told: Comparison, bot: str, other: str) -> str:
    if told.to_settle == 0:
        return "they are told apart: the interval of these games does not hold 0"
    apart = f"{bot} and {other} cannot be told apart (which takes a LOS above 97.5 % or below 2.5 %); "
    if told.to_settle is None:
        return apart + "they look so equal that no number of games would settle it"
    return apart + f"about {told.to_settle} more games would settle it, if it goes on so"
