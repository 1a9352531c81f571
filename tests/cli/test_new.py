"""`donuts new`: every starter is written, builds, counts as the rules do, passes the checker, and plays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from clients.built import leave_out
from donuts_engine.board import Board
from donuts_engine.perft import perft
from donuts_engine.position import Position
from donuts_referee.cli.new import LANGUAGES
from donuts_referee.starter import Starter, starter

QUICK = ("python", "c", "js")

SMALL = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
LARGE = "VHDAVHDAVHADVHADVHADVDDHAVHVAADHVVDHAHVDAAHHVDVAHDVVHAADHVDHVAHDVADHVAHDVAHDVAHDVA"[:81]


def donuts(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "donuts_referee", *words],
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


def test_it_passes_the_checker_and_bears_its_name(bot: tuple[Starter, Path]) -> None:
    chosen, folder = bot
    done = donuts("check", "--", *chosen.run, folder=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    done = donuts("play", " ".join(chosen.run), "donuts:random", "--tc", "20+0.5", "--json", folder=folder)
    assert done.returncode == 0 and '"why":"timeout"' not in done.stdout, done.stdout + done.stderr
    assert '"name":"mybot"' in (folder / "donuts-records" / "journal.jsonl").read_text("utf-8")


def test_every_language_has_a_starter_and_nothing_else_lies_there() -> None:
    folder = Path(starter("c").folder).parent
    assert {path.name for path in folder.iterdir() if path.is_dir() and path.name[0] not in "_."} == set(
        LANGUAGES
    )


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "work.txt").write_text("precious")
    done = donuts("new", "python", "mine", folder=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "not empty" in done.stderr
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["work.txt"]


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
