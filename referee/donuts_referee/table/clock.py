"""One side's clock: what a move is allowed, what it is charged, when the flag falls (DBP-8).

Pure arithmetic. Allowances are whole ms, as sent to the bot; times used are ns, as measured. Nothing here asks what
time it is.
"""

from typing import NamedTuple

from donuts_protocol.keys import NO_LIMIT
from donuts_referee.table.control import TimeControl

MS = 1_000_000
"""Nanoseconds in a millisecond."""

MARGINS_PER_GAME = 5
"""How many whole margins a side can use up in one game (DBP-8)."""


class Allowance(NamedTuple):
    """What the coming move is allowed, in ms, and the same as one sum in ns (None: no limit)."""

    clock: int
    limit: int
    margin: int
    budget: int | None

    def owed(self, used: int) -> tuple[int, int]:
        """What an answer that was readable when the wait ended has used, and by how much the referee was late, in ns.

        Beyond limit and margin it was the referee that was not scheduled, not the bot that was slow (DBP-8.9).
        """
        if self.budget is None or used <= self.budget:
            return used, 0
        return self.budget, used - self.budget


class Charge(NamedTuple):
    """What a move was charged: whole ms, the ms then left, and whether the flag fell."""

    spent: int
    left: int
    flagged: bool


class SideClock:
    """The clock of one side in one game."""

    __slots__ = (
        "_allowed",
        "_inc",
        "_margin",
        "_movemax",
        "_overrun",
        "_per_move",
        "_unlimited",
        "left",
        "spent",
    )

    def __init__(self, control: TimeControl) -> None:
        self._inc = control.inc
        self._margin = control.margin
        self._movemax = control.movemax
        self._per_move = control.per_move
        self._unlimited = control.unlimited
        self._overrun = 0
        self._allowed = Allowance(0, 0, 0, 0)
        self.left = control.inc if control.per_move else control.main
        """ms on the clock, the next increment not included; what the opponent sees as `oclock`"""
        self.spent = 0
        """ms charged for the last move"""

    def begin(self) -> Allowance:
        """Add the increment and say what the coming move is allowed."""
        margin = self._margin
        if self._overrun:
            margin = min(margin, max(0, (MARGINS_PER_GAME * margin * MS - self._overrun) // MS))
        if self._unlimited:
            self._allowed = allowed = Allowance(NO_LIMIT, NO_LIMIT, margin, None)
            return allowed
        self.left = limit = clock = self._inc if self._per_move else self.left + self._inc
        if self._movemax is not None and self._movemax < limit:
            limit = self._movemax
        self._allowed = allowed = Allowance(clock, limit, margin, (limit + margin) * MS)
        return allowed

    def charge(self, used: int) -> Charge:
        """Charge the `used` ns of the move that `begin` allowed; the flag falls when they exceed limit + margin."""
        clock, limit, _, budget = self._allowed
        if budget is None:
            return Charge(0, clock, False)
        if used > limit * MS:
            self._overrun += used - limit * MS
        self.spent = spent = used // MS
        if not self._per_move:
            clock = clock - spent if spent < clock else 0
        self.left = clock
        return Charge(spent, clock, used > budget)
