"""The games of a match: pairs, and a derivation of boards and seeds that never changes."""

import hashlib
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_engine.tiles import TileSet
from donuts_referee.programme import Boards, ProgrammeFault, _impossible, pair_seed, programme

TILES = TileSet.shipped()


def squares(text: str, size: int = 6) -> tuple[int, ...]:
    return tuple(index(word, size) for word in text.split(","))


@pytest.mark.parametrize("games", [1, 2, 5])
def test_pairs_share_board_and_seed(games: int) -> None:
    settings = programme(games, Boards(TILES, 6), 15, 7, ())
    assert len(settings) == games
    assert all(settings[at] is settings[at + 1] for at in range(0, games - 1, 2))
    assert len({each.seed for each in settings}) == (games + 1) // 2


def test_the_derivation_is_the_documented_one() -> None:
    """A literal: a match repeated with a later version must be the same match."""
    digest = hashlib.sha256(b"donuts pair 7 2").digest()
    assert pair_seed(7, 2) == int(digest.hex()[:14], 16) >> 3
    assert pair_seed(7, 2) < 2**53
    (setting,) = programme(1, Boards(TILES, 6), 15, 7, ())
    assert setting.number is not None and setting.board == TILES.board(setting.number)
    assert programme(9, Boards(TILES, 6), 15, 7, ()) == programme(9, Boards(TILES, 6), 15, 7, ())
    assert programme(2, Boards(TILES, 6), 15, 7, ()) != programme(2, Boards(TILES, 6), 15, 8, ())


def test_more_games_do_not_change_the_first_ones() -> None:
    assert programme(2, Boards(TILES, 9), 36, 3, ()) == programme(8, Boards(TILES, 9), 36, 3, ())[:2]


def test_boards_are_drawn_until_the_opening_is_legal() -> None:
    position = Position.start(TILES.board(1234), 15)
    opening: tuple[int, ...] = ()
    while position.ply < 3:
        opening += position.legal[-1:]
        position = play(position, opening[-1])
    for setting in programme(20, Boards(TILES, 6), 15, 5, opening):
        position = Position.start(setting.board, 15)
        for square in opening:
            position = play(position, square)
        assert position.ply == 3


@pytest.mark.parametrize("moves", ["a1,a1", "b1,d2"])
def test_an_opening_that_no_board_allows(moves: str) -> None:
    with pytest.raises(ProgrammeFault, match="placement 2"):
        programme(2, Boards(TILES, 6), 15, 5, squares(moves))


@pytest.mark.parametrize(
    ("moves", "rings", "says"),
    [
        ("a1,a1", 15, "placement 2, a1, is not legal \\(a1 is taken\\)"),
        ("a1,b1,a1", 15, "placement 3, a1, is not legal"),
        ("c1,d3", 15, "placement 2, d3, is not legal \\(no line through c1 leads there\\)"),
        ("a1,b1,c1", 1, "3 placements are more than there are rings \\(2\\)"),
    ],
)
def test_an_opening_that_every_board_forbids_is_found_without_drawing(
    moves: str, rings: int, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def draw(*_: object) -> None:
        raise AssertionError("a board was drawn")

    monkeypatch.setattr(TileSet, "draw", draw)
    with pytest.raises(ProgrammeFault, match=f"{says}.* on any board"):
        programme(2, Boards(TILES, 6), rings, 5, squares(moves))


@given(st.integers(0, 24_575), st.randoms(use_true_random=False), st.integers(1, 12))
def test_no_opening_that_a_board_allows_is_said_to_be_impossible(
    number: int, dice: random.Random, length: int
) -> None:
    position = Position.start(TILES.board(number), 15)
    opening: tuple[int, ...] = ()
    while position.legal and position.ply < length:
        opening += (dice.choice(position.legal),)
        position = play(position, opening[-1])
    assert _impossible(6, 15, opening) == ""


def test_an_opening_that_ends_the_game() -> None:
    board = Board.of("H" * 36)
    moves = squares("a1,b1,c1,d1,e1,f1")
    with pytest.raises(ProgrammeFault, match="ends the game"):
        programme(2, Boards(TILES, 6, fixed=board), 3, 5, moves)


def test_a_fixed_board_keeps_its_number() -> None:
    settings = programme(4, Boards(TILES, 6, fixed=TILES.board(77), number=77), 15, 5, ())
    assert {each.number for each in settings} == {77}
    assert settings[0].seed != settings[2].seed
