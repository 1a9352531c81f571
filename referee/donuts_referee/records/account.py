"""Explains a verdict: its clause, what the bots said last, why a move was illegal, the clocks at the end."""

from typing import NamedTuple

from donuts_engine.notation import NotationError, index
from donuts_engine.position import Position
from donuts_engine.rules import refusal
from donuts_protocol.codes import WHY, Consequence
from donuts_referee.records.finding import FoundGame
from donuts_referee.records.reckoning import Reckoning, reckon
from donuts_referee.records.verify import replay
from donuts_referee.table.finished import Side, TakenTurn

__all__ = ["Account", "Illegal", "Witness", "account"]

LAST = 4
"""Turns at the end of a game whose answers are shown."""


class Illegal(NamedTuple):
    """A square that was answered and may not be filled: why not, and those that may."""

    sq: str
    reason: str
    legal: tuple[str, ...]


class Witness(NamedTuple):
    """What is known of one bot beside its answers."""

    letter: str
    side: Side
    at_fault: bool


class Account(NamedTuple):
    """Everything that explains how a game ended; of a game from PGN only the verdict is known."""

    clause: str
    """of SPEC.md; "" for a code that this version does not know"""
    meaning: str
    consequence: str
    answers: tuple[TakenTurn, ...]
    """the last turns, oldest first"""
    witnesses: tuple[Witness, ...]
    clocks: tuple[Reckoning, ...]
    """the last turn of each side, in order"""
    illegal: Illegal | None
    position: Position | None
    """in which the game ended; None when the moves cannot be played"""
    holds: bool


def account(found: FoundGame) -> Account:
    """The account of a game."""
    sheet, record = found.sheet, found.record
    code = WHY.get(sheet.why)
    played = replay(sheet, record)
    turns = () if record is None else record.turns
    return Account(
        clause=code.clause if code else "",
        meaning=code.meaning if code else "a code that this version does not know",
        consequence="void" if sheet.void else code.consequence.value if code else Consequence.NONE.value,
        answers=turns[-LAST:],
        witnesses=()
        if record is None
        else tuple(
            Witness(letter, side, letter in (sheet.fault or ""))
            for letter, side in (("x", record.x), ("o", record.o))
        ),
        clocks=() if record is None else _last_of_each(reckon(record)),
        illegal=_illegal(turns[-1], played.before(turns[-1].ply))
        if turns and sheet.why == "illegal"
        else None,
        position=played.last,
        holds=played.holds,
    )


def _last_of_each(told: tuple[Reckoning, ...]) -> tuple[Reckoning, ...]:
    last = {one.side: one for one in told}
    return tuple(sorted(last.values(), key=lambda one: one.ply))


def _illegal(turn: TakenTurn, position: Position | None) -> Illegal | None:
    if turn.sq is None or position is None:
        return None
    size = position.board.size
    try:
        reason = refusal(position, index(turn.sq, size))
    except NotationError:
        reason = f"{turn.sq} is off the {size} x {size} board"
    return Illegal(turn.sq, reason or "it is legal by the rules: the verdict is wrong", position.legal_names)
