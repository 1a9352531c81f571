"""Counts legal move sequences by the compiled rules, to prove them equal to the rules for people."""

from ..position import Position
from .expand import (
    COUNT,
    FRAME_BYTES,
    GRID_BYTES,
    LEGAL,
    MINE,
    SHOWN,
    THEIRS,
    frame_at,
    make_desk,
)
from .grid import lay, make_grid
from .jit import compiled, peek, poke, popcount, trailing
from .turn import FULL, completing, five, flipping, inserting


@compiled
def _count(desk: int, grid: int, root: int, depth: int) -> int:
    """How many sequences of exactly `depth` moves begin at frame `root`."""
    total = 0
    ply = root
    poke(frame_at(desk, root), COUNT, peek(frame_at(desk, root), LEGAL))
    while ply >= root:
        frame = frame_at(desk, ply)
        legal = peek(frame, COUNT)
        if ply == root + depth - 1:
            total += popcount(legal)
            legal = 0
        if legal == 0:
            ply -= 1
            continue
        ring = legal & -legal
        poke(frame, COUNT, legal ^ ring)
        mine = peek(frame, MINE)
        theirs = peek(frame, THEIRS)
        bit = trailing(ring)
        flipped = flipping(mine, theirs, bit) if inserting(mine, theirs) & ring else 0
        ours = mine | ring | flipped
        if completing(mine) & ring or five(ours):
            continue
        rest = FULL & ~(ours | theirs)
        replies = peek(grid + bit * GRID_BYTES, SHOWN) & rest
        below = frame + FRAME_BYTES
        poke(below, MINE, theirs & ~flipped)
        poke(below, THEIRS, ours)
        poke(below, COUNT, replies if replies != 0 else rest)
        ply += 1
    return total


def sequences(position: Position, depth: int) -> list[int]:
    """Return the number of legal move sequences of length 1, 2, ... `depth`, as `perft` does."""
    left = 2 * position.rings - position.ply
    if position.result is not None:
        return [0] * depth
    desk, grid = make_desk(), make_grid(position.board)
    counts = []
    for length in range(1, depth + 1):
        lay(desk, grid, position)
        at = desk.ctypes.data, grid.ctypes.data
        counts.append(_count(*at, position.ply, length) if length <= left else 0)
    return counts
