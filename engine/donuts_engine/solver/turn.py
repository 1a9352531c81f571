"""One turn on bare integers, for the compiled search: rows of five, insertion, groups (RULES 3 and 4).

Square i is bit (i // 6) * 7 + i % 6: the seventh bit of each row is always empty, so that no shift carries a ring round
the edge. Shifts by 1, 7, 8 and 6 are steps along H, V, D and A. `perft` proves these functions equal to `rules`.
"""

import numpy as np

from ..geometry import STEPS
from .jit import Ints, compiled, leading, part, popcount, trailing

BIT = tuple(square // 6 * 7 + square % 6 for square in range(36))
"""The bit of each square, by index."""
FULL = sum(1 << bit for bit in BIT)
"""The mask of all squares."""
BITS = 42


def _walks(sign: int) -> Ints:
    """By bit and direction: the mask of the squares from there to the edge."""
    walks = np.zeros((BITS, 4), np.int64)
    for square, bit in enumerate(BIT):
        for direction, (column_step, row_step) in enumerate(STEPS.values()):
            row, column = divmod(square, 6)
            while True:
                row += sign * row_step
                column += sign * column_step
                if not (0 <= row < 6 and 0 <= column < 6):
                    break
                walks[bit, direction] |= 1 << row * 7 + column
    return walks


_UP = _walks(1)
_DOWN = _walks(-1)


@part
def five(rings: int) -> bool:
    """Tell whether `rings` hold five in an unbroken straight line."""
    pairs = rings & rings >> 1
    rows = pairs & pairs >> 2 & rings >> 4
    pairs = rings & rings >> 7
    rows |= pairs & pairs >> 14 & rings >> 28
    pairs = rings & rings >> 8
    rows |= pairs & pairs >> 16 & rings >> 32
    pairs = rings & rings >> 6
    rows |= pairs & pairs >> 12 & rings >> 24
    return rows != 0


@part
def _completing(rings: int, step: int) -> int:
    up1 = rings >> step
    up2 = up1 & rings >> 2 * step
    up3 = up2 & rings >> 3 * step
    down1 = rings << step
    down2 = down1 & rings << 2 * step
    down3 = down2 & rings << 3 * step
    return up3 & (down1 | rings >> 4 * step) | up2 & down2 | down3 & (up1 | rings << 4 * step)


@part
def completing(rings: int) -> int:
    """Return the mask of the squares where one more ring makes five without any flip; taken ones may be among them."""
    return _completing(rings, 1) | _completing(rings, 7) | _completing(rings, 8) | _completing(rings, 6)


@part
def _inserting(mine: int, theirs: int, step: int) -> int:
    # Three of the mover's rings on one side are enough: with four the new ring makes five by itself.
    up = theirs >> step
    up |= (up & mine) >> step
    up |= (up & mine) >> step
    up |= (up & mine) >> step
    down = theirs << step
    down |= (down & mine) << step
    down |= (down & mine) << step
    down |= (down & mine) << step
    return up & down


@part
def inserting(mine: int, theirs: int) -> int:
    """Return the mask of the squares where a ring of `mine` flips rings; not those where it makes five without flips.

    Squares that are taken may be among them.
    """
    return (
        _inserting(mine, theirs, 1)
        | _inserting(mine, theirs, 7)
        | _inserting(mine, theirs, 8)
        | _inserting(mine, theirs, 6)
    )


@part
def flipping(mine: int, theirs: int, bit: int) -> int:
    """Return the mask of the rings that flip when the owner of `mine` places a ring on `bit` (RULES 3.4)."""
    flipped = 0
    for direction in range(4):
        up = _UP[bit, direction] & ~mine
        down = _DOWN[bit, direction] & ~mine
        if up != 0 and down != 0:
            ends = up & -up | 1 << 63 - leading(down)
            if ends & theirs == ends:
                flipped |= ends
    return flipped


@part
def flips_to_five(mine: int, theirs: int, legal: int) -> bool:
    """Tell whether a ring on one of `legal` makes five by the rings it flips."""
    squares = inserting(mine, theirs) & legal
    while squares:
        ring = squares & -squares
        squares ^= ring
        if five(mine | ring | flipping(mine, theirs, trailing(ring))):
            return True
    return False


@compiled
def wins_at_once(mine: int, theirs: int, legal: int) -> bool:
    """Tell whether a ring on one of `legal` makes five, with or without flips."""
    return completing(mine) & legal != 0 or flips_to_five(mine, theirs, legal)


@part
def largest(rings: int) -> int:
    """Return how many rings the largest orthogonally connected group has."""
    most = 0
    while rings:
        group = rings & -rings
        while True:
            grown = (group | group << 1 | group >> 1 | group << 7 | group >> 7) & rings
            if grown == group:
                break
            group = grown
        rings ^= group
        size = popcount(group)
        if size > most:
            most = size
    return most


@part
def by_groups(mine: int, theirs: int) -> int:
    """Judge a board on which every ring is placed: 1, 0 or -1 for the owner of `mine` (RULES 4)."""
    ours = largest(mine)
    other = largest(theirs)
    return 1 if ours > other else 0 if ours == other else -1
