"""The standings while an event runs: places by the format's own rules, and what everyone won, drew and lost."""

from donuts_referee.competition.description import Description
from donuts_referee.competition.encounter import Leg
from donuts_referee.competition.formats.ranking import last_counted, ranking
from donuts_referee.competition.happenings import Row, Rows
from donuts_referee.competition.state import State

__all__ = ["rows"]


def rows(description: Description, state: State) -> Rows:
    """Every bot that ever took part, the best first."""
    last = last_counted(description.format, state)
    tallies = {bot: [0, 0, 0] for bot in state.names()}
    for duel in state.duels():  # as the points: a game counts once its encounter is settled
        if last is None or duel.encounter.number <= last:
            for leg in duel.legs:
                if leg.played:
                    tallies[leg.x][_result(leg, leg.x)] += 1
                    tallies[leg.o][_result(leg, leg.o)] += 1
    return tuple(
        Row(
            place=ranked.place,
            bot=ranked.bot,
            points=ranked.points,
            games=sum(tallies[ranked.bot]),
            wins=tallies[ranked.bot][0],
            draws=tallies[ranked.bot][1],
            losses=tallies[ranked.bot][2],
            columns=ranked.columns,
        )
        for ranked in ranking(description.format, state, last)
    )


def _result(leg: Leg, bot: str) -> int:
    """0 won, 1 drawn, 2 lost; both lose a leg that came out void for good."""
    if leg.winner == "-":
        return 1
    return 0 if leg.winner and bot == (leg.x if leg.winner == "x" else leg.o) else 2
