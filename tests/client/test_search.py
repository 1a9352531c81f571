"""The searches of the shipped bots: what they call proved is so, what they call sure is so, and they stop when told."""

import random

import pytest

from donuts_client.search.alphabeta import AlphaBeta, Found
from donuts_client.search.rows import SURE, Ground, chances
from donuts_client.search.tree import Tree
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.tiles import TileSet

PROOF = {1: "win", 0: "draw", -1: "loss"}


def endless(count: int) -> bool:
    """Never stop."""
    return False


def exhaustive(position: Position) -> int:
    """1, 0 or -1: what the position is worth to the side on turn, by trying everything."""
    if position.result is not None:
        winner = position.result.winner
        return 0 if winner == "-" else 1 if winner == position.you else -1
    best = -1
    for square in position.legal:
        best = max(best, -exhaustive(play(position, square)))
        if best == 1:
            break
    return best


def late(size: int, left: int, count: int) -> list[Position]:
    """Positions of random games with `left` rings to place and a choice; with few rings a side, groups decide."""
    found: list[Position] = []
    seed = 0
    while len(found) < count:
        seed += 1
        dice = random.Random(seed)
        board, _ = TileSet.shipped().draw(size, dice)
        position = Position.start(board, dice.choice((4, 8, 15)))
        while position.result is None and 2 * position.rings - position.ply > left:
            position = play(position, dice.choice(position.legal))
        if len(position.legal) > 1:
            found.append(position)
    return found


def on_turn(position: Position) -> tuple[int, int, int]:
    mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
    return mine, theirs, sum(1 << square for square in position.legal)


@pytest.mark.parametrize("size", [6, 9])
def test_both_searches_prove_what_trying_everything_shows(size: int) -> None:
    seen = set()
    for position in late(size, 5 if size == 6 else 4, 40):
        value = exhaustive(position)
        seen.add(value)
        ground = Ground(position.board, position.rings)
        found = AlphaBeta(ground).search(position, 99, random.Random(1), endless)
        assert found.exact
        assert (found.value > 0) - (found.value < 0) == value
        tree = Tree(ground, position, random.Random(1))
        tree.grow(lambda games: games >= 20_000)
        assert tree.root.proof == -value, "a proof is from the side of the one who has just moved"
        for square in (found.square, tree.best().square):
            assert -exhaustive(play(position, square)) == value
    assert seen == {-1, 0, 1}, "the positions must show each case"


@pytest.mark.parametrize("size", [6, 9])
def test_what_is_sure_at_rest_is_a_win_with_the_next_ring(size: int) -> None:
    sure = 0
    for seed in range(80):
        dice = random.Random(seed)
        board, _ = TileSet.shipped().draw(size, dice)
        position, ground = Position.start(board), None
        while position.result is None:
            ground = ground or Ground(board, position.rings)
            value = ground.judge(*on_turn(position))
            if value >= SURE:
                sure += 1
                ends = [play(position, square).result for square in position.legal]
                assert any(end is not None and end.winner == position.you for end in ends)
            else:
                assert value > -SURE, "at rest nothing is known to be lost"
            position = play(position, dice.choice(position.legal))
    assert sure > 20


def test_a_position_is_judged_alike_for_both_sides_of_the_mirror() -> None:
    for position in late(9, 9, 20):
        ground = Ground(position.board, position.rings)
        turned = position.turned()
        assert ground.judge(*on_turn(position)) == Ground(turned.board, turned.rings).judge(*on_turn(turned))


def test_a_deeper_search_tells_of_every_depth_and_ends_when_told() -> None:
    board = TileSet.shipped().board(4711)
    position = play(Position.start(board), 14)
    told: list[Found] = []
    search = AlphaBeta(Ground(board, 15))
    found = search.search(position, 99, random.Random(3), lambda nodes: nodes > 3000, told.append)
    assert [each.depth for each in told] == list(range(1, len(told) + 1))
    assert len(told) > 2
    assert found.depth == told[-1].depth
    assert 3000 < found.nodes < 3200
    assert found.square in position.legal
    after = position
    for square in told[-1].pv:
        after = play(after, square)  # raises where the line is no line


def test_a_search_that_may_not_look_at_all_still_has_a_square() -> None:
    board: Board = TileSet.shipped().board(5)
    for position in (Position.start(board), play(Position.start(board), 0)):
        ground = Ground(board, 15)
        found = AlphaBeta(ground).search(position, 99, random.Random(1), lambda nodes: True)
        assert found.square in position.legal
        tree = Tree(ground, position, random.Random(1))
        assert tree.grow(lambda games: True) == 0
        assert tree.best().square in position.legal


def test_chances_are_permille_and_sure_only_when_proved() -> None:
    assert [chances(value) for value in (0, 50_000, -50_000, SURE, -SURE)] == [500, 999, 1, 1000, 0]
    assert chances(100) == 1000 - chances(-100) > 700
