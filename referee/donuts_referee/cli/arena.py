"""`donuts arena`: the server that bots dial in to, its seats and its operator's commands, each in a file of its own."""

import argparse
from typing import TYPE_CHECKING, cast

from donuts_referee.cli import arena_control, arena_seats, arena_serve

if TYPE_CHECKING:
    from collections.abc import Callable

    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

PARTS = (arena_serve, arena_seats, arena_control)


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser with one below it for each part."""
    parser = subparsers.add_parser(
        "arena",
        help="bots dial in, hold a seat and play a ladder",
        description="A server that stays up: bots dial in by ZeroMQ, are seated, paired, refereed and recorded.",
    )
    parts = parser.add_subparsers(dest="part", required=True, metavar="PART")
    for part in PARTS:
        part.add_parser(parts)


def run(args: argparse.Namespace) -> int:
    """Run the part that was asked for; every part's parser sets `act`."""
    act = cast("Callable[[argparse.Namespace], int]", args.act)
    return act(args)
