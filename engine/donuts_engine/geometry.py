"""What depends on the size of a board alone: its lines, the tables of insertion, cached lists of squares.

The tables fill as they are asked, so that starting up costs nothing. They are bounded: a table of one line
through one square has at most 2^5 (6 x 6) or 2^8 (9 x 9) entries, the lists one entry for each subset of each
line.
"""

from .bitboard import mask_of, squares_of
from .squares import NAMES

STEPS = {"H": (1, 0), "V": (0, 1), "D": (1, 1), "A": (-1, 1)}
"""For each line letter one step along it, as (columns, rows)."""

Choice = tuple[tuple[int, ...], tuple[str, ...]]
"""The same squares twice: as indices and as names, both in index order."""


class Bounds(dict[int, int]):
    """One line through one square: the mover's rings on the line -> what `bitboard.Rays` says of them."""

    __slots__ = ("_after", "_before")

    def __init__(self, before: tuple[int, ...], after: tuple[int, ...]) -> None:
        super().__init__()
        self._before = before
        self._after = after

    def __missing__(self, mine: int) -> int:
        run = 1
        ends = 0
        open_ends = 0
        for side in (self._before, self._after):
            for square in side:
                if not mine >> square & 1:
                    ends |= 1 << square
                    open_ends += 1
                    break
                run += 1
        if open_ends < 2:
            ends = 0
        value = self[mine] = ~ends if run >= 5 else ends
        return value


class Choices(dict[int, Choice]):
    """Subset of a line -> its squares as indices and names; other masks would make it grow unbounded."""

    __slots__ = ("_names", "_rows")

    def __init__(self, size: int) -> None:
        super().__init__()
        self._names = NAMES[size]
        self._rows = tuple(((1 << size) - 1) << size * row for row in range(size))

    def __missing__(self, mask: int) -> Choice:
        squares = squares_of(mask)
        choice = self[mask] = squares, tuple([self._names[square] for square in squares])
        return choice

    def anywhere(self, mask: int) -> Choice:
        """Return the squares of any mask, put together from its rows, which are lines."""
        squares: tuple[int, ...] = ()
        names: tuple[str, ...] = ()
        for row in self._rows:
            if mask & row:
                more_squares, more_names = self[mask & row]
                squares += more_squares
                names += more_names
        return squares, names


class Geometry:
    """The lines of the empty grid of one size.

    `lines[letter][i]` holds the squares of that line through i in index order, i included; `rays[i]` is what
    `bitboard.insertion` asks; `full` is the mask of all squares.
    """

    __slots__ = ("choices", "full", "lines", "rays", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self.full = (1 << size * size) - 1
        self.choices = Choices(size)
        self.lines = {
            letter: tuple(self._line(square, letter) for square in range(size * size)) for letter in STEPS
        }
        self.rays = tuple(self._rays(square) for square in range(size * size))

    def _walk(self, square: int, column_step: int, row_step: int) -> tuple[int, ...]:
        """Return the squares from `square` (not included) to the edge, nearest first."""
        row, column = divmod(square, self.size)
        squares: list[int] = []
        while True:
            row += row_step
            column += column_step
            if not (0 <= row < self.size and 0 <= column < self.size):
                return tuple(squares)
            squares.append(row * self.size + column)

    def _line(self, square: int, letter: str) -> tuple[int, ...]:
        column_step, row_step = STEPS[letter]
        before = self._walk(square, -column_step, -row_step)
        return tuple(sorted((*before, square, *self._walk(square, column_step, row_step))))

    def _rays(self, square: int) -> tuple[tuple[int, Bounds], ...]:
        rays: list[tuple[int, Bounds]] = []
        for column_step, row_step in STEPS.values():
            before = self._walk(square, -column_step, -row_step)
            after = self._walk(square, column_step, row_step)
            # A line matters when a ring here can have two neighbours on it to flip, or be one of five.
            if (before and after) or len(before) + len(after) >= 4:
                rays.append((mask_of(before + after), Bounds(before, after)))
        return tuple(rays)


_GEOMETRIES: dict[int, Geometry] = {}


def geometry(size: int) -> Geometry:
    """Return the one geometry of this size (6 or 9), made when it is first asked for."""
    found = _GEOMETRIES.get(size)
    if found is None:
        found = _GEOMETRIES.setdefault(size, Geometry(size))
    return found
