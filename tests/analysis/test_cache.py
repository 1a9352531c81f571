"""The cache gives back what it was given or nothing: damaged, foreign, held by others, or in a place of no use."""

import sqlite3
from pathlib import Path
from random import Random

import pytest

from analysis.made import random_game
from donuts_engine.position import Position
from donuts_referee.analysis.cache import CACHE, Cache, _seal
from donuts_referee.analysis.game import positions
from donuts_referee.analysis.worth import Worth

DICE = Random(7)


def worth(position: Position, plies: bool) -> Worth:
    """Any that has the right form."""
    count, left = len(position.legal), 2 * position.rings - position.ply
    lengths = tuple(DICE.randint(1, left) for _ in range(count)) if plies else None
    return Worth("".join(DICE.choices("WDL", k=count)), lengths)


SOLVED = {
    position: worth(position, seed % 2 == 0) for seed in range(4) for position in positions(random_game(seed))
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / CACHE


@pytest.fixture
def full(path: Path) -> Path:
    """A cache that holds SOLVED."""
    with Cache(path, pytest.fail) as cache:
        cache.keep(SOLVED.items())
    return path


def reasons(path: Path, patience: float = 0.0) -> list[str]:
    """Look everything up; whatever is found must be right. Returns what was said."""
    told: list[str] = []
    with Cache(path, told.append, patience) as cache:
        for position, kept in SOLVED.items():
            assert cache.find(position) in (Worth(kept.letters), None)
            assert cache.find(position, plies=True) in (kept, None)
        cache.keep(list(SOLVED.items())[:3])
    assert all(one.startswith(f"{path}: ") and "\n" not in one for one in told)
    return told


def test_everything_is_found_again(full: Path) -> None:
    with Cache(full, pytest.fail) as cache:
        assert all(cache.find(position) == Worth(kept.letters) for position, kept in SOLVED.items())
        assert all(
            cache.find(position, plies=True) == (None if kept.plies is None else kept)
            for position, kept in SOLVED.items()
        )
        assert cache.find(positions(random_game(99))[5]) is None


def test_plies_that_are_known_stay(path: Path) -> None:
    position, kept = next((position, kept) for position, kept in SOLVED.items() if kept.plies is not None)
    with Cache(path, pytest.fail) as cache:
        for one in (Worth(kept.letters), kept, Worth(kept.letters)):
            cache.keep([(position, one)])
        assert cache.find(position, plies=True) == kept


def test_the_same_cells_of_another_game_are_another_position(path: Path) -> None:
    position = positions(random_game(3))[9]
    other = Position.from_cells(position.board, 16, position.cells, position.last)
    with Cache(path, pytest.fail) as cache:
        cache.keep([(position, worth(position, False))])
        assert cache.find(other) is None


def test_no_changed_byte_makes_a_wrong_value(full: Path) -> None:
    whole = full.read_bytes()
    dice = Random(1)
    said = 0
    for _ in range(60):
        at = dice.randrange(len(whole))
        full.write_bytes(whole[:at] + bytes([whole[at] ^ dice.randrange(1, 256)]) + whole[at + 1 :])
        said += len(reasons(full))
    assert said > 10


@pytest.mark.parametrize("size", [90, 100, 4096, -1])
def test_a_file_cut_short_is_begun_anew(full: Path, size: int) -> None:
    full.write_bytes(full.read_bytes()[:size])
    (said,) = reasons(full)
    assert "damaged" in said and said.endswith("; it is begun anew")
    assert reasons(full) == []
    with Cache(full, pytest.fail) as cache:
        assert [cache.find(position, plies=True) for position in list(SOLVED)[:4]] == [
            *list(SOLVED.values())[:3],
            None,
        ]


@pytest.mark.parametrize("size", [0, 1, 5000])
def test_what_sqlite_does_not_call_damaged_holds_no_wrong_value_either(full: Path, size: int) -> None:
    full.write_bytes(full.read_bytes()[:size])
    assert len(reasons(full)) <= 1
    assert reasons(full) == []


@pytest.mark.parametrize(
    "spoil",
    [
        "UPDATE worth SET letters = 'W'",
        "UPDATE worth SET letters = 7",
        "UPDATE worth SET letters = CAST(x'ff' AS TEXT)",
        "UPDATE worth SET plies = 'far'",
        "UPDATE worth SET plies = x'01'",
        "UPDATE worth SET seal = NULL",
        "ALTER TABLE worth RENAME COLUMN seal TO fish",
    ],
)
def test_what_sqlite_finds_sound_is_believed_no_more(full: Path, spoil: str) -> None:
    connection = sqlite3.connect(full)
    with connection:
        connection.execute(spoil)
    connection.close()
    (said,) = reasons(full)
    assert said.endswith("; it is begun anew")


def test_a_row_that_is_sealed_must_fit_its_position_too(full: Path) -> None:
    connection = sqlite3.connect(full)
    rows = connection.execute("SELECT position FROM worth").fetchall()
    with connection:
        connection.executemany(
            "UPDATE worth SET letters = 'WX', plies = NULL, seal = ? WHERE position = ?",
            [(_seal(key, "WX", None), key) for (key,) in rows],
        )
    connection.close()
    (said,) = reasons(full)
    assert "does not fit its position" in said


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("application_id = 1", "belongs to another program"),
        ("user_version = 2", "written by a later version"),
    ],
)
def test_what_is_not_ours_is_left_alone(full: Path, change: str, reason: str) -> None:
    connection = sqlite3.connect(full)
    with connection:
        connection.execute(f"PRAGMA {change}")
    connection.close()
    before = full.read_bytes()
    (said,) = reasons(full)
    assert reason in said and said.endswith("; nothing is looked up or kept there")
    assert full.read_bytes() == before


@pytest.mark.parametrize("lock", ["EXCLUSIVE", "IMMEDIATE"])
def test_another_process_that_holds_it_is_not_waited_for_without_end(full: Path, lock: str) -> None:
    holder = sqlite3.connect(full, isolation_level=None)
    holder.execute(f"BEGIN {lock}")
    (said,) = reasons(full)
    assert "database is locked" in said
    holder.execute("ROLLBACK")
    holder.close()
    assert reasons(full) == []


def test_a_place_of_no_use_is_said_once(tmp_path: Path) -> None:
    assert len(reasons(tmp_path / "nowhere" / CACHE)) == 1
    (tmp_path / CACHE).mkdir()
    assert len(reasons(tmp_path / CACHE)) == 1
