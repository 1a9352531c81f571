"""Reads what is typed after a command's name, numbers, times and layouts; a fault says what would be right."""

import argparse
from collections.abc import Callable

from donuts_engine.board import Board
from donuts_engine.notation import NotationError, parse_layout
from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS, Position
from donuts_referee.cli.fault import UsageFault
from donuts_referee.table.control import ControlError, TimeControl

__all__ = ["add_position_arguments", "seconds", "start_position", "whole"]


def whole(low: int, high: int) -> Callable[[str], int]:
    """A `type=` for argparse: a whole number from `low` to `high`, both included."""

    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) < 20 and low <= int(text) <= high):
            raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number from {low} to {high}")
        return int(text)

    return read


def seconds(option: str, text: str | None) -> float | None:
    """The time that was given with `option`, in seconds; None where it was not. UsageFault when `text` is none."""
    if text is None:
        return None
    try:
        return TimeControl.each(text).inc / 1000
    except ControlError:
        raise UsageFault(f"{option}: {text[:40]!r} is no time; write seconds such as 10 or 0.5") from None


def add_position_arguments(parser: argparse.ArgumentParser) -> None:
    """The two arguments that name the start of a game: LAYOUT and --rings."""
    parser.add_argument(
        "layout", metavar="LAYOUT", help="the lines of the squares a1 b1 ..., 36 or 81 letters of H, V, D, A"
    )
    parser.add_argument(
        "--rings",
        type=whole(1, max(MAX_RINGS.values())),
        metavar="N",
        help="rings per side (default 15 on 6 x 6 and 36 on 9 x 9)",
    )


def start_position(layout: str, rings: int | None) -> Position:
    """The empty board that LAYOUT and --rings name; UsageFault says what is wrong with them."""
    try:
        board = Board.of(parse_layout(layout))
    except NotationError as fault:
        raise UsageFault(f"LAYOUT: {fault}") from None
    count = DEFAULT_RINGS[board.size] if rings is None else rings
    most = MAX_RINGS[board.size]
    if count > most:
        raise UsageFault(f"--rings {count}: a {board.size} x {board.size} board takes 1 to {most}")
    return Position.start(board, count)
