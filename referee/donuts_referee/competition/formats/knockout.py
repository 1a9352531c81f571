"""Knockout: who loses a pairing is out; the list is the seeding, 1 against the last, so that 1 and 2 meet in the final.

Where bots are no power of two the best have a bye in round 1; bots that are added later cannot enter. A pairing is
`encounters` encounters. While it stands level, tie-break encounters follow, one at a time, then up to `SUDDEN` more of
sudden death, until one is won, 1.5 : 0.5 or better; if none is, the better seed goes on. So it does where neither of
the two is there any more; where one is gone the other wins by walkover. Every round ends before the next begins.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from donuts_referee.competition.encounter import Bye, Encounter, Schedule, Tables
from donuts_referee.competition.event import Knockout
from donuts_referee.competition.formats.waiting import duel_of, settled

__all__ = ["SUDDEN", "THIRD", "Bracket", "Pairing", "is_tie_break", "schedule", "seeding"]

SUDDEN = 20
"""The most encounters of sudden death."""

STEP = ", "
"""What parts the stage from the tie-break in the label of an encounter."""

THIRD = 3
"""The `size` of the pairing for the third place."""


@dataclass(slots=True)
class Pairing:
    """Two bots of whom one goes on."""

    size: int
    """bots that are in at this stage: 2 for the final, and `THIRD` for the third place"""
    label: str
    better: str
    """of the two the one that is earlier in the list"""
    other: str
    numbers: list[int] = field(default_factory=list)
    """its encounters, tie-breaks among them"""
    winner: str | None = None
    """None while it is open"""
    how: str = ""
    """what decided it: `points`, `walkover`, `tie-break 1`, `sudden death 3`, `better seed`"""

    @property
    def loser(self) -> str:
        """Who does not go on, once that is decided."""
        return self.other if self.winner == self.better else self.better


def schedule(format: Knockout, tables: Tables) -> Schedule:
    """See `Bracket.schedule`."""
    return Bracket(format, tables).schedule()


def seeding(bots: int) -> list[int]:
    """Seeds from 1 up to a power of two, in the order of the bracket: neighbours meet, then the winners of neighbours.

    It is the least power of two that is enough; seeds beyond `bots` are byes.
    """
    order = [1]
    while len(order) < bots:
        order = [seed for each in order for seed in (each, 2 * len(order) + 1 - each)]
    return order


def is_tie_break(label: str) -> bool:
    """Whether an encounter of this label is there because its pairing stood level: a tie-break, or sudden death."""
    return STEP in label


class Bracket:
    """The pairings of a knockout as they come; `schedule` is to be walked through once."""

    def __init__(self, format: Knockout, tables: Tables) -> None:
        self.seeds: tuple[str, ...] = ()
        """who is in it"""
        self.pairings: list[Pairing] = []
        """in order; decided where they have a winner"""
        self._format = format
        self._tables = tables
        self._number = 0

    def schedule(self) -> Schedule:
        """Encounters, stage by stage, and the byes of the first."""
        self.seeds = self._tables.entrants(1, 0)
        places: list[str | None] = [
            self.seeds[seed - 1] if seed <= len(self.seeds) else None for seed in seeding(len(self.seeds))
        ]
        round = 0
        while len(places) > 1:
            round += 1
            twos = [(places[at], places[at + 1]) for at in range(0, len(places), 2)]
            stage = [self._pairing(one, other, len(places)) for one, other in twos]
            pairings = [*self._third(len(places)), *(pairing for pairing in stage if pairing is not None)]
            self.pairings += pairings
            for _ in range(self._format.encounters):
                yield from self._wave(pairings, round)
            for one, other in twos:
                bot = one or other
                if bot is not None and None in (one, other):
                    yield Bye(round, bot)
            yield from self._decide(pairings, round)
            places = [
                one or other if pairing is None else pairing.winner
                for (one, other), pairing in zip(twos, stage, strict=True)
            ]

    def _pairing(self, one: str | None, other: str | None, size: int) -> Pairing | None:
        if one is None or other is None:
            return None
        better, worse = sorted((one, other), key=self.seeds.index)
        return Pairing(size, _label(size), better, worse)

    def _third(self, size: int) -> list[Pairing]:
        """The pairing for the third place, of those who lost a semifinal, beside the final."""
        losers = [pairing.loser for pairing in self.pairings if pairing.size == 4]
        if size != 2 or not self._format.third_place or len(losers) != 2:
            return []
        better, worse = sorted(losers, key=self.seeds.index)
        return [Pairing(THIRD, "third place", better, worse)]

    def _wave(self, pairings: Sequence[Pairing], round: int, step: str = "") -> Iterator[Encounter]:
        """One encounter of each pairing, with the other one first than in the last."""
        for pairing in pairings:
            self._number += 1
            first, second = (pairing.better, pairing.other)[:: -1 if len(pairing.numbers) % 2 else 1]
            pairing.numbers.append(self._number)
            label = f"{pairing.label}{STEP}{step}" if step else pairing.label
            yield Encounter(self._number, round, first, second, label)

    def _decide(self, pairings: Sequence[Pairing], round: int) -> Schedule:
        """Wait for a stage, and play on where it is level."""
        yield from settled(self._tables, self._number)
        level = self._still_level(pairings, "points")
        for step in _steps(self._format.tie_breaks):
            here = self._tables.entrants(self._number + 1, self._number)
            level = [pairing for pairing in level if pairing.better in here or pairing.other in here]
            if not level:
                break
            yield from self._wave(level, round, step)
            yield from settled(self._tables, self._number)
            level = self._still_level(level, step)
        for pairing in pairings:
            if pairing.winner is None:
                pairing.winner, pairing.how = pairing.better, "better seed"

    def _still_level(self, pairings: Sequence[Pairing], step: str) -> list[Pairing]:
        """Give their winner to the pairings that have one now; the others."""
        for pairing in pairings:
            duels = [duel_of(self._tables, number) for number in pairing.numbers]
            lead = sum(duel.points(pairing.better) - duel.points(pairing.other) for duel in duels)
            if lead:
                pairing.winner = pairing.better if lead > 0 else pairing.other
                played = any(leg.played for duel in duels for leg in duel.legs)
                pairing.how = step if played else "walkover"
        return [pairing for pairing in pairings if pairing.winner is None]


def _label(size: int) -> str:
    return {2: "final", 4: "semifinal"}.get(size, f"round of {size}")


def _steps(tie_breaks: int) -> Iterator[str]:
    yield from (f"tie-break {each}" for each in range(1, tie_breaks + 1))
    yield from (f"sudden death {each}" for each in range(1, SUDDEN + 1))
