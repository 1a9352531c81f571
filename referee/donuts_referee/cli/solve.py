"""`donuts solve`: who wins a board or a position under best play, by which moves, and how soon."""

import argparse
import json
import sys
import time
from operator import itemgetter
from typing import TYPE_CHECKING

from donuts_engine.drawing import SIDE_NAMES
from donuts_engine.notation import NotationError, parse_moves, parse_position
from donuts_engine.position import MAX_RINGS, Position
from donuts_engine.rules import IllegalMove, play
from donuts_engine.solved import LETTER_OF, SolvedFault, Value
from donuts_engine.squares import COLUMNS, NAMES, name
from donuts_referee.cli import solve_all
from donuts_referee.cli.boards import numbered_board, tile_set
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.reading import seconds, start_position, whole

if TYPE_CHECKING:
    from donuts_engine.solver import Choice, Limit, Solver
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

ABOUT = """\
Says what each legal move is worth under best play by both: W wins, D draws, L loses, ? was not found in the time given.
On the empty board these are the 36 first moves. Only 6 x 6 boards can be solved.
"""

EPILOG = """\
With --distance a number follows the letter: the rings from this move, which counts as one, to the end of the game when
the winner hurries and the loser delays. W13: the move wins, with the 13th ring from now at the latest; L24: it loses,
but holds out until the 24th.

With --seconds or --nodes the values come first, then the lengths, then the best line, as far as the limit allows; what
was found is true. --json prints null for a length that was not found.

examples:
  donuts solve --board 53                     what the first moves of a board are worth
  donuts solve --board 53 --moves e3,e4       what comes after two of them
  donuts solve --board 53 --moves e3,e4 --distance
  donuts solve --board 53 --seconds 5 --json
  donuts solve --all --out boards.solved      every board of the tile set
"""

STEP = 1 << 15
"""Positions between two looks at a limit; fewer where it is one of few positions."""

WORTH: dict[Value, int] = {"loss": -1, "draw": 0, "win": 1}


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser("solve", help="who wins, and how", description=ABOUT, epilog=EPILOG)
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
        "--distance", action="store_true", help="say how many plies are left when the winner hurries: W13"
    )
    parser.add_argument(
        "--memory", type=whole(1, 1 << 20), default=256, metavar="MIB", help="most MiB to use (default 256)"
    )
    parser.add_argument(
        "--threads", type=whole(1, 256), default=1, metavar="N", help="moves searched at once (default 1)"
    )
    parser.add_argument("--seconds", metavar="S", help="stop after so long; what is open then is ?")
    parser.add_argument(
        "--nodes", type=whole(1, 2**60), metavar="N", help="stop after about so many positions"
    )
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
    progress = _Progress(len(position.legal))
    try:
        step = STEP if args.nodes is None else max(1, min(STEP, args.nodes >> 4))
        solver = Solver(position.board, position.rings, args.memory << 20, step=step)
        limit = _limit(solver, within, args.nodes)
        choices = known_choices(position)
        # Under a limit no length takes the time of a value.
        if not choices and (limit is not None or not args.distance):
            choices = solver.moves(position, limit=limit, report=progress.tell, threads=args.threads)
        if args.distance:
            timed = solver.moves(
                position, limit=limit, report=progress.tell, threads=args.threads, plies=True
            )
            choices = _with_lengths(choices, timed)
        best = _best_line(solver, position, choices, limit, shortest=args.distance)
    except (SolvedFault, SolverFault) as fault:
        raise UsageFault(str(fault)) from None
    except KeyboardInterrupt:
        progress.clear()
        sys.stderr.write(f"donuts: interrupted: {progress.done} of {len(position.legal)} moves were solved\n")
        return ExitCode.INTERRUPTED
    progress.clear()
    if args.json:
        print(json.dumps(_facts(position, choices, best, timed=args.distance)))
    else:
        print("\n".join((_map(position, choices), "", *_sentences(position, choices, best, solver))))
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


def _limit(solver: "Solver", within: float | None, most: int | None) -> "Limit | None":
    """Holds for all calls of the solver together: once passed it stays passed."""
    end = None if within is None else time.monotonic() + within
    if end is None and most is None:
        return None
    passed = False

    def limit(_nodes: int) -> bool:
        nonlocal passed
        passed = (
            passed
            or (end is not None and time.monotonic() >= end)
            or (most is not None and solver.nodes >= most)
        )
        return passed

    return limit


