"""Counts legal move sequences: the number by which two readings of the rules are compared."""

from .bitboard import has_five, insertion
from .position import Position


def perft(position: Position, depth: int) -> list[int]:
    """Return the number of legal move sequences of length 1, 2, ... `depth`; finished games do not extend.

    The last ply is counted, not played. ValueError for a depth below 1.
    """
    if depth < 1:
        raise ValueError(f"depth is {depth}; 1 or more is needed")
    counts = [0] * depth
    if position.result is not None:
        return counts
    board = position.board
    size = board.size
    places = [(rays, line) for _, rays, _, line in board.places]
    deepest = min(depth, 2 * position.rings - position.ply)

    def count(mine: int, theirs: int, free: int, legal: int, level: int) -> None:
        counts[level] += legal.bit_count()
        level += 1
        if level == deepest:
            return
        while legal:
            bit = legal & -legal
            legal ^= bit
            rays, line = places[bit.bit_length() - 1]
            flipped = insertion(mine, theirs, rays)
            if flipped and (flipped < 0 or has_five(mine | bit | flipped, size)):
                continue
            rest = free ^ bit
            count(theirs ^ flipped, mine | bit | flipped, rest, line & rest or rest, level)

    mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
    free = position.free
    legal = 0
    for square in position.legal:
        legal |= 1 << square
    count(mine, theirs, free, legal, 0)
    return counts
