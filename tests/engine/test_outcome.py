"""Endings: rows of five and more, groups, draws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_engine.bitboard import five_squares, has_five, largest_group, mask_of
from donuts_engine.board import Board
from donuts_engine.outcome import Outcome, fives, groups, outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES, SIZES, index
from engine.reference import SlowGame, at
from engine.strategies import sizes


def mask(squares: str, size: int = 6) -> int:
    return mask_of([index(square, size) for square in squares.split()])


@pytest.mark.parametrize(
    "squares",
    [
        "a1 b1 c1 d1 e1",
        "f2 f3 f4 f5 f6",
        "b1 c2 d3 e4 f5",
        "a6 b5 c4 d3 e2",
        "e1 d2 c3 b4 a5",
        "b6 c6 d6 e6 f6",
    ],
)
def test_a_row_of_five(squares: str) -> None:
    assert has_five(mask(squares), 6)
    assert five_squares(mask(squares), 6) == mask(squares)
    for gap in squares.split():
        assert not has_five(mask(squares) ^ mask(gap), 6)


@pytest.mark.parametrize(
    "squares", ["c1 d1 e1 f1 a2 b2", "f1 e2 d3 c4 b4 a4", "d1 e2 f3 a5 b6", "c1 b2 a3 f3 e4"]
)
def test_a_row_does_not_go_round_the_edge(squares: str) -> None:
    assert not has_five(mask(squares), 6)
    assert five_squares(mask(squares), 6) == 0


@given(sizes, st.data())
def test_rows_and_groups_are_those_of_the_slow_reading(size: int, data: st.DataObject) -> None:
    rings = data.draw(st.lists(st.sampled_from(NAMES[size]), unique=True, max_size=size * size))
    slow = SlowGame("H" * size**2, 40, on=dict.fromkeys(map(at, rings), "x"))
    these = mask_of([index(square, size) for square in rings])
    assert largest_group(these, size) == slow.group("x")
    assert five_squares(these, size) == mask_of([index(square, size) for square in slow.rows("x")])
    assert has_five(these, size) == bool(slow.rows("x"))


@pytest.mark.parametrize("size", SIZES)
def test_groups_do_not_go_round_the_edge_or_over_corners(size: int) -> None:
    last = NAMES[size][size - 1]
    assert largest_group(mask(f"{last} a2", size), size) == 1
    assert largest_group(mask("a1 b2", size), size) == 1
    assert largest_group(mask("a1 b1 b2 c2 e5", size), size) == 4
    assert largest_group((1 << size * size) - 1, size) == size * size
    assert largest_group(0, size) == 0


def board_text(x: str, o: str) -> str:
    """36 cells with these rings."""
    return "".join("x" if s in x.split() else "o" if s in o.split() else "." for s in NAMES[6])


def test_every_square_of_every_row_is_shown() -> None:
    """One ring completes two rows at once."""
    text = board_text(x="b1 c1 d1 e1 a2 a3 a4 a5", o="b2 b5 c3 c6 d2 d6 e4 f2")
    after = play(Position.from_cells(Board.of("D" * 36), 15, text, "b2"), index("a1", 6))
    assert [NAMES[6][i] for i in fives(after)] == ["a1", "b1", "c1", "d1", "e1", "a2", "a3", "a4", "a5"]
    assert outcome(after) == ("x", "five")


def test_the_mover_wins_by_the_rings_that_flip() -> None:
    """`oxx_o` along row 1: the new ring and both ends make five."""
    cells = "oxx.o." + "." * 30
    start = Position.from_cells(Board.of("H" * 36), 15, cells, "e1")
    after = play(start, index("d1", 6))
    assert outcome(after) == Outcome("x", "five")
    assert [NAMES[6][i] for i in fives(after)] == ["a1", "b1", "c1", "d1", "e1"]
    assert groups(after) == (5, 0)


def test_a_five_with_the_very_last_ring_comes_before_the_groups() -> None:
    """RULES 4.2 says otherwise: x has the larger group, o the row."""
    text = board_text(x="a5 a6 b5 b6 e1", o="a1 b2 c3 d4")
    after = play(Position.from_cells(Board.of("V" * 36), 5, text, "e1"), index("e5", 6))
    assert after.ply == 2 * after.rings
    assert groups(after) == (4, 1)
    assert outcome(after) == ("o", "five")


@pytest.mark.parametrize(
    ("cells", "result"), [("x.o", ("-", "group")), ("xxo.o", ("x", "group")), ("x.xoo", ("o", "group"))]
)
def test_the_larger_group_wins_when_every_ring_is_placed(cells: str, result: tuple[str, str]) -> None:
    text = cells.ljust(36, ".")
    position = Position.from_cells(Board.of("H" * 36), text.count("x"), text, text.rindex("o"))
    assert outcome(position) == result


def test_an_unfinished_position_has_no_outcome() -> None:
    position = play(Position.start(Board.of("H" * 36)), 0)
    assert outcome(position) is None
    assert fives(position) == ()
    assert groups(position) == (1, 0)
