"""What an event is, in words for people."""

import time

from donuts_referee.competition.description import Description
from donuts_referee.competition.event import Format, Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.competition.standings_table import many

__all__ = ["facts", "format_words", "number", "played", "walkovers"]

FAULTS = {
    "forfeit": "loses the game",
    "void": "makes it void, and it is played again",
    "stop": "loses the game and ends the event",
}


def format_words(format: Format) -> str:
    """The format of an event, with what it was set to."""
    match format:
        case RoundRobin(cycles):
            return f"round robin, {many(cycles, 'cycle')}"
        case Gauntlet(cycles, seeds):
            return f"gauntlet: {many(seeds, 'challenger')} against all others, {many(cycles, 'cycle')}"
        case Swiss(rounds):
            return "Swiss system" if rounds is None else f"Swiss system, {many(rounds, 'round')}"
        case Knockout(encounters, _, third_place):
            final = ", with a match for third place" if third_place else ""
            return f"knockout, {many(encounters, 'encounter')} a pairing{final}"
        case Ladder(encounters):
            return "ladder without end" if encounters is None else f"ladder, {many(encounters, 'encounter')}"
        case Sprt():
            return (
                f"SPRT of {format.elo0:g} against {format.elo1:g} Elo ({format.scale}), "
                f"alpha {format.alpha:g}, beta {format.beta:g}"
            )


def facts(description: Description) -> list[tuple[str, str]]:
    """What readers want to know of an event, as names and values."""
    size = description.size
    told = [
        ("Format", format_words(description.format)),
        ("Board", f"{size} × {size}, {description.rings} rings each"),
        ("Time", f"{description.tc}, margin {description.margin} ms"),
        ("Games", "every opening is played twice, with sides swapped"),
        ("Seed", str(description.seed)),
        (
            "Faults",
            f"a bot that does not start, crashes or is lost {FAULTS.get(description.on_fault, description.on_fault)}",
        ),
    ]
    if description.adjudication:
        told.append(("Adjudication", description.adjudication))
    return told


def played(first: float, last: float) -> tuple[str, str]:
    """When the games began, the first and the last, in Unix time, as a name and a value."""
    from_, to = (time.gmtime(at) for at in (first, last))
    day, hour = "%Y-%m-%d", "%H:%M"
    began, ended = time.strftime(f"{day} {hour}", from_), time.strftime(f"{day} {hour}", to)
    if began == ended:
        return "Played", f"{began} UTC"
    if from_[:3] == to[:3]:
        ended = time.strftime(hour, to)
    return "Played", f"{began} to {ended} UTC"


def number(value: float) -> str:
    """Points as people write them: 1½."""
    whole, half = int(value), value - int(value)
    if half != 0.5:
        return f"{value:g}"
    return f"{whole or ''}½"


def walkovers(won: float, missed: int) -> str:
    """Points and games without play: `+2 -0`, as `donuts standings` has them."""
    return f"+{number(won)} -{missed}"
