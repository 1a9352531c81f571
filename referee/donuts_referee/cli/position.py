"""`donuts position`: says who is to move in a position and where, what flipped, and who has won."""

import argparse
import json
import sys
from typing import TYPE_CHECKING, NamedTuple

from donuts_engine.notation import NotationError, parse_moves
from donuts_engine.outcome import Outcome, groups, outcome
from donuts_engine.position import Position
from donuts_engine.rules import IllegalMove, flipped, play
from donuts_engine.squares import name
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.picture import picture
from donuts_referee.cli.reading import add_position_arguments, start_position

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]


class _Reached(NamedTuple):
    """A position with the way to it."""

    position: Position
    flips: tuple[tuple[str, ...], ...]
    """per placement the squares that flipped"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "position",
        help="say what the rules make of a position",
        description="Plays the moves from an empty board and says what the rules make of the position.",
    )
    add_position_arguments(parser)
    parser.add_argument("--moves", default="", metavar="a1,b2", help="the placements from the start, x first")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Play the moves, print what is so; returns the exit status. UsageFault: bad input, illegal move."""
    reached = _reach(start_position(args.layout, args.rings), args.moves)
    position = reached.position
    if args.json:
        print(json.dumps(_facts(reached, outcome(position))))
    else:
        print(picture(position, sys.stdout))
        print("\n".join(f"   {line}" for line in _sentences(reached)))
    return 0


def _reach(position: Position, moves: str) -> _Reached:
    try:
        squares = parse_moves(moves, position.board.size)
    except NotationError as fault:
        raise UsageFault(f"--moves: {fault}") from None
    flips: list[tuple[str, ...]] = []
    size = position.board.size
    for number, square in enumerate(squares, start=1):
        try:
            following = play(position, square)
        except IllegalMove as fault:
            raise UsageFault(f"--moves: move {number}, {name(square, size)}: {fault}") from None
        flips.append(tuple(name(at, size) for at in flipped(position, following)))
        position = following
    return _Reached(position, tuple(flips))


def _facts(reached: _Reached, over: Outcome | None) -> dict[str, object]:
    position = reached.position
    return {
        "size": position.board.size,
        "layout": position.board.layout,
        "rings": position.rings,
        "ply": position.ply,
        "you": position.you,
        "cells": position.cells,
        "last": position.last_name,
        "legal": [] if over else list(position.legal_names),
        "flips": [list(one) for one in reached.flips],
        "winner": over.winner if over else None,
        "why": over.why if over else None,
        "groups": list(groups(position)),
    }


def _sentences(reached: _Reached) -> list[str]:
    """What the drawing and the line below it do not say."""
    position = reached.position
    x, o = groups(position)
    lines = [f"largest groups: x {x}, o {o}"]
    if reached.flips and reached.flips[-1]:
        lines.insert(0, f"the last ring, on {position.last_name}, flipped {', '.join(reached.flips[-1])}")
    return lines
