"""`donuts explain`: why a kept game ended as it did - the clause, the words, the lines around it, the clocks."""

import argparse
import json
from typing import TYPE_CHECKING

from donuts_referee.cli.fault import ExitCode
from donuts_referee.cli.opened import (
    add_game_arguments,
    game_facts,
    headline,
    opened,
    outcome_text,
    plain,
    split_lines,
)
from donuts_referee.records.account import Account, Witness, account
from donuts_referee.records.finding import FoundGame
from donuts_referee.records.reckoning import Reckoning
from donuts_referee.table.clock import MARGINS_PER_GAME, MS
from donuts_referee.table.finished import Side, TakenTurn

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

STDERR_LINES = 12
"""Lines from the end of a bot's stderr that are shown; --json has all that the record kept."""

ANSWER = 300
"""Characters of an answer that are shown; --json has all."""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "explain",
        help="explain a verdict: the clause, the lines, the clocks",
        description="Explains how a game of a journal ended: the clause of SPEC.md, the sentence with the numbers, the "
        "last answers as they came, noise, the end of stderr, and the arithmetic of the clocks at the end. A PGN file "
        "holds the verdict alone.",
    )
    add_game_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Explain the game; UsageFault when it cannot be read."""
    found = opened(args)
    told = account(found)
    if args.json:
        print(json.dumps(_facts(found, told)))
    else:
        print("\n".join(_words(found, told)))
    return ExitCode.OK


# --- for people ------------------------------------------------------------------------------------------------


def _words(found: FoundGame, told: Account) -> list[str]:
    sheet = found.sheet
    lines = headline(found)
    lines += ["", f"{outcome_text(sheet)}: {plain(sheet.why)} ({told.clause or 'no clause'}), {told.meaning}"]
    lines.append(f"  {plain(sheet.text)}")
    if sheet.conditions.adjudication is not None:
        lines.append(f"  the operator asked for: {sheet.conditions.adjudication}")
    if sheet.fault is not None:
        lines.append(f"  at fault: {_at_fault(found)}; what follows from it: {told.consequence}")
    if told.illegal is not None:
        lines += ["", f"why {told.illegal.sq} is not legal: {told.illegal.reason}"]
        lines.append(f"  legal were: {', '.join(told.illegal.legal)}")
    if found.record is None:
        lines += ["", "PGN keeps no answers, stderr or exact times; the journal of the match has them."]
    else:
        lines += ["", "the last answers, as they came:"]
        lines += [_answer(turn) for turn in told.answers] or ["  none: no turn was sent"]
        for witness in told.witnesses:
            lines += _bot(witness)
        for reckoning in told.clocks:
            lines += ["", *_arithmetic(found, reckoning)]
    if not told.holds:
        lines += ["", "THE RECORD DOES NOT HOLD; `donuts replay` on it says where."]
    return lines


def _at_fault(found: FoundGame) -> str:
    sheet = found.sheet
    bots = {"x": sheet.x, "o": sheet.o}
    return plain(" and ".join(f"{bots[side]} ({side})" for side in sheet.fault or "" if side in bots))


def _answer(turn: TakenTurn) -> str:
    raw = plain(turn.raw)
    words = f"{raw[: ANSWER - 3]}..." if len(raw) > ANSWER else raw
    return f"  ply {turn.ply}, {turn.side}, {_ms(turn.used)} ms: {words or 'no answer'}"


def _bot(witness: Witness) -> list[str]:
    side = witness.side
    name = (
        f", calls itself {side.name} {side.ver or ''}".rstrip()
        if side.name is not None
        else ", never said hello"
    )
    lines = ["", plain(f"{side.bot} ({witness.letter}){name}; {_ending(side)}")]
    counts = [
        f"{count} {word}"
        for count, word in (
            (side.noise, "noise"),
            (side.late, "late"),
            (side.state, "state"),
            (side.rate, "rate"),
        )
        if count
    ]
    if counts:
        lines.append(f"  lines dropped: {', '.join(counts)}")
    if side.first_noise:
        lines.append(f"  first noise: {plain(side.first_noise)}")
    said = split_lines(side.stderr)
    if said:
        cut = f", the last {STDERR_LINES} lines kept" if len(said) > STDERR_LINES else ""
        lines.append(f"  stderr ({side.stderr_bytes} bytes{cut}):")
        lines += [f"    {line}" for line in said[-STDERR_LINES:]]
    return lines


def _ending(side: Side) -> str:
    if side.sent_signal is not None:
        words = f"the referee ended its process, which lived on, with signal {side.sent_signal}"
        if side.exit_signal is not None:
            return f"{words}; it died by signal {side.exit_signal}"
        return words if side.exit_status is None else f"{words}; its exit status was {side.exit_status}"
    if side.exit_signal is not None:
        return f"its process was ended by signal {side.exit_signal}"
    if side.exit_status is not None:
        return f"its process ended with exit status {side.exit_status}"
    return "its process was running at the end"


def _arithmetic(found: FoundGame, turn: Reckoning) -> list[str]:
    conditions = found.sheet.conditions
    lines = [f"clock of {turn.side} at ply {turn.ply}, ms:"]
    if turn.unlimited:
        return [*lines, _row("used", _ms(turn.used_ns), "no limit: nothing is charged, no flag falls")]
    if turn.per_move:
        lines.append(_row("clock", turn.clock, "the same for every move"))
    else:
        lines.append(_row("before", turn.before, f"+ {turn.inc} increment = {turn.clock}"))
    cap = (
        f"the smaller of {turn.clock} and movemax {conditions.movemax}"
        if conditions.movemax is not None
        else "the clock"
    )
    lines.append(_row("limit", turn.limit, cap))
    lines.append(
        _row(
            "margin",
            turn.margin,
            f"the smaller of {conditions.margin} and {MARGINS_PER_GAME} x {conditions.margin} "
            f"- {_ms(turn.overrun_before_ns)} overrun before",
        )
    )
    end = "until nothing was there to be read" if turn.flagged else "to the end of the answer"
    lines.append(_row("used", _ms(turn.used_ns), f"from the turn handed over {end}"))
    lines.append(
        _row("overrun", _ms(turn.overrun_ns), "used - limit" if turn.overrun_ns else "used <= limit")
    )
    lines.append(_row("charged", turn.spent, "used in whole ms"))
    lines.append(_row("left", turn.left, _left(turn)))
    fell = "fell" if turn.flagged else "did not fall"
    sign = ">" if turn.used_ns > (turn.limit + turn.margin) * MS else "<="
    lines.append(_row("flag", fell, f"{_ms(turn.used_ns)} {sign} {turn.limit} + {turn.margin}"))
    late = _lateness(found, turn.ply)
    if late:
        lines.append(
            _row("late", _ms(late), "of the referee itself; an answer that could be read by then was in time")
        )
    return lines


def _left(turn: Reckoning) -> str:
    if turn.per_move:
        return "set anew before the next move"
    return f"{turn.clock} - {turn.spent}" + (", not below 0" if turn.spent > turn.clock else "")


def _row(name: str, value: object, remark: str) -> str:
    return f"  {name:<8}{value!s:>14}  {remark}"


def _ms(ns: int) -> str:
    return f"{ns // MS}.{ns % MS:06d}"


def _lateness(found: FoundGame, ply: int) -> int:
    turns = () if found.record is None else found.record.turns
    return next((turn.lateness for turn in turns if turn.ply == ply), 0)


# --- for programs ----------------------------------------------------------------------------------------------


def _facts(found: FoundGame, told: Account) -> dict[str, object]:
    adjudication = found.sheet.conditions.adjudication
    return {
        **game_facts(found),
        "clause": told.clause,
        "meaning": told.meaning,
        "consequence": told.consequence,
        "adjudication": None if adjudication is None else str(adjudication),
        "illegal": None
        if told.illegal is None
        else {"sq": told.illegal.sq, "reason": told.illegal.reason, "legal": list(told.illegal.legal)},
        "answers": [
            {
                "ply": turn.ply,
                "side": turn.side,
                "id": turn.id,
                "sq": turn.sq,
                "raw": turn.raw,
                "used_ns": turn.used,
            }
            for turn in told.answers
        ],
        "bots": {witness.letter: _side(witness) for witness in told.witnesses},
        "clocks": [{**one._asdict(), "lateness_ns": _lateness(found, one.ply)} for one in told.clocks],
        "holds": told.holds,
        "torn": [{"line": one.line, "bytes": one.size} for one in found.torn],
    }


def _side(witness: Witness) -> dict[str, object]:
    side = witness.side
    return {
        "bot": side.bot,
        "name": side.name,
        "at_fault": witness.at_fault,
        "exit_status": side.exit_status,
        "exit_signal": side.exit_signal,
        "sent_signal": side.sent_signal,
        "noise": side.noise,
        "first_noise": side.first_noise,
        "late": side.late,
        "state": side.state,
        "rate": side.rate,
        "stderr": side.stderr,
        "stderr_bytes": side.stderr_bytes,
    }
