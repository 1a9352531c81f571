"""`donuts solve --all`: the file it writes, how it goes on, and what it does not overwrite."""

import json
import os
import re
import resource
import signal
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from donuts_engine.solved import HEAD_BYTES, LETTER_OF, RECORD_BYTES, Solved, head, record, shipped
from donuts_engine.solver import Solver
from donuts_engine.tiles import TileSet
from donuts_referee.cli.main import main
from donuts_referee.records import lock
from donuts_referee.solving.growing import Growing, GrowingFault
from donuts_referee.solving.one_board import in_order

TILES = TileSet.shipped()
QUICK = ("--rings", "2")
"""Boards on which nobody can make five take no time."""


def read(path: Path) -> Solved:
    return Solved.parse(path.read_bytes(), TILES, str(path))


def test_it_solves_what_is_missing_and_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.solved"
    assert main(["solve", "--all", *QUICK, "--out", str(path), "--boards", "10-13", "--workers", "3"]) == 0
    assert f"{path}: 4 boards, 4 new" in capsys.readouterr().out
    before = path.read_bytes()
    assert main(["solve", "--all", *QUICK, "--out", str(path), "--boards", "12-15"]) == 0
    assert "6 boards, 2 new" in capsys.readouterr().out
    assert path.read_bytes().startswith(before)
    assert list(read(path)) == [10, 11, 12, 13, 14, 15]
    for number in (10, 15):
        choices = Solver(TILES.board(number), 2).openings()
        assert read(path)[number] == "".join(LETTER_OF[choice.verdict.value] for choice in choices)


def test_progress_tells_how_far_it_is_and_how_long_it_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("donuts_referee.cli.solve_all.LINE_GAP", 0)
    assert main(["solve", "--all", *QUICK, "--out", str(tmp_path / "t"), "--boards", "10-12"]) == 0
    told = capsys.readouterr().err.splitlines()
    assert [line.split(" boards, ")[0] for line in told] == [f"donuts: {done} of 3" for done in (1, 2, 3)]
    assert re.fullmatch(r"donuts: 1 of 3 boards, [0-9.e+]+ a second, [0-9]+ (s|min|h .*) left", told[0])


def test_killed_at_any_moment_it_goes_on(tmp_path: Path, command: Callable[..., Sequence[str]]) -> None:
    path = tmp_path / "t.solved"
    words = command("solve", "--all", "--rings", "5", "--out", str(path), "--workers", "2")
    sizes = []
    for _ in range(2):
        size = path.stat().st_size if path.exists() else 0
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while not path.exists() or path.stat().st_size < size + HEAD_BYTES + 2 * RECORD_BYTES:
            assert process.poll() is None
            os.sched_yield()
        process.kill()
        process.wait()
        sizes.append(len(read(path)))
    assert 2 <= sizes[0] < sizes[1]


def test_ctrl_c_says_how_far_it_is(tmp_path: Path, command: Callable[..., Sequence[str]]) -> None:
    path = tmp_path / "t.solved"
    words = command("solve", "--all", "--rings", "14", "--out", str(path), "--workers", "2")
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while not path.exists() or path.stat().st_size < HEAD_BYTES + RECORD_BYTES:
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, out) == (130, "")
    assert err == f"donuts: interrupted: {len(read(path))} boards are in {path}; the same command goes on\n"


