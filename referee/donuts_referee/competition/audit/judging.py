"""Judges a kept game again, as far as its record can tell: the rules, the clocks, the answers, and who was at fault.

`records.verify` plays the moves over and reckons with the clocks. Here stands what a verdict must be beside that: the
shape that its code has, the ply and the turn it is about, and its sentence where it can be made again.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

import msgspec

from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_protocol.codes import WHY, Consequence
from donuts_referee.competition.description import Description
from donuts_referee.competition.oracle import FIRST_PLY, installed, proved
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.records.verify import Replay, replay
from donuts_referee.table import sentences
from donuts_referee.table.adjudication import ADJUDICATED, ruling
from donuts_referee.table.clock import MS, Allowance
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import TakenTurn, Verdict
from donuts_referee.table.game import POLICY
from donuts_referee.version import __version__

__all__ = ["judge"]

OTHER = {"x": "o", "o": "x"}

_PLY = re.compile(r"[a-z]+ at ply (\d{1,3}):", re.ASCII)
_RESIGNED = re.compile(r"resign at ply \d{1,3}: ([xo]) (?:gave up|said bye)", re.ASCII)


def judge(record: Record, description: Description | None = None) -> str | None:
    """The first thing in which the record does not hold, in one sentence; None when it holds.

    With the `description` of its event, its board, clock and policies must be those of the event.
    """
    played = replay(Sheet.of(record), record)
    if played.faults:
        return played.faults[0]
    for fault in _all(record, played, description):
        return fault
    return None


def _all(record: Record, played: Replay, description: Description | None) -> Iterator[str]:
    if description is not None:
        yield from _other_conditions(record, description)
    yield from _shape(record.verdict, description)
    yield from _turns(record)
    if played.last is not None:
        yield from _ending(record, played.last)
        yield from _proved(record, played.last)


def _other_conditions(record: Record, description: Description) -> Iterator[str]:
    c = record.conditions
    control = TimeControl(c.main, c.inc, c.movemax, c.margin, c.prep)
    for what, found, due in (
        ("size", record.size, description.size),
        ("rings", record.rings, description.rings),
        ("time control", str(control), description.tc),
        ("margin", c.margin, description.margin),
        ("adjudication", "" if c.adjudication is None else str(c.adjudication), description.adjudication),
    ):
        if found != due:
            yield f"{what} is {found or None}, but event.json says {due or None}"


def _shape(verdict: Verdict, description: Description | None) -> Iterator[str]:
    """A verdict of this code, whatever was played."""
    code = WHY.get(verdict.why)
    said = f"the verdict is {verdict.why}"
    if code is None or code.consequence is Consequence.NONE:
        yield f"{said}, which is no ending of a game"
        return
    fault = verdict.fault
    if code.consequence in (Consequence.RESULT, Consequence.VOID) or verdict.why == "resign":
        if fault is not None:
            yield f"{said} and {fault} at fault, but nobody is at fault in it"
    elif fault is None:
        yield f"{said}, but nobody is named at fault"
    if verdict.void != _is_void(verdict, code.consequence):
        yield f"{said}, and it is {'void, which none of its kind is' if verdict.void else 'not void, as it must be'}"
    if verdict.void and verdict.winner != "-":
        yield f"{said} and void, but {verdict.winner} wins"
    if not verdict.void and fault in OTHER and verdict.winner != OTHER[fault]:
        yield f"{said}, {fault} at fault, but the winner is {verdict.winner}"
    if description is None or fault not in OTHER or verdict.why not in POLICY:
        return
    if (
        verdict.void and description.on_fault != "void"
    ):  # the other way round, the games before decide: see `ledger`
        yield f"{said}, void, but event.json says on_fault is {description.on_fault}"


def _is_void(verdict: Verdict, consequence: Consequence) -> bool:
    """Must it be void? Of a fault that the policy decides, a record alone does not tell."""
    if verdict.fault == "xo" or consequence is Consequence.VOID:
        return True
    return verdict.void and verdict.why in POLICY and verdict.fault is not None


def _turns(record: Record) -> Iterator[str]:
    """Answers are what came, and none that counted came after its time."""
    timed = not TimeControl(record.conditions.main).unlimited
    for turn in record.turns:
        if turn.sq is None:
            continue
        encoding = (record.x if turn.side == "x" else record.o).encoding
        heard = _heard(turn.raw, encoding)
        if heard != (turn.id, turn.sq, turn.eval):
            kept = f"{turn.sq}, eval {turn.eval}"
            yield f"ply {turn.ply}: the answer is kept as {kept}, but what came is {turn.raw[:80]!a}"
        if timed and turn.used > (turn.limit + turn.margin) * MS:
            yield f"ply {turn.ply}: {turn.sq} was taken after {turn.used} ns, beyond limit and margin"


def _heard(raw: str, encoding: str | None) -> tuple[object, object, object] | None:
    """Id, square and eval of an answer as it came; None when it is no move."""
    if encoding == "msgpack":
        try:
            fields = msgspec.msgpack.decode(bytes.fromhex(raw), type=dict[str, object])
        except (ValueError, msgspec.DecodeError):
            return None
        return (fields.get("id"), fields.get("sq"), fields.get("eval")) if fields.get("t") == "move" else None
    words = raw.removesuffix("\\x0d").split(" ")
    if len(words) < 3 or words[0] != "move" or not words[1].isdecimal():
        return None
    value = next((word[5:] for word in words[3:] if word.startswith("eval=")), None)
    return (
        int(words[1]),
        words[2],
        None if value in (None, "-") else int(value) if value.isdecimal() else value,
    )


def _ending(record: Record, last: Position) -> Iterator[str]:
    """The ply, the turn and the sentence of the verdict."""
    verdict, ply = record.verdict, last.ply
    named = _PLY.match(verdict.text)
    if named and int(named[1]) != ply:
        yield f"the verdict is about ply {named[1]}, but the game ended at ply {ply}"
    turn = record.turns[-1] if record.turns else None
    still = turn if turn is not None and turn.ply == ply else None
    if verdict.why in ("timeout", "illegal") and verdict.fault != "xo":
        if still is None or still.side != verdict.fault:
            yield f"the verdict is {verdict.why} of {verdict.fault}, but there is no such turn at ply {ply}"
        elif verdict.why == "illegal" and still.sq is None:
            yield f"the verdict is illegal, but no square was answered at ply {ply}"
        elif verdict.why == "timeout" and (
            still.sq is not None or still.used <= (still.limit + still.margin) * MS
        ):
            allowed = f"{still.limit} + {still.margin} ms"
            yield f"the verdict is timeout, but the turn at ply {ply} used {still.used} ns of {allowed}"
    elif still is not None and still.sq is not None and verdict.why != "illegal":
        yield f"{still.sq} was answered at ply {ply} and neither played nor judged"
    if verdict.why == "resign":
        resigned = _RESIGNED.fullmatch(verdict.text)
        if resigned and verdict.winner != OTHER[resigned[1]]:
            yield f"{resigned[1]} resigned, but the winner is {verdict.winner}"
        if still is not None and still.raw.startswith("resign ") and verdict.winner != OTHER.get(still.side):
            yield f"{still.side} resigned, but the winner is {verdict.winner}"
    sentence = _sentence(record, last, still)
    if sentence is not None and record.versions.donuts_arena == __version__ and verdict.text != sentence:
        yield f"the verdict says {verdict.text[:120]!a}, but it is {sentence[:120]!a}"


def _proved(record: Record, last: Position) -> Iterator[str]:
    """Was a game that the solver may have ended given to whom it wins? Where there is no solver, that is not asked."""
    verdict, asked = record.verdict, record.conditions.adjudication
    if verdict.why != ADJUDICATED or asked is None or not asked.solver or last.board.size != 6:
        return
    by_others = ruling(replace(asked, solver=False), None, last, [turn.eval for turn in record.turns])
    if (by_others is not None and by_others.text == verdict.text) or last.result is not None:
        return
    if last.ply < FIRST_PLY:  # and to solve it might take minutes
        yield f"the verdict is adjudicated at ply {last.ply}, but the solver is asked from ply {FIRST_PLY} on"
        return
    if not installed():
        return
    winner = proved(last)
    if winner != verdict.winner:
        yield f"the verdict is adjudicated, winner {verdict.winner}, but under best play it is {winner}"


def _sentence(record: Record, last: Position, still: TakenTurn | None) -> str | None:
    """What the verdict says, where that follows from the game alone; None elsewhere."""
    verdict = record.verdict
    over = outcome(last)
    if over is not None:
        return sentences.result(over, last, record.five)
    if still is None or verdict.fault == "xo":
        return None
    if verdict.why == "illegal" and still.sq is not None:
        return sentences.illegal(last.ply, still.sq, last)
    budget = (still.limit + still.margin) * MS
    if verdict.why == "timeout":
        allowed = Allowance(0, still.limit, still.margin, budget)
        return sentences.timeout(last.ply, still.used, allowed, still.used - budget)
    return None
