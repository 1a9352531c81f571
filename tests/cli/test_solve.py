"""`donuts solve`: the map of moves, the JSON, limits, and one line for what cannot be solved."""

import json
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donuts_engine.solved import shipped
from donuts_engine.squares import NAMES
from donuts_referee.cli.main import main
from donuts_referee.cli.solve import EPILOG

GOLDEN = Path(__file__).parent.parent / "golden" / "solved.jsonl"
ROW = json.loads(GOLDEN.read_text("ascii").splitlines()[2])
LAYOUT = ROW["layout"]
LETTER = {"win": "W", "loss": "L", "draw": "D"}


def one_object(capsys: pytest.CaptureFixture[str], *words: str) -> dict:
    assert main(["solve", *words, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "" and out.count("\n") == 1
    return json.loads(out)


def test_all_first_moves_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    said = one_object(capsys, LAYOUT)
    assert list(said) == ["layout", "rings", "value", "bounds", "openings", "best"]
    assert (said["value"], said["bounds"]) == ("win", ["win", "win"])
    assert (said["layout"], said["rings"], said["openings"]) == (LAYOUT, 15, ROW["openings"])
    assert len(said["best"]) == len(set(said["best"])) > 8


def test_distances_and_the_line_that_goes_with_them(capsys: pytest.CaptureFixture[str]) -> None:
    said = one_object(capsys, LAYOUT, "--rings", "3", "--distance")
    assert len(said["distance"]) == 36 and set(said["distance"]) <= {5, 6}
    assert len(said["best"]) in (5, 6)


def test_a_position_by_moves_and_by_its_own_notation(capsys: pytest.CaptureFixture[str]) -> None:
    by_moves = one_object(capsys, LAYOUT, "--moves", "a1", "--distance")
    assert by_moves["value"] == {"L": "win", "W": "loss"}[ROW["openings"][0]]
    assert by_moves["bounds"] == [by_moves["value"]] * 2
    assert (by_moves["last"], by_moves["you"]) == ("a1", "o")
    assert set(by_moves["moves"]) == set(by_moves["distance"])
    by_notation = one_object(capsys, f"{LAYOUT} x{'.' * 35} a1 o 15", "--distance")
    assert by_notation == by_moves


def test_the_map_shows_every_move_where_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", LAYOUT]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = [line.split() for line in lines[:6]]
    assert [row[0] for row in shown] == list("654321")
    assert "".join("".join(row[1:]) for row in reversed(shown)) == ROW["openings"]
    assert lines[6].split() == list("abcdef")
    wins = ROW["openings"].count("W")
    assert lines[8].startswith(f"   Chocolate (x) wins by {wins} of 36 moves: ")
    assert main(["solve", LAYOUT, "--rings", "1", "--moves", "c3"]) == 0
    out = capsys.readouterr().out
    assert "X" in out.splitlines()[3] and "Vanilla (o) draws by" in out


def test_a_limit_says_unknown_and_within_what(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(one_object(capsys, LAYOUT, "--nodes", "1")["openings"]) == {"?"}
    said = one_object(capsys, LAYOUT, "--moves", "a1", "--seconds", "0.001")
    assert (said["value"], said["best"]) == ("unknown", []) and said["bounds"][0] != said["bounds"][1]
    assert main(["solve", LAYOUT, "--nodes", "1"]) == 0
    assert "unknown: for Chocolate (x) at least a loss and at most a win" in capsys.readouterr().out


def test_a_limit_hides_nothing_that_the_moves_prove(capsys: pytest.CaptureFixture[str]) -> None:
    words = (LAYOUT, "--nodes", "160000")
    said = one_object(capsys, *words)
    openings = said["openings"]
    assert "W" in openings and "?" in openings
    assert (said["value"], said["bounds"]) == ("win", ["win", "win"])
    assert said["best"][0] == NAMES[6][openings.index("W")]
    assert main(["solve", *words]) == 0
    out = capsys.readouterr().out
    assert f"Chocolate (x) wins by at least {openings.count('W')} of 36 moves: " in out
    assert f"best line: {said['best'][0]}" in out


def test_a_limit_leaves_a_shipped_board_its_value(capsys: pytest.CaptureFixture[str]) -> None:
    number = next(iter(shipped()))
    said = one_object(capsys, "--board", str(number), "--nodes", "1", "--distance")
    assert (said["value"], said["openings"]) == ("win", shipped()[number])
    assert said["distance"] == [None] * 36
    assert said["best"][0] == NAMES[6][said["openings"].index("W")]


@pytest.mark.parametrize(("most", "overdone"), [(1, 1), (1000, 1100), (50_000, 60_000)])
def test_a_number_of_positions_is_kept_to(
    most: int, overdone: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", LAYOUT, "--nodes", str(most)]) == 0
    found = re.search(r"([0-9,]+) positions? searched", capsys.readouterr().out)
    assert found is not None and most <= int(found[1].replace(",", "")) <= overdone


def test_under_a_limit_values_come_before_lengths(capsys: pytest.CaptureFixture[str]) -> None:
    words = (LAYOUT, "--moves", "a1")
    assert main(["solve", *words]) == 0
    found = re.search(r"([0-9,]+) positions searched", capsys.readouterr().out)
    assert found is not None
    whole = one_object(capsys, *words, "--distance")
    part = one_object(capsys, *words, "--distance", "--nodes", found[1].replace(",", ""))
    assert part["moves"] == whole["moves"] and part["value"] == whole["value"]
    assert list(part["distance"]) == list(whole["distance"]) and None in part["distance"].values()
    assert all(plies in (None, whole["distance"][name]) for name, plies in part["distance"].items())


def test_where_every_move_keeps_the_value_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "H" * 36, "--rings", "1"]) == 0
    assert "Chocolate (x) draws by every move\n" in capsys.readouterr().out


def test_the_examples_of_the_help_can_be_typed(capsys: pytest.CaptureFixture[str]) -> None:
    examples = [line for line in EPILOG.splitlines() if line.startswith("  donuts solve --board")]
    assert len(examples) == 4
    for example in examples:
        words = example[len("  donuts ") :].split("  ")[0].split()
        assert main([*words, "--nodes", "1"]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give either a LAYOUT or a POSITION, or --board N"),
        ([LAYOUT, "--board", "3"], "give either a LAYOUT or a POSITION, or --board N"),
        (["HH"], "LAYOUT: layout has 2 letters"),
        (["H" * 81], "only 6 x 6 boards can be solved; this one is 9 x 9"),
        ([LAYOUT, "--rings", "19"], "--rings 19: a 6 x 6 board takes 1 to 18"),
        (["--board", "24576"], "--board: 24576 is not among the boards"),
        ([LAYOUT, "--moves", "a1,b7"], "--moves: move 2: "),
        ([LAYOUT, "--moves", "a1,a1"], "--moves: move 2, a1: a1 is taken"),
        ([f"{LAYOUT} x a1 o 15"], "POSITION: cells has 1 characters"),
        ([f"{LAYOUT} x{'.' * 35} a1 o 15", "--rings", "3"], "--rings: a POSITION says itself"),
        ([f"{LAYOUT} oo{'.' * 34} a1 x 15"], "no game reaches this position"),
        ([f"{LAYOUT} xo{'.' * 34} b1 x 1"], "the game is over (drawn, group)"),
        ([LAYOUT, "--seconds", "soon"], "--seconds: 'soon' is no time"),
        ([LAYOUT, "--memory", "0"], "--memory: '0' is not a whole number from 1"),
    ],
)
def test_what_cannot_be_solved_is_said_in_one_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["solve", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and said in err


def test_without_numba_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for module in [each for each in sys.modules if each.startswith("donuts_engine.solver")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numba", None)
    assert main(["solve", LAYOUT]) == 2
    assert "the solver needs numba: pip install 'donuts-arena[solver]'" in capsys.readouterr().err


def test_ctrl_c_ends_it_in_one_line() -> None:
    """SIGINT comes while the third move has just been told of and the search waits for it."""
    script = (
        "import sys\n"
        "from donuts_referee.cli import solve\n"
        "from donuts_referee.cli.main import main\n"
        "tell = solve._Progress.tell\n"
        "def told(self, choice):\n"
        "    tell(self, choice)\n"
        "    print('told', flush=True)\n"
        "    if self.done == 3: sys.stdin.read()\n"
        "solve._Progress.tell = told\n"
        f"sys.exit(main(['solve', {LAYOUT!r}]))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for _ in range(3):
        assert process.stdout.readline() == "told\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert err == "donuts: interrupted: 3 of 36 moves were solved\n"
