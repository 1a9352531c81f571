"""The tables of insertion and lists of squares stay within their bounds."""

import random

import pytest

from donuts_engine.board import Board
from donuts_engine.geometry import STEPS, geometry
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES, SIZES


def test_there_is_one_geometry_of_a_size() -> None:
    assert geometry(6) is geometry(6)
    assert geometry(6) is not geometry(9)


@pytest.mark.parametrize("size", SIZES)
def test_tables_do_not_grow_beyond_the_subsets_of_lines(size: int) -> None:
    """However many games are played, disobedience with its lists of any squares included."""
    rng = random.Random(size)
    anywhere = 0
    for _ in range(150):
        position = Position.start(Board.of("".join(rng.choices("HVDA", k=size * size))), size * 4 // 2)
        while position.result is None:
            position = play(position, rng.choice(position.legal))
            anywhere += len(position.legal) > size
    assert anywhere > 0
    grid = geometry(size)
    lines = {line for letter in STEPS for line in grid.lines[letter]}
    masks = [sum(1 << square for square in line) for line in lines]
    assert all(any(mask & line == mask for line in masks) for mask in grid.choices)
    for square, rays in enumerate(grid.rays):
        for line, table in rays:
            assert all(mine & line == mine for mine in table), NAMES[size][square]


@pytest.mark.parametrize("size", SIZES)
def test_any_set_of_squares_is_listed(size: int) -> None:
    rng = random.Random(size)
    for _ in range(50):
        mask = rng.getrandbits(size * size)
        squares, names = geometry(size).choices.anywhere(mask)
        assert squares == tuple(i for i in range(size * size) if mask >> i & 1)
        assert names == tuple(NAMES[size][i] for i in squares)
