"""Texts of moves and whole positions: exact both ways, and sentences for what is wrong."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from donuts_engine.notation import (
    NotationError,
    format_moves,
    format_position,
    parse_moves,
    parse_position,
)
from donuts_engine.position import Position
from engine.strategies import games, positions

EMPTY = f"{'HVDA' * 9} {'.' * 36} - x 15"


def test_moves() -> None:
    assert parse_moves("a1,b2,f6", 6) == (0, 7, 35)
    assert parse_moves("i9", 9) == (80,)
    assert parse_moves("", 6) == ()


@given(games())
def test_moves_round_trip(game: tuple[Position, list[int]]) -> None:
    start, moves = game
    size = start.board.size
    assert parse_moves(format_moves(tuple(moves), size), size) == tuple(moves)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a1,", "move 2: '' is not a square"),
        (",", "move 1: '' is not a square"),
        ("a1,b2 ,c3", "move 2: 'b2 ' is not a square"),
        ("a1,g1", "move 2: 'g1' is not a square of the 6 x 6 board (a1 to f6)"),
    ],
)
def test_a_wrong_move_is_named_with_its_number(text: str, says: str) -> None:
    with pytest.raises(NotationError) as fault:
        parse_moves(text, 6)
    assert says in str(fault.value)


@given(positions())
def test_a_position_round_trips(position: Position) -> None:
    text = format_position(position)
    assert "\n" not in text
    assert parse_position(text) == position
    assert format_position(parse_position(text)) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "a position is 'layout cells last you rings'"),
        (EMPTY + " ", "6 fields"),
        (EMPTY.replace(" ", "  ", 1), "6 fields"),
        (EMPTY.replace(" 15", " 015"), "rings is '015'; a number is needed"),
        (EMPTY.replace(" 15", " +15"), "rings is '+15'"),
        (EMPTY.replace(" 15", " ²"), "rings is"),
        (EMPTY.replace(" 15", " 9999999999"), "rings is"),
        (EMPTY.replace(" 15", " 0"), "rings is 0; 1 to 18"),
        (EMPTY.replace(" x ", " o "), "you is 'o'"),
        (EMPTY.replace(" - ", " -1 "), "last: '-1' is not a square"),
        (EMPTY.replace("HVDA", "HVDB", 1), "layout has 'B' on d1"),
        (EMPTY[1:], "layout has 35 letters"),
    ],
)
def test_a_text_that_is_no_position_says_why(text: str, says: str) -> None:
    with pytest.raises(NotationError) as fault:
        parse_position(text)
    assert says in str(fault.value)


@given(st.text(" .xoHVDA-abc123\n", max_size=100))
@example(EMPTY)
@example(EMPTY + "\n")
def test_any_text_is_a_position_or_a_notation_error(text: str) -> None:
    """Whatever is accepted is what would be written: no second spelling of one position."""
    try:
        position = parse_position(text)
    except NotationError:
        return
    assert format_position(position) == text


@given(positions(), st.integers(0, 200), st.sampled_from(" .xoHVDA-a1259"))
def test_a_changed_character_never_reads_as_the_same(position: Position, at: int, put: str) -> None:
    text = format_position(position)
    at %= len(text)
    changed = text[:at] + put + text[at + 1 :]
    try:
        read = parse_position(changed)
    except NotationError:
        return
    assert format_position(read) == changed
    assert (read == position) == (changed == text)
