"""Writes and reads the engine's texts: squares, layouts, lists of moves, whole positions."""

from .board import Board
from .layout import parse_layout
from .position import Position, PositionError
from .squares import NotationError, index, name, quoted

__all__ = [
    "NotationError",
    "format_moves",
    "format_position",
    "index",
    "name",
    "parse_layout",
    "parse_moves",
    "parse_position",
]


def parse_moves(text: str, size: int) -> tuple[int, ...]:
    """Return the square indices of a list like `a1,b2` ("" is no move); NotationError names the first fault.

    Whether the moves are legal is for `rules.play` to say.
    """
    if not text:
        return ()
    moves: list[int] = []
    for number, square in enumerate(text.split(","), start=1):
        try:
            moves.append(index(square, size))
        except NotationError as fault:
            raise NotationError(f"move {number}: {fault}") from None
    return tuple(moves)


def format_moves(moves: tuple[int, ...], size: int) -> str:
    """Write square indices as `parse_moves` reads them."""
    return ",".join([name(square, size) for square in moves])


def format_position(position: Position) -> str:
    """Write a whole position in one line: `layout cells last you rings`, with `-` for no last ring."""
    last = position.last_name or "-"
    return f"{position.board.layout} {position.cells} {last} {position.you} {position.rings}"


def parse_position(text: str) -> Position:
    """Read what `format_position` wrote, finished games included; NotationError says what is wrong.

    Exact both ways: every text that is accepted is the one `format_position` writes.
    """
    fields = text.split(" ")
    if len(fields) != 5:
        raise NotationError(
            "a position is 'layout cells last you rings' with single spaces; "
            f"{len(fields)} fields in {quoted(text)}"
        )
    layout, cells, last, you, rings = fields
    if not (rings.isascii() and rings.isdecimal() and len(rings) < 4 and str(int(rings)) == rings):
        raise NotationError(f"rings is {quoted(rings)}; a number is needed")
    board = Board.of(parse_layout(layout))
    try:
        return Position.from_cells(board, int(rings), cells, last, you, finished=True)
    except PositionError as fault:
        raise NotationError(str(fault)) from None
