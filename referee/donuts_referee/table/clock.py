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


class Charge(NamedTuple):
    """What a move was charged: whole ms, the ms then left, and whether the flag fell."""

    spent: int
    left: int
    flagged: bool


class SideClock:
    """The clock of one side in one game."""

    __slots__ = ("_allowed", "_control", "_left", "_overrun", "spent")

    def __init__(self, control: TimeControl) -> None:
        self._control = control
        self._left = control.inc if control.per_move else control.main
        self._overrun = 0
        self.spent = 0
        """ms charged for the last move"""
        self._allowed = Allowance(0, 0, 0, 0)

    @property
    def left(self) -> int:
        """ms on the clock, the next increment not included; what the opponent sees as `oclock`."""
        return self._left

    def begin(self) -> Allowance:
        """Add the increment and say what the coming move is allowed."""
        control = self._control
        margin = min(control.margin, max(0, (MARGINS_PER_GAME * control.margin * MS - self._overrun) // MS))
        if control.unlimited:
            allowed = Allowance(NO_LIMIT, NO_LIMIT, margin, None)
        else:
            clock = control.inc if control.per_move else self._left + control.inc
            limit = clock if control.movemax is None else min(clock, control.movemax)
            allowed = Allowance(clock, limit, margin, (limit + margin) * MS)
        self._left = allowed.clock
        self._allowed = allowed
        return allowed

    def charge(self, used: int) -> Charge:
        """Charge the `used` ns of the move that `begin` allowed; the flag falls when they exceed limit + margin."""
        allowed = self._allowed
        if allowed.budget is None:
            return Charge(0, self._left, False)
        self._overrun += max(0, used - allowed.limit * MS)
        spent = used // MS
        self.spent = spent
        self._left = allowed.clock if self._control.per_move else max(0, allowed.clock - spent)
        return Charge(spent, self._left, used > allowed.budget)
