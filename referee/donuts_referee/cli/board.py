"""`donuts board`: draws a board, from a seed, by its number or by its layout, and shows its lines."""

import argparse
import json
import random
import secrets
import sys
from typing import TYPE_CHECKING

from donuts_engine.position import Position
from donuts_engine.squares import SIZES
from donuts_referee.cli.boards import check_drawing, named_board, numbered_board, tile_set
from donuts_referee.cli.picture import picture
from donuts_referee.cli.reading import whole

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "board",
        help="draw a board",
        description="Draws a board from a seed, by its number in the tile set, or from a layout.",
    )
    parser.add_argument("--size", choices=[str(size) for size in SIZES], help="squares per edge (default 6)")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--seed", type=whole(0, 2**53 - 1), metavar="N", help="draw it from this seed")
    which.add_argument(
        "--number",
        "--board",
        action=_Number,
        type=whole(0, 2**53 - 1),
        metavar="N",
        help="draw this 6 x 6 board of the tile set",
    )
    which.add_argument("--layout", metavar="LETTERS", help="36 or 81 letters of H, V, D, A")
    parser.add_argument("--tiles", metavar="FILE", help="another tile set, a TOML file")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


class _Number(argparse.Action):
    """Keeps the number, and as `typed` under which of its two names it was given."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        namespace.number, namespace.typed = values, option_string


def run(args: argparse.Namespace) -> int:
    """Draw the board and print it; returns the exit status. UsageFault on a board that cannot be."""
    size = None if args.size is None else int(args.size)
    seed: int | None = None
    number: int | None = None
    if args.layout is not None:
        board = named_board(args.layout, size)
    elif args.number is not None:
        board, number = numbered_board(args.number, size, tile_set(args.tiles), args.typed), args.number
    else:
        seed = secrets.randbelow(2**31) if args.seed is None else args.seed
        tiles = tile_set(args.tiles)
        check_drawing(tiles, size or 6)
        board, number = tiles.draw(size or 6, random.Random(seed))
    if args.json:
        print(json.dumps({"size": board.size, "layout": board.layout, "number": number, "seed": seed}))
        return 0
    print(picture(Position.start(board), sys.stdout))
    print(f"layout  {board.layout}")
    if number is not None:
        print(f"number  {number}")
    if seed is not None:
        print(f"seed    {seed}")
    return 0
