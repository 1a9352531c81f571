"""Tiles and board numbers: 24,576 boards, each with one number, and files of tiles with all their faults told."""

import os
import pickle
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_engine.layout import turn_letters
from donuts_engine.tiles import Tile, TileError, TileSet

SHIPPED = TileSet.shipped()
ROW = '["HVD", "DAH", "VVA"]'


def written(tiles: tuple[Tile, ...]) -> str:
    """The tiles as a file of the form of tiles.toml, top row first."""

    def rows(face: str) -> str:
        return "[" + ", ".join(f'"{face[start : start + 3]}"' for start in (6, 3, 0)) + "]"

    return "\n".join(f"[[tile]]\nfront = {rows(t.front)}\nback = {rows(t.back)}\n" for t in tiles)


def test_there_are_24576_boards_up_to_quarter_turns() -> None:
    """RULES 6.2, by laying every one of them and turning each: no two are the same."""
    assert TileSet.count == 24_576
    layouts = [SHIPPED.board(number).layout for number in range(TileSet.count)]
    every = {turned for layout in layouts for turned in _turns(layout)}
    assert len(set(layouts)) == 24_576
    assert len(every) == 4 * 24_576 == 24 * 2**4 * 4**4


def _turns(layout: str) -> tuple[str, ...]:
    # Where square i comes from in a quarter turn clockwise, and how its letter changes, written out once more.
    source = [(i % 6) * 6 + 5 - i // 6 for i in range(36)]
    change = {"H": "V", "V": "H", "D": "A", "A": "D"}
    turned = [layout]
    for _ in range(3):
        turned.append("".join([change[turned[-1][j]] for j in source]))
    return tuple(turned)


@given(st.integers(0, TileSet.count - 1), st.integers(0, 3))
def test_a_board_and_its_turns_give_their_number_back(number: int, quarters: int) -> None:
    board = SHIPPED.board(number)
    assert SHIPPED.number(board.turned(quarters)) == number


def test_a_number_reads_as_documented() -> None:
    first, second, third, fourth = SHIPPED.tiles[:4]
    layout = SHIPPED.board(0).layout
    rows = [layout[start : start + 3] for start in range(0, 36, 3)]
    assert "".join(rows[0:6:2]) == first.front
    assert "".join(rows[1:6:2]) == second.front
    assert "".join(rows[6::2]) == third.front
    assert "".join(rows[7::2]) == fourth.front
    # The last digit turns the top right tile; the sides come before the turns, the order before the sides.
    one = SHIPPED.board(1).layout
    assert "".join(one[start : start + 3] for start in range(21, 36, 6)) == turn_letters(fourth.front, 3)
    back = SHIPPED.board(4**4).layout
    assert "".join(back[start : start + 3] for start in range(21, 36, 6)) == fourth.back
    swapped = SHIPPED.board(2**4 * 4**4).layout
    assert "".join(swapped[start : start + 3] for start in range(21, 36, 6)) == third.front
    assert SHIPPED.board(TileSet.count - 1).layout[:3] == turn_letters(first.back, 3, 3)[:3]


@pytest.mark.parametrize("number", [-1, 24_576])
def test_a_number_that_is_no_board_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match="0 to 24575 are boards"):
        SHIPPED.board(number)


def test_a_board_of_no_tiles_has_no_number() -> None:
    from donuts_engine.board import Board

    assert SHIPPED.number(Board.of("H" * 36)) is None
    assert SHIPPED.number(SHIPPED.draw(9, random.Random(1))[0]) is None
    # The same tile in two places is no board of the set either.
    face = SHIPPED.tiles[0].front
    row = [face[start : start + 3] * 2 for start in (0, 3, 6)]
    assert SHIPPED.number(Board.of("".join(row * 2))) is None


def test_a_drawn_board_follows_from_the_seed() -> None:
    for size in (6, 9):
        assert SHIPPED.draw(size, random.Random(7)) == SHIPPED.draw(size, random.Random(7))
        assert SHIPPED.draw(size, random.Random(7)) != SHIPPED.draw(size, random.Random(8))
    board, number = SHIPPED.draw(6, random.Random(7))
    assert number is not None and SHIPPED.board(number) is board


@given(st.integers(0, 2**32))
def test_a_drawn_9_x_9_board_has_each_tile_once(seed: int) -> None:
    board, number = SHIPPED.draw(9, random.Random(seed))
    assert number is None
    used = []
    for bottom in (0, 3, 6):
        for left in (0, 3, 6):
            face = "".join(board.layout[(bottom + row) * 9 + left :][:3] for row in range(3))
            turned = {turn_letters(face, 3, quarters) for quarters in range(4)}
            used += [n for n, tile in enumerate(SHIPPED.tiles) if not turned.isdisjoint(tile)]
    assert sorted(used) == list(range(9))


