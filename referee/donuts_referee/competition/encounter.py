"""What a schedule is made of: encounters, byes, and the results that decide what comes next.

An encounter is two bots on one opening, played once with each bot as x: leg 1, in which `first` is x, and leg 2 with
sides swapped. It is named by its number, its place in the schedule; the schedule is a function of the event, its seed
and what the journal holds, so the number alone says who met whom on which board.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeAlias

__all__ = ["LEGS", "Bye", "Due", "Duel", "Encounter", "Leg", "Schedule", "Tables"]

LEGS = (1, 2)


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two bots that are to meet; bots by their names in the event."""

    number: int
    """from 1, without gaps, in the order of the schedule; it also picks the opening"""
    round: int
    """from 1; what a round is, the format says"""
    first: str
    """x in leg 1"""
    second: str
    label: str = ""
    """what people call it where the format has names for it: `semifinal`, `tie-break 1`"""


@dataclass(frozen=True, slots=True)
class Bye:
    """A bot that has no opponent in a round; it counts as an encounter won."""

    round: int
    bot: str


Due: TypeAlias = Encounter | Bye | None
"""What a schedule yields next; None: what comes next depends on results that are not in yet."""

Schedule: TypeAlias = Iterator[Due]


class Leg(NamedTuple):
    """One game as it counts."""

    x: str
    o: str
    winner: str
    """x, o, - (draw), or "" (no points for either: both at fault again and again)"""
    why: str
    """the code of its verdict, or `walkover`: not played, since a bot was withdrawn or benched"""
    fault: str | None = None
    """the side at fault: x, o, xo or None"""

    @property
    def played(self) -> bool:
        """False for a walkover, which counts for points and not for strength."""
        return self.why != "walkover"

    def points(self, bot: str) -> float:
        """1, 0.5 or 0 for `bot`."""
        if self.winner == "-":
            return 0.5
        return float(bool(self.winner) and bot == (self.x if self.winner == "x" else self.o))


class Duel(NamedTuple):
    """An encounter that is settled: both legs as they count."""

    encounter: Encounter
    legs: tuple[Leg, Leg]

    def points(self, bot: str) -> float:
        """0 to 2 for `bot`."""
        return self.legs[0].points(bot) + self.legs[1].points(bot)


class Tables(Protocol):
    """What a schedule may look at. All of it is a function of numbers, never of the time at which a game ended."""

    @property
    def frontier(self) -> int:
        """Every encounter up to this number is settled; 0 at first."""
        ...

    @property
    def highest(self) -> int:
        """The highest number of which there is a game, settled or not; 0 at first.

        It is no function of numbers: it may save work, and must not decide who meets whom.
        """
        ...

    def entrants(self, number: int, known: int) -> tuple[str, ...]:
        """The bots that may play encounter `number`, in order of entry, as far as results up to encounter `known` say.

        The operator's entries and withdrawals count from the number they were made at. A bot that was benched in
        encounter k <= `known` is missing. `known` is at most `frontier`, and a function of `number`, so that a schedule
        that is unrolled again after a restart, with all results at hand, asks for the same.
        """
        ...

    def joined(self, bot: str) -> int:
        """The first encounter number that `bot` could take part in: 1, or later for a bot that was added."""
        ...

    def duel(self, number: int) -> Duel | None:
        """How encounter `number` came out; None while it is not settled."""
        ...
