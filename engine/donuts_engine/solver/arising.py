"""Tells positions that no game reaches, as far as one look can tell."""

from ..position import Position
from ..squares import NAMES


def refusal(position: Position) -> str:
    """Say in one sentence why no game reaches the position; "" when it may be reached.

    What `Position` refuses itself is not looked for again. A position that passes may still be out of reach: to be
    sure one has to play all games backwards.
    """
    ply, last = position.ply, position.last
    if ply < 2:
        return ""
    board = position.board
    names = NAMES[board.size]
    if ply < 4 and position.o.bit_count() != ply // 2:
        # To flip two rings takes an opponent who has placed two, and a ring of one's own between them.
        rings = position.o.bit_count()
        return f"no game reaches this position: no ring flips in {ply} placements, yet o has {rings}"
    ring = 1 << last
    taken = position.x | position.o
    for square, (bit, _, _, line) in enumerate(board.places):
        # The ring placed before the last one shows a line that holds the last one, or that was full (RULES 3).
        if square != last and taken & bit and (line & ring or not line & ~(taken ^ ring)):
            return ""
    return (
        f"no game reaches this position: the last ring, on {names[last]}, is on no line that another ring shows,"
        " and each of these lines has an empty square"
    )
