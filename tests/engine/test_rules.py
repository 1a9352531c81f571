"""One turn: where a ring may go, what flips, and the sentences of refusal."""

import pytest
from hypothesis import given

from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import IllegalMove, flipped, flips, play, refusal
from donuts_engine.squares import NAMES, index
from engine.strategies import games


def played(layout: str, moves: str, rings: int | None = None) -> Position:
    position = Position.start(Board.of(layout), rings)
    for square in moves.split():
        position = play(position, index(square, position.board.size))
    return position


def bottom_row(cells: str, square: int) -> str:
    """Play x on a square of the bottom row of a 9 x 9 board, where o has just placed a ring; return the row."""
    missing = cells.count("o") - cells.count("x")
    # Rings on the top row that touch nothing make up the count, so that x is on turn.
    top = "x." * missing if missing > 0 else "o." * -missing
    text = cells.ljust(72, ".") + top.ljust(9, ".")
    start = Position.from_cells(Board.of("H" * 81), 36, text, cells.rindex("o"))
    return play(start, square).cells[: len(cells)]


@pytest.mark.parametrize(
    ("before", "square", "after"),
    [
        ("o.o", 1, "xxx"),  # RULES 3.4, the three examples
        ("oxx.o", 3, "xxxxx"),
        ("oo.o", 2, "oxxx"),
        ("xooo.", 4, "xooox"),  # RULES 3.6
        ("o..o", 1, "ox.o"),  # an empty square bounds nothing
        ("o.x.o", 1, "oxx.o"),
        (".xo", 0, "xxo"),  # the edge bounds nothing
        ("ox.xxo", 2, "xxxxxx"),
        ("oxxxx.xo", 5, "xxxxxxxx"),  # a row of five before the flips: its ends flip all the same
        ("xxxx.o", 4, "xxxxxo"),
    ],
)
def test_insertion_in_a_row(before: str, square: int, after: str) -> None:
    assert bottom_row(before, square) == after


def test_all_directions_are_read_before_any_ring_turns() -> None:
    """RULES 3.5: eight rings round the new one flip, and those two squares away do not follow."""
    near = ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"]
    far = ["a1", "e1", "a3", "e3", "a5", "c5", "e5"]
    cells = "".join("o" if s in near + far else "x" if s == "f6" else "." for s in NAMES[6])
    position = Position.from_cells(Board.of("V" * 36), 15, cells, "c4")
    assert [NAMES[6][i] for i in flips(position, index("c3", 6))] == near
    after = play(position, index("c3", 6))
    assert [s for s, cell in zip(NAMES[6], after.cells, strict=True) if cell == "o"] == far


def test_the_ring_goes_on_the_line_of_the_last() -> None:
    position = played("V" * 36, "c3 c1")
    assert position.legal_names == ("c2", "c4", "c5", "c6")


def test_rings_in_between_do_not_block() -> None:
    """RULES 3.2."""
    position = played("H" * 36, "c3 d3 b3")
    assert position.legal_names == ("a3", "e3", "f3")


def test_disobedience() -> None:
    """RULES 3.3: a line without an empty square lets the ring go anywhere."""
    corner = "D" * 5 + "A" + "D" * 30  # the A line through f1 runs c4-f1; the D line through f1 is f1 alone
    position = played("D" * 36, "f1")
    assert position.legal_names == tuple(square for square in NAMES[6] if square != "f1")
    assert played(corner, "f1").legal_names == ("e2", "d3", "c4", "b5", "a6")


def test_a_taken_square_is_refused() -> None:
    with pytest.raises(IllegalMove, match=r"^e4 is taken$"):
        played("H" * 36, "e4 e4")
    with pytest.raises(IllegalMove, match=r"^e4 is taken$"):
        flips(played("H" * 36, "e4"), index("e4", 6))


@pytest.mark.parametrize(
    ("layout", "moves", "sentence"),
    [
        ("V" * 36, "e3 c3", "c3 is not on the line of e3 (column e: legal e1,e2,e4,e5,e6)"),
        ("H" * 36, "e3 c4", "c4 is not on the line of e3 (row 3: legal a3,b3,c3,d3,f3)"),
        ("D" * 36, "e3 c4", "c4 is not on the line of e3 (diagonal c1-f4: legal c1,d2,f4)"),
        ("A" * 36, "e3 c4", "c4 is not on the line of e3 (diagonal f2-b6: legal f2,d4,c5,b6)"),
    ],
)
def test_a_square_off_the_line_is_refused_with_the_line(layout: str, moves: str, sentence: str) -> None:
    with pytest.raises(IllegalMove) as fault:
        played(layout, moves)
    assert str(fault.value) == sentence


def test_a_finished_game_takes_no_ring() -> None:
    position = played("H" * 36, "a1 c1", rings=1)
    assert outcome(position) == ("-", "group")
    with pytest.raises(IllegalMove, match=r"^the game is over \(drawn, group\)$"):
        play(position, 5)
    won = Position.from_cells(
        position.board, 15, "xxxxx." + ".o.o.o" + "." * 12 + ".o" + "." * 10, "e1", finished=True
    )
    with pytest.raises(IllegalMove, match=r"^the game is over \(won by x, five\)$"):
        flips(won, 5)


@pytest.mark.parametrize("square", [-1, 36, 99])
def test_a_square_off_the_board_is_refused(square: int) -> None:
    with pytest.raises(IllegalMove, match=f"^square {square} is not on the 6 x 6 board$"):
        play(played("H" * 36, "a1"), square)


@given(games())
def test_what_a_turn_can_and_cannot_do(game: tuple[Position, list[int]]) -> None:
    """Rings are never removed, and only the mover's count can rise by flips."""
    before, moves = game
    for move in moves:
        assert refusal(before, move) == ""
        turned = flips(before, move)
        after = play(before, move)
        mine, theirs = (before.x, before.o) if before.you == "x" else (before.o, before.x)
        mine_after, theirs_after = (after.x, after.o) if before.you == "x" else (after.o, after.x)
        assert after.x & after.o == 0
        assert after.x | after.o == before.x | before.o | 1 << move
        assert mine_after & (mine | 1 << move) == mine | 1 << move
        assert mine_after.bit_count() == mine.bit_count() + 1 + len(turned)
        assert theirs_after.bit_count() == theirs.bit_count() - len(turned)
        assert flipped(before, after) == turned == tuple(sorted(turned))
        assert len(turned) <= 8 and len(turned) % 2 == 0
        assert (after.ply, after.you == before.you, after.last) == (before.ply + 1, False, move)
        before = after


@given(games())
def test_the_legal_list(game: tuple[Position, list[int]]) -> None:
    """In index order, all empty; on the line of the last ring whenever that has an empty square; else everywhere."""
    position, moves = game
    for move in moves:
        position = play(position, move)
    names = NAMES[position.board.size]
    assert position.legal_names == tuple(names[i] for i in position.legal)
    assert list(position.legal) == sorted(set(position.legal))
    empty = [i for i, cell in enumerate(position.cells) if cell == "."]
    if outcome(position) is not None:
        assert position.legal == ()
    elif position.last < 0:
        assert list(position.legal) == empty
    else:
        line = [i for i in position.board.lines[position.last] if i in empty]
        assert list(position.legal) == (line or empty)


@given(games())
def test_every_other_square_is_refused(game: tuple[Position, list[int]]) -> None:
    position, moves = game
    for move in moves:
        position = play(position, move)
    for square in set(range(position.board.size**2)) - set(position.legal):
        with pytest.raises(IllegalMove) as fault:
            play(position, square)
        assert str(fault.value) == refusal(position, square) != ""
