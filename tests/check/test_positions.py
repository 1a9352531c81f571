"""The positions that are asked are what their names say, come up in games, and are the same in every run."""

from collections.abc import Callable
from random import Random

import pytest

from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES
from donuts_referee.check.positions import (
    blocked_line,
    find,
    first_ring,
    forced_line,
    last_ring,
    one_legal,
    quiet,
)


@pytest.mark.parametrize("size", [6, 9])
@pytest.mark.parametrize("kind", [blocked_line, forced_line, last_ring, one_legal])
def test_a_kind_is_what_it_says(kind: Callable[[Position], bool], size: int) -> None:
    rings = 9 if kind is last_ring else {6: 18, 9: 40}[size]
    for seed in range(5):
        study = find(Random(seed), size, kind, rings)
        position = study.position
        free = position.cells.count(".")
        assert position.result is None
        if kind is blocked_line:
            assert len(position.legal) == free > 1 and position.ply > 0
        elif kind is forced_line:
            assert 0 < len(position.legal) < free
        elif kind is last_ring:
            assert position.ply == 2 * rings - 1
        else:
            assert len(position.legal) == 1


@pytest.mark.parametrize("size", [6, 9])
def test_a_study_knows_how_it_came_about(size: int) -> None:
    study = quiet(Random(7), size)
    position = Position.start(study.position.board, study.position.rings)
    for move in study.moves:
        position = play(position, NAMES[size].index(move))
    assert position == study.position
    assert quiet(Random(7), size) == study


def test_the_first_ring_may_go_anywhere() -> None:
    assert [len(first_ring(Random(1), size).position.legal) for size in (6, 9)] == [36, 81]
