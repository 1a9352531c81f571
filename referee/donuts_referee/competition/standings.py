"""The standings of an event: places by its format, points, games by side, ratings, and what can be said of them."""

from collections.abc import Sequence

from donuts_referee.competition.encounter import Duel
from donuts_referee.competition.event import Sprt
from donuts_referee.competition.formats.ranking import Ranked, last_counted, ranking
from donuts_referee.competition.formats.sprt_match import Match
from donuts_referee.competition.placings import Column, FaultCount, Placing, Report, TestReport, Tie
from donuts_referee.competition.reading import Kept
from donuts_referee.competition.results import counted, games_of, meeting_of
from donuts_referee.competition.standings_table import csv, table
from donuts_referee.competition.state import State
from donuts_referee.statistics.crosstable import Crosstable
from donuts_referee.statistics.rating import Ratings, rate
from donuts_referee.statistics.results import Meeting
from donuts_referee.statistics.sprt import Hypotheses, SequentialTest

__all__ = ["csv", "report", "table", "test_report"]


def report(kept: Kept) -> Report:
    """Everything that is said of an event, from its settled encounters."""
    description, state = kept.description, kept.state
    last = last_counted(description.format, state)
    duels = counted(state.duels(), last)
    games = [game for duel in duels for game in games_of(duel)]
    crosstable = Crosstable(games, state.names())
    ratings = rate((meeting_of(duel) for duel in duels), state.names())
    ranked = ranking(description.format, state, last)
    played = [pool for pool in ratings.pools if ratings.of(pool[0]).games]
    format, versions = description.format, kept.versions
    return Report(
        event=description.id,
        name=description.name,
        format=str(type(format).__struct_config__.tag),
        encounters=len(duels),
        games=state.games,
        voids=state.voids,
        torn=len(kept.torn),
        over=kept.timetable.over,
        rows=tuple(
            _placing(row, below, versions.get(row.bot), kept, crosstable, ratings)
            for row, below in zip(ranked, (*ranked[1:], None), strict=True)
        ),
        pools=tuple(played),
        ties=tuple(Tie(run) for run in ratings.ties()),
        x_share=_mean([game.x_points for game in games if game.played]),
        drawn=_mean([float(game.x_points == 0.5) for game in games if game.played]),
        test=_test(format, state, duels) if isinstance(format, Sprt) else None,
        beyond=0 if last is None else sum(1 for number, leg in state.legs() if number > last and leg.played),
    )


def _placing(
    ranked: Ranked,
    below: Ranked | None,
    version: str | None,
    kept: Kept,
    crosstable: Crosstable,
    ratings: Ratings,
) -> Placing:
    bot, state = ranked.bot, kept.state
    total = crosstable.total(bot)
    rating = ratings.of(bot)
    gap = None if below is None else ratings.difference(bot, below.bot)
    faults = sorted(state.faults().get(bot, {}).items(), key=lambda one: (-one[1], one[0]))
    return Placing(
        place=ranked.place,
        bot=bot,
        version=version,
        gone="withdrawn" if bot in state.withdrawn() else "benched" if bot in state.benched() else None,
        points=ranked.points,
        games=total.games,
        wins=total.score.wins,
        draws=total.score.draws,
        losses=total.score.losses,
        as_x=total.as_x,
        as_o=total.as_o,
        walkovers=total.walkovers,
        missed=total.missed,
        byes=sum(bye.bot == bot for bye in state.byes()),
        columns=tuple(Column(name, value) for name, value in ranked.columns),
        faults=tuple(FaultCount(why, games) for why, games in faults),
        rating=round(rating.rating, 1) if rating.games else None,
        deviation=round(rating.deviation, 1) if rating.games else None,
        pool=rating.pool + 1 if rating.games else None,
        superiority=None if gap is None else round(gap.superiority, 4),
        tied=None if gap is None else gap.tied,
        to_settle=None if below is None else ratings.games_to_settle(bot, below.bot),
    )


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def _test(format: Sprt, state: State, duels: Sequence[Duel]) -> TestReport | None:
    """How far the test of a match is; None before its first encounter."""
    if not duels:
        return None
    hypotheses = Hypotheses(
        elo0=format.elo0, elo1=format.elo1, alpha=format.alpha, beta=format.beta, scale=format.scale
    )
    test = SequentialTest(hypotheses)
    Match(format, state, test).look()
    first, second = duels[0].encounter.first, duels[0].encounter.second
    return test_report(first, second, test, [meeting_of(duel) for duel in duels])


def test_report(first: str, second: str, test: SequentialTest, meetings: Sequence[Meeting]) -> TestReport:
    """A test of `first` against `second` in words and figures; the estimate is that of all the meetings."""
    difference = rate(meetings, (first, second)).difference(first, second)
    told, hypotheses = test.state, test.hypotheses
    return TestReport(
        first=first,
        second=second,
        elo0=hypotheses.elo0,
        elo1=hypotheses.elo1,
        alpha=hypotheses.alpha,
        beta=hypotheses.beta,
        scale=hypotheses.scale,
        llr=round(told.llr, 4),
        lower=round(told.lower, 4),
        upper=round(told.upper, 4),
        decision=told.decision,
        encounters=test.encounters,
        counts=told.counts,
        elo=None if difference is None else round(difference.points, 1),
        deviation=None if difference is None else round(difference.deviation, 1),
        superiority=None if difference is None else round(difference.superiority, 4),
    )
