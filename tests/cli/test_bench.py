"""`donuts bench`: the figures add up, and a missing compiler is said in one line."""

import json
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest

from donuts_referee.bench import build as building
from donuts_referee.bench.build import NoCompiler, build
from donuts_referee.bench.ply import measure
from donuts_referee.cli.main import main

compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler here")


@compiler
@pytest.mark.parametrize("workers", [1, 2])
def test_the_figures_add_up(workers: int, donuts: Callable) -> None:
    ran = donuts("bench", "ply", "--json", "--games", "3", "--workers", str(workers))
    assert ran.code == 0 and ran.err == ""
    (line,) = ran.out.splitlines()
    figures = json.loads(line)
    assert list(figures) == [
        "us_per_ply", "cpu_us_per_ply", "games_per_s", "rss_mb", "pingpong_us", "ratio", "plies", "games", "workers",
    ]  # fmt: skip
    assert (figures["games"], figures["workers"]) == (3 * workers, workers)
    assert 9 * workers * 3 <= figures["plies"] <= 30 * workers * 3
    assert figures["ratio"] == pytest.approx(figures["us_per_ply"] / figures["pingpong_us"], rel=0.01)
    per_game = figures["us_per_ply"] * figures["plies"] / figures["games"]
    assert figures["games_per_s"] == pytest.approx(1e6 / per_game, rel=0.01, abs=0.06)  # it has one decimal
    assert figures["cpu_us_per_ply"] > 0 and 5 < figures["rss_mb"] < 1000


@compiler
def test_the_first_legal_bot_plays_real_games(tmp_path: Path) -> None:
    stint = measure(build("first", tmp_path), 4)
    assert stint.games == 4 and stint.plies >= 4 * 9
    assert stint.began < stint.ended and stint.cpu_ns > 0


def test_for_people(donuts: Callable) -> None:
    if shutil.which("cc") is None:
        pytest.skip("no C compiler here")
    ran = donuts("bench", "ply", "--games", "2")
    assert ran.code == 0 and "us a ply" in ran.out and "2 games, 1 worker\n" in ran.out


def test_no_compiler_is_one_line_and_exit_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert main(["bench", "ply"]) == 2
    err = capsys.readouterr().err
    assert "C compiler" in err and err.count("\n") == 1


def test_a_compiler_that_fails_or_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    failing = tmp_path / "cc"
    failing.write_text("#!/bin/sh\necho 'no headers here' >&2\nexit 1\n")
    failing.chmod(0o755)
    monkeypatch.setenv("CC", str(failing))
    with pytest.raises(NoCompiler, match="no headers here"):
        build("first", tmp_path)
    monkeypatch.setenv("CC", str(tmp_path / "nothing"))
    with pytest.raises(NoCompiler, match="cannot be run"):
        build("first", tmp_path)


def test_the_sources_are_in_the_package() -> None:
    names = {each.name for each in files(building.__package__).iterdir()}
    assert {"first.c", "pingpong.c"} <= names


def test_an_arena_with_few_bots_and_few_plies(donuts: Callable) -> None:
    ran = donuts("bench", "arena", "--json", "--plies", "400", "--bots", "6")
    assert ran.code == 0 and ran.err == ""
    figures = json.loads(ran.out)
    solo, crowd = figures["solo"], figures["crowd"]
    assert solo["plies"] == 1200 and (crowd["bots"], crowd["plies"]) == (6, 400)
    assert all(
        solo[name] > 0 for name in ("pingpong_us", "us_per_ply", "ratio", "whole_us_per_ply", "whole_ratio")
    )
    assert (crowd["timeouts"], crowd["faults"], crowd["sent_away"]) == (0, 0, 0)
    assert all(5 < crowd[name] < figures["goals"]["rss_end_mib"] for name in ("rss_mib", "rss_end_mib"))


def test_an_arena_for_people(donuts: Callable) -> None:
    ran = donuts("bench", "arena", "--plies", "100", "--bots", "2")
    assert ran.code == 0
    assert "2 bots at once" in ran.out and "faults 0 (goal 0)" in ran.out


def test_solving_finds_the_known_values_and_adds_up(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from donuts_referee.bench import solving

    text = files("donuts_referee.bench").joinpath("solved.jsonl").read_bytes()
    golden = Path(__file__).parent.parent / "golden" / "solved.jsonl"
    assert text == golden.read_bytes()
    quick = text.splitlines()[2] + b"\n"
    wrong = quick.replace(b'"openings": "L', b'"openings": "W')
    assert wrong != quick
    for rows, code in ((quick, 0), (quick + wrong, 1)):
        monkeypatch.setattr(solving, "files", lambda _package, rows=rows: _Folder(rows))
        assert main(["bench", "solve", "--json", "--positions", "3"]) == code
        figures = json.loads(capsys.readouterr().out)
        assert [each["right"] for each in figures["layouts"]] == [True, False][: code + 1]
        assert figures["nodes"] == sum(each["nodes"] for each in figures["layouts"]) > 100_000
        assert figures["worst_s"] == max(each["cpu_s"] for each in figures["layouts"])
        assert 0 < figures["early_ms"] <= figures["early_worst_ms"] and figures["early_positions"] == 3
    assert main(["bench", "solve", "--positions", "1"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert len(said) == 2 + 3 and "WRONG VALUES" in said[1] and "WRONG" not in said[0]
    assert "(goal 1.5)" in said[2] and "(goal 20" in said[3]


class _Folder:
    """A folder whose only file holds these rows."""

    def __init__(self, rows: bytes) -> None:
        self._rows = rows

    def joinpath(self, _name: str) -> "_Folder":
        return self

    def read_bytes(self) -> bytes:
        return self._rows
