"""A position: a board, the rings on it and the ring placed last; everything else follows from these."""

from typing import Any, Literal, NamedTuple, NoReturn

from .bitboard import five_squares, has_five, largest_group, moved_mask, squares_of
from .board import Board
from .layout import reflected_squares, turned_squares
from .squares import NAMES, NotationError, index, quoted

Side = Literal["x", "o"]
"""`x` is Chocolate, who moves first; `o` is Vanilla."""

DEFAULT_RINGS = {6: 15, 9: 36}
"""Rings per side when nothing else is said, by size."""

MAX_RINGS = {6: 18, 9: 40}
"""The most rings per side, by size; the least is 1."""

_X_BITS = str.maketrans(".xo", "010")
_O_BITS = str.maketrans(".xo", "001")


class PositionError(ValueError):
    """These values make no position; `key` says which one is wrong: layout, rings, cells, last or you."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


class Outcome(NamedTuple):
    """How a game ended by the rules: the winner ("-" for a draw) and why ("five" or "group")."""

    winner: Literal["x", "o", "-"]
    why: Literal["five", "group"]


FIVE_X = Outcome("x", "five")
FIVE_O = Outcome("o", "five")
GROUP_X = Outcome("x", "group")
GROUP_O = Outcome("o", "group")
DRAW = Outcome("-", "group")


class Draft:
    """A position while it is being set up, for `Position` and `rules.play` only.

    Slots that are set one by one and then sealed by `draft.__class__ = Position` are the fastest immutable
    value that plain Python has: made as fast as a tuple, read in half the time (measured on 3.11).
    """

    __slots__ = (
        "board",
        "cells",
        "free",
        "last",
        "last_name",
        "legal",
        "legal_names",
        "o",
        "ply",
        "result",
        "rings",
        "x",
        "you",
    )

    board: Board
    rings: int
    x: int
    o: int
    last: int
    ply: int
    you: Side
    cells: str
    last_name: str | None
    free: int
    legal: tuple[int, ...]
    legal_names: tuple[str, ...]
    result: Outcome | None


class Position(Draft):
    """A position, immutable and hashable; made by `start`, `from_cells` and `rules.play`.

    The value is `board`, `rings` (per side), `x` and `o` (masks over the square index), `last` (index of the
    ring placed last, -1 on the empty board). What follows from it: `ply` (rings on the board), `you` (who
    moves, or would move), `cells` (`.xo` in index order), `last_name` (None on the empty board), `free` (mask
    of empty squares), `legal` and `legal_names` (where `you` may place, in index order; both () when the game
    is over), `result` (None while it is not).
    """

    __slots__ = ()

    @classmethod
    def start(cls, board: Board, rings: int | None = None) -> "Position":
        """Return the empty board with `rings` per side (default 15 on 6 x 6, 36 on 9 x 9).

        PositionError with key `rings` when the size does not allow that number (1..18, 1..40).
        """
        rings = DEFAULT_RINGS[board.size] if rings is None else _checked_rings(board, rings)
        return _position(board, rings, 0, 0, -1, None)

    @classmethod
    def from_cells(
        cls,
        board: Board,
        rings: int | None,
        cells: str,
        last: str | int | None,
        you: str | None = None,
        *,
        finished: bool = False,
    ) -> "Position":
        """Return the position with these rings on the board.

        `cells` are `.xo` in index order; `last` is a square, by name or index, with a ring of the side that
        moved last; None, "-" or -1 on the empty board only; `you`, when given, must be the side the ring
        count puts on turn. A row of five is refused unless `finished`, and then only one of the side that
        moved last. When every ring is placed the position is over by the groups. PositionError says which
        value is wrong.
        """
        rings = DEFAULT_RINGS[board.size] if rings is None else _checked_rings(board, rings)
        x, o = _read_cells(board, rings, cells)
        ply = (x | o).bit_count()
        square = _read_last(board, x, o, ply, last)
        mover: Side = "o" if ply & 1 else "x"
        if you is not None and you != mover:
            raise PositionError(
                "you", f"you is {quoted(you)}, but with {ply} rings on the board {mover} is on turn"
            )
        five: Outcome | None = None
        for side, rows, outcome in (("x", x, FIVE_X), ("o", o, FIVE_O)):
            if has_five(rows, board.size):
                if not finished or side == mover:
                    row = ",".join(NAMES[board.size][i] for i in squares_of(five_squares(rows, board.size)))
                    raise PositionError("cells", f"{side} already has a row of five ({row})")
                five = outcome
        return _position(board, rings, x, o, square, five)

    def turned(self, quarters: int = 1) -> "Position":
        """Return the whole position after `quarters` quarter turns clockwise."""
        return self._moved(self.board.turned(quarters), turned_squares(self.board.size, quarters))

    def reflected(self) -> "Position":
        """Return the whole position seen in a mirror, left for right."""
        return self._moved(self.board.reflected(), reflected_squares(self.board.size))

    def _moved(self, board: Board, where: tuple[int, ...]) -> "Position":
        last = -1 if self.last < 0 else where[self.last]
        return _position(
            board, self.rings, moved_mask(self.x, where), moved_mask(self.o, where), last, self.result
        )

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError(f"a Position cannot be changed ({attribute})")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise AttributeError(f"a Position cannot be changed ({attribute})")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return (
            self.x == other.x
            and self.o == other.o
            and self.last == other.last
            and self.rings == other.rings
            and self.board == other.board
        )

    def __hash__(self) -> int:
        return hash((self.x, self.o, self.last, self.rings, self.board.layout))

    def __repr__(self) -> str:
        return f"<Position {self.board.layout} {self.cells} {self.last_name or '-'} {self.you} {self.rings}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.board, self.rings, self.cells, self.last)

    def __copy__(self) -> "Position":
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> "Position":
        return self


def group_outcome(x: int, o: int, size: int) -> Outcome:
    """Judge a board on which every ring is placed: the larger largest group wins (RULES 4.2)."""
    x_group, o_group = largest_group(x, size), largest_group(o, size)
    if x_group == o_group:
        return DRAW
    return GROUP_X if x_group > o_group else GROUP_O


def _position(board: Board, rings: int, x: int, o: int, last: int, five: Outcome | None) -> Position:
    """Work out what follows from checked values; `five` is the outcome if a row of five is on the board."""
    position = Draft()
    position.board = board
    position.rings = rings
    position.x = x
    position.o = o
    position.last = last
    position.last_name = None if last < 0 else NAMES[board.size][last]
    position.ply = ply = (x | o).bit_count()
    position.you = "o" if ply & 1 else "x"
    position.cells = "".join(
        ["x" if x >> i & 1 else "o" if o >> i & 1 else "." for i in range(board.size**2)]
    )
    position.free = free = board.full ^ (x | o)
    if five is None and ply == 2 * rings:
        five = group_outcome(x, o, board.size)
    position.result = five
    line = 0 if last < 0 else board.places[last][3] & free
    if five is not None:
        position.legal = position.legal_names = ()
    elif line:
        position.legal, position.legal_names = board.choices[line]
    else:
        position.legal, position.legal_names = board.choices.anywhere(free)
    position.__class__ = Position
    return position  # type: ignore[return-value]


def _restored(board: Board, rings: int, cells: str, last: int) -> Position:
    return Position.from_cells(board, rings, cells, last, finished=True)


def _checked_rings(board: Board, rings: int) -> int:
    most = MAX_RINGS[board.size]
    if not 1 <= rings <= most:
        raise PositionError(
            "rings", f"rings is {rings}; 1 to {most} a side fit a {board.size} x {board.size} board"
        )
    return rings


def _read_cells(board: Board, rings: int, cells: str) -> tuple[int, int]:
    size = board.size
    if len(cells) != size * size:
        raise PositionError(
            "cells", f"cells has {len(cells)} characters; {size * size} of . x o are needed for this layout"
        )
    xs, os = cells.count("x"), cells.count("o")
    if xs + os + cells.count(".") != size * size:
        square, cell = next(
            (square, cell) for square, cell in zip(NAMES[size], cells, strict=True) if cell not in ".xo"
        )
        raise PositionError("cells", f"cells has {quoted(cell)} on {square}; only . x o are cells")
    if xs + os > 2 * rings:
        raise PositionError("cells", f"cells has {xs + os} rings; two sides of {rings} have {2 * rings}")
    backwards = cells[::-1]
    return int(backwards.translate(_X_BITS), 2), int(backwards.translate(_O_BITS), 2)


def _read_last(board: Board, x: int, o: int, ply: int, last: str | int | None) -> int:
    if last is None or last in ("-", -1):
        if ply:
            raise PositionError(
                "last", f"last is missing; it is - on the empty board only, and {ply} rings are placed"
            )
        return -1
    if isinstance(last, str):
        try:
            last = index(last, board.size)
        except NotationError as fault:
            raise PositionError("last", f"last: {fault}") from None
    elif not 0 <= last < board.size**2:
        raise PositionError("last", f"last is {last}; squares are 0 to {board.size**2 - 1}")
    square = NAMES[board.size][last]
    if not ply:
        raise PositionError("last", f"last is {square}, but the board is empty; it must be -")
    side, theirs = ("x", x) if ply & 1 else ("o", o)
    if not theirs >> last & 1:
        raise PositionError("last", f"last is {square}, but {side} moved last and has no ring there")
    return last
