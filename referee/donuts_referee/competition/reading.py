"""Reads an event from its folder: the description, and the journal folded as far as it goes."""

from dataclasses import dataclass
from pathlib import Path

from donuts_referee.competition.chain import SEALED, ChainedReader, read_seal, root
from donuts_referee.competition.description import FILE, Description, read_description
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.state import Game, Roster, ScheduleFault, State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import BadLine, ReadFault
from donuts_referee.records.journal import Torn

__all__ = ["Kept", "fold", "read_event"]


@dataclass(frozen=True, slots=True)
class Kept:
    """What the folder of an event holds."""

    description: Description
    state: State
    timetable: Timetable
    entries: int
    """lines of the journal that count"""
    chain: str
    """the link of the last line"""
    torn: tuple[Torn, ...]
    """lines that were never finished, which were skipped"""
    last: str | None
    """id of the last game"""

    @property
    def versions(self) -> dict[str, str | None]:
        """What each bot's author calls the version that plays now, as far as the event's file says."""
        found = {bot.name: bot.version for bot in self.description.bots}
        found.update((bot.name, bot.version) for bot in self.state.changed().values())
        return found

    @property
    def games(self) -> int:
        """Finished games, the void ones among them."""
        return self.state.games

    @property
    def voids(self) -> int:
        """Void games."""
        return self.state.voids


def read_event(folder: Path) -> Kept:
    """The event that is kept in `folder`. Raises ReadFault, and BadLine at the first line that does not hold."""
    return fold(folder, read_description(folder))


def fold(folder: Path, description: Description) -> Kept:
    """The journal in `folder`, read as that of the event described. Raises as `read_event`."""
    path = folder / JOURNAL
    names = tuple(bot.name for bot in description.bots)
    state = State(names, replays=description.replays, limit=description.crash_limit)
    try:
        reader = ChainedReader(path, root((folder / FILE).read_bytes()))
    except OSError as error:
        raise ReadFault.of(folder / FILE, error) from error
    seal = read_seal(folder)
    last: str | None = None
    if path.exists():
        for entry in reader:
            place = f"{path}:{entry.line}"
            if isinstance(entry.what, Roster):
                state.change(entry.what)
            else:
                head = entry.what
                last = head.id
                if head.place is None or head.place.event != description.id:
                    raise BadLine(
                        place, f"not a game of the event {description.id}", "restore the line from a copy"
                    )
                try:
                    state.count(Game(head.place, head.x.bot, head.o.bot, head.verdict))
                except ScheduleFault as fault:
                    raise BadLine(place, str(fault), "restore the journal from a copy") from fault
            if seal is not None and reader.entries == seal.entries and entry.chain != seal.chain:
                raise BadLine(
                    place, f"{SEALED} names another line at this place", "restore the journal from a copy"
                )
    if seal is not None and reader.entries < seal.entries:
        raise ReadFault(
            f"{path}: {seal.entries - reader.entries} of {seal.entries} lines are gone from its end "
            f"({SEALED} knows of them); restore the journal from a copy"
        )
    timetable = Timetable(lambda: schedule_of(description.format, description.seed, state), state)
    try:
        timetable.catch_up()
    except ScheduleFault as fault:
        raise ReadFault(f"{path}: {fault}; restore journal and event.json from a copy") from fault
    return Kept(description, state, timetable, reader.entries, reader.chain, reader.torn, last)
