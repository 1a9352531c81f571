"""Another way to the same answers: every line of play of positions with few rings left, by the rules for people."""

import os
from random import Random

import pytest

from donuts_engine.rules import play
from donuts_engine.solver import Solver
from engine.solver.reached import exhaustive, reached

VALUE = {1: "win", 0: "draw", -1: "loss"}
WHOLE = os.environ.get("DONUTS_SOLVER") == "all"
"""500 positions with at most 9 rings to place take a minute and a half; by default it is a part of them."""
POSITIONS, MOST = (500, 9) if WHOLE else (120, 7)
PARTS = 4


@pytest.mark.parametrize("part", range(PARTS))
def test_values_and_lengths_are_those_of_exhaustive_search(part: int) -> None:
    rng = Random(part)
    drawn = 0
    for number in range(POSITIONS // PARTS):
        rings = rng.choice((5, 9, 12, 15, 15, 18))
        position = reached(rng, rings, 1 + number % MOST)
        value, plies = exhaustive(position, {})
        solver = Solver(position.board, rings, memory=1 << 20)
        assert solver.value(position) == VALUE[value], position
        assert solver.distance(position) == plies, position
        drawn += value == 0
    assert drawn


def test_each_move_and_the_best_line_agree_too() -> None:
    rng = Random(99)
    for number in range(30):
        position = reached(rng, 15, 1 + number % 8)
        known = {}
        value, plies = exhaustive(position, known)
        solver = Solver(position.board)
        choices = solver.moves(position, plies=True)
        assert tuple(choice.square for choice in choices) == position.legal
        for choice in choices:
            after, length = exhaustive(play(position, choice.square), known)
            assert (choice.verdict.value, choice.plies) == (VALUE[-after], length + 1)
        line = solver.best_line(position, shortest=True)
        assert len(line) == plies
        for ahead, square in enumerate(line):
            assert exhaustive(position, known) == (value if ahead % 2 == 0 else -value, plies - ahead)
            position = play(position, square)
        assert position.result is not None
