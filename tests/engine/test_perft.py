"""Counting sequences of moves; the counts themselves are in the golden vectors."""

import pytest
from hypothesis import given, settings

from donuts_engine.board import Board
from donuts_engine.perft import perft
from donuts_engine.position import Position
from donuts_engine.rules import play
from engine.strategies import positions


def played_out(position: Position, depth: int) -> list[int]:
    """The same by playing every move."""
    counts, level = [], [position]
    for _ in range(depth):
        level = [play(each, square) for each in level for square in each.legal]
        counts.append(len(level))
    return counts


@settings(deadline=None, max_examples=40)
@given(positions())
def test_counting_is_playing(position: Position) -> None:
    depth = 2 if len(position.legal) > 20 else 3
    assert perft(position, depth) == played_out(position, depth)


def test_a_finished_game_does_not_extend() -> None:
    start = Position.start(Board.of("H" * 36), 1)
    assert perft(start, 4) == [36, 36 * 5, 0, 0]
    over = play(play(start, 0), 1)
    assert perft(over, 2) == [0, 0]


@pytest.mark.parametrize("depth", [0, -1])
def test_a_depth_below_one_is_refused(depth: int) -> None:
    with pytest.raises(ValueError, match="1 or more is needed"):
        perft(Position.start(Board.of("H" * 36)), depth)
