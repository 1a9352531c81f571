"""An event whose games take no time: results by number, and arrivals, restarts and changes as a test wants them."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from donuts_referee.competition.encounter import Bye, Encounter
from donuts_referee.competition.event import Format
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.formats.ranking import Ranked, last_counted, ranking
from donuts_referee.competition.state import Game, Roster, State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.records.record import Place
from donuts_referee.table.finished import Verdict

Play = Callable[[Encounter, int], Verdict]
"""How a leg of an encounter ends."""

X = Verdict(winner="x", why="five", text="")
O = Verdict(winner="o", why="five", text="")  # noqa: E741
DRAW = Verdict(winner="-", why="group", text="")


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{each:03d}" for each in range(1, count + 1))


def by_chance(salt: int, draws: int = 20, crashers: Sequence[str] = (), voids: int = 0) -> Play:
    """Any result, a function of the game; `crashers` crash in half of theirs; `voids` % of games void for both."""

    def play(encounter: Encounter, leg: int) -> Verdict:
        x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
        chance = int.from_bytes(
            sha256(f"{salt} {encounter.number} {leg} {x} {o}".encode()).digest()[:8], "big"
        )
        lot, rest = chance % 100, chance // 100
        for side, bot in (("x", x), ("o", o)):
            if bot in crashers and rest % 4 < 2:
                return Verdict(winner="o" if side == "x" else "x", why="crash", text="", fault=side)
            rest //= 4
        if rest % 100 < voids:
            return Verdict(winner="-", why="illegal", text="", fault="xo", void=True)
        return DRAW if lot < draws else X if lot % 2 else O

    return play


def by_name(encounter: Encounter, leg: int) -> Verdict:
    """Who is earlier in the alphabet wins."""
    x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
    return X if x < o else O


@dataclass
class Event:
    """An event under way; `state` and `timetable` are made anew by `restart`."""

    format: Format
    bots: tuple[str, ...]
    play: Play
    changes: tuple[Roster, ...] = ()
    seed: int = 1
    limit: int | None = 3
    replays: int = 0
    journal: list[Game | Roster] = field(default_factory=list)
    taken: dict[int, Encounter] = field(default_factory=dict)
    """every encounter that was ever handed out"""

    def __post_init__(self) -> None:
        self.restart()

    def restart(self) -> None:
        """Begin again with nothing but the journal."""
        self.state = State(self.bots, replays=self.replays, limit=self.limit)
        for entry in self.journal:
            if isinstance(entry, Roster):
                self.state.change(entry)
            else:
                self.state.count(entry)
        self.timetable = Timetable(lambda: schedule_of(self.format, self.seed, self.state), self.state)
        self.open: list[tuple[Encounter, int]] = []
        while self.timetable.number < self.state.highest and (encounter := self.timetable.next()):
            self._take(encounter)

    def _take(self, encounter: Encounter) -> None:
        assert self.taken.setdefault(encounter.number, encounter) == encounter
        self.open += [(encounter, leg) for leg in self.state.missing(encounter)]

    def run(self, rng: random.Random, concurrency: int, restarts: float = 0.0, most: int = 10**9) -> None:
        """Play to the end, or until `most` encounters were handed out."""
        while True:
            self._hand_out(concurrency, most)
            if not self.open:
                # whatever was handed out is settled: a schedule that waits now waits for ever
                assert self.timetable.over or self.timetable.number >= most
                return
            if rng.random() < restarts:
                self.restart()
                continue
            encounter, leg = self.open.pop(rng.randrange(len(self.open)))
            if leg not in self.state.missing(encounter):
                continue  # walked over meanwhile
            self._keep(encounter, leg)

    def _hand_out(self, concurrency: int, most: int) -> None:
        while len(self.open) < 2 * concurrency and self.timetable.number < most:
            self._change()
            encounter = self.timetable.next()
            if encounter is None:
                return
            self._take(encounter)

    def _change(self) -> None:
        """The changes whose number is next, as an operator would make them at this moment."""
        for change in self.changes:
            if change.start == self.timetable.number + 1 and change not in self.journal:
                self.journal.append(change)
                self.state.change(change)
                self.timetable.again()

    def _keep(self, encounter: Encounter, leg: int) -> None:
        x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
        place = Place(event="e", encounter=encounter.number, round=encounter.round, leg=leg)
        game = Game(place, x, o, self.play(encounter, leg))
        self.journal.append(game)
        self.state.count(game)

    def encounters(self) -> list[Encounter]:
        """All that were handed out, by number."""
        return [self.taken[number] for number in sorted(self.taken)]

    def ranking(self) -> tuple[Ranked, ...]:
        return ranking(self.format, self.state, last_counted(self.format, self.state))

    def byes(self) -> tuple[Bye, ...]:
        return self.state.byes()


def played(format: Format, bots: int, play: Play = by_name, **more: object) -> Event:
    """An event played to its end, one game after the other."""
    event = Event(format, names(bots), play, **more)  # type: ignore[arg-type]
    event.run(random.Random(1), 1)
    return event
