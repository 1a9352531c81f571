"""`donuts replay`: draws a kept game move by move, plays it over by the rules and says if the record holds."""

import argparse
import json
import sys
from typing import TYPE_CHECKING

from donuts_engine.drawing import draw
from donuts_engine.position import Position
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.opened import add_game_arguments, game_facts, headline, opened, outcome_text, plain
from donuts_referee.cli.picture import picture
from donuts_referee.records.finding import FoundGame
from donuts_referee.records.pgn import clock_text
from donuts_referee.records.verify import Replay, Step, replay

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "replay",
        help="step through the games of a record",
        description="Draws a game of a journal or PGN file move by move, plays it over by the rules and says whether "
        "the record holds: legal moves, flips, rows, groups, result, clocks. Plies count from 0, as in the protocol.",
        epilog="exit codes: 0 the record holds, 1 it does not, 2 there is no such game",
    )
    add_game_arguments(parser)
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII, without colour")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Show the game; UsageFault when it cannot be read."""
    found = opened(args)
    played = replay(found.sheet, found.record)
    if args.json:
        print(json.dumps(_facts(found, played)))
    else:
        if played.start is None:
            raise UsageFault(plain(f"{found.place}: {'; '.join(played.faults)}"))
        _show(found, played, played.start, args.ascii)
    return ExitCode.OK if played.holds else ExitCode.FAULTED


def _show(found: FoundGame, played: Replay, start: Position, ascii_only: bool) -> None:
    def drawn(position: Position) -> str:
        return draw(position, colour=False, ascii=True) if ascii_only else picture(position, sys.stdout)

    print("\n".join(headline(found)))
    print(f"layout {found.sheet.layout}\n\n{drawn(start)}")
    for ply, step in enumerate(played.steps):
        print(f"\n{_step(found, ply, step)}\n{drawn(step.position)}")
    print(f"\n{outcome_text(found.sheet)}; {plain(found.sheet.text)}")
    if played.holds:
        print("The record holds: played over by the rules, it comes out the same.")
    else:
        print("THE RECORD DOES NOT HOLD:")
        print("\n".join(f"  {plain(fault)}" for fault in played.faults))


def _step(found: FoundGame, ply: int, step: Step) -> str:
    sheet = found.sheet
    side = "xo"[ply % 2]
    bot = plain(sheet.x if side == "x" else sheet.o)
    flips = f", flips {' '.join(step.flips)}" if step.flips else ""
    mark = sheet.marks[ply]
    if mark is None:
        return f"ply {ply}: {side} {step.square}{flips}" + (" (opening)" if ply < sheet.opening else "")
    beside = [] if mark.clock is None else [f"{mark.spent} ms", f"clock {clock_text(mark.clock)}"]
    beside += [] if mark.eval is None else [f"eval {mark.eval}"]
    return f"ply {ply}: {bot} ({side}) {step.square}{flips}  [{', '.join(beside)}]"


def _facts(found: FoundGame, played: Replay) -> dict[str, object]:
    last = played.last
    return {
        **game_facts(found),
        "moves": [_move(found, ply, step) for ply, step in enumerate(played.steps)],
        "cells": None if last is None else last.cells,
        "holds": played.holds,
        "faults": list(played.faults),
        "torn": [{"line": one.line, "bytes": one.size} for one in found.torn],
    }


def _move(found: FoundGame, ply: int, step: Step) -> dict[str, object]:
    mark = found.sheet.marks[ply]
    return {
        "ply": ply,
        "side": "xo"[ply % 2],
        "sq": step.square,
        "flips": list(step.flips),
        "cells": step.position.cells,
        "clock": None if mark is None else mark.clock,
        "spent": None if mark is None or mark.clock is None else mark.spent,
        "eval": None if mark is None else mark.eval,
    }
