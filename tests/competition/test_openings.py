"""Openings are functions of seed, list and number; none comes again before all have come; files name their faults."""

import random
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import name
from donuts_engine.tiles import TileSet
from donuts_referee.competition.event import Openings
from donuts_referee.competition.opening_files import Entry, parse_openings, read_openings
from donuts_referee.competition.openings import Opening, OpeningFault, check_openings, opening
from donuts_referee.files import FileFault
from donuts_referee.programme import Boards, pair_seed, pair_setting

TILES = TileSet.shipped()
DRAWN = Openings()
SEQUENTIAL = Openings(boards="numbers", numbers=(7, 8, 9))


@dataclass(frozen=True)
class Source:
    openings: Openings = DRAWN
    seed: int = 1
    size: Literal[6, 9] = 6
    rings: int = 15
    tiles: TileSet = TILES


def after(start: Opening) -> Position:
    position = Position.start(start.board, start.rings)
    for square in start.placements:
        position = play(position, square)
    return position


def numbers(source: Source, count: int) -> list[int | None]:
    return [opening(source, number).board_number for number in range(1, count + 1)]


def test_the_derivation_is_the_documented_one() -> None:
    """Literals: an event repeated with a later version must be the same event."""
    first = min(range(TILES.count), key=lambda each: sha256(f"donuts order 1 0 {each}".encode()).digest())
    start = opening(Source(), 1)
    assert (start.board_number, start.board) == (first, TILES.board(first))
    assert start.seed == pair_seed(1, 1)
    assert (start.board_number, start.seed) == (20973, 677327777005638)
    forced = opening(Source(Openings(plies=2)), 1)
    digest = sha256(f"donuts ply {start.seed} 1 1".encode()).digest()
    assert forced.placements[0] == int.from_bytes(digest[:8], "big") % 36
    assert len(forced.placements) == 2 and after(forced).result is None


def test_a_drawn_9_x_9_board_is_that_of_the_pair_of_a_match() -> None:
    setting = pair_setting(5, Boards(TILES, 9), 36, 3)
    start = opening(Source(size=9, rings=36, seed=3), 5)
    assert (start.board, start.seed, start.board_number) == (setting.board, setting.seed, None)
    boards = {opening(Source(size=9, rings=36), number).board.layout for number in range(1, 200)}
    assert len(boards) == 199


def test_every_board_comes_once_before_one_comes_again() -> None:
    drawn = numbers(Source(), TILES.count + 5)
    assert sorted(number for number in drawn[: TILES.count] if number is not None) == list(range(TILES.count))
    assert drawn[TILES.count - 1] != drawn[TILES.count]
    assert drawn[:5] != drawn[TILES.count :]
    assert numbers(Source(seed=2), 5) != drawn[:5]


def test_a_list_is_gone_through_in_order() -> None:
    assert numbers(Source(SEQUENTIAL), 7) == [7, 8, 9, 7, 8, 9, 7]


@given(st.integers(0, 2**53 - 1), st.integers(1, 6))
def test_a_shuffled_list_is_spent_before_it_begins_anew_and_never_repeats_at_the_seam(
    seed: int, count: int
) -> None:
    source = Source(Openings("numbers", numbers=tuple(range(count)), order="shuffled"), seed)
    drawn = numbers(source, 8 * count)
    for lap in range(8):
        assert sorted(each for each in drawn[lap * count : (lap + 1) * count] if each is not None) == list(
            range(count)
        )
    assert count == 1 or all(one != other for one, other in pairwise(drawn))


def test_a_list_is_shuffled_anew_each_time() -> None:
    source = Source(Openings("numbers", numbers=tuple(range(20)), order="shuffled"))
    drawn = numbers(source, 40)
    assert drawn[:20] != drawn[20:]


@given(st.integers(1, 10**6), st.integers(0, 8), st.sampled_from([6, 9]))
def test_forced_plies_are_legal_and_leave_a_game(number: int, plies: int, size: Literal[6, 9]) -> None:
    source = Source(Openings(plies=plies), size=size, rings=15 if size == 6 else 36)
    start = opening(source, number)
    assert start == opening(source, number)
    assert len(start.placements) == plies and after(start).result is None


def test_forced_plies_follow_those_of_the_entry() -> None:
    layout = TILES.board(3).layout
    position = play(Position.start(TILES.board(3), 15), 14)
    words = (name(14, 6), name(position.legal[0], 6))
    source = Source(Openings("layouts", entries=((layout, words),), plies=3, names=("mine",)))
    assert check_openings(source) == ()
    starts = [opening(source, number) for number in range(1, 9)]
    assert {start.placements[:2] for start in starts} == {(14, position.legal[0])}
    assert len({start.placements for start in starts}) > 1
    assert {(start.name, start.board_number, len(start.placements)) for start in starts} == {
        ("mine", None, 5)
    }


