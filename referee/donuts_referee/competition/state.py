"""How far an event is: every game of its journal folded into encounters, and what follows from them.

All answers are functions of the set of games that have counted, never of the order in which they ended, so that a run
that was killed and resumed, or ran on ten machines, says the same as one that was not.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from sys import intern
from typing import NamedTuple

from donuts_referee.competition.encounter import LEGS, Bye, Duel, Encounter, Leg
from donuts_referee.competition.settled import SettledDuels
from donuts_referee.records.record import Place
from donuts_referee.table.finished import Verdict
from donuts_referee.table.game import POLICY

__all__ = ["Changed", "Game", "Roster", "ScheduleFault", "State"]

UNCOUNTED = frozenset({"abort", "referee"})
"""Void games of these kinds say nothing of the bots and are simply played again."""


class ScheduleFault(Exception):
    """The games that are kept are not those of the schedule; the text says which encounter and why."""


class Game(NamedTuple):
    """A finished game as it stands in the journal."""

    place: Place
    x: str
    o: str
    verdict: Verdict


class Changed(NamedTuple):
    """A bot as it is from now on: its author mended it, or it was added."""

    name: str
    version: str | None
    run: str = ""
    """what `description.started` says of its command"""


class Roster(NamedTuple):
    """Bots that the operator added, withdrew or had mended, from encounter `start` on."""

    start: int
    added: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    changed: tuple[Changed, ...] = ()
    """for the tables alone: no schedule asks for versions"""
    out: int | None = None
    """the first encounter that who is withdrawn gives away, where that is not `start`: it may be scheduled already, and
    not have begun"""


class _Meeting:
    """An encounter beyond the frontier of which something is known: it is scheduled, or played in part."""

    __slots__ = ("encounter", "legs", "names", "voids")

    def __init__(self) -> None:
        self.encounter: Encounter | None = None
        self.names: tuple[str, str] | None = None
        """x and o of leg 1, as the games say"""
        self.legs: list[Leg | None] = [None, None]
        self.voids = 0
        """counted void games of leg 1, plus 256 times those of leg 2"""


class State:
    """The fold; `limit`: faults of one bot after which it is benched, `replays`: of a leg that came out void."""

    def __init__(self, bots: tuple[str, ...], *, replays: int, limit: int | None) -> None:
        self.games = self.voids = 0
        """finished games, and those of them that were void"""
        self.highest = 0
        """the highest number of which there is a game"""
        self._replays = replays
        self._limit = limit
        self._joined = dict.fromkeys(bots, 1)
        self._withdrawn: dict[str, int] = {}
        self._out_from: dict[str, int] = {}
        self._benched: dict[str, int] = {}
        self._changed: dict[str, Changed] = {}
        self._faults: dict[str, int] = {}
        """faults of the kind that benches, in encounters up to the frontier"""
        self._pending: dict[int, set[tuple[int, str]]] = {}
        """legs and bots at such faults in encounters beyond the frontier; a leg that is played again counts once"""
        self._settled = SettledDuels()
        self._meetings: dict[int, _Meeting] = {}
        self._byes: list[Bye] = []
        self.asked = 0
        """the highest number that `entrants` was asked for"""
        self._kinds: dict[str, Counter[str]] = {}
        self._labels: Counter[str] = Counter()

    @property
    def frontier(self) -> int:
        """Every encounter up to this number is settled; 0 at first."""
        return len(self._settled)

    # --- what came in --------------------------------------------------------------------------------------------

    def schedule(self, encounter: Encounter) -> None:
        """The schedule has come to this encounter. Raises ScheduleFault where its number is another's."""
        number = encounter.number
        meeting = self._meeting(number) if number > self.frontier else None
        there = self._settled.encounter(number) if meeting is None else meeting.encounter
        if there is not None and there != encounter:
            before, now = (f"{each.first} - {each.second}" for each in (there, encounter))
            raise ScheduleFault(f"encounter {number} was {before} and is {now} when scheduled again")
        if meeting is None:
            return
        if there is None:
            self._labels[encounter.label] += 1
        meeting.encounter = encounter
        self._agree(encounter.number, meeting)
        self.advance()

    def give_bye(self, bye: Bye) -> None:
        """The schedule has given a bye."""
        self._byes.append(bye)

    def forget_byes(self) -> None:
        """The schedule is unrolled from its beginning again."""
        self._byes.clear()

    def count(self, game: Game) -> None:
        """One game of the journal. Raises ScheduleFault when it is no game of the schedule, or stands there twice."""
        number, leg = game.place.encounter, game.place.leg
        if number < 1 or leg not in LEGS:
            raise ScheduleFault(f"encounter {number}, leg {leg}: there is no such game in any schedule")
        self.highest = max(self.highest, number)
        names = (game.x, game.o) if leg == 1 else (game.o, game.x)
        if number <= self.frontier:
            self._count_late(game, names)
            return
        meeting = self._meeting(number)
        if meeting.names is None:
            meeting.names = names
        elif meeting.names != names:
            was = " - ".join(meeting.names)
            raise ScheduleFault(f"encounter {number} is {was} in one game and {' - '.join(names)} in another")
        self._agree(number, meeting)
        self._tally(game)
        verdict = game.verdict
        if verdict.void and verdict.why in UNCOUNTED:
            return
        if meeting.legs[leg - 1] is not None:
            raise ScheduleFault(f"leg {leg} of encounter {number} is there twice")
        self._note_faults(number, game)
        if verdict.void:
            step = 1 if leg == 1 else 256
            meeting.voids += step
            if meeting.voids // step % 256 <= self._replays:
                return
        winner = "" if verdict.void else verdict.winner
        if meeting.encounter is not None:  # its names are there already, those of the game need not be kept
            meeting.names = meeting.encounter.first, meeting.encounter.second
        names = meeting.names
        x, o = names[:: 1 if leg == 1 else -1]
        meeting.legs[leg - 1] = Leg(x, o, intern(winner), intern(verdict.why), verdict.fault)
        self.advance()

    def _count_late(self, game: Game, names: tuple[str, str]) -> None:
        """A game of a settled encounter: it was played ahead, and a walkover was given before it came in."""
        number, leg = game.place.encounter, game.place.leg
        encounter = self._settled.encounter(number)
        if names != (encounter.first, encounter.second):
            raise ScheduleFault(
                f"encounter {number} is {encounter.first} - {encounter.second}, not {' - '.join(names)}"
            )
        counts = not (game.verdict.void and game.verdict.why in UNCOUNTED)
        if counts and self._settled.legs(number)[leg - 1].played:
            raise ScheduleFault(f"leg {leg} of encounter {number} is there twice")
        self._tally(game)

    def change(self, roster: Roster) -> None:
        """The operator added or withdrew bots; who was withdrawn does not come back under the same name."""
        for bot in roster.added:
            self._joined.setdefault(bot, roster.start)
        for bot in roster.withdrawn:
            self._withdrawn.setdefault(bot, roster.start)
            self._out_from.setdefault(bot, roster.start if roster.out is None else roster.out)
        self._changed.update((changed.name, changed) for changed in roster.changed)
        self.advance()

    def _meeting(self, number: int) -> _Meeting:
        meeting = self._meetings.get(number)
        if meeting is None:
            meeting = self._meetings[number] = _Meeting()
        return meeting

    def _agree(self, number: int, meeting: _Meeting) -> None:
        encounter, names = meeting.encounter, meeting.names
        if encounter is not None and names is not None and names != (encounter.first, encounter.second):
            raise ScheduleFault(
                f"encounter {number} is {' - '.join(names)} in the journal, and {encounter.first} - {encounter.second} "
                "by the schedule"
            )

    def _tally(self, game: Game) -> None:
        verdict = game.verdict
        self.games += 1
        self.voids += verdict.void
        for side in verdict.fault or "":
            bot = game.x if side == "x" else game.o
            self._kinds.setdefault(bot, Counter())[verdict.why] += 1

    def _note_faults(self, number: int, game: Game) -> None:
        verdict = game.verdict
        if self._limit is not None and verdict.fault and verdict.why in POLICY:
            at_fault = {(game.place.leg, game.x if side == "x" else game.o) for side in verdict.fault}
            self._pending.setdefault(number, set()).update(at_fault)

    def advance(self) -> None:
        """Move the frontier over everything that is settled now."""
        while (
            meeting := self._meetings.get(self.frontier + 1)
        ) is not None and meeting.encounter is not None:
            number = self.frontier + 1
            if self._out(meeting.encounter, number):
                self._walk_over(meeting, meeting.encounter, number)
            one, two = meeting.legs
            if one is None or two is None:
                return
            self._settled.append(Duel(meeting.encounter, (one, two)))
            del self._meetings[number]
            for _, bot in sorted(self._pending.pop(number, ())):
                self._faults[bot] = self._faults.get(bot, 0) + 1
                if self._limit is not None and self._faults[bot] >= self._limit:
                    self._benched.setdefault(bot, number)

    def _out(self, encounter: Encounter, number: int) -> bool:
        return any(self._gone(bot, number) for bot in (encounter.first, encounter.second))

    def _gone(self, bot: str, number: int) -> bool:
        return self._out_from.get(bot, number + 1) <= number or self._benched.get(bot, number) < number

    def _walk_over(self, meeting: _Meeting, encounter: Encounter, number: int) -> None:
        """Who is there wins both legs; what was played after a bot was benched does not count (the frontier decides).

        A withdrawal counts from the moment it was made, so that a leg that was played before it stands.
        """
        here = [bot for bot in (encounter.first, encounter.second) if not self._gone(bot, number)]
        benched = any(self._benched.get(bot, number) < number for bot in (encounter.first, encounter.second))
        for leg in LEGS:
            x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
            if meeting.legs[leg - 1] is None or benched:
                winner = "" if not here else "x" if here[0] == x else "o"
                meeting.legs[leg - 1] = Leg(x, o, winner, "walkover")
        if benched:
            self._pending.pop(number, None)

    # --- what follows --------------------------------------------------------------------------------------------

    def entrants(self, number: int, known: int) -> tuple[str, ...]:
        """See `encounter.Tables`."""
        self.asked = max(self.asked, number)
        return tuple(
            bot
            for bot, joined in self._joined.items()
            if joined <= number
            and self._withdrawn.get(bot, number + 1) > number
            and self._benched.get(bot, known + 1) > known
        )

    def joined(self, bot: str) -> int:
        """See `encounter.Tables`."""
        return self._joined[bot]

    def duel(self, number: int) -> Duel | None:
        """How encounter `number` came out; None while it is not settled."""
        if number <= self.frontier:
            return self._settled.duel(number) if number > 0 else None
        meeting = self._meetings.get(number)
        if meeting is None or meeting.encounter is None or self._out(meeting.encounter, number):
            return None
        first, second = meeting.legs
        return None if first is None or second is None else Duel(meeting.encounter, (first, second))

    def duels(self) -> Iterator[Duel]:
        """Every settled encounter, by number."""
        for number in chain(range(1, self.frontier + 1), sorted(self._meetings)):
            duel = self.duel(number)
            if duel is not None:
                yield duel

    def legs(self) -> Iterator[tuple[int, Leg]]:
        """Every leg that counts with the number of its encounter, those of encounters played in part among them."""
        for number in range(1, self.frontier + 1):
            one, two = self._settled.legs(number)
            yield number, one
            yield number, two
        for number in sorted(self._meetings):
            for leg in self._meetings[number].legs:
                if leg is not None:
                    yield number, leg

    def unsettled(self) -> list[Encounter]:
        """The scheduled encounters of which legs are to be played, by number."""
        scheduled = [self._meetings[number].encounter for number in sorted(self._meetings)]
        return [each for each in scheduled if each is not None and self.missing(each)]

    def missing(self, encounter: Encounter) -> tuple[int, ...]:
        """The legs of a scheduled encounter that are to be played."""
        number = encounter.number
        if number <= self.frontier or self._out(encounter, number):
            return ()
        legs = self._meeting(number).legs
        return tuple(leg for leg in LEGS if legs[leg - 1] is None)

    def replays(self, number: int, leg: int) -> int:
        """How often a leg came out void so far, by the bots' own doing."""
        meeting = self._meetings.get(number)
        return 0 if meeting is None else meeting.voids // (1 if leg == 1 else 256) % 256

    def byes(self) -> tuple[Bye, ...]:
        """The byes that the schedule gave so far."""
        return tuple(self._byes)

    def names(self) -> tuple[str, ...]:
        """Every bot that ever took part, in order of entry."""
        return tuple(self._joined)

    def changed(self) -> Mapping[str, Changed]:
        """The bots that were added or mended, as they are now."""
        return self._changed

    def labels(self) -> Mapping[str, int]:
        """How many of the encounters that were scheduled so far have which label."""
        return self._labels

    def withdrawn(self) -> Mapping[str, int]:
        """The bots that the operator withdrew, with the number from which on."""
        return self._withdrawn

    def benched(self) -> Mapping[str, int]:
        """The bots that were benched, with the encounter whose fault was one too many."""
        return self._benched

    def faults(self) -> Mapping[str, Mapping[str, int]]:
        """For each bot with faults, how many games named it at fault, by kind; void games too."""
        return self._kinds