def test_the_shipped_faces_are_balanced() -> None:
    """Two of each line and one more on every face."""
    assert len(SHIPPED.tiles) == 9
    for tile in SHIPPED.tiles:
        for face in tile:
            assert sorted(face.count(letter) for letter in "HVDA") == [2, 2, 2, 3]


def test_a_set_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(written(SHIPPED.tiles[:4]), "utf-8")
    four = TileSet.load(path)
    assert four.tiles == SHIPPED.tiles[:4]
    assert four.board(4711) is SHIPPED.board(4711)
    assert four != SHIPPED
    with pytest.raises(ValueError, match="a 9 x 9 board takes 9 tiles; this set has 4"):
        four.draw(9, random.Random(1))
    path.write_text(written(SHIPPED.tiles), "utf-8")
    assert TileSet.load(str(path)) == SHIPPED
    assert hash(TileSet.load(path)) == hash(SHIPPED)


@pytest.mark.parametrize("quarters", range(4))
def test_a_face_that_is_a_turn_of_another_is_refused(quarters: int, tmp_path: Path) -> None:
    first, second, third, fourth = SHIPPED.tiles[:4]
    wrong = (first, second, Tile(third.front, turn_letters(first.back, 3, quarters)), fourth)
    with pytest.raises(TileError) as fault:
        TileSet(wrong)
    assert fault.value.faults == ("tile 3 back equals a turn of tile 1 back",)
    path = tmp_path / "wrong.toml"
    path.write_text(written(wrong), "utf-8")
    with pytest.raises(TileError) as fault:
        TileSet.load(path)
    assert str(fault.value) == f"{path}: tile 3 back equals a turn of tile 1 back"


def test_a_face_that_equals_a_turn_of_itself_is_refused() -> None:
    """Half a turn it must be: a quarter turn always changes the letter in the middle."""
    face = "HVDAHADVH"
    assert turn_letters(face, 3, 2) == face
    with pytest.raises(TileError) as fault:
        TileSet((Tile(face, SHIPPED.tiles[0].back), *SHIPPED.tiles[1:4]))
    assert fault.value.faults == ("tile 1 front equals a turn of itself",)


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(
        f"""
        name = "mine"
        [[tile]]
        front = ["HVX", "DAH", "VVAA"]
        back = {ROW}
        [[tile]]
        front = "HVD"
        colour = "red"
        """,
        "utf-8",
    )
    with pytest.raises(TileError) as fault:
        TileSet.load(path)
    assert fault.value.faults == (
        "unknown key 'name'; only [[tile]] is known",
        "2 tiles; 4 (for 6 x 6) or 9 (for 9 x 9 too) are needed",
        "tile 1 front: row 1 is 'HVX'; three of the letters H V D A are needed",
        "tile 1 front: row 3 is 'VVAA'; three of the letters H V D A are needed",
        "tile 2: unknown key 'colour'; front and back are known",
        'tile 2 front: must be three rows, like ["HVD", "DAH", "VVA"]',
        "tile 2 back: is missing",
    )
    assert str(fault.value).count(str(path)) == 7
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[[tile", "is not TOML: "),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b"tile = 3", "tile must be written as [[tile]]"),
        (b"tile = [1, 2]", "tile must be written as [[tile]]"),
        (b"", "0 tiles; 4 (for 6 x 6) or 9"),
        (b"tile = " + b"[" * 50_000, "is nested too deeply"),
        (b"#" * (1 << 20), "0 tiles; 4 (for 6 x 6) or 9"),
        (b"#" * ((1 << 20) + 1), "has more than 1048576 bytes"),
    ],
)
def test_a_file_of_another_kind_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_bytes(content)
    with pytest.raises(TileError) as fault:
        TileSet.load(path)
    assert str(fault.value).startswith(f"{path}: {says}")


@pytest.mark.skipif(os.name == "nt", reason="makes a named pipe")
def test_what_might_never_end_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    for path in (tmp_path / "fifo", Path("/dev/zero"), tmp_path):
        with pytest.raises(TileError) as fault:
            TileSet.load(path)
        assert str(fault.value).startswith(f"{path}: is not a regular file")


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        TileSet.load(tmp_path / "none.toml")


def test_a_set_is_a_value() -> None:
    assert TileSet.shipped() is SHIPPED
    assert pickle.loads(pickle.dumps(SHIPPED)) == SHIPPED
    with pytest.raises(AttributeError):
        SHIPPED.tiles = ()
