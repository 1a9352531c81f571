"""Adds games up for the pages: won, drawn and lost by side and by opponent, faults by kind."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from donuts_referee.competition.encounter import Leg

__all__ = ["Account", "Score", "Tally"]


@dataclass(slots=True)
class Score:
    """Games of one bot; those that nobody won (both at fault) are lost for either."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def games(self) -> int:
        """How many there are."""
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> float:
        """1 for a game won, 0.5 for a draw."""
        return self.won + self.drawn / 2

    def count(self, leg: Leg, side: str) -> None:
        """Add a game in which the bot was `side`."""
        if leg.winner == side:
            self.won += 1
        elif leg.winner == "-":
            self.drawn += 1
        else:
            self.lost += 1

    def __add__(self, other: "Score") -> "Score":
        return Score(self.won + other.won, self.drawn + other.drawn, self.lost + other.lost)


@dataclass(slots=True)
class Account:
    """What one bot did."""

    x: Score = field(default_factory=Score)
    o: Score = field(default_factory=Score)
    against: dict[str, Score] = field(default_factory=dict)
    """by opponent"""
    walkovers: float = 0.0
    """points for games that were not played, since the other was gone"""
    missed: int = 0
    """games lost without being played, since it was gone"""
    faults: Counter[str] = field(default_factory=Counter)
    """by kind; void games too"""

    @property
    def all(self) -> Score:
        """Both sides together."""
        return self.x + self.o

    @property
    def points(self) -> float:
        """All points."""
        return self.all.points + self.walkovers


class Tally:
    """The accounts of all bots, in the order in which they were named first."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self.accounts: dict[str, Account] = {name: Account() for name in names}

    def of(self, bot: str) -> Account:
        """The account of `bot`, opened where there is none yet."""
        account = self.accounts.get(bot)
        if account is None:
            account = self.accounts[bot] = Account()
        return account

    def count(self, leg: Leg) -> None:
        """Add one game as it counts."""
        x, o = self.of(leg.x), self.of(leg.o)
        if not leg.played:
            for account, bot in ((x, leg.x), (o, leg.o)):
                account.walkovers += leg.points(bot)
                account.missed += not leg.points(bot)
            return
        x.x.count(leg, "x")
        o.o.count(leg, "o")
        x.against.setdefault(leg.o, Score()).count(leg, "x")
        o.against.setdefault(leg.x, Score()).count(leg, "o")

    def blame(self, bot: str, why: str) -> None:
        """Note a fault of `bot`."""
        self.of(bot).faults[why] += 1
