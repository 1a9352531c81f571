"""`donuts new`: every starter is written, builds, counts as the rules do, passes the checker, and plays."""

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from check.leisure import leisurely
from clients.built import leave_out
from donuts_engine.board import Board
from donuts_engine.perft import perft
from donuts_engine.position import Position
from donuts_referee.cli.new import LANGUAGES
from donuts_referee.starter import Starter, StarterFault, starter, write
from donuts_referee.teams.bot_toml import read_bot

QUICK = ("python", "c", "js")

SOME = (
    "hello-time,hello-form,version,flush,ids,ping,first-ring,last-ring,blocked-line,stateless,unknown-fields,values,"
    "one-write,time-200,low-clock,idle,cancel,line-form,clean-stdout,left,eof,bye"
)
"""the checks that are quick with a bot that thinks"""

SMALL = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
LARGE = "VHDAVHDAVHADVHADVHADVDDHAVHVAADHVVDHAHVDAAHHVDVAHDVVHAADHVDHVAHDVADHVAHDVAHDVAHDVA"[:81]


def donuts(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return alone([sys.executable, "-m", "donuts_referee", *words], folder)


def alone(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that has nothing to read."""
    return subprocess.run(
        words,
        cwd=folder,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=300,
    )


def ran(words: tuple[str, ...] | list[str], folder: Path) -> str:
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module", params=LANGUAGES)
def bot(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Starter, Path]:
    """A starter in a folder of its own, built."""
    chosen = starter(request.param)
    if request.param not in QUICK and os.environ.get("DONUTS_CLIENTS") != "all":
        pytest.skip("it takes a while to build: DONUTS_CLIENTS=all does it")
    if lacking := chosen.lacking():
        leave_out(f"{request.param}: {', '.join(lacking)} not found")
    folder = tmp_path_factory.mktemp("new") / "mybot"
    done = donuts("new", request.param, str(folder), folder=folder.parent)
    assert done.returncode == 0, done.stderr
    assert "donuts check -- " in done.stdout
    chosen = chosen.for_bot("mybot")
    for step in chosen.build:
        ran(list(step), folder)
    return chosen, folder


@pytest.mark.parametrize(("layout", "rings"), [(SMALL, None), (SMALL, 2), (LARGE, None)])
def test_it_counts_as_the_rules_do(bot: tuple[Starter, Path], layout: str, rings: int | None) -> None:
    chosen, folder = bot
    depth = min(chosen.depth, 3)
    given = [] if rings is None else [str(rings)]
    board = Board.of(layout)
    start = Position.start(board, rings or (15 if board.size == 6 else 36))
    assert int(ran([*chosen.perft, layout, str(depth), *given], folder)) == perft(start, depth)[-1]


def test_it_passes_the_checker(bot: tuple[Starter, Path]) -> None:
    chosen, folder = bot
    some = [] if os.environ.get("DONUTS_CLIENTS") == "all" else ["--only", SOME]
    words = leisurely(*some, "--margin", "5000", "--", *chosen.run)
    done = alone(words, folder)
    assert done.returncode == 0, done.stdout + done.stderr


def test_it_plays_under_its_name(bot: tuple[Starter, Path]) -> None:
    chosen, folder = bot
    words = (" ".join(chosen.run), "donuts:random", "--tc", "2+0.1", "--margin", "20000", "--json")
    done = donuts("play", *words, folder=folder)
    assert done.returncode == 0 and '"why":"timeout"' not in done.stdout, done.stdout + done.stderr
    record = json.loads((folder / "donuts-records" / "journal.jsonl").read_text("utf-8").splitlines()[0])
    assert (record["x"]["bot"], record["x"]["name"]) == ("mybot", "mybot")


def test_an_intake_builds_it_anew_and_enters_it(bot: tuple[Starter, Path], tmp_path: Path) -> None:
    chosen, folder = bot
    write(starter(chosen.folder.name), tmp_path / "teams" / "team", folder.name)
    took = donuts("intake", "teams", "--only", "hello-form,forced-line,ping", folder=tmp_path)
    assert took.returncode == 0 and "entered  mybot" in took.stdout, took.stdout + took.stderr
    entered = read_bot(tmp_path / "teams" / "team")
    assert (entered.name, entered.version, len(entered.build)) == ("mybot", "0.1", len(chosen.build))


@pytest.mark.parametrize("language", LANGUAGES)
def test_its_bot_toml_says_what_its_readme_says(language: str, tmp_path: Path) -> None:
    folder = tmp_path / "v1.2"
    write(starter(language), folder, "v1.2")
    chosen = starter(language).for_bot("v1.2")
    team = read_bot(folder)
    assert team.name == "v1.2" and team.build == chosen.build
    assert (
        team.program.argv[1:] == chosen.run[1:]
        and Path(team.program.argv[0]).name == Path(chosen.run[0]).name
    )


def test_it_says_how_it_is_used(bot: tuple[Starter, Path]) -> None:
    chosen, folder = bot
    usage = ran([*chosen.run, "--help"], folder)
    assert "mybot" in usage and "perft LAYOUT DEPTH" in usage
    for words in (["nonsense"], ["perft"], ["perft", "HHH", "1"]):
        done = subprocess.run(
            [*chosen.run, *words], cwd=folder, capture_output=True, text=True, check=False, timeout=60
        )
        assert done.returncode == 2 and done.stdout == "", words
        assert "usage: " in done.stderr or "layout" in done.stderr, done.stderr
    readme = (folder / "README.md").read_text("utf-8")
    assert f"donuts check -- {' '.join(chosen.run)}\n" in readme


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_placeholder_is_left_and_a_copy_is_private_to_nobody(language: str, tmp_path: Path) -> None:
    chosen = starter(language)
    write(chosen, tmp_path / "one", "one")
    copied = [path for path in (tmp_path / "one").rglob("*") if path.is_file()]
    assert len(copied) == len(chosen.files()) + 2
    for path in copied:
        text = path.read_text("utf-8")
        assert "@NAME@" not in text and '"NAME"' not in text, path
    assert "donuts-records/" in (tmp_path / "one" / ".gitignore").read_text("utf-8")
    for words in (chosen.for_bot("one").run, chosen.for_bot("one").perft, *chosen.for_bot("one").build):
        assert not any("@" in word for word in words)


@pytest.mark.parametrize(
    ("language", "name", "program"),
    [
        ("python", "alpha", "alpha"),
        ("python", "random", "bot"),
        ("js", "random", "random"),
        ("python", "rules", "bot"),
        ("c", "Makefile", "bot"),
        ("rust", "test", "bot"),
        ("rust", "v1.2", "bot"),
        ("go", "4ever", "bot"),
        ("java", "my-bot_2", "my-bot_2"),
    ],
)
def test_a_program_is_called_after_its_bot_where_nothing_else_is(
    language: str, name: str, program: str
) -> None:
    assert starter(language).program(name) == program


def test_every_language_has_a_starter_and_nothing_else_lies_there() -> None:
    folder = Path(starter("c").folder).parent
    assert {path.name for path in folder.iterdir() if path.is_dir() and path.name[0] not in "_."} == set(
        LANGUAGES
    )


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("precious")
    done = donuts("new", "python", "mine", folder=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "no empty folder" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["work.txt"]


def test_what_could_not_be_written_whole_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk: the third file has no room."""
    written = Path.write_bytes
    left = [2]

    def write_bytes(path: Path, data: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device", str(path))
        return written(path, data)

    monkeypatch.setattr(Path, "write_bytes", write_bytes)
    with pytest.raises(StarterFault, match=r"cannot write .*: no space left on device; name another folder"):
        write(starter("rust"), tmp_path / "x", "x")
    assert list((tmp_path / "x").iterdir()) == []
    monkeypatch.undo()
    assert write(starter("rust"), tmp_path / "x", "x") > 3


def test_the_name_of_a_folder_moves_no_cursor(tmp_path: Path) -> None:
    first = donuts("new", "c", "a\x1b[2Jb", "--name", "x", folder=tmp_path)
    assert "\x1b" not in first.stdout.splitlines()[0]
    done = donuts("new", "c", "a\x1b[2Jb", "--name", "x", folder=tmp_path)
    assert done.returncode == 2 and r"a\x1b[2Jb is there" in done.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["cobol", "x"], "invalid choice"),
        (["c", "a b"], "--name"),
        (["c"], "DIR"),
    ],
)
def test_what_cannot_be_is_one_line(tmp_path: Path, words: list[str], told: str) -> None:
    done = donuts("new", *words, folder=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and told in done.stderr, done.stderr
