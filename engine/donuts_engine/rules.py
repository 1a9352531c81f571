"""One turn: where the ring may go, which rings flip, whether it wins (RULES 3 and 4)."""

from .bitboard import has_five, insertion, squares_of
from .position import FIVE_O, FIVE_X, Draft, Outcome, Position, group_outcome
from .squares import NAMES


class IllegalMove(ValueError):
    """The ring may not go there; the message says why and, where that helps, where it may go."""


def play(position: Position, square: int) -> Position:
    """Return the position after the side on turn places a ring on `square` (an index).

    IllegalMove when the square is taken, off the line of the last ring, not on the board, or the game is
    over.
    """
    if square not in position.legal:
        raise IllegalMove(refusal(position, square))
    # Written out in one piece because a referee runs it at every ply of every game.
    board = position.board
    bit, rays, name, line = board.places[square]
    x = position.x
    o = position.o
    cells = position.cells
    ply = position.ply
    result: Outcome | None = None
    after = Draft()
    if ply & 1:
        flipped = insertion(o, x, rays)
        o |= bit
        cells = f"{cells[:square]}o{cells[square + 1 :]}"
        if flipped:
            if flipped < 0:
                flipped = ~flipped
                result = FIVE_O
            if flipped:
                o |= flipped
                x ^= flipped
                cells = _flip(cells, flipped, "o")
                if result is None and has_five(o, board.size):
                    result = FIVE_O
        after.you = "x"
    else:
        flipped = insertion(x, o, rays)
        x |= bit
        cells = f"{cells[:square]}x{cells[square + 1 :]}"
        if flipped:
            if flipped < 0:
                flipped = ~flipped
                result = FIVE_X
            if flipped:
                x |= flipped
                o ^= flipped
                cells = _flip(cells, flipped, "x")
                if result is None and has_five(x, board.size):
                    result = FIVE_X
        after.you = "o"
    ply += 1
    rings = position.rings
    free = position.free ^ bit
    if result is None and ply == 2 * rings:
        result = group_outcome(x, o, board.size)
    after.board = board
    after.rings = rings
    after.x = x
    after.o = o
    after.last = square
    after.last_name = name
    after.ply = ply
    after.cells = cells
    after.free = free
    after.result = result
    line &= free
    if result is not None:
        after.legal = after.legal_names = ()
    elif line:
        after.legal, after.legal_names = board.choices[line]
    else:
        # "If that line has no empty square, the ring may go on any empty square" (RULES 3.3).
        after.legal, after.legal_names = board.choices.anywhere(free)
    after.__class__ = Position
    return after  # type: ignore[return-value]


def flips(position: Position, square: int) -> tuple[int, ...]:
    """Return the squares, in index order, whose rings flip when the side on turn places a ring on `square`.

    IllegalMove as for `play`.
    """
    if square not in position.legal:
        raise IllegalMove(refusal(position, square))
    mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
    flipped = insertion(mine, theirs, position.board.places[square][1])
    if not flipped:
        return ()
    return squares_of(~flipped if flipped < 0 else flipped)


def flipped(before: Position, after: Position) -> tuple[int, ...]:
    """Return the squares, in index order, whose rings flipped between two successive positions.

    What `flips` says of the move between them, for less.
    """
    changed = before.x & after.o | before.o & after.x
    return squares_of(changed) if changed else ()


def refusal(position: Position, square: int) -> str:
    """Say in one sentence why the side on turn may not place a ring on `square`; "" when it may."""
    board, result = position.board, position.result
    names = NAMES[board.size]
    if square in position.legal:
        return ""
    if result is not None:
        ending = "drawn" if result.winner == "-" else f"won by {result.winner}"
        return f"the game is over ({ending}, {result.why})"
    if not 0 <= square < len(names):
        return f"square {square} is not on the {board.size} x {board.size} board"
    if not position.free >> square & 1:
        return f"{names[square]} is taken"
    legal = ",".join(position.legal_names)
    last = names[position.last]
    return f"{names[square]} is not on the line of {last} ({_line_name(position)}: legal {legal})"


def _flip(cells: str, squares: int, side: str) -> str:
    while squares:
        lowest = squares & -squares
        squares ^= lowest
        square = lowest.bit_length()
        cells = f"{cells[: square - 1]}{side}{cells[square:]}"
    return cells


def _line_name(position: Position) -> str:
    board, last = position.board, position.last
    names = NAMES[board.size]
    letter = board.layout[last]
    if letter == "H":
        return f"row {names[last][1]}"
    if letter == "V":
        return f"column {names[last][0]}"
    line = board.lines[last]
    return f"diagonal {names[line[0]]}-{names[line[-1]]}"
