"""The sentence of every verdict: what happened, with the numbers, in one line a person understands."""

import signal as signals
from collections.abc import Sequence

from donuts_engine.outcome import Outcome, groups
from donuts_engine.position import Position
from donuts_engine.squares import NAMES
from donuts_protocol.escape import shown
from donuts_referee.channels.link import Exit, Stderr
from donuts_referee.table.clock import MS, Allowance

QUOTE = 120
"""How many characters of a bot's own words a sentence quotes."""

NUMBERS = 4
"""How many of a bot's reports a sentence shows."""


def result(outcome: Outcome, position: Position, five: tuple[str, ...]) -> str:
    """The rules have decided: by a row or by the groups."""
    ply = position.ply
    if outcome.why == "five":
        return f"five at ply {ply}: {outcome.winner} has {','.join(five)}"
    x, o = groups(position)
    if outcome.winner == "-":
        return f"draw at ply {ply}: all rings are placed and the largest groups are equal, {x} squares each"
    return f"group at ply {ply}: all rings are placed; the largest groups have x {x}, o {o} squares"


def known(ply: int, value: str) -> str:
    """Adjudicated, since the exact value of the position is known."""
    what = "a draw" if value == "-" else f"won by {value}"
    return f"adjudicated at ply {ply}: the solver knows that the position is {what}"


def agreed(ply: int, winner: str, x: Sequence[int | None], o: Sequence[int | None], eval: int) -> str:
    """Adjudicated, since both bots say who wins; `x` and `o` are the reports of each that were looked at."""
    told = "; ".join(f"{side} reported {_numbers(evals)}" for side, evals in (("x", x), ("o", o)))
    count = "its last answer" if len(x) == 1 else f"its last {len(x)} answers"
    asked = f"the winner {eval} or more, the loser {1000 - eval} or less"
    return (
        f"adjudicated at ply {ply}: both say that {winner} wins, each in {count}: {told} permille ({asked})"
    )


def too_long(ply: int, most: int) -> str:
    """Adjudicated, since the game has as many placements as it may have."""
    return f"adjudicated at ply {ply}: a draw, since no game is to have more than {most} placements"


def _numbers(evals: Sequence[int | None]) -> str:
    """The newest few, as many as a sentence has room for."""
    words = ",".join(str(each) for each in evals[-NUMBERS:])
    return words if len(evals) <= NUMBERS else f"...,{words}"


def timeout(ply: int, used: int, allowed: Allowance, late: int) -> str:
    """The flag fell; `used` and `late` in ns. The time used is rounded up, so that it is seen to exceed the sum."""
    return (
        f"timeout at ply {ply}: used {-(-used // MS)} of {allowed.limit} ms + {allowed.margin} margin; "
        f"referee late by {late // MS}"
    )


def disconnect(ply: int, away: int, allowed: Allowance) -> str:
    """The flag fell while a remote bot could not be reached; `away` in ns."""
    limit = f"the {allowed.limit} ms of this move" if allowed.budget is not None else "60 s"
    return (
        f"disconnect at ply {ply}: the bot has been away for {away // MS} ms and was not back within {limit}"
    )


def not_ready_away(ms: int) -> str:
    """A remote bot was away when `ready` was due."""
    return f"disconnect: away and not back within the {ms} ms to get ready"


def unread(ply: int, ms: int, shut: bool) -> str:
    """For so long the bot read nothing of what it was sent: it does not read, or has closed its stdin (DBP-10.10)."""
    if shut:
        return f"unread at ply {ply}: the bot closed its stdin, so it can be sent nothing, and lived on for {ms} ms"
    return f"unread at ply {ply}: stdin was full for {ms} ms; the bot does not read"


def illegal(ply: int, square: str, position: Position) -> str:
    """The square of the answer is not among the legal ones."""
    names = NAMES[position.board.size]
    if square not in names:
        reason = f"{square} is off the {position.board.size} x {position.board.size} board"
    elif position.cells[names.index(square)] != ".":
        reason = f"{square} is taken"
    else:
        reason = f"{square} is not on the line of {position.last_name}"
    legal = ",".join(position.legal_names)
    return f"illegal at ply {ply}: {reason}; legal: {legal}"


def ending(exit: Exit | None) -> str:
    """How a process ended, and whether by itself: its status, its signal by name, or the signal that we sent it."""
    if exit is not None and exit.sent is not None:
        return f"closed its stdout and lived on, for which it was ended with {_signal(exit.sent)}"
    if exit is None or (exit.status is None and exit.signal is None):
        return "the connection ended"
    words = f"killed by {_signal(exit.signal)}" if exit.signal is not None else f"exit status {exit.status}"
    return f"closed its stdout and lived on until its stdin closed, then {words}" if exit.closed else words


def _signal(number: int) -> str:
    try:
        return signals.Signals(number).name
    except ValueError:
        return f"signal {number}"


def last_words(stderr: Stderr) -> str:
    """The last line on stderr, quoted; "" when there is none."""
    lines = (stderr.tail or stderr.head).strip().splitlines()
    return f"; stderr ends: {shown(lines[-1], QUOTE)}" if lines else ""


def crash(ply: int, exit: Exit | None, stderr: Stderr) -> str:
    """The process ended, or closed its stdout and was ended."""
    return f"crash at ply {ply}: {ending(exit)}{last_words(stderr)}"


def no_hello(ms: int, exit: Exit | None, stderr: Stderr, heard: bool) -> str:
    """No valid `hello` came: in time, or before the process ended."""
    if exit is not None:
        code = exit.status
        hint = {126: " (not executable?)", 127: " (not found?)"}.get(code if code is not None else -1, "")
        ended = "no hello" if exit.closed or exit.sent is not None else "ended before hello"
        return f"start: {ended}, {ending(exit)}{hint}{last_words(stderr)}"
    hint = (
        "no valid hello among its lines"
        if heard
        else "nothing came on stdout, is it flushed after each line?"
    )
    return f"start: no hello within {ms} ms; {hint}{last_words(stderr)}"


def no_ready(ms: int, stderr: Stderr) -> str:
    """`game` was not answered by `ready`."""
    return f"start: no ready within {ms} ms after game{last_words(stderr)}"
