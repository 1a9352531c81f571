"""Names the squares of a board: `a1` is bottom left, indices run a1, b1, ... row by row (RULES 2.1)."""

SIZES = (6, 9)
"""The two sizes of the family: the published 6 x 6 board and the 9 x 9 board for competitions."""

COLUMNS = "abcdefghi"

NAMES: dict[int, tuple[str, ...]] = {
    size: tuple(f"{COLUMNS[i % size]}{i // size + 1}" for i in range(size * size)) for size in SIZES
}
"""For each size, the names of all squares in index order: `NAMES[6][8] == "c2"`."""

_INDICES: dict[int, dict[str, int]] = {
    size: {square: i for i, square in enumerate(names)} for size, names in NAMES.items()
}


class NotationError(ValueError):
    """A text is not the square, layout, moves or position it should be; the message says what is right."""


def quoted(text: str, limit: int = 60) -> str:
    """Show foreign text inside an error sentence: printable ASCII, cut to `limit` characters."""
    return ascii(text if len(text) <= limit else text[:limit] + "...")


def name(index: int, size: int) -> str:
    """Return the name of the square with this index, 0 .. size * size - 1; IndexError for any other index."""
    if index < 0:
        raise IndexError(f"square {index} is not on the {size} x {size} board")
    return NAMES[size][index]


def index(name: str, size: int) -> int:
    """Return the index of the square with this name; NotationError when this size has no such square."""
    try:
        return _INDICES[size][name]
    except KeyError:
        names = NAMES[size]
        raise NotationError(
            f"{quoted(name)} is not a square of the {size} x {size} board ({names[0]} to {names[-1]})"
        ) from None
