"""Plays a kept game over through the rules and says where the record does not hold."""

from typing import NamedTuple

from donuts_engine.board import Board
from donuts_engine.notation import parse_layout
from donuts_engine.outcome import fives, groups, outcome
from donuts_engine.position import MAX_RINGS, Position, PositionError
from donuts_engine.rules import IllegalMove, flips, play
from donuts_engine.squares import NotationError, index, name
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.adjudication import ADJUDICATED, ruling
from donuts_referee.table.clock import SideClock
from donuts_referee.table.control import TimeControl

__all__ = ["Replay", "Step", "replay"]


class Step(NamedTuple):
    """One placement: the position it made, its square by name, and the squares whose rings flipped."""

    position: Position
    square: str
    flips: tuple[str, ...]


class Replay(NamedTuple):
    """A game played over, as far as the rules let it go, and every point where the record does not hold."""

    start: Position | None
    """None when there is no such board"""
    steps: tuple[Step, ...]
    faults: tuple[str, ...]

    @property
    def holds(self) -> bool:
        """True when the record is in accord with the rules."""
        return not self.faults

    @property
    def last(self) -> Position | None:
        """The position reached."""
        return self.steps[-1].position if self.steps else self.start

    def before(self, ply: int) -> Position | None:
        """The position in which ply `ply` (from 0) was due; None when the moves do not reach it."""
        if ply == 0:
            return self.start
        return self.steps[ply - 1].position if 0 < ply <= len(self.steps) else None


def replay(sheet: Sheet, record: Record | None = None) -> Replay:
    """Play the game over; of a whole `record` the turns, clocks, cells, rows and groups are checked too."""
    faults: list[str] = []
    start = _start(sheet, faults)
    if start is None:
        return Replay(None, (), tuple(faults))
    steps = _steps(sheet, start, faults)
    played = Replay(start, tuple(steps), tuple(faults))
    if len(steps) == len(sheet.moves) and played.last is not None:
        faults.extend(_wrong_verdict(sheet, played.last))
        faults.extend(_wrong_adjudication(sheet, record, played))
        if record is not None:
            faults.extend(_wrong_end(record, played.last))
    if sheet.opening > len(sheet.moves):
        faults.append(f"the opening is {sheet.opening} placements, but there are only {len(sheet.moves)}")
    if record is not None:
        faults.extend(_wrong_turns(record, played))
        faults.extend(_wrong_clocks(record))
    return Replay(start, tuple(steps), tuple(faults))


def _start(sheet: Sheet, faults: list[str]) -> Position | None:
    try:
        board = Board.of(parse_layout(sheet.layout))
        if board.size != sheet.size:
            faults.append(f"size is {sheet.size}, but the layout has {board.size} x {board.size} squares")
        return Position.start(board, sheet.rings)
    except NotationError as fault:
        faults.append(f"layout: {fault}")
    except PositionError as fault:
        faults.append(f"{fault.key}: {fault} (at most {MAX_RINGS.get(sheet.size, 40)} per side)")
    return None


def _steps(sheet: Sheet, start: Position, faults: list[str]) -> list[Step]:
    position = start
    size = position.board.size
    steps: list[Step] = []
    for ply, square in enumerate(sheet.moves):
        try:
            at = index(square, size)
            following = play(position, at)
        except (NotationError, IllegalMove) as fault:
            faults.append(f"ply {ply}: {fault}")
            break
        steps.append(Step(following, square, tuple(name(one, size) for one in flips(position, at))))
        position = following
    return steps


def _wrong_verdict(sheet: Sheet, last: Position) -> list[str]:
    over = outcome(last)
    by_rule = sheet.why in ("five", "group")
    said = f"the verdict is {sheet.why}, winner {sheet.winner}"
    if over is None:
        return [f"{said}, but by the rules the game goes on after ply {last.ply}"] if by_rule else []
    if not by_rule:
        return [f"{said}, but by the rules the game was over: {over.why}, winner {over.winner}"]
    if sheet.void or (over.why, over.winner) != (sheet.why, sheet.winner):
        return [f"{said}, but by the rules it is {over.why}, winner {over.winner}"]
    return []


