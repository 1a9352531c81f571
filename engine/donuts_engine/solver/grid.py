"""A board and its positions in the numbers that the compiled search reads; the symmetries of a board."""

from itertools import product

import numpy as np

from ..board import Board
from ..layout import reflected_squares, turned_squares
from ..position import Position
from .expand import (
    FRAME_BYTES,
    GRID_BYTES,
    LEGAL,
    LINE,
    LINE_NUMBER,
    MINE,
    SHOWING,
    SHOWN,
    SQUARES,
    THEIRS,
    digits,
)
from .jit import WORD, Ints
from .turn import BIT, BITS, FULL


def widened(mask: int) -> int:
    """Return a mask over square indices as a mask over the bits of `turn`."""
    return sum((mask >> 6 * row & 63) << 7 * row for row in range(6))


def make_grid(board: Board) -> Ints:
    """Return the lines of a 6 x 6 board, by bit."""
    grid = np.zeros((BITS, GRID_BYTES // WORD), np.int64)
    known: dict[int, int] = {}
    for bit, (_, _, _, line) in zip(BIT, board.places, strict=True):
        shown = widened(line)
        grid[bit, SHOWN] = shown
        grid[bit, LINE_NUMBER] = known.setdefault(shown, len(known) + 1)
        for passed in BIT:
            if shown >> passed & 1:
                grid[passed, SHOWING] |= 1 << bit
    return grid


def lay(desk: Ints, grid: Ints, position: Position) -> Ints:
    """Write a position that is not over onto the frame of its ply; return the words of that frame."""
    x, o = widened(position.x), widened(position.o)
    ply = position.ply
    free = FULL & ~(x | o)
    legal, line = free, 0
    if ply:
        bit = BIT[position.last]
        named = int(grid[bit, SHOWN]) & free
        if named:
            legal, line = named, int(grid[bit, LINE_NUMBER])
    frame = desk[ply * FRAME_BYTES // WORD : (ply + 1) * FRAME_BYTES // WORD]
    frame[MINE], frame[THEIRS] = (o, x) if ply & 1 else (x, o)
    frame[SQUARES] = digits(x) + 2 * digits(o)
    frame[LEGAL], frame[LINE] = legal, line
    return frame


def twins(board: Board) -> tuple[int, ...]:
    """Return for each square the lowest one that a symmetry of the board carries it to."""
    lowest = list(range(36))
    mirror = reflected_squares(6)
    for quarters, mirrored in product(range(4), (False, True)):
        image = board.turned(quarters)
        where = turned_squares(6, quarters)
        if mirrored:
            image = image.reflected()
            where = tuple(mirror[square] for square in where)
        if image == board:
            for square in range(36):
                lowest[square] = min(lowest[square], where[square])
    return tuple(lowest)
