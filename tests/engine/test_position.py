"""Positions as values: what is accepted, what is refused and why, what follows from the rings."""

import copy
import pickle

import pytest
from hypothesis import given, settings

from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS, Position, PositionError
from donuts_engine.rules import play
from donuts_engine.squares import NAMES, SIZES
from engine.strategies import games, positions

SIX = Board.of("H" * 36)
NINE = Board.of("H" * 81)


def cells(**rings: str) -> str:
    """36 cells with these rings: cells(x="a1 b2", o="c3")."""
    side = {square: side for side, squares in rings.items() for square in squares.split()}
    return "".join(side.get(square, ".") for square in NAMES[6])


@pytest.mark.parametrize(("size", "rings"), [(6, 15), (9, 36)])
def test_a_start(size: int, rings: int) -> None:
    start = Position.start(Board.of("H" * size**2))
    assert start.rings == rings == DEFAULT_RINGS[size]
    assert (start.ply, start.you, start.last, start.last_name) == (0, "x", -1, None)
    assert start.cells == "." * size**2
    assert start.legal == tuple(range(size**2))
    assert start.legal_names == NAMES[size]
    assert outcome(start) is None


@pytest.mark.parametrize("size", SIZES)
def test_the_bounds_of_rings(size: int) -> None:
    board = Board.of("H" * size**2)
    assert [Position.start(board, rings).rings for rings in (1, MAX_RINGS[size])] == [1, MAX_RINGS[size]]
    for rings in (0, -1, MAX_RINGS[size] + 1):
        with pytest.raises(PositionError) as fault:
            Position.start(board, rings)
        assert fault.value.key == "rings"
        assert f"1 to {MAX_RINGS[size]} a side" in str(fault.value)


def test_a_position_from_cells() -> None:
    position = Position.from_cells(SIX, 15, cells(x="a1 c3", o="b2"), "c3", "o")
    assert (position.ply, position.you, position.last_name) == (3, "o", "c3")
    assert position.legal_names == ("a3", "b3", "d3", "e3", "f3")
    assert position == Position.from_cells(SIX, None, cells(x="a1 c3", o="b2"), position.last)


@pytest.mark.parametrize("nothing", [None, "-", -1])
def test_no_last_ring_on_the_empty_board(nothing: str | int | None) -> None:
    assert Position.from_cells(SIX, 15, "." * 36, nothing, "x") == Position.start(SIX)


@pytest.mark.parametrize(
    ("key", "says", "rings", "text", "last", "you"),
    [
        ("rings", "rings is 19; 1 to 18 a side fit a 6 x 6 board", 19, "." * 36, "-", "x"),
        ("cells", "cells has 35 characters; 36 of . x o are needed", 15, "." * 35, "-", "x"),
        ("cells", "cells has 'X' on a1; only . x o are cells", 15, "X" + "." * 35, "a1", "o"),
        ("cells", "cells has 3 rings; two sides of 1 have 2", 1, cells(x="a1 b1", o="c1"), "a1", None),
        ("last", "last is a1, but x moved last and has no ring there", 15, cells(o="a1"), "a1", None),
        ("last", "last is a1, but o moved last and has no ring there", 15, cells(x="a1 b1"), "a1", None),
        ("last", "last is missing", 15, cells(x="a1"), "-", None),
        ("last", "last is missing", 15, cells(x="a1"), None, None),
        ("last", "last is a1, but the board is empty; it must be -", 15, "." * 36, "a1", None),
        ("last", "'g7' is not a square of the 6 x 6 board", 15, cells(x="a1"), "g7", None),
        ("last", "last is 36; squares are 0 to 35", 15, cells(x="a1"), 36, None),
        ("last", "last is b1, but x moved last and has no ring there", 15, cells(x="a1"), "b1", None),
        ("last", "last is a1, but o moved last and has no ring there", 15, cells(x="a1", o="b1"), "a1", None),
        ("you", "you is 'x', but with 1 rings on the board o is on turn", 15, cells(x="a1"), "a1", "x"),
        ("you", "you is 'z'", 15, cells(x="a1"), "a1", "z"),
        (
            "cells",
            "x already has a row of five (a1,b1,c1,d1,e1)",
            15,
            cells(x="a1 b1 c1 d1 e1", o="a3 c3 e3 a5"),
            "a1",
            None,
        ),
        (
            "cells",
            "o already has a row of five (a1,b2,c3,d4,e5,f6)",
            15,
            cells(o="a1 b2 c3 d4 e5 f6", x="a2 a4 a6 f1 f3 f5"),
            "a1",
            None,
        ),
    ],
)
def test_a_fault_names_its_key(
    key: str, says: str, rings: int, text: str, last: str | int | None, you: str | None
) -> None:
    with pytest.raises(PositionError) as fault:
        Position.from_cells(SIX, rings, text, last, you)
    assert fault.value.key == key
    assert says in str(fault.value)