START = head(TILES, 2)
ROW = record(START, 7, "D" * 36)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"my notes\n", "is no file of solved boards"),
        (head(TILES, 3) + record(head(TILES, 3), 7, "D" * 36), "holds boards with 3 rings a side, not 2"),
        (head(TileSet(TILES.tiles[1:5]), 2), "holds boards of another tile set"),
        (START + ROW[:-1] + b"?" + ROW, "record 1 is damaged"),
        (START[:20] + b"?" + START[21:] + ROW, "its head is damaged"),
    ],
)
def test_what_is_not_its_file_is_left_as_it_is(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "t.solved"
    path.write_bytes(content)
    assert main(["solve", "--all", *QUICK, "--out", str(path), "--boards", "0"]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and said in err
    assert path.read_bytes() == content


@pytest.mark.parametrize("cut", [0, 5, HEAD_BYTES, HEAD_BYTES + 1, HEAD_BYTES + RECORD_BYTES + 11])
def test_what_was_cut_off_in_writing_is_solved_again(cut: int, tmp_path: Path) -> None:
    path = tmp_path / "t.solved"
    path.write_bytes((START + ROW + record(START, 9, "L" * 36))[:cut])
    with Growing(path, TILES, 2) as file:
        assert len(file) == max(0, cut - HEAD_BYTES) // RECORD_BYTES
        assert file.mended == (cut > HEAD_BYTES)
        file.add(9, "W" * 36)
    assert read(path)[9] == "W" * 36


def test_one_process_writes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "LINGERING", 0.1)
    with (
        Growing(tmp_path / "t.solved", TILES, 2),
        pytest.raises(GrowingFault, match="another `donuts solve --all`"),
    ):
        Growing(tmp_path / "t.solved", TILES, 2)
    with pytest.raises(GrowingFault, match="cannot write"):
        Growing(tmp_path, TILES, 2)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(GrowingFault, match="is not a regular file"):
        Growing(tmp_path / "pipe", TILES, 2)


def test_a_full_disk_leaves_whole_records(tmp_path: Path) -> None:
    path = tmp_path / "t.solved"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    with Growing(path, TILES, 2) as file:
        file.add(7, "D" * 36)
        resource.setrlimit(resource.RLIMIT_FSIZE, (HEAD_BYTES + RECORD_BYTES + 5, limits[1]))
        try:
            for number in (8, 9):
                with pytest.raises(GrowingFault, match="the disk is full"):
                    file.add(number, "D" * 36)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert path.read_bytes() == START + ROW and list(read(path)) == [7]
        file.add(8, "D" * 36)
    assert list(read(path)) == [7, 8]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--all"], "--all writes a file; name it with --out FILE"),
        (
            ["--all", "--out", "f", "--boards", "9-3"],
            "--boards 9-3: write FROM-TO with numbers from 0 to 24575",
        ),
        (["--all", "--out", "f", "--board", "3"], "do not go with it"),
        (["--all", "--out", "f", "--rings", "19"], "--rings 19: a 6 x 6 board takes 1 to 18"),
        (
            ["--all", "--out", "f", "--executor", "dask"],
            "--executor dask and --scheduler ADDRESS go together",
        ),
        (["--all", "--out", "f", "--json"], "do not go with --all"),
        (["--board", "3", "--out", "f"], "--out is for --all"),
    ],
)
def test_what_cannot_be_asked_for_is_said_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and said in err
    assert not Path("f").exists()


def test_boards_are_mixed_and_each_comes_once() -> None:
    order = in_order(0, 999)
    assert sorted(order) == list(range(1000)) and order != sorted(order)
    assert [number for number in in_order(0, 1999) if number < 1000] == order


def test_boards_that_come_with_the_package_are_not_solved_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    number = next(iter(shipped()))
    path = tmp_path / "t.solved"
    assert main(["solve", "--all", "--out", str(path), "--boards", str(number)]) == 0
    assert "1 board, 0 new" in capsys.readouterr().out
    assert read(path)[number] == shipped()[number]
    assert main(["solve", "--board", str(number), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["openings"] == shipped()[number]


def test_where_the_solver_cannot_run_no_file_is_begun(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "t.solved"
    monkeypatch.setattr("donuts_referee.cli.extras.obstacle", lambda: "numba does not load")
    assert main(["solve", "--all", "--out", str(path)]) == 2
    assert capsys.readouterr() == ("", "donuts: numba does not load\n") and not path.exists()