def _wrong_adjudication(sheet: Sheet, record: Record | None, played: Replay) -> list[str]:
    """Where what was asked for had ended the game, or had not: as far as reports and plies tell (DBP-9.21).

    What a solver knew is taken on trust, where one was asked for.
    """
    asked = sheet.conditions.adjudication
    reports = [None if mark is None else mark.eval for mark in sheet.marks]
    if asked is not None:
        turns = len(sheet.moves) if record is None else len(record.opening) + len(record.turns)
        for ply in range(sheet.opening, turns):
            before = played.before(ply)
            due = None if before is None else ruling(asked, None, before, reports[:ply])
            if due is not None:
                return [f"ply {ply} was asked for, but the game was over: {due.text}"]
    if sheet.why != ADJUDICATED or played.last is None or played.last.result is not None:
        return []
    said = f"the verdict is adjudicated, winner {sheet.winner}"
    if sheet.void or sheet.fault is not None:
        return [f"{said}, but such a game counts and nobody is at fault"]
    if asked is None:
        return [f"{said}, but nothing was asked for that ends a game before its rules do"]
    due = ruling(asked, None, played.last, reports)
    if asked.solver or (due is not None and due.winner == sheet.winner):
        return []
    return [f"{said}, but by what was asked for ({asked}) {due.text if due else 'the game goes on'}"]


def _wrong_end(record: Record, last: Position) -> list[str]:
    size = last.board.size
    faults: list[str] = []
    if record.cells != last.cells:
        faults.append(f"cells are {record.cells}, but the moves lead to {last.cells}")
    five = tuple(name(at, size) for at in fives(last))
    if record.five != five:
        faults.append(f"five is {','.join(record.five) or '-'}, but the rows are {','.join(five) or '-'}")
    if record.groups != groups(last):
        faults.append(f"groups are {record.groups}, but the rings make {groups(last)}")
    return faults


def _wrong_turns(record: Record, played: Replay) -> list[str]:
    faults: list[str] = []
    if record.opening != record.moves[: len(record.opening)]:
        faults.append(f"the opening {','.join(record.opening)} is not how the moves begin")
    for number, turn in enumerate(record.turns):
        ply = len(record.opening) + number
        if turn.ply != ply or turn.side != "xo"[ply % 2]:
            faults.append(
                f"turn {number + 1} is ply {turn.ply} of {turn.side}, but ply {ply} of {'xo'[ply % 2]} is due"
            )
        elif ply < len(record.moves) and turn.sq != record.moves[ply]:
            faults.append(f"ply {ply}: the answer was {turn.sq or 'none'}, the move is {record.moves[ply]}")
        elif ply == len(record.moves) and turn.sq is not None and (before := played.before(ply)) is not None:
            if turn.sq in before.legal_names:
                faults.append(f"ply {ply}: {turn.sq} was answered, is legal and was not played")
        elif ply > len(record.moves):
            faults.append(f"ply {ply}: a turn after the last move")
    return faults


def _wrong_clocks(record: Record) -> list[str]:
    """Where limit, margin, charge or clock are not what the rules of the clock make of `used` (DBP-8)."""
    c = record.conditions
    control = TimeControl(c.main, c.inc, c.movemax, c.margin, c.prep)
    clocks = {"x": SideClock(control), "o": SideClock(control)}
    faults: list[str] = []
    for turn in record.turns:
        clock = clocks.get(turn.side)
        if clock is None:
            continue
        allowed = clock.begin()
        charge = clock.charge(turn.used)
        due = (allowed.limit, allowed.margin, charge.spent, charge.left)
        kept = (turn.limit, turn.margin, turn.spent, turn.clock)
        if due != kept:
            faults.append(
                f"ply {turn.ply}: limit, margin, spent, clock are {kept}, but the rules make {due} ms"
            )
            break  # all that follows would differ too
    return faults