def test_rings_change_hands_so_a_side_may_have_more_than_its_own() -> None:
    """RULES 3.4: rings that flip count for the other side from then on; only their sum is bounded."""
    position = Position.from_cells(SIX, 2, cells(x="a1 b1 c1", o="f6"), "f6")
    assert (position.ply, outcome(position)) == (4, ("x", "group"))


def test_a_finished_game_is_read_only_when_asked_for() -> None:
    text = cells(x="a1 b1 c1 d1 e1", o="a3 c3 e3 a5")
    position = Position.from_cells(SIX, 15, text, "e1", finished=True)
    assert outcome(position) == ("x", "five")
    assert position.legal == position.legal_names == ()


def test_a_row_of_the_side_on_turn_is_never_a_game() -> None:
    """RULES 4.1: only the side that just moved can have a row of five."""
    text = cells(x="a1 b1 c1 d1 e1", o="a3 c3 e3 a5 c5")
    with pytest.raises(PositionError, match="x already has a row of five"):
        Position.from_cells(SIX, 15, text, "a3", finished=True)


def test_with_every_ring_placed_the_groups_decide() -> None:
    position = Position.from_cells(SIX, 2, cells(x="a1 b1", o="a3 c3"), "c3")
    assert outcome(position) == ("x", "group")
    assert position.legal == ()


def test_a_position_cannot_be_changed() -> None:
    position = Position.start(SIX)
    for attribute in ("x", "last", "legal", "result", "new"):
        with pytest.raises(AttributeError, match="cannot be changed"):
            setattr(position, attribute, 1)
    with pytest.raises(AttributeError, match="cannot be changed"):
        del position.x
    assert not hasattr(position, "__dict__")


@given(positions())
def test_equal_positions_are_one_key(position: Position) -> None:
    last = position.last_name or "-"
    again = Position.from_cells(
        position.board, position.rings, position.cells, last, position.you, finished=True
    )
    assert again == position
    assert hash(again) == hash(position)
    assert len({again, position}) == 1
    assert pickle.loads(pickle.dumps(position)) == position
    assert copy.copy(position) is copy.deepcopy(position) is position


@given(positions())
def test_cells_read_back_give_all_that_play_gave(position: Position) -> None:
    """What `play` carries along is what is worked out from nothing."""
    again = Position.from_cells(position.board, position.rings, position.cells, position.last, finished=True)
    for attribute in Position.__mro__[1].__slots__:  # type: ignore[attr-defined]
        assert getattr(again, attribute) == getattr(position, attribute), attribute


def test_each_part_of_the_value_counts() -> None:
    one = Position.from_cells(SIX, 15, cells(x="a1 c3", o="b2"), "c3")
    others = [
        Position.from_cells(SIX, 14, cells(x="a1 c3", o="b2"), "c3"),
        Position.from_cells(SIX, 15, cells(x="a1 c3", o="b2"), "a1"),
        Position.from_cells(SIX, 15, cells(x="a1 c3", o="b1"), "c3"),
        Position.from_cells(SIX, 15, cells(x="a1 c4", o="b2"), "a1"),
        Position.from_cells(Board.of("V" * 36), 15, cells(x="a1 c3", o="b2"), "c3"),
    ]
    assert one not in others
    assert len({one, *others}) == 6
    assert one != "x"


@settings(deadline=None)
@given(games())
def test_turning_and_reflecting_commute_with_playing(game: tuple[Position, list[int]]) -> None:
    position, moves = game
    size = position.board.size
    turned, mirrored = position.turned(), position.reflected()
    for move in moves:
        column, row = move % size, move // size
        position = play(position, move)
        turned = play(turned, (size - 1 - column) * size + row)
        mirrored = play(mirrored, row * size + size - 1 - column)
        assert position.turned() == turned
        assert position.reflected() == mirrored
        assert outcome(turned) == outcome(mirrored) == outcome(position)
    assert turned.turned(3) == mirrored.reflected() == position
