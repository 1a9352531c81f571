"""The values that come with the package, some of them solved again."""

from random import Random

import pytest

from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solved import LETTERS, shipped
from donuts_engine.solver import Solver

VALUE = dict(zip(("loss", "draw", "win"), LETTERS, strict=True))


@pytest.mark.parametrize("number", Random(6).sample(list(shipped()), 3))
def test_a_shipped_board_solved_again(number: int) -> None:
    """A few first moves of it, those of the rarer values first."""
    solved = shipped()
    letters = solved[number]
    solver = Solver(solved.tiles.board(number))
    start = Position.start(solver.board)
    squares = sorted(range(36), key=lambda square: ("DWL".index(letters[square]), square))
    for square in squares[:3] + squares[-3:]:
        after = solver.value(play(start, square))
        assert VALUE[after] == {"W": "L", "D": "D", "L": "W"}[letters[square]]
