"""Reads and turns layouts: one line letter per square, in index order (RULES 2).

`H` keeps the row, `V` the column, `D` column - row (drawn /), `A` column + row (drawn \\).
"""

from .squares import NAMES, SIZES, NotationError, quoted

LETTERS = "HVDA"

SIZE_OF_LENGTH = {size * size: size for size in SIZES}

# "A quarter turn swaps H<->V and D<->A; a left-right reflection swaps D<->A only" (RULES 2.4).
_TURNED = str.maketrans("HVDA", "VHAD")
_REFLECTED = str.maketrans("DA", "AD")


def parse_layout(text: str) -> str:
    """Return `text` when it is a layout of a 6 x 6 or 9 x 9 board; NotationError names the fault."""
    size = SIZE_OF_LENGTH.get(len(text))
    if size is None:
        wanted = " or ".join(f"{length} ({size} x {size})" for length, size in SIZE_OF_LENGTH.items())
        letters = "letter" if len(text) == 1 else "letters"
        raise NotationError(f"layout has {len(text)} {letters}; {wanted} of H V D A are needed")
    if text.strip(LETTERS):
        for square, letter in zip(NAMES[size], text, strict=True):
            if letter not in LETTERS:
                raise NotationError(f"layout has {quoted(letter)} on {square}; only H V D A are lines")
    return text


def turned_squares(size: int, quarters: int = 1) -> tuple[int, ...]:
    """Where each square goes when the board makes `quarters` quarter turns clockwise: new index by old index.

    Works for any square grid, a 3 x 3 tile included.
    """
    where = tuple(range(size * size))
    step = tuple((size - 1 - i % size) * size + i // size for i in range(size * size))
    for _ in range(quarters % 4):
        where = tuple(step[i] for i in where)
    return where


def reflected_squares(size: int) -> tuple[int, ...]:
    """Where each square goes in a left-right reflection: new index by old index."""
    return tuple(i // size * size + size - 1 - i % size for i in range(size * size))


def moved(text: str, where: tuple[int, ...]) -> str:
    """Carry the characters of `text`, one per square, to the squares `where` says."""
    out = [""] * len(where)
    for old, new in enumerate(where):
        out[new] = text[old]
    return "".join(out)


def turn_letters(layout: str, size: int, quarters: int = 1) -> str:
    """Turn a layout or a tile face of `size` x `size` letters clockwise; the letters change as well."""
    text = moved(layout, turned_squares(size, quarters))
    return text.translate(_TURNED) if quarters % 2 else text


def reflect_letters(layout: str, size: int) -> str:
    """Reflect a layout left to right; the diagonals change their letters."""
    return moved(layout, reflected_squares(size)).translate(_REFLECTED)
