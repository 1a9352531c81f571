"""Boards: the lines that are shown, identity, immutability."""

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_engine.board import Board
from donuts_engine.squares import NAMES, NotationError, index
from engine.reference import SlowGame, at, called
from engine.strategies import layouts, sizes

MIXED = "HVDA" * 9


def line(board: Board, square: str) -> list[str]:
    return [NAMES[board.size][i] for i in board.lines[index(square, board.size)]]


def test_the_four_lines_through_c2() -> None:
    def through(letter: str) -> list[str]:
        return line(Board.of(letter * 36), "c2")

    assert through("H") == ["a2", "b2", "c2", "d2", "e2", "f2"]
    assert through("V") == ["c1", "c2", "c3", "c4", "c5", "c6"]
    assert through("D") == ["b1", "c2", "d3", "e4", "f5"]
    assert through("A") == ["d1", "c2", "b3", "a4"]


@given(sizes.flatmap(layouts), st.integers(0, 80))
def test_lines_are_those_of_the_slow_reading(layout: str, square: int) -> None:
    board = Board.of(layout)
    place = NAMES[board.size][square % len(layout)]
    slow = SlowGame(layout, 15, last=at(place))
    assert line(board, place) == [called(p) for p in slow.places if slow.on_line(p)]


def test_the_same_layout_is_the_same_board() -> None:
    assert Board.of(MIXED) is Board(MIXED)
    assert {Board.of(MIXED): 1}[Board.of("HVDA" * 9)] == 1
    assert Board.of(MIXED) != Board.of("VHDA" * 9)
    assert Board.of(MIXED) != MIXED


def test_a_board_survives_copying_and_pickling() -> None:
    board = Board.of(MIXED)
    assert pickle.loads(pickle.dumps(board)) is board
    assert copy.deepcopy(board) is board


def test_a_board_cannot_be_changed() -> None:
    board = Board.of(MIXED)
    with pytest.raises(AttributeError, match="cannot be changed"):
        board.layout = "H" * 36
    with pytest.raises(AttributeError, match="cannot be changed"):
        del board.lines
    with pytest.raises(AttributeError):
        board.colour = "red"  # type: ignore[attr-defined]


def test_a_text_that_is_no_layout_makes_no_board() -> None:
    with pytest.raises(NotationError):
        Board.of("HVD")


def test_turning_and_reflecting() -> None:
    board = Board.of(MIXED)
    assert board.turned(4) is board
    assert board.turned(-1) is board.turned(3)
    assert board.turned().turned() is board.turned(2)
    assert board.reflected().reflected() is board
    assert board.turned().reflected().turned() is board.reflected()
