"""Finds the schedule of a format."""

from donuts_referee.competition.encounter import Schedule, Tables
from donuts_referee.competition.event import Format, Gauntlet, Knockout, Ladder, RoundRobin, Swiss
from donuts_referee.competition.formats import gauntlet, knockout, ladder, round_robin, sprt_match, swiss

__all__ = ["schedule_of"]


def schedule_of(format: Format, seed: int, tables: Tables) -> Schedule:
    """The schedule of `format`, from its first encounter on; `seed` decides what is drawn by lot."""
    match format:
        case RoundRobin():
            return round_robin.schedule(format, tables)
        case Gauntlet():
            return gauntlet.schedule(format, tables)
        case Swiss():
            return swiss.schedule(format, tables)
        case Knockout():
            return knockout.schedule(format, tables)
        case Ladder():
            return ladder.schedule(format, seed, tables)
        case _:
            return sprt_match.schedule(format, tables)
