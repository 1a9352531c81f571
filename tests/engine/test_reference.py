"""The engine against the slow reading of the rules, ply by ply, on games that chance plays."""

from hypothesis import given, settings

from donuts_engine.outcome import fives, groups, outcome
from donuts_engine.position import Position
from donuts_engine.rules import flips, play
from donuts_engine.squares import NAMES
from engine.reference import SlowGame
from engine.strategies import games


@settings(deadline=None, max_examples=120)
@given(games())
def test_every_ply_agrees(game: tuple[Position, list[int]]) -> None:
    position, moves = game
    names = NAMES[position.board.size]
    slow = SlowGame(position.board.layout, position.rings)
    for move in moves:
        assert list(position.legal_names) == slow.legal()
        expected = slow.play(names[move])
        assert [names[i] for i in flips(position, move)] == expected
        position = play(position, move)
        assert position.cells == slow.cells
        assert outcome(position) == slow.ended()
    assert list(position.legal_names) == slow.legal()
    assert groups(position) == (slow.group("x"), slow.group("o"))
    assert {names[i] for i in fives(position)} == slow.rows("x") | slow.rows("o")
