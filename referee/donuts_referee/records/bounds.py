"""Refuses a record whose values no game can have: sides that there are not, negative or absurd numbers.

The decoder has checked the types by then. What is left to `verify` is whether the game holds by the rules; it, and all
that reckons with a record or sends its numbers to a bot, may rely on what is checked here.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import ValidationError

from donuts_engine.squares import SIZES
from donuts_protocol.keys import MAX_INT
from donuts_referee.table.finished import Verdict

if TYPE_CHECKING:
    from donuts_referee.records.record import Record

__all__ = ["LAST_SECOND", "MAX_TIME", "check", "check_verdict"]

MAX_TIME = 10**12
"""ms, thirty years; so many for each of 81 moves still have room in an integer of the protocol."""

MAX_USED = 2**63 - 1
"""ns"""

LAST_SECOND = 253_402_300_799
"""Unix time of the end of the year 9999, beyond which a calendar does not go."""


def check(record: "Record") -> None:
    """Look at every value of the record that has bounds; ValidationError names the first that is outside of them."""
    if record.size not in SIZES:
        raise ValidationError(f"size is {record.size}; boards have 6 or 9 squares per edge")
    check_verdict(record.verdict)
    for place, value, low, high in _numbers(record):
        if value is not None and not low <= value <= high:
            raise ValidationError(f"{place} is {value}; it lies between {low} and {high}")
    for at, turn in enumerate(record.turns):
        if turn.side not in ("x", "o"):
            raise ValidationError(f"turns[{at}].side is {turn.side[:20]!a}; the sides are x and o")


def check_verdict(verdict: Verdict) -> None:
    """The sides that a verdict names; ValidationError when there are no such."""
    if verdict.winner not in ("x", "o", "-"):
        raise ValidationError(f"verdict.winner is {verdict.winner[:20]!a}; it is x, o or -")
    if verdict.fault not in (None, "x", "o", "xo"):
        raise ValidationError(f"verdict.fault is {verdict.fault[:20]!a}; it is x, o, xo or null")


_Bound = tuple[str, float | None, float, float]


def _numbers(record: "Record") -> Iterator[_Bound]:
    yield "number", record.number, 1, MAX_INT
    yield "started", record.started, 0, LAST_SECOND
    yield "seconds", record.seconds, 0, MAX_TIME
    yield "board", record.board, 0, MAX_INT
    yield "rings", record.rings, 1, 40
    yield "seed", record.seed, 0, MAX_INT
    conditions = record.conditions
    for name in ("main", "inc", "movemax", "margin", "prep"):
        yield f"conditions.{name}", getattr(conditions, name), 0, MAX_TIME
    for at, turn in enumerate(record.turns):
        place = f"turns[{at}]"
        yield f"{place}.ply", turn.ply, 0, 80
        yield f"{place}.id", turn.id, 0, MAX_INT
        for name in ("limit", "margin", "spent", "clock"):
            yield f"{place}.{name}", getattr(turn, name), 0, MAX_INT
        for name in ("used", "lateness"):
            yield f"{place}.{name}", getattr(turn, name), 0, MAX_USED
        yield f"{place}.eval", turn.eval, 0, 1000
