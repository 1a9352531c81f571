"""Bots that join, leave or are mended: the event file is looked at now and then, and read again when it changed."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from donuts_protocol.escape import shown
from donuts_referee.competition.config import ConfigFault, read_event
from donuts_referee.competition.description import Description, Listed, describe, differences, started
from donuts_referee.competition.event import Event
from donuts_referee.competition.state import Changed, Roster, State
from donuts_referee.files import Stamp, stamp
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.freeze import FILE, unfrozen

__all__ = ["RosterWatch", "changes", "mended"]


class RosterWatch:
    """Looks at the file of an event; `note` is told, once for each version of the file, what of it cannot be used."""

    def __init__(
        self, event: Event, description: Description, state: State, note: Callable[[str], None]
    ) -> None:
        """`event`: the file as this run began with it; `description`, `state`: what the event is, and how far."""
        self._event = event
        self._description = description
        self._state = state
        self._note = note
        self._freeze = event.file.parent / FILE
        self._stamps = self._now()
        self._bots = {bot.name: bot for bot in event.bots}
        """as they play"""
        self._told: frozenset[str] = frozenset()
        """what was noted of the last version of the file"""

    def _now(self) -> tuple[Stamp | None, Stamp | None]:
        return stamp(self._event.file), stamp(self._freeze)

    def look(self) -> Event | None:
        """The event as the file describes it now, where it was changed and is sound; else None.

        Bots that are new and not among those that are frozen are left out.
        """
        now = self._now()
        if now[0] is None or now == self._stamps:
            return None
        if now[1] != self._stamps[1] and now[1] is not None:
            self._note(f"{FILE} was written anew: what it holds is what may be played from now on")
        self._stamps = now
        try:
            event = read_event(self._event.file)
        except ConfigFault as fault:
            self._note(f"{fault} (the event goes on as it was)")
            return None
        taken = self._state.names()
        outside = unfrozen(event) - set(taken)
        self.compare(event, outside)
        return replace(event, bots=tuple(bot for bot in event.bots if bot.name not in outside))

    def compare(self, event: Event, outside: frozenset[str] = frozenset()) -> None:
        """Note what a version of the file says in vain: that is not heeded, or not before the next start."""
        told = [*self._in_vain(event)]
        command = f"`donuts freeze {shown(event.file.name)}`"
        told += [
            f"{name} is not in {FILE} and does not join; {command} lets it in" for name in sorted(outside)
        ]
        for text in told:
            if text not in self._told:
                self._note(text)
        self._told = frozenset(told)
        for bot in event.bots:
            if bot.name not in outside:
                self._bots.setdefault(bot.name, bot)

    def _in_vain(self, event: Event) -> Iterator[str]:
        name, began = shown(event.file.name), self._event
        for text in differences(self._description, describe(event, self._description.id)):
            yield f"{name}: {text}: that cannot change now, and the next start is refused until it is put back"
        for bot in event.bots:
            if bot.name in event.withdrawn:
                continue
            if bot.name in self._state.withdrawn():
                yield f"{name}: {bot.name} is withdrawn and stays so; give it a new name to let it play again"
            elif bot.name in self._bots and _made(bot) != _made(self._bots[bot.name]):
                yield f"{name}: the new command or version of {bot.name} holds from the next start on"
        if (event.running, event.records) != (began.running, began.records):
            yield f"{name}: what is new in records, [running] or [hooks] holds from the next start on"
        same = replace(event.control, margin=began.control.margin), event.reveal
        if str(event.control) == str(began.control) and same != (began.control, began.reveal):
            yield f"{name}: what is new in prep, hello or reveal holds from the next start on"


def _made(bot: Bot) -> tuple[object, ...]:
    return bot.program, bot.version


def changes(event: Event, state: State, issued: int, begun: Callable[[str], int]) -> list[Roster]:
    """What is new in the list of bots: each change from the first number on that no schedule has settled yet.

    `issued` is the last number of the schedule so far; `begun` gives the last encounter of a bot that is under way. Who
    is not in the file any more counts as withdrawn; a bot that was withdrawn cannot come back under its name.
    """
    there = {bot.name for bot in event.bots} - event.withdrawn
    new = [bot for bot in event.bots if bot.name in there and bot.name not in state.names()]
    told: list[Roster] = []
    if new:
        home = event.file.parent
        told.append(
            Roster(
                issued + 1,
                added=tuple(bot.name for bot in new),
                changed=tuple(Changed(bot.name, bot.version, started(bot, home)) for bot in new),
            )
        )
    for name in state.names():
        if name not in there and name not in state.withdrawn():
            # what is settled stays so, walkovers too; up to `asked` pairings rest on who was there, but those that are
            # not issued are asked for anew
            out = max(begun(name), state.frontier) + 1
            told.append(Roster(max(min(state.asked, issued) + 1, out), withdrawn=(name,), out=out))
    return told


def mended(event: Event, description: Description, state: State) -> tuple[Roster | None, tuple[str, ...]]:
    """The bots whose command or version is not what it was at the last start, for the journal and in words.

    Authors may mend their bots between two starts; all games of a bot count as its own, whichever version played them.
    """
    before: dict[str, Listed | Changed] = {bot.name: bot for bot in description.bots}
    before.update(state.changed())
    found: list[Changed] = []
    told: list[str] = []
    for bot in event.bots:
        was = before.get(bot.name)
        if was is None or bot.name in event.withdrawn or bot.name in state.withdrawn():
            continue
        now = Changed(bot.name, bot.version, started(bot, event.file.parent))
        if now.version != was.version:
            what = f"version {_called(was.version)} became {_called(now.version)}"
        elif was.run and now.run != was.run:
            what = f"its command is another, and its version the same ({_called(now.version)})"
        else:
            continue
        found.append(now)
        told.append(f"{bot.name}: {what}; its games so far count on")
    return (Roster(state.frontier + 1, changed=tuple(found)) if found else None), tuple(told)


def _called(version: str | None) -> str:
    return "none" if version is None else shown(version, 60)
