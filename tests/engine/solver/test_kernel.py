"""The rules of the compiled search against the rules for people: the same flips, wins, groups, counts and names."""

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from donuts_engine.bitboard import has_five, largest_group
from donuts_engine.board import Board
from donuts_engine.perft import perft
from donuts_engine.position import Position
from donuts_engine.rules import flips, play
from donuts_engine.solver.counting import sequences
from donuts_engine.solver.expand import LEGAL, LINE, MINE, SQUARES, THEIRS, make_desk
from donuts_engine.solver.grid import lay, make_grid, twins, widened
from donuts_engine.solver.turn import BIT, FULL, five, flipping, inserting, largest, wins_at_once
from engine.solver.reached import random_layout
from engine.strategies import layouts

masks = st.integers(0, 2**36 - 1)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position of a 6 x 6 board reached by play, not over."""
    rng = Random(draw(st.integers(0, 2**32)))
    position = Position.start(Board(draw(layouts(6))), draw(st.integers(1, 18)))
    for _ in range(draw(st.integers(0, 35))):
        following = play(position, rng.choice(position.legal))
        if following.result is not None:
            break
        position = following
    return position


@settings(max_examples=40)
@given(positions())
def test_the_kernel_counts_the_same_sequences_of_moves(position: Position) -> None:
    depth = 3 if len(position.legal) > 8 else 4
    assert sequences(position, depth) == perft(position, depth)


@settings(max_examples=200)
@given(positions())
def test_flips_and_wins_at_once_are_those_of_the_rules(position: Position) -> None:
    mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
    mine, theirs = widened(mine), widened(theirs)
    wins = False
    for square in position.legal:
        expected = widened(sum(1 << flipped for flipped in flips(position, square)))
        assert flipping(mine, theirs, BIT[square]) == expected
        after = play(position, square).result
        five_made = after is not None and after.why == "five"
        wins |= five_made
        if expected and not five_made:
            assert inserting(mine, theirs) >> BIT[square] & 1
    legal = sum(1 << BIT[square] for square in position.legal)
    assert wins_at_once(mine, theirs, legal) == wins


@settings(max_examples=300)
@given(masks, masks)
def test_fives_and_groups_of_any_rings(one: int, other: int) -> None:
    for rings in (one, one | other, one & other):
        assert five(widened(rings)) == has_five(rings, 6)
        assert largest(widened(rings)) == largest_group(rings, 6)


def test_positions_that_differ_have_names_that_differ() -> None:
    """What can follow is the same exactly when rings, side and allowed squares are."""
    rng = Random(3)
    desk = make_desk()
    for _ in range(20):
        board = Board(random_layout(rng))
        grid = make_grid(board)
        seen: dict[tuple[int, int], tuple[int, ...]] = {}
        known: set[tuple[int, ...]] = set()
        for _ in range(40):
            position = Position.start(board)
            while position.result is None:
                frame = lay(desk, grid, position)
                assert int(frame[LEGAL]) == sum(1 << BIT[square] for square in position.legal)
                what = tuple(int(frame[word]) for word in (MINE, THEIRS, LEGAL))
                name = int(frame[SQUARES]), int(frame[LINE])
                assert seen.setdefault(name, what) == what
                known.add(what)
                position = play(position, rng.choice(position.legal))
        assert len(seen) >= len(known)


def test_a_mask_is_widened_square_by_square() -> None:
    assert [widened(1 << square) for square in range(36)] == [1 << bit for bit in BIT]
    assert widened(2**36 - 1) == FULL
    assert make_grid(Board("H" * 36)).dtype == np.int64


def test_only_images_under_a_symmetry_of_the_layout_are_twins() -> None:
    rows = twins(Board("H" * 36))
    assert [rows[square] for square in (0, 5, 30, 35)] == [0, 0, 0, 0]
    assert len(set(rows)) == 9
    diagonals = "".join("DA"[(square % 6 > 2) ^ (square > 17)] for square in range(36))
    assert len(set(twins(Board(diagonals)))) == 6
    assert twins(Board("V" + "H" * 35)) == tuple(range(36))
