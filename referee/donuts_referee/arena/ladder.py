"""The ladder: a row for each version of each bot, its games counted and its strength rated as results come in.

Ratings are openskill's (Bradley-Terry, two sides), shown on a scale that chess players know: everyone begins at 1500,
and of two settled bots 400 points apart the stronger is expected to score ten to one. The same results in the
same order give the same ladder, so that a server can fold its journal anew after a restart and go on.
"""

import math
from typing import TYPE_CHECKING, Literal, NamedTuple

import msgspec
from msgspec import Struct

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

__all__ = ["FEW", "WIDE", "Ladder", "LadderFault", "Outcome", "Row", "RowKey"]

MU = 25.0
SIGMA = 25.0 / 3
"""openskill's own beginning of a bot of which nothing is known"""

BETA = 25.0 / 6
"""openskill's spread of a bot's performance from game to game"""

TAU = 25.0 / 600
"""What a game adds to the uncertainty; half of openskill's, because a version of a bot does not grow stronger."""

POINTS = 400 / (math.log(10) * math.sqrt(2) * BETA)
"""Points of the scale for one of mu: two bots without uncertainty differ by a factor of e in their odds when their mu
differ by sqrt(2) beta, and by a factor of ten when they are 400 points apart."""

FEW = 30
"""With fewer games than these a rating is provisional."""

WIDE = 300.0
"""With a deviation of more points than these a rating is provisional."""


class LadderFault(Exception):
    """There can be no ladder; the text is one line with the remedy."""


class RowKey(NamedTuple):
    """What a row stands for."""

    seat: str
    """the name of the seat, or that which the operator gave the bot"""
    ver: str = ""
    """the version the bot named; "" when it named none"""


class Row(Struct, frozen=True, kw_only=True):
    """A row: counted games and the rating they gave."""

    key: RowKey
    mu: float = MU
    sigma: float = SIGMA
    games: int = 0
    """without the void ones; wins + draws + losses"""
    wins: int = 0
    draws: int = 0
    losses: int = 0
    faults: int = 0
    """of these games, those that ended by a fault of this bot"""
    voids: int = 0
    """games that did not count"""

    @property
    def rating(self) -> float:
        """What is expected of the bot, in points; 1500 is where everyone begins."""
        return 1500 + POINTS * (self.mu - MU)

    @property
    def deviation(self) -> float:
        """Points up and down within which the strength lies with about 95 %: two sigma."""
        return 2 * POINTS * self.sigma

    @property
    def score(self) -> float | None:
        """The share of the points, 0..1, a draw being half of one; None before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def provisional(self) -> bool:
        """True while the rating rests on too little: fewer than `FEW` games, or more than `WIDE` points either way."""
        return self.games < FEW or self.deviation > WIDE


class Outcome(NamedTuple):
    """What the ladder is told of a game."""

    x: RowKey
    o: RowKey
    winner: Literal["x", "o", "-"]
    void: bool = False
    fault: Literal["x", "o", "xo"] | None = None
    """the side or sides whose fault ended the game"""


class Ladder:
    """The rows; raises LadderFault where openskill is not installed."""

    def __init__(self) -> None:
        self._model = _model()
        self._rows: dict[RowKey, Row] = {}
        self._latest: dict[str, RowKey] = {}

    def row(self, key: RowKey) -> Row:
        """The row as it is now; of a row that has no game yet, as it would begin.

        The first version of a seat begins at 1500, a new one with the latest rating of its seat, both with the widest
        deviation.
        """
        known = self._rows.get(key)
        if known is not None:
            return known
        before = self.latest(key.seat)
        return Row(key=key, mu=MU if before is None else self._rows[before].mu)

    def latest(self, seat: str) -> RowKey | None:
        """The version with which this seat played last; None before its first game."""
        return self._latest.get(seat)

    def count(self, outcome: Outcome) -> None:
        """Count a game that ended just now; a void one counts in `voids` alone, on both rows.

        A game of a row with itself is counted as two, won and lost or both drawn, and rates nothing.
        """
        for key in (outcome.x, outcome.o):
            self._rows[key] = self.row(key)
            self._latest[key.seat] = key
        if outcome.void:
            for key in (outcome.x, outcome.o):
                row = self._rows[key]
                self._rows[key] = msgspec.structs.replace(row, voids=row.voids + 1)
            return
        if outcome.x != outcome.o:
            self._rate(outcome)
        self._tally(outcome, "x")
        self._tally(outcome, "o")

    def standings(self) -> list[Row]:
        """The rows that have a game: first those whose rating is settled, then the provisional ones, each by rating.

        Equal ratings stand in the order of more games, then of the key; so the order is the same every time.
        """
        return sorted(
            (row for row in self._rows.values() if row.games),
            key=lambda row: (row.provisional, -row.mu, -row.games, row.key),
        )

    def _rate(self, outcome: Outcome) -> None:
        x, o = self._rows[outcome.x], self._rows[outcome.o]
        # openskill counts places: the lower the better
        ranks = {"x": [1.0, 2.0], "o": [2.0, 1.0], "-": [1.0, 1.0]}[outcome.winner]
        rating = self._model.rating
        (new_x,), (new_o,) = self._model.rate([[rating(x.mu, x.sigma)], [rating(o.mu, o.sigma)]], ranks=ranks)
        self._rows[outcome.x] = msgspec.structs.replace(x, mu=new_x.mu, sigma=new_x.sigma)
        self._rows[outcome.o] = msgspec.structs.replace(o, mu=new_o.mu, sigma=new_o.sigma)

    def _tally(self, outcome: Outcome, side: Literal["x", "o"]) -> None:
        key = outcome.x if side == "x" else outcome.o
        row = self._rows[key]
        self._rows[key] = msgspec.structs.replace(
            row,
            games=row.games + 1,
            wins=row.wins + (outcome.winner == side),
            draws=row.draws + (outcome.winner == "-"),
            losses=row.losses + (outcome.winner not in (side, "-")),
            faults=row.faults + (outcome.fault is not None and side in outcome.fault),
        )


def _model() -> "BradleyTerryFull":
    try:
        from openskill.models import BradleyTerryFull
    except ImportError:
        raise LadderFault("openskill is not installed: pip install openskill") from None
    return BradleyTerryFull(mu=MU, sigma=SIGMA, beta=BETA, tau=TAU)
