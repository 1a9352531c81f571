"""What can follow a position: every turn that does not let the opponent make five at once.

A position under search has a side on turn that cannot make five at once; its parent saw to that. So the turns that are
left out here lose, and one of the others loses no sooner than two plies later.

A search works on a desk, which belongs to one thread: one frame for each ply of the line under search, with the
position there and its children, and below the frames the counters and the history of what was best.
"""

import numpy as np

from .jit import WORD, Ints, compiled, part, peek, poke, trailing
from .table import CELLS
from .turn import BIT, BITS, FULL, completing, flipping, flips_to_five, inserting

# Words of a frame and of a child alike: the side on turn's rings, the others', the squares as digits of base 3, where
# it may place, and the number of the line that says so (0: any square).
MINE, THEIRS, SQUARES, LEGAL, LINE = range(5)
# Words of a child alone: the bit of the ring, its rank (low is tried first) or its proof number, its disproof number.
BIT_OF, RANK, REFUTING = 5, 6, 7
PROVING = RANK
# Words of a frame alone.
ALPHA, BETA, BEST, COUNT, NEXT, NAME, SINCE, FLOOR, WANTED = range(5, 14)
# Counters of a desk: nodes searched, the ply to go on from, the value wanted at the root.
NODES, PLY, WANT = range(3)

_PLIES = 38  # 36 placements, the start, and one below the last
_CHILDREN = 16 * WORD
CHILD_BYTES = 8 * WORD
_ORDER = _CHILDREN + 36 * CHILD_BYTES
FRAME_BYTES = _ORDER + 40 * WORD
_COUNTERS = _PLIES * FRAME_BYTES
_HISTORY = _COUNTERS + 8 * WORD
_DESK_BYTES = _HISTORY + 2 * BITS * WORD

# Words of a square of a grid: the mask of the line shown there, that square included; a number from 1, the same for
# squares that show the same line; the mask of the squares whose line passes there.
SHOWN, LINE_NUMBER, SHOWING = range(3)
GRID_BYTES = 4 * WORD

UNFINISHED = -9
"""What a search returns when its nodes are used up."""

_POWERS = np.zeros(BITS, np.int64)
for _square, _bit in enumerate(BIT):
    _POWERS[_bit] = 3**_square


def make_desk() -> Ints:
    """Return a desk for one thread."""
    return np.zeros(_DESK_BYTES // WORD, np.int64)


@part
def frame_at(desk: int, ply: int) -> int:
    """Return the address of the frame of `ply`; frames lie one after another."""
    return desk + ply * FRAME_BYTES


@part
def child_at(frame: int, child: int) -> int:
    """Return the address of a child of a frame."""
    return frame + _CHILDREN + child * CHILD_BYTES


@part
def order_at(frame: int) -> int:
    """Return the address of the order in which the children of a frame are tried."""
    return frame + _ORDER


@compiled
def counters_at(desk: int) -> int:
    """Return the address of the counters."""
    return desk + _COUNTERS


@part
def history_at(desk: int, ply: int) -> int:
    """Return the address of the history of the side that moves at `ply`, a word for each bit."""
    return desk + _HISTORY + (ply & 1) * BITS * WORD


@compiled
def digits(mask: int) -> int:
    """Return the sum of 3**square over the squares of `mask`."""
    total = 0
    while mask:
        total += _POWERS[trailing(mask)]
        mask &= mask - 1
    return total


@part
def name_of(position: int) -> int:
    """Return the number under which the table knows the position of a frame or child; 1 or more."""
    return peek(position, SQUARES) + peek(position, LINE) * CELLS + 1


@part
def spread(frame: int, grid: int, ply: int) -> int:
    """Write the turns that do not lose at once as children of the frame; return how many there are."""
    mine = peek(frame, MINE)
    theirs = peek(frame, THEIRS)
    squares = peek(frame, SQUARES)
    legal = peek(frame, LEGAL)
    free = FULL & ~(mine | theirs)
    inserts = inserting(mine, theirs) & legal
    threats = completing(theirs) & free
    count = 0
    while legal:
        ring = legal & -legal
        legal ^= ring
        bit = trailing(ring)
        flipped = flipping(mine, theirs, bit) if inserts & ring else 0
        ours = mine | ring | flipped
        others = theirs & ~flipped
        rest = free ^ ring
        replies = peek(grid + bit * GRID_BYTES, SHOWN) & rest
        line = peek(grid + bit * GRID_BYTES, LINE_NUMBER)
        if replies == 0:
            replies = rest  # "the ring may go on any empty square" (RULES 3.3)
            line = 0
        # Flips take rings away from the opponent, so a threat that was not there before is not there now.
        if threats & replies != 0 and (flipped == 0 or completing(others) & replies != 0):
            continue
        if flips_to_five(others, ours, replies):
            continue
        change = 2 * _POWERS[bit] + digits(flipped) if ply & 1 else _POWERS[bit] - digits(flipped)
        child = child_at(frame, count)
        poke(child, MINE, others)
        poke(child, THEIRS, ours)
        poke(child, SQUARES, squares + change)
        poke(child, LEGAL, replies)
        poke(child, LINE, line)
        poke(child, BIT_OF, bit)
        count += 1
    return count


@part
def step_into(frame: int, child: int) -> None:
    """Put the position of one of the children of a frame on the frame below."""
    for word in range(MINE, LINE + 1):
        poke(frame + FRAME_BYTES, word, peek(child, word))