def test_plies_that_no_game_survives_are_a_fault() -> None:
    source = Source(Openings(plies=70), size=9, rings=36)
    with pytest.raises(OpeningFault, match="force fewer plies"):
        opening(source, 1)
    assert "force fewer plies" in check_openings(source)[0]


def test_a_check_names_every_fault_with_its_place() -> None:
    board = TILES.board(0)
    far = next(square for square in range(36) if square not in board.lines[0])
    legal = name(next(square for square in board.lines[0] if square), 6)
    entries = (
        (board.layout, ()),
        (board.layout, ("a1", name(far, 6))),
        (board.layout, ("a1", legal)),
        (TILES.draw(9, random.Random(1))[0].layout, ()),
        (board.layout, ("a1", legal)),
        (board.layout, ("z9",)),
    )
    faults = check_openings(Source(Openings("layouts", entries=entries)), ("f.txt:1", "f.txt:4"))
    assert len(faults) == 4
    assert faults[0].startswith(f"f.txt:4: placement 2, {name(far, 6)}, is illegal (")
    assert faults[1].startswith("entry 4: the layout is of a 9 x 9 board")
    assert faults[2] == "entry 5: is the same as entry 3; leave one of them out"
    assert faults[3].startswith("entry 6: move 1: 'z9' is not a square")


@pytest.mark.parametrize(
    ("source", "says"),
    [
        (
            Source(Openings("numbers", numbers=(5, 24576, 5))),
            ["entry 2: 24576 is no board", "entry 3: is the same as"],
        ),
        (Source(SEQUENTIAL, size=9, rings=36), ["only 6 x 6 boards have numbers"]),
        (Source(Openings("layouts")), ["the list of boards is empty"]),
        (Source(size=9, tiles=TileSet(TILES.tiles[:4])), ["a 9 x 9 board takes 9 tiles; the tile set has 4"]),
        (Source(Openings(plies=30)), ["30 placements at the start leave no game; there are 30 rings"]),
    ],
)
def test_what_no_event_can_be_played_with(source: Source, says: list[str]) -> None:
    faults = check_openings(source)
    assert len(faults) == len(says)
    assert all(part in fault for part, fault in zip(says, faults, strict=True))


def test_placements_that_end_the_game_are_a_fault() -> None:
    board = TILES.board(0)
    position, moves = Position.start(board, 15), []
    while position.result is None:
        moves.append(name(position.legal[0], 6))
        position = play(position, position.legal[0])
    source = Source(Openings("layouts", entries=((board.layout, tuple(moves)),)), rings=18)
    assert check_openings(source) == ("entry 1: its placements end the game; give fewer",)


# --- files -------------------------------------------------------------------------------------------------------

LAYOUT = TILES.board(0).layout


def test_a_file_of_openings() -> None:
    lines = [
        "# boards",
        "",
        f"{LAYOUT} # plain",
        f"  {LAYOUT} a1,b2 the first one",
        f"{LAYOUT} - a1",
        f"{LAYOUT} no#1",
    ]
    assert parse_openings(lines, "f") == (
        (
            Entry(LAYOUT, (), "", 3),
            Entry(LAYOUT, ("a1", "b2"), "the first one", 4),
            Entry(LAYOUT, (), "a1", 5),
            Entry(LAYOUT, (), "no#1", 6),
        ),
        (),
    )


def test_all_faults_of_a_file_are_told_at_once(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_text(f"{LAYOUT}\nHVDA\n{LAYOUT} a1,,b2\n{LAYOUT} i9\n{LAYOUT} x\x1b[31m\n", "utf-8")
    with pytest.raises(FileFault) as caught:
        read_openings(path)
    text = str(caught.value)
    assert [f"openings.txt:{line}: " in text for line in range(1, 6)] == [False, True, True, True, True]
    assert "\x1b" not in text


@pytest.mark.parametrize(
    ("content", "says"), [(b"# nothing\n", "holds no opening"), (b"\xff\xfe", "not UTF-8")]
)
def test_a_file_that_is_none(content: bytes, says: str, tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_bytes(content)
    with pytest.raises(FileFault, match=says):
        read_openings(path)
    with pytest.raises(FileFault, match="missing"):
        read_openings(tmp_path / "missing")


@given(st.lists(st.text(max_size=60), max_size=5))
def test_no_text_breaks_the_reader(lines: list[str]) -> None:
    file = parse_openings(lines, "f")
    assert file.entries or file.faults
