"""Files of solved boards: what is written is read, any damage is noticed, and turns and mirror images are found."""

import re
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_engine.board import Board
from donuts_engine.layout import moved, reflected_squares, turned_squares
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solved import (
    HEAD_BYTES,
    RECORD_BYTES,
    Solved,
    SolvedFault,
    head,
    known_moves,
    known_openings,
    record,
    shipped,
)
from donuts_engine.tiles import Tile, TileSet

TILES = TileSet.shipped()
ALIKE = TileSet((*TILES.tiles[:3], TILES.tiles[4]))
START = head(TILES, 15)

boards = st.dictionaries(
    st.integers(0, TILES.count - 1), st.text("WDL", min_size=36, max_size=36), max_size=5
)


def written(rows: dict[int, str]) -> bytes:
    return START + b"".join(record(START, number, letters) for number, letters in rows.items())


@given(boards)
def test_what_is_written_is_read(rows: dict[int, str]) -> None:
    data = written(rows)
    assert len(data) == HEAD_BYTES + len(rows) * RECORD_BYTES
    solved = Solved.parse(data, TILES, "file")
    assert {number: solved[number] for number in solved} == rows
    assert len(solved) == len(rows) and all(number in solved for number in rows)
    turned = Solved.parse(written(dict(reversed(rows.items()))), TILES, "file")
    assert turned.version == solved.version


@given(boards.filter(bool), st.data())
def test_a_byte_that_is_changed_is_noticed(rows: dict[int, str], data: st.DataObject) -> None:
    whole = bytearray(written(rows))
    place = data.draw(st.integers(0, len(whole) - 1))
    whole[place] ^= data.draw(st.integers(1, 255))
    with pytest.raises(SolvedFault, match=r"^file: (its head|record \d|is no file|holds|has format)"):
        Solved.parse(bytes(whole), TILES, "file")


@given(boards, st.data())
def test_a_file_that_was_cut_off_is_noticed_within_a_record(
    rows: dict[int, str], data: st.DataObject
) -> None:
    whole = written(rows)
    cut = data.draw(st.integers(0, len(whole) - 1))
    if cut >= HEAD_BYTES and (cut - HEAD_BYTES) % RECORD_BYTES == 0:
        assert len(Solved.parse(whole[:cut], TILES, "file")) == (cut - HEAD_BYTES) // RECORD_BYTES
    else:
        with pytest.raises(SolvedFault, match=r"^file: is (cut off|no file)"):
            Solved.parse(whole[:cut], TILES, "file")


def test_what_else_is_no_such_file() -> None:
    values = "W" * 36
    for data, said in [
        (b"", "is no file of solved boards"),
        (b"\x89PNG\r\n and more", r"is no file of solved boards (it begins with '\x89PNG\r\n a')"),
        (head(ALIKE, 15), "holds boards of another tile set"),
        (START + record(head(TILES, 14), 0, values), "record 1 is damaged"),  # of another file
        (START + record(START, TILES.count, values), "record 1 is damaged"),
        (
            written({3: values}) + record(START, 3, "L" * 36),
            "record 2 is damaged",
        ),  # says two things of a board
    ]:
        with pytest.raises(SolvedFault, match=re.escape(said)):
            Solved.parse(data, TILES, "file")
    assert len(Solved.parse(written({3: values}) + record(START, 3, values), TILES, "file")) == 1


def test_turns_and_mirror_images_of_a_board_have_its_values_where_they_belong() -> None:
    number = next(iter(shipped()))
    board, letters = TILES.board(number), shipped()[number]
    for quarters in range(4):
        found = moved(letters, turned_squares(6, quarters))
        assert known_openings(board.turned(quarters)) == found
        assert known_openings(board.turned(quarters).reflected()) == moved(found, reflected_squares(6))
    assert known_openings(board, 14) is None
    assert known_moves(Position.start(board)) == letters
    assert known_moves(play(Position.start(board), 0)) is None
    assert known_openings(Board("H" * 36)) is None
    assert known_openings(Board("H" * 81)) is None


def test_enough_boards_are_shipped_and_every_one_says_who_wins() -> None:
    solved = shipped()
    assert len(solved) >= 200 and solved.rings == 15 and solved.tiles is TILES
    assert all(set(solved[number]) <= set("WDL") for number in solved)
    assert TileSet(tuple(Tile(*tile) for tile in TILES.tiles)) == solved.tiles
    chosen = Random(1).choice(list(solved))
    assert known_openings(TILES.board(chosen)) == solved[chosen]


def test_what_the_docs_say_of_the_shipped_boards_is_so() -> None:
    text = (Path(__file__).parents[2] / "engine" / "SOLVED.md").read_text("utf-8")
    solved = shipped()
    letters = [solved[number] for number in solved]
    assert f"version `{solved.version}`" in text
    rows = [[cell.strip() for cell in line.split("|")[2:-1]] for line in text.splitlines() if line[:1] == "|"]
    moves, boards = ([int(cell) for cell in row] for row in (rows[0], rows[2]))
    assert dict(zip(moves, boards, strict=True)) == Counter(each.count("W") for each in letters)
    draws, total = sum(each.count("D") for each in letters), 36 * len(letters)
    assert f"{draws:,} of {total:,} first moves".replace(",", " ") in text
    assert all("W" in each for each in letters) and "draws 0 and loses 0" in text
