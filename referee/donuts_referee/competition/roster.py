"""Bots that join or leave a running event: the event file is looked at now and then, and read again when it changed."""

from collections.abc import Callable

from donuts_referee.competition.config import ConfigFault, read_event
from donuts_referee.competition.event import Event
from donuts_referee.competition.state import Roster, State
from donuts_referee.files import Stamp, stamp

__all__ = ["RosterWatch", "changes"]


class RosterWatch:
    """Looks at the file of an event; `note` is told, once for each version of the file, why it cannot be used."""

    def __init__(self, event: Event, note: Callable[[str], None]) -> None:
        self._event = event
        self._note = note
        self._stamp: Stamp | None = stamp(event.file)

    def look(self) -> Event | None:
        """The event as the file describes it now, where it was changed and is sound; else None."""
        now = stamp(self._event.file)
        if now is None or now == self._stamp:
            return None
        self._stamp = now
        try:
            return read_event(self._event.file)
        except ConfigFault as fault:
            self._note(f"{fault} (the event goes on as it was)")
            return None


def changes(event: Event, state: State, issued: int, begun: Callable[[str], int]) -> list[Roster]:
    """What is new in the list of bots: each change from the first number on that no schedule has settled yet.

    `issued` is the last number of the schedule so far; `begun` gives the last encounter of a bot that was begun. Who is
    not in the file any more counts as withdrawn; a bot that was withdrawn cannot come back under its name.
    """
    there = {bot.name for bot in event.bots} - event.withdrawn
    added = tuple(bot.name for bot in event.bots if bot.name in there and bot.name not in state.names())
    told = [Roster(issued + 1, added=added)] if added else []
    for bot in state.names():
        if bot not in there and bot not in state.withdrawn():
            # up to `asked` pairings rest on who was there
            told.append(Roster(max(state.asked, begun(bot)) + 1, withdrawn=(bot,)))
    return told
