"""`donuts probe`: asks a bot one turn of a kept game again and shows what it answers, and what that would have been."""

import argparse
import json
import shlex
import subprocess
import sys
from contextlib import closing
from os import name as os_name
from typing import TYPE_CHECKING

from donuts_protocol.escape import shown
from donuts_referee.channels.drive import Brake, drive
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault
from donuts_referee.cli.interrupt import interruptible
from donuts_referee.cli.opened import add_game_arguments, headline, opened, plain, split_lines
from donuts_referee.cli.picture import picture
from donuts_referee.cli.play import channel, entrant, look_up
from donuts_referee.cli.reading import whole
from donuts_referee.probing import Asked, NoSuchTurn, Question, ask, question

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

LINE = 500
"""Characters of a line of the conversation that are shown."""

LINES = 20
"""Lines from the beginning and from the end of the conversation that are shown; --json has all."""

STDERR_LINES = 12


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "probe",
        help="ask a bot one turn of a record again",
        description="Starts a bot and asks it exactly one turn of a kept game again: the same position, legal squares "
        "and clocks (whole to the ms from a journal; from PGN a nearly used up margin may be off by one). Shows the "
        "conversation, the answer, whether it is legal, and the time used.",
        epilog="exit codes: 0 a legal answer in time, 1 any other, 2 usage, 3 the bot would not start",
        usage="donuts probe FILE [--game ID] --ply N [--unclocked] [--json] -- BOT [ARG ...]",
    )
    add_game_arguments(parser)
    parser.add_argument(
        "--ply",
        type=whole(0, 80),
        required=True,
        metavar="N",
        help="which turn: placements before it, 0 the first",
    )
    parser.add_argument(
        "--unclocked", action="store_true", help="without any limit, as for a bot under a debugger"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "bot", nargs="+", metavar="BOT", help="as for `donuts play`, or a program and its arguments"
    )


def run(args: argparse.Namespace) -> int:
    """Ask and show; UsageFault when the game, the turn or the bot cannot be found."""
    found = opened(args)
    try:
        asked = question(found, args.ply, unclocked=args.unclocked)
    except NoSuchTurn as fault:
        raise UsageFault(f"--ply {args.ply}: {plain(str(fault))}") from None
    entry = look_up(_command_line(args.bot))
    if entry.program is None:
        raise UsageFault(
            "probe asks a program; a person can be asked with `donuts play human BOT --layout ...`"
        )
    if not args.json:
        print("\n".join(headline(found)))
        print(f"\n{picture(asked.position, sys.stdout)}\n", flush=True)
    brake = Brake()
    with closing(channel()) as links, interruptible(brake) as interruption:
        try:
            result = drive(ask(asked, entrant(entry, entry.name, links), links.now), links, brake)
        except KeyboardInterrupt:
            if interruption.number in (None, 2):
                raise
            raise Terminated(interruption.number) from None
    if args.json:
        print(json.dumps(_facts(found.sheet.id, asked, result)))
    else:
        print("\n".join(_words(asked, result)))
    if result.why in ("start", "version"):
        return ExitCode.START
    return ExitCode.OK if result.why is None else ExitCode.FAULTED


def _command_line(words: list[str]) -> str:
    """The words after `--` as one command line; a single word may be the name of a bot or a whole command line."""
    if len(words) == 1:
        return words[0]
    return subprocess.list2cmdline(words) if os_name == "nt" else shlex.join(words)


def _words(asked: Question, result: Asked) -> list[str]:
    lines = ["the conversation, ms from the turn:"]
    lines += _conversation(result)
    told = split_lines(result.bot.stderr)
    if told:
        lines.append(f"stderr ({result.bot.stderr_bytes} bytes):")
        lines += [f"    {line}" for line in told[-STDERR_LINES:]]
    if result.bot.first_noise:
        lines.append(f"noise: {plain(result.bot.first_noise)}")
    lines.append("")
    lines.append(f"answer: {plain(result.raw) or 'none'}" + (f" (then: {asked.sq})" if asked.sq else ""))
    if result.used is not None:
        allowed = asked.allowed
        of = "no limit" if allowed.budget is None else f"limit {allowed.limit} + {allowed.margin} margin"
        lines.append(f"time:   {result.used / 1e6:.3f} ms of {of}")
    verdict = "ok" if result.why is None else result.why
    lines.append(f"{verdict}:{' ' * max(1, 7 - len(verdict))}{plain(result.text)}")
    return lines


def _conversation(result: Asked) -> list[str]:
    start = next(
        (one.at for one in result.passages if one.direction == ">" and _is_turn(one.data)),
        result.passages[0].at if result.passages else 0,
    )
    binary = result.bot.encoding == "msgpack"
    said = [
        (one, part)
        for one in result.passages
        for part in ([one.data.hex().encode()] if binary else one.data.rstrip(b"\r\n").split(b"\n"))
    ]
    lines: list[str] = []
    hidden = 0
    for number, (one, part) in enumerate(said):
        asks = one.direction == ">" and _is_turn(one.data)
        answers = one.direction == "<" and not binary and shown(part.rstrip(b"\r"), None) == result.raw
        if LINES <= number < len(said) - LINES and not asks and not answers:
            hidden += 1
            continue
        lines += _left_out(hidden)
        hidden = 0
        lines.append(f"  {(one.at - start) / 1e6:>10.3f} {one.direction} {shown(part, LINE)}")
    return lines


def _left_out(lines: int) -> list[str]:
    return [f"  {'...':>10}   {lines} lines more, which --json shows"] if lines else []


def _is_turn(data: bytes) -> bool:
    return data.startswith(b"turn ") or b"\xa1t\xa4turn" in data


def _facts(game: str, asked: Question, result: Asked) -> dict[str, object]:
    position, allowed, move = asked.position, asked.allowed, result.move
    return {
        "id": game,
        "ply": position.ply,
        "you": position.you,
        "layout": position.board.layout,
        "cells": position.cells,
        "last": position.last_name,
        "legal": list(position.legal_names),
        "clock": allowed.clock,
        "oclock": asked.oclock,
        "limit": allowed.limit,
        "margin": allowed.margin,
        "spent": asked.spent,
        "then": asked.sq,
        "ok": result.why is None,
        "why": result.why,
        "text": result.text,
        "sq": None if move is None else move.sq,
        "eval": None if move is None else move.eval,
        "raw": result.raw,
        "used_ns": result.used,
        "encoding": result.bot.encoding,
        "name": result.bot.name,
        "noise": result.bot.noise,
        "first_noise": result.bot.first_noise,
        "exit_status": result.bot.exit_status,
        "exit_signal": result.bot.exit_signal,
        "sent_signal": result.bot.sent_signal,
        "stderr": result.bot.stderr,
        "lines": [
            {"ns": one.at, "dir": one.direction, "text": shown(one.data, None)}
            if result.bot.encoding != "msgpack"
            else {"ns": one.at, "dir": one.direction, "hex": one.data.hex()}
            for one in result.passages
        ],
    }
