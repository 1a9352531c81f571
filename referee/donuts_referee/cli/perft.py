"""`donuts perft`: counts the move sequences of every length up to a depth, by which engines are compared."""

import argparse
import json
from typing import TYPE_CHECKING

from donuts_engine.perft import perft
from donuts_referee.cli.reading import add_position_arguments, start_position, whole

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "perft",
        help="count the move sequences from an empty board",
        description="Counts the legal move sequences of length 1, 2, ... N; finished games end.",
    )
    add_position_arguments(parser)
    parser.add_argument("--depth", type=whole(1, 80), required=True, metavar="N", help="longest length")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Count and print; returns the exit status. UsageFault on a layout or number of rings that cannot be."""
    start = start_position(args.layout, args.rings)
    counts = perft(start, args.depth)
    if args.json:
        board = start.board
        print(json.dumps({"size": board.size, "layout": board.layout, "rings": start.rings, "perft": counts}))
        return 0
    width = len(f"{max(counts):,}")
    for depth, count in enumerate(counts, start=1):
        print(f"{depth:2}  {count:>{width},}")
    return 0
