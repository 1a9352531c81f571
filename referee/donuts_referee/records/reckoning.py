"""The arithmetic of the clock, turn by turn, as the rules of DBP-8 make it from what each turn used.

From a record it is exact to the nanosecond. A PGN file tells whole milliseconds, so that an overrun, and with it a
margin that is nearly used up, may be off by one.
"""

from collections.abc import Iterator
from typing import NamedTuple

from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.clock import MS, Allowance, SideClock
from donuts_referee.table.control import TimeControl

__all__ = ["Due", "Reckoning", "due", "reckon"]


class Reckoning(NamedTuple):
    """One turn: ms, but for what is named `_ns`."""

    ply: int
    side: str
    before: int
    """on the clock before the increment"""
    inc: int
    clock: int
    limit: int
    margin: int
    overrun_before_ns: int
    """by which the side had overrun its limits in the game so far"""
    used_ns: int
    overrun_ns: int
    spent: int
    left: int
    flagged: bool
    unlimited: bool
    per_move: bool


class Due(NamedTuple):
    """What a turn says of time: the mover's allowance, ms on the other clock, ms charged for the mover's last move."""

    allowed: Allowance
    oclock: int
    spent: int


def reckon(record: Record) -> tuple[Reckoning, ...]:
    """The arithmetic of every turn of a record, in order."""
    control = _control(Sheet.of(record))
    clocks = {"x": SideClock(control), "o": SideClock(control)}
    overruns = {"x": 0, "o": 0}
    told: list[Reckoning] = []
    for turn in record.turns:
        clock = clocks[turn.side]
        before = clock.left
        allowed = clock.begin()
        charge = clock.charge(turn.used)
        overrun = 0 if control.unlimited else max(0, turn.used - allowed.limit * MS)
        told.append(
            Reckoning(
                ply=turn.ply,
                side=turn.side,
                before=before,
                inc=control.inc,
                clock=allowed.clock,
                limit=allowed.limit,
                margin=allowed.margin,
                overrun_before_ns=overruns[turn.side],
                used_ns=turn.used,
                overrun_ns=overrun,
                spent=charge.spent,
                left=charge.left,
                flagged=charge.flagged or _is_timeout(record, turn.ply),
                unlimited=control.unlimited,
                per_move=control.per_move,
            )
        )
        overruns[turn.side] += overrun
    return tuple(told)


def due(sheet: Sheet, record: Record | None, ply: int) -> Due:
    """What the turn of ply `ply` says of time, after all the turns before it."""
    control = _control(sheet)
    clocks = {"x": SideClock(control), "o": SideClock(control)}
    for past, used in _used(sheet, record):
        if past < ply:
            clock = clocks["xo"[past % 2]]
            clock.begin()
            clock.charge(used)
    mover, other = clocks["xo"[ply % 2]], clocks["ox"[ply % 2]]
    spent = mover.spent
    return Due(mover.begin(), other.left, spent)


def _used(sheet: Sheet, record: Record | None) -> Iterator[tuple[int, int]]:
    if record is not None:
        yield from ((turn.ply, turn.used) for turn in record.turns)
    else:
        for ply, mark in enumerate(sheet.marks):
            if mark is not None and mark.clock is not None:
                yield ply, mark.spent * MS


def _control(sheet: Sheet) -> TimeControl:
    c = sheet.conditions
    return TimeControl(c.main, c.inc, c.movemax, c.margin, c.prep)


def _is_timeout(record: Record, ply: int) -> bool:
    return record.verdict.why == "timeout" and record.turns[-1].ply == ply