def _with_lengths(choices: "tuple[Choice, ...]", timed: "tuple[Choice, ...]") -> "tuple[Choice, ...]":
    """The moves of `timed`, but with the value of `choices` (which may be ()) where the limit left none."""
    if not choices:
        return timed
    return tuple(
        valued if late.verdict.value == "unknown" else late
        for valued, late in zip(choices, timed, strict=True)
    )


def _bounds(choices: "tuple[Choice, ...]") -> tuple[Value, Value]:
    """The least and the most that the position is worth by what is known of its moves."""
    lows: list[Value] = [choice.verdict.low for choice in choices]
    highs: list[Value] = [choice.verdict.high for choice in choices]
    return max(lows, key=lambda value: WORTH[value]), max(highs, key=lambda value: WORTH[value])


def _best_line(
    solver: "Solver",
    position: Position,
    choices: "tuple[Choice, ...]",
    limit: "Limit | None",
    *,
    shortest: bool,
) -> tuple[int, ...]:
    """Moves that keep the value, to the end or as far as the limit lets them be found; () where no move is proved.

    With `shortest` the first is the quickest win that is known, or the slowest draw or loss.
    """
    low, high = _bounds(choices)
    keeping = [choice for choice in choices if choice.verdict == (low, low)]
    if low != high or not keeping:
        return ()
    first = keeping[0]
    timed = [(choice.plies, choice) for choice in keeping if choice.plies is not None]
    if shortest and timed:
        _, first = (min if low == "win" else max)(timed, key=itemgetter(0))
    position = play(position, first.square)
    if position.result is not None:
        return (first.square,)
    return (first.square, *solver.best_line(position, limit, shortest=shortest))


class _Progress:
    """Counts the moves that are done, in one line on a terminal that does not stay."""

    def __init__(self, moves: int) -> None:
        self._solved: set[int] = set()
        self._moves = moves
        self._shown = sys.stderr.isatty()

    @property
    def done(self) -> int:
        return len(self._solved)

    def tell(self, choice: "Choice") -> None:
        if choice.verdict.value != "unknown":
            self._solved.add(choice.square)
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
    best: tuple[int, ...],
    solver: "Solver",
) -> list[str]:
    side = f"{SIDE_NAMES[position.you]} ({position.you})"
    names = NAMES[6]
    low, high = _bounds(choices)
    keeping = [names[choice.square] for choice in choices if choice.verdict == (low, low)]
    some = "at least " if any(choice.verdict.value == "unknown" for choice in choices) else ""
    each = f"by {some}{len(keeping)} of {len(choices)} moves: {','.join(keeping)}"
    if len(keeping) == len(choices):
        each = "by every move" if len(keeping) > 1 else f"by the only move: {keeping[0]}"
    if low != high:
        told = f"unknown: for {side} at least a {low} and at most a {high}"
    elif low == "loss":
        told = f"{side} loses, whatever the move"
    else:
        told = f"{side} {low}s {each}"
    lines = [told]
    if best:
        lines.append(f"best line: {','.join(names[square] for square in best)}")
    searched = f"{solver.nodes:,} position{'' if solver.nodes == 1 else 's'} searched"
    lines.append(f"{searched}, {solver.used_memory >> 20} MiB used")
    return [f"   {line}" for line in lines]


def _facts(
    position: Position, choices: "tuple[Choice, ...]", best: tuple[int, ...], *, timed: bool
) -> dict[str, object]:
    names = NAMES[6]
    facts: dict[str, object] = {"layout": position.board.layout, "rings": position.rings}
    low, high = _bounds(choices)
    if position.ply:
        facts |= {"cells": position.cells, "last": position.last_name, "you": position.you}
    facts |= {"value": low if low == high else "unknown", "bounds": [low, high]}
    if not position.ply:
        facts["openings"] = "".join(LETTER_OF[choice.verdict.value] for choice in choices)
        if timed:
            facts["distance"] = [choice.plies for choice in choices]
    else:
        facts["moves"] = {names[choice.square]: LETTER_OF[choice.verdict.value] for choice in choices}
        if timed:
            facts["distance"] = {names[choice.square]: choice.plies for choice in choices}
    facts["best"] = [names[square] for square in best]
    return facts
