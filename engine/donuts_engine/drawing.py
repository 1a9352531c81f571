"""Draws a position for people: every square with its line, the rings, the last ring, where the next may go.

A square is five characters wide and three high. Its line runs through it the way it lies on the board, a ring
covers the middle. In plain ASCII:

    +-----+-----+-----+-----+-----+
    |    /|  |  |-----|\\    |     |
    |  /  |  X  |--*--| [O] | {X} |
    |/    |  |  |     |    \\|     |
    +-----+-----+-----+-----+-----+

`[ ]` is round the ring placed last, `*` on a square where the next may go, `{ }` round the rings of a row of
five.
"""

from collections.abc import Callable
from typing import NamedTuple

from .outcome import fives, groups
from .position import Position
from .squares import COLUMNS, NAMES


class Glyphs(NamedTuple):
    """The characters of a drawing: the lines by letter, the rings, the mark of a legal square, the frame."""

    lines: dict[str, str]
    rings: dict[str, str]
    legal: str
    flat: str
    upright: str
    frame: tuple[str, str, str]


ASCII = Glyphs(
    lines={"H": "-", "V": "|", "D": "/", "A": "\\"},
    rings={"x": "X", "o": "O"},
    legal="*",
    flat="-",
    upright="|",
    frame=("+++", "+++", "+++"),
)
UNICODE = Glyphs(
    lines={"H": "─", "V": "│", "D": "╱", "A": "╲"},
    rings={"x": "●", "o": "○"},
    legal="◆",
    flat="─",
    upright="│",
    frame=("┌┬┐", "├┼┤", "└┴┘"),
)

SIDE_NAMES = {"x": "Chocolate", "o": "Vanilla"}

Paint = Callable[[str, str], str]
"""Takes a text and a colour."""

_RESET = "\x1b[0m"
_FRAME = "\x1b[38;5;240m"
_LINE = "\x1b[38;5;246m"
_RINGS = {"x": "\x1b[1;38;5;173m", "o": "\x1b[1;38;5;230m"}
_LEGAL = "\x1b[1;38;5;114m"
_MARKED = "\x1b[1;38;5;220m"
"""Colours of the 256-colour table: the frame stands back, the marks stand out."""


def draw(position: Position, *, colour: bool, ascii: bool) -> str:
    """Return the position in several lines without a last newline: board, key to the marks, who is on turn.

    `colour` adds ANSI colours, `ascii` keeps to 0x20..0x7E (and ESC for the colours). 28 lines on 6 x 6, 40
    on 9 x 9.
    """
    glyphs = ASCII if ascii else UNICODE
    size = position.board.size
    paint: Paint = _coloured if colour else _plain
    five = fives(position)
    lines = [_rule(size, glyphs, glyphs.frame[0], paint)]
    bar = paint(glyphs.upright, _FRAME)
    for row in range(size - 1, -1, -1):
        squares = [_square(position, row * size + column, glyphs, five, paint) for column in range(size)]
        for height in range(3):
            label = f" {row + 1} " if height == 1 else "   "
            lines.append(label + bar + bar.join(square[height] for square in squares) + bar)
        lines.append(_rule(size, glyphs, glyphs.frame[1 if row else 2], paint))
    lines.append("   " + "".join(f"   {column}  " for column in COLUMNS[:size]).rstrip())
    lines.append("   " + _key(position, glyphs, five, paint))
    lines.append("   " + _state(position, five))
    return "\n".join(lines)


def _plain(text: str, colour: str) -> str:
    return text


def _coloured(text: str, colour: str) -> str:
    return f"{colour}{text}{_RESET}"


def _rule(size: int, glyphs: Glyphs, ends: str, paint: Paint) -> str:
    return "   " + paint(ends[0] + ends[1].join([glyphs.flat * 5] * size) + ends[2], _FRAME)


def _square(
    position: Position, square: int, glyphs: Glyphs, five: tuple[int, ...], paint: Paint
) -> tuple[str, str, str]:
    """Return the three rows of one square, five columns each."""
    letter = position.board.layout[square]
    line = glyphs.lines[letter]
    cell = position.cells[square]
    if cell != ".":
        middle = paint(glyphs.rings[cell], _RINGS[cell])
    elif square in position.legal and position.last >= 0:
        middle = paint(glyphs.legal, _LEGAL)
    else:
        middle = paint(line, _LINE)
    left = right = paint(line, _LINE) if letter == "H" else " "
    if square in five:
        left, right = paint("{", _MARKED), paint("}", _MARKED)
    elif square == position.last:
        left, right = paint("[", _MARKED), paint("]", _MARKED)
    edge = paint(line, _LINE) if letter == "H" else " "
    row = edge + left + middle + right + edge
    drawn = paint(line, _LINE)
    match letter:
        case "H":
            return "     ", row, "     "
        case "V":
            return f"  {drawn}  ", row, f"  {drawn}  "
        case "D":
            return f"    {drawn}", row, f"{drawn}    "
        case _:
            return f"{drawn}    ", row, f"    {drawn}"


def _key(position: Position, glyphs: Glyphs, five: tuple[int, ...], paint: Paint) -> str:
    """Say what the marks on this drawing mean, the ones that are on it."""
    marks = [f"{paint(glyphs.rings[side], _RINGS[side])} {SIDE_NAMES[side]}" for side in ("x", "o")]
    if five:
        marks.append(f"{paint('{ }', _MARKED)} five in a row")
    if position.last >= 0 and position.last not in five:
        marks.append(f"{paint('[ ]', _MARKED)} last")
    if position.legal and position.last >= 0:
        marks.append(f"{paint(glyphs.legal, _LEGAL)} legal")
    return "   ".join(marks)


def _state(position: Position, five: tuple[int, ...]) -> str:
    """Say in one line where the game stands."""
    result = position.result
    ply = f"ply {position.ply}"
    if result is None:
        onto = ",".join(position.legal_names) if position.last >= 0 else "any square"
        return f"{ply}: {SIDE_NAMES[position.you]} ({position.you}) to move: {onto}"
    if result.why == "five":
        row = ",".join([NAMES[position.board.size][square] for square in five])
        return f"{ply}: {SIDE_NAMES[result.winner]} ({result.winner}) wins by five in a row: {row}"
    x_group, o_group = groups(position)
    tally = f"largest groups {x_group} (x) and {o_group} (o)"
    if result.winner == "-":
        return f"{ply}: a draw: {tally}"
    return f"{ply}: {SIDE_NAMES[result.winner]} ({result.winner}) wins: {tally}"
