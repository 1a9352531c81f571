"""A board: the line shown on every square, and all that follows from the lines alone."""

from typing import Any, NoReturn
from weakref import WeakValueDictionary

from .bitboard import Rays, mask_of
from .geometry import Choices, geometry
from .layout import SIZE_OF_LENGTH, parse_layout, reflect_letters, turn_letters
from .squares import NAMES

Place = tuple[int, Rays, str, int]
"""What a placement on a square needs: its bit, its rays, its name, the mask of the line it shows."""

_BOARDS: "WeakValueDictionary[str, Board]" = WeakValueDictionary()


class Board:
    """A board, immutable and hashable; the same layout gives the same object as long as one is in use.

    `Board(layout)` and `Board.of(layout)` are the same; both raise NotationError for a text that is no
    layout. `size` is 6 or 9, `layout` the letters H V D A in index order, `lines[i]` the squares of the line
    shown on square i, in index order, i included; `places` and `choices` serve the rules.
    """

    __slots__ = ("__weakref__", "choices", "full", "layout", "lines", "places", "size")

    size: int
    layout: str
    lines: tuple[tuple[int, ...], ...]
    places: tuple[Place, ...]
    choices: Choices
    full: int

    def __new__(cls, layout: str) -> "Board":
        found = _BOARDS.get(layout)
        if found is not None:
            return found
        size = SIZE_OF_LENGTH[len(parse_layout(layout))]
        grid = geometry(size)
        lines = tuple(grid.lines[letter][square] for square, letter in enumerate(layout))
        board = object.__new__(cls)
        keep = object.__setattr__
        keep(board, "size", size)
        keep(board, "layout", layout)
        keep(board, "lines", lines)
        keep(board, "choices", grid.choices)
        keep(board, "full", grid.full)
        keep(
            board,
            "places",
            tuple(
                (1 << square, grid.rays[square], NAMES[size][square], mask_of(line))
                for square, line in enumerate(lines)
            ),
        )
        return _BOARDS.setdefault(layout, board)

    @classmethod
    def of(cls, layout: str) -> "Board":
        """Return the board with this layout."""
        return cls(layout)

    def turned(self, quarters: int = 1) -> "Board":
        """Return this board after `quarters` quarter turns clockwise (negative: the other way)."""
        return Board(turn_letters(self.layout, self.size, quarters))

    def reflected(self) -> "Board":
        """Return this board seen in a mirror, left for right."""
        return Board(reflect_letters(self.layout, self.size))

    def __setattr__(self, attribute: str, value: object) -> NoReturn:
        raise AttributeError(f"a Board cannot be changed ({attribute})")

    def __delattr__(self, attribute: str) -> NoReturn:
        raise AttributeError(f"a Board cannot be changed ({attribute})")

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Board) and self.layout == other.layout)

    def __hash__(self) -> int:
        return hash(self.layout)

    def __repr__(self) -> str:
        return f"Board({self.layout!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self.layout,)
