"""`donuts solve`: who wins a board or a position under best play, by which moves, and how soon."""

import argparse
import json
import sys
import time
from typing import TYPE_CHECKING

from donuts_engine.drawing import SIDE_NAMES
from donuts_engine.notation import NotationError, parse_moves, parse_position
from donuts_engine.position import MAX_RINGS, Position
from donuts_engine.rules import IllegalMove, play
from donuts_engine.solved import LETTER_OF, SolvedFault
from donuts_engine.squares import COLUMNS, NAMES, name
from donuts_referee.cli import solve_all
from donuts_referee.cli.boards import numbered_board, tile_set
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.reading import seconds, start_position, whole

if TYPE_CHECKING:
    from donuts_engine.solver import Choice, Limit, Solver, Verdict
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

ABOUT = """\
Says what each legal move is worth under best play by both: W wins, D draws, L loses, ? was not found in the time given.
On the empty board these are the 36 first moves. Only 6 x 6 boards can be solved.
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser("solve", help="who wins, and how", description=ABOUT)
    parser.add_argument(
        "what",
        nargs="?",
        metavar="LAYOUT|POSITION",
        help="36 letters of H, V, D, A; or 'layout cells last you rings' in one word",
    )
    parser.add_argument(
        "--board", type=whole(0, 2**53 - 1), metavar="N", help="the board of the tile set with this number"
    )
    parser.add_argument("--tiles", metavar="FILE", help="another tile set, a TOML file")
    parser.add_argument(
        "--rings", type=whole(1, max(MAX_RINGS.values())), metavar="N", help="rings per side (default 15)"
    )
    parser.add_argument("--moves", default="", metavar="a1,b2", help="placements made before, x first")
    parser.add_argument(
        "--distance", action="store_true", help="say how many plies are left when the winner hurries"
    )
    parser.add_argument(
        "--memory", type=whole(1, 1 << 20), default=256, metavar="MIB", help="most MiB to use (default 256)"
    )
    parser.add_argument(
        "--threads", type=whole(1, 256), default=1, metavar="N", help="moves searched at once (default 1)"
    )
    parser.add_argument("--seconds", metavar="S", help="stop after so long; what is open then is ?")
    parser.add_argument("--nodes", type=whole(1, 2**60), metavar="N", help="stop after so many positions")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    solve_all.add_arguments(parser)


def run(args: argparse.Namespace) -> int:
    """Solve and print; returns the exit status. UsageFault on what cannot be solved, or without numba."""
    if args.all:
        return solve_all.run(args)
    for option in ("out", "boards", "workers", "scheduler"):
        if getattr(args, option) is not None:
            raise UsageFault(f"--{option} is for --all")
    position = _position(args)
    within = seconds("--seconds", args.seconds)
    try:
        from donuts_engine.solver import Solver, SolverFault, known_choices
    except ImportError as fault:
        raise UsageFault(str(fault)) from None
    limit = _limit(within, args.nodes)
    progress = _Progress(len(position.legal))
    try:
        solver = Solver(position.board, position.rings, args.memory << 20)
        choices = () if args.distance else known_choices(position)
        choices = choices or solver.moves(
            position, limit=limit, report=progress.tell, threads=args.threads, plies=args.distance
        )
        verdict = solver.verdict(position, limit)
        best = solver.best_line(position, limit, shortest=args.distance)
    except (SolvedFault, SolverFault) as fault:
        raise UsageFault(str(fault)) from None
    except KeyboardInterrupt:
        progress.clear()
        sys.stderr.write(f"donuts: interrupted: {progress.done} of {len(position.legal)} moves were solved\n")
        return ExitCode.INTERRUPTED
    progress.clear()
    if args.json:
        print(json.dumps(_facts(position, choices, verdict, best)))
    else:
        print("\n".join((_map(position, choices), "", *_sentences(position, choices, verdict, best, solver))))
    return ExitCode.OK


def _position(args: argparse.Namespace) -> Position:
    if (args.what is None) == (args.board is None):
        raise UsageFault("give either a LAYOUT or a POSITION, or --board N")
    if args.what is not None and " " in args.what.strip():
        if args.rings is not None:
            raise UsageFault("--rings: a POSITION says itself how many rings there are")
        try:
            position = parse_position(args.what)
        except NotationError as fault:
            raise UsageFault(f"POSITION: {fault}") from None
    else:
        layout = args.what
        if layout is None:
            layout = numbered_board(args.board, None, tile_set(args.tiles)).layout
        position = start_position(layout, args.rings)
    size = position.board.size
    try:
        squares = parse_moves(args.moves, size)
    except NotationError as fault:
        raise UsageFault(f"--moves: {fault}") from None
    for number, square in enumerate(squares, start=1):
        try:
            position = play(position, square)
        except IllegalMove as fault:
            raise UsageFault(f"--moves: move {number}, {name(square, size)}: {fault}") from None
    return position


def _limit(within: float | None, most: int | None) -> "Limit | None":
    """Holds for all calls of the solver together: once passed it stays passed."""
    end = None if within is None else time.monotonic() + within
    if end is None and most is None:
        return None
    passed = False

    def limit(nodes: int) -> bool:
        nonlocal passed
        passed = (
            passed or (end is not None and time.monotonic() >= end) or (most is not None and nodes >= most)
        )
        return passed

    return limit


class _Progress:
    """Counts the moves that are done, in one line on a terminal that does not stay."""

    def __init__(self, moves: int) -> None:
        self.done = 0
        self._moves = moves
        self._shown = sys.stderr.isatty()

    def tell(self, choice: "Choice") -> None:
        self.done += choice.verdict.value != "unknown"
        if self._shown:
            sys.stderr.write(f"\r{self.done} of {self._moves} moves solved")
            sys.stderr.flush()

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")


def _map(position: Position, choices: "tuple[Choice, ...]") -> str:
    """The board with X and O for the rings and a letter, with the plies to the end, on each legal square."""
    cells = [{"x": "X", "o": "O", ".": "."}[cell] for cell in position.cells]
    for choice in choices:
        plies = "" if choice.plies is None else str(choice.plies)
        cells[choice.square] = LETTER_OF[choice.verdict.value] + plies
    rows = [
        f"   {row + 1} " + "".join(f"{cell:>5}" for cell in cells[6 * row : 6 * row + 6])
        for row in range(5, -1, -1)
    ]
    return "\n".join((*rows, "     " + "".join(f"{column:>5}" for column in COLUMNS[:6])))


def _sentences(
    position: Position,
    choices: "tuple[Choice, ...]",
    verdict: "Verdict",
    best: tuple[int, ...],
    solver: "Solver",
) -> list[str]:
    side = f"{SIDE_NAMES[position.you]} ({position.you})"
    names = NAMES[6]
    keeping = [choice for choice in choices if choice.verdict.value == verdict.value]
    by = ",".join(names[choice.square] for choice in keeping)
    each = f"by {len(keeping)} of {len(choices)} moves: {by}"
    told = {
        "win": f"{side} wins {each}",
        "draw": f"{side} draws {each}",
        "loss": f"{side} loses, whatever the move",
        "unknown": f"unknown: for {side} at least a {verdict.low} and at most a {verdict.high}",
    }[verdict.value]
    lines = [told]
    if best:
        lines.append(f"best line: {','.join(names[square] for square in best)}")
    lines.append(f"{solver.nodes:,} positions searched, {solver.used_memory >> 20} MiB used")
    return [f"   {line}" for line in lines]


def _facts(
    position: Position, choices: "tuple[Choice, ...]", verdict: "Verdict", best: tuple[int, ...]
) -> dict[str, object]:
    names = NAMES[6]
    facts: dict[str, object] = {"layout": position.board.layout, "rings": position.rings}
    plies = [choice.plies for choice in choices]
    timed = any(length is not None for length in plies)
    if not position.ply:
        facts["openings"] = "".join(LETTER_OF[choice.verdict.value] for choice in choices)
        if timed:
            facts["distance"] = plies
    else:
        facts |= {"cells": position.cells, "last": position.last_name, "you": position.you}
        facts |= {"value": verdict.value, "bounds": list(verdict)}
        facts["moves"] = {names[choice.square]: LETTER_OF[choice.verdict.value] for choice in choices}
        if timed:
            facts["distance"] = {names[choice.square]: choice.plies for choice in choices}
    facts["best"] = [names[square] for square in best]
    return facts
