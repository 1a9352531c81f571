"""The drawing for people: everything that is on the board can be read off it."""

import re

import pytest
from hypothesis import given

from donuts_engine.board import Board
from donuts_engine.drawing import draw
from donuts_engine.notation import parse_position
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES, index
from engine.strategies import positions

ANSI = re.compile(r"\x1b\[[0-9;]*m")

PICTURE = r"""
   +-----+-----+-----+-----+-----+-----+
   |     |  |  |    /|\    |     |  |  |
 6 |-----|  |  |  /  |  \  |-----|  |  |
   |     |  |  |/    |    \|     |  |  |
   +-----+-----+-----+-----+-----+-----+
   |    /|\    |     |  |  |    /|\    |
 5 |  /  |  \  |--X--|  |  |  /  |  *  |
   |/    |    \|     |  |  |/    |    \|
   +-----+-----+-----+-----+-----+-----+
   |     |  |  |    /|\    |     |  |  |
 4 |-----|  |  |  /  |  \  |--*--|  |  |
   |     |  |  |/    |    \|     |  |  |
   +-----+-----+-----+-----+-----+-----+
   |    /|\    |     |  |  |    /|\    |
 3 |  /  |  \  |-----|  *  |  /  |  \  |
   |/    |    \|     |  |  |/    |    \|
   +-----+-----+-----+-----+-----+-----+
   |     |  |  |    /|\    |     |  |  |
 2 |-----|  |  | [O] |  \  |-----|  |  |
   |     |  |  |/    |    \|     |  |  |
   +-----+-----+-----+-----+-----+-----+
   |    /|\    |     |  |  |    /|\    |
 1 |  /  |  *  |-----|  |  |  /  |  \  |
   |/    |    \|     |  |  |/    |    \|
   +-----+-----+-----+-----+-----+-----+
      a     b     c     d     e     f
   X Chocolate   O Vanilla   [ ] last   * legal
   ply 2: Chocolate (x) to move: b1,d3,e4,f5
"""


def centre(lines: list[str], square: str) -> str:
    """The three characters in the middle of a square."""
    size = (len(lines) - 4) // 4
    line = lines[(size - int(square[1])) * 4 + 2]
    left = 4 + 6 * "abcdefghi".index(square[0])
    return line[left + 1 : left + 4]


def test_a_whole_picture() -> None:
    cells = "".join({"c5": "x", "c2": "o"}.get(square, ".") for square in NAMES[6])
    position = Position.from_cells(Board.of("DAHVDAHVDAHV" * 3), 15, cells, "c2")
    assert draw(position, colour=False, ascii=True) == PICTURE.strip("\n")


@given(positions())
def test_every_ring_and_mark_is_where_it_belongs(position: Position) -> None:
    lines = draw(position, colour=False, ascii=True).splitlines()
    size = position.board.size
    assert len(lines) == 4 * size + 4
    for i, square in enumerate(NAMES[size]):
        middle = centre(lines, square)
        expected = {"x": "X", "o": "O"}.get(position.cells[i], "")
        if expected:
            assert middle[1] == expected
            assert (middle[0] in "[{") == (i == position.last or "{" in middle)
        elif position.last >= 0 and i in position.legal:
            assert middle[1] == "*"
        else:
            assert middle[1] == {"H": "-", "V": "|", "D": "/", "A": "\\"}[position.board.layout[i]]
        assert ("[" in middle or "{" in middle) >= (i == position.last)


@given(positions())
def test_colour_and_characters_are_all_that_differ(position: Position) -> None:
    plain = draw(position, colour=False, ascii=True)
    assert plain.isascii() and "\x1b" not in plain
    assert all(line == line.rstrip() and len(line) < 400 for line in plain.splitlines())
    coloured = draw(position, colour=True, ascii=True)
    assert "\x1b[" in coloured
    assert ANSI.sub("", coloured) == plain
    pretty = draw(position, colour=False, ascii=False)
    assert ANSI.sub("", draw(position, colour=True, ascii=False)) == pretty
    assert [len(line) for line in pretty.splitlines()] == [len(line) for line in plain.splitlines()]


def test_the_start_marks_nothing_because_anything_goes() -> None:
    drawn = draw(Position.start(Board.of("H" * 36)), colour=False, ascii=True)
    assert "*" not in drawn
    assert drawn.endswith("ply 0: Chocolate (x) to move: any square")


def test_a_row_of_five_is_marked() -> None:
    before = parse_position(f"{'V' * 36} {'xxxx..' + 'o.o.oo' + '.' * 24} e2 x 15")
    drawn = draw(play(before, index("e1", 6)), colour=False, ascii=True)
    assert drawn.endswith("ply 9: Chocolate (x) wins by five in a row: a1,b1,c1,d1,e1")
    assert drawn.count("{X}") == 5
    assert "{ } five in a row" in drawn


@pytest.mark.parametrize(
    ("cells", "says"),
    [
        ("x.o", "a draw: largest groups 1 (x) and 1 (o)"),
        ("xxo.o", "Chocolate (x) wins: largest groups 2 (x) and 1 (o)"),
        ("x.xoo", "Vanilla (o) wins: largest groups 1 (x) and 2 (o)"),
    ],
)
def test_the_groups_are_told(cells: str, says: str) -> None:
    text = cells.ljust(36, ".")
    position = Position.from_cells(Board.of("H" * 36), text.count("x"), text, text.rindex("o"))
    assert draw(position, colour=False, ascii=True).endswith(says)
