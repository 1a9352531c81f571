"""The lines that tell the operator of an event what happened: its beginning, a game, what is out of the ordinary."""

from donuts_referee.cli.opened import plain
from donuts_referee.competition.happenings import (
    Began,
    Benched,
    GameEnded,
    Happening,
    JobLost,
    RosterChanged,
)
from donuts_referee.competition.standings_table import many

__all__ = ["beginning", "game_line", "notice"]


def beginning(began: Began) -> str:
    """That the event begins, goes on or is over, who takes part, and how far it is."""
    bots = many(len(began.names), "bot")
    if began.gone:
        bots += f" ({len(began.gone)} withdrawn or benched)"
    name = began.description.name
    if began.over:
        played = many(began.settled, "encounter")
        return plain(f"{name} is over: {bots}, {played} settled, {many(began.games, 'game')} kept")
    parts = [bots]
    if began.planned is not None and not began.resumed:
        parts.append(f"{many(began.planned, 'encounter')} of 2 games")
    parts.append(f"{many(began.workers, 'game')} at once")
    verb, so_far = "begins", ""
    if began.resumed:
        verb = "goes on"
        settled = (
            many(began.settled, "encounter")
            if began.planned is None
            else f"{began.settled} of {many(began.planned, 'encounter')}"
        )
        so_far = f"; {settled} settled, {many(began.games, 'game')} kept"
    return plain(f"{name} {verb}: {', '.join(parts)}{so_far}")


def game_line(ended: GameEnded, of: str) -> str:
    """A game: which, who, the outcome and why; `of` stands behind the number of the encounter."""
    head = ended.head
    verdict, place = head.verdict, head.place
    if verdict.void:
        outcome = "void"
    elif verdict.winner == "-":
        outcome = "draw"
    else:
        outcome = f"{(head.x if verdict.winner == 'x' else head.o).bot} wins"
    if not ended.counted:
        outcome += " (does not count)" if verdict.void else " (does not count: the encounter is a walkover)"
    where = (
        "" if place is None else f"{place.label or f'encounter {place.encounter}{of}'}, game {place.leg}: "
    )
    return plain(f"{where}{head.x.bot} (x) - {head.o.bot} (o): {outcome}; {verdict.text}")


def notice(happening: Happening) -> str | None:
    """What is out of the ordinary, in a line; None where nothing is."""
    match happening:
        case Benched(bot, encounter):
            return plain(
                f"* {bot} is benched: its faults reached the limit in encounter {encounter}; its games of later "
                "encounters do not count, nor do those that are played already"
            )
        case JobLost(_, why):
            return plain(f"* games under way were lost and are played again: {why}")
        case RosterChanged(start, added, withdrawn):
            parts = [f"{', '.join(added)} added from encounter {start} on"] if added else []
            if withdrawn:
                parts.append(f"{', '.join(withdrawn)} withdrawn: encounters not begun by now are given away")
            return plain(f"* {'; '.join(parts)}")
        case _:
            return None
