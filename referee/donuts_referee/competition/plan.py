"""How many encounters an event has, before anything is played and while it runs."""

from donuts_referee.competition.event import Format, Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.competition.formats.knockout import is_tie_break
from donuts_referee.competition.formats.swiss import rounds_of
from donuts_referee.competition.state import State

__all__ = ["encounters", "planned"]


def encounters(format: Format, bots: int) -> int | None:
    """Encounters of the whole event with so many bots; None: without end.

    Of a knockout without tie-breaks; of an SPRT the most there can be, since it ends as soon as the evidence is there.
    """
    if bots < 2:
        return 0
    match format:
        case RoundRobin(cycles):
            return cycles * bots * (bots - 1) // 2
        case Gauntlet(cycles, seeds):
            challengers = min(seeds, bots)
            return cycles * challengers * (bots - challengers)
        case Swiss():
            return rounds_of(format, bots) * (bots // 2)
        case Knockout():
            pairings = bots - 1 + (format.third_place and bots >= 4)
            return pairings * format.encounters
        case Ladder(most):
            return most
        case Sprt():
            return format.encounters


def planned(format: Format, state: State) -> int | None:
    """As `encounters`, of the bots that took part so far; of a knockout with the tie-breaks that are due so far."""
    if not isinstance(format, Knockout):
        return encounters(format, len(state.names()))
    least = encounters(format, len(state.entrants(1, 0)))  # who is added later cannot enter
    level = sum(count for label, count in state.labels().items() if is_tie_break(label))
    return None if least is None else least + level
