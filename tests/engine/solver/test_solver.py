"""What `Solver` promises: values that are true, bounds when it is stopped, faults in one line."""

import json
import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solver import Choice, Solver, SolverFault, Verdict
from donuts_engine.solver.table import copy, find, keep, make_table, pack
from engine.solver.reached import random_layout, reached

GOLDEN = Path(__file__).parents[2] / "golden" / "solved.jsonl"
SOLVED = [json.loads(line) for line in GOLDEN.read_text("utf-8").splitlines()]
QUICK = (0, 2, 6, 7, 8)
"""The vectors that take the least time; the others run with DONUTS_SOLVER=all and in `donuts bench solve`."""
LETTERS = {"win": "W", "draw": "D", "loss": "L", "unknown": "?"}
MIB = 1 << 20


def letters(choices: tuple[Choice, ...]) -> str:
    return "".join(LETTERS[choice.verdict.value] for choice in choices)


@pytest.mark.parametrize("number", range(10) if os.environ.get("DONUTS_SOLVER") == "all" else QUICK)
def test_all_openings_of_the_vectors(number: int) -> None:
    row = SOLVED[number]
    assert letters(Solver(Board(row["layout"]), row["rings"]).openings()) == row["openings"]


def test_threads_share_a_table_and_the_least_memory_is_enough() -> None:
    row = SOLVED[2]
    solver = Solver(Board(row["layout"]), memory=MIB)
    told: list[Choice] = []
    choices = solver.openings(threads=3, report=told.append)
    assert letters(choices) == row["openings"]
    assert sorted(told) == list(choices)
    assert solver.used_memory <= MIB + 64
    start = Position.start(solver.board)
    assert solver.value(start) == "win"
    won = [choice.square for choice in choices if choice.verdict.value == "win"]
    assert solver.best_line(start)[0] == won[0]


def test_a_symmetric_board_is_searched_once_for_each_kind_of_square() -> None:
    solver = Solver(Board("H" * 36), 3)
    told: list[Choice] = []
    choices = solver.openings(report=told.append, plies=True)
    assert [choice.square for choice in choices] == list(range(36))
    assert sorted(told) == list(choices)
    start = Position.start(solver.board, 3)
    for choice in choices[:9]:
        child = play(start, choice.square)
        other = Solver(solver.board, 3)
        assert choice.verdict.value == {"win": "loss", "loss": "win", "draw": "draw"}[other.value(child)]
        assert choice.plies == 1 + (other.distance(child) or 0)


def test_a_limit_leaves_bounds_that_hold_and_a_table_that_can_go_on() -> None:
    row = SOLVED[3]
    solver = Solver(Board(row["layout"]))
    start = Position.start(solver.board)
    asked: list[int] = []

    def limit(nodes: int) -> bool:
        asked.append(nodes)
        return len(asked) > 3

    choices = solver.openings(limit=limit)
    assert asked[0] == 0 and asked == sorted(asked) and solver.nodes >= asked[-1]
    truth = {"W": "win", "L": "loss", "D": "draw"}
    ranks = {"loss": -1, "draw": 0, "win": 1}
    unknown = 0
    for choice, letter in zip(choices, row["openings"], strict=True):
        low, high = choice.verdict
        assert ranks[low] <= ranks[truth[letter]] <= ranks[high]
        unknown += choice.verdict.value == "unknown"
    assert unknown > 20
    assert solver.verdict(start, lambda _: True) == Verdict("loss", "win")
    assert solver.value(start, lambda _: True) == "unknown"
    assert solver.distance(start, lambda _: True) is None
    assert solver.best_line(start, lambda _: True) == ()
    assert [choice.plies for choice in solver.openings(limit=lambda _: True, plies=True)] == [None] * 36


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_passes_through_and_leaves_nothing_wrong(threads: int) -> None:
    row = SOLVED[7]
    solver = Solver(Board(row["layout"]))
    asked = 0

    def interrupt(_nodes: int) -> bool:
        nonlocal asked
        asked += 1
        if asked == 5:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        solver.openings(limit=interrupt, threads=threads)
    assert asked == 5
    assert letters(solver.openings()) == row["openings"]


def test_a_table_that_grows_changes_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    import donuts_engine.solver.solver as at

    monkeypatch.setattr(at, "_FIRST_MEMORY", 1 << 12)
    monkeypatch.setattr(at, "_NODES_PER_ENTRY", 4)
    row = SOLVED[2]
    solver = Solver(Board(row["layout"]), memory=MIB)
    assert solver.used_memory < 1 << 13
    assert letters(solver.openings()) == row["openings"]
    assert MIB // 2 < solver.used_memory <= MIB + 64


def test_what_a_table_holds_of_one_horizon_bounds_another() -> None:
    """A win by ply 20 is one by ply 30; that there is none by ply 30 holds for ply 20; nothing else carries over."""
    table = make_table(16)
    at = table.ctypes.data
    cases = {(1, 1): ((0, 1), (1, 1)), (-1, -1): ((-1, 0), (-1, -1)), (0, 0): ((0, 0), (-1, 1))}
    cases |= {(0, 1): ((0, 1), (-1, 1)), (-1, 0): ((-1, 0), (-1, 1)), (-1, 1): ((-1, 1), (-1, 1))}
    for name, ((low, high), (sooner, later)) in enumerate(cases.items(), start=1):
        keep(at, name, pack(low, high, 1, 20))
        for horizon, expected in ((20, (low, high)), (18, sooner), (30, later)):
            finding = find(at, name, horizon)
            assert ((finding & 3) - 1, (finding >> 2 & 3) - 1) == expected, (low, high, horizon)
    larger = make_table(64)
    copy(at, table.nbytes, larger.ctypes.data)
    for name in range(1, 7):
        assert find(larger.ctypes.data, name, 20) == find(at, name, 20)
    assert find(larger.ctypes.data, 99, 20) == 8


def test_moves_of_won_drawn_and_lost_positions_fit_together() -> None:
    rng = Random(11)
    better = {"win": 1, "draw": 0, "loss": -1}
    for _ in range(25):
        position = reached(rng, 15, 18)
        solver = Solver(position.board)
        choices = solver.moves(position, plies=True, threads=2)
        value = solver.value(position)
        assert better[value] == max(better[choice.verdict.low] for choice in choices)
        keeping = [c.plies or 0 for c in choices if c.verdict.value == value]
        assert solver.distance(position) == (min(keeping) if value == "win" else max(keeping))
        line = solver.best_line(position, shortest=True)
        assert len(line) == solver.distance(position)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Solver(Board("H" * 81)), "only 6 x 6 boards can be solved; this one is 9 x 9"),
        (lambda: Solver(Board("H" * 36), 19), "rings is 19; 1 to 18 a side fit a 6 x 6 board"),
        (lambda: Solver(Board("H" * 36), 0), "rings is 0; 1 to 18 a side fit a 6 x 6 board"),
        (lambda: Solver(Board("H" * 36), memory=MIB - 1), "memory is 1048575 bytes; 1048576 (1 MiB) or more"),
        (lambda: _ask("V" * 36, 3), "the position is on another board than the solver's"),
        (lambda: _ask("H" * 36, 4), "the position has 4 rings a side, the solver 3"),
        (lambda: _ask("H" * 36, 3, moves=(0, 1, 2, 3, 4, 5)), "the game is over (drawn, group)"),
        (lambda: Solver(Board("H" * 36)).openings(threads=0), "threads is 0; 1 or more are needed"),
        (lambda: _cells("oo" + "." * 34, 0), "no ring flips in 2 placements, yet o has 2"),
        (lambda: _cells("x" + "." * 6 + "o" + "." * 28, 7), "the last ring, on b2, is on no line"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_one_line(make: object, said: str) -> None:
    with pytest.raises(SolverFault) as caught:
        make()  # type: ignore[operator]
    assert said in str(caught.value) and "\n" not in str(caught.value)


def _ask(layout: str, rings: int, moves: tuple[int, ...] = ()) -> None:
    position = Position.start(Board(layout), rings)
    for square in moves:
        position = play(position, square)
    Solver(Board("H" * 36), 3).value(position)


def _cells(cells: str, last: int) -> None:
    board = Board("H" * 36)
    Solver(board).value(Position.from_cells(board, None, cells, last))


def test_every_position_that_play_reaches_is_accepted() -> None:
    from donuts_engine.solver.arising import refusal

    rng = Random(8)
    for _ in range(300):
        position = Position.start(Board(random_layout(rng)), 18)
        while position.result is None:
            assert refusal(position) == ""
            position = play(position, rng.choice(position.legal))


COMPILE = """
from donuts_engine.solver.turn import wins_at_once as wins
print(wins(15, 0, 1 << 4), wins(7, 0, 1 << 4), wins.stats.cache_path)
"""


def _compiled(**env: str) -> tuple[str, str]:
    done = subprocess.run(
        [sys.executable, "-c", COMPILE], capture_output=True, text=True, env={**os.environ, **env}
    )
    assert done.stderr == ""
    values, _, path = done.stdout.strip().rpartition(" ")
    return values, path


def test_what_is_compiled_is_kept_where_it_is_asked_to_be(tmp_path: Path) -> None:
    values, path = _compiled(NUMBA_CACHE_DIR=str(tmp_path))
    assert values == "True False" and Path(path).is_relative_to(tmp_path)
    kept = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb*")}
    assert len(kept) == 2
    assert _compiled(NUMBA_CACHE_DIR=str(tmp_path)) == (values, path)
    assert kept == {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb*")}


def test_without_a_place_for_what_is_compiled_it_is_compiled_anew() -> None:
    """So it is in a read-only installation of a user without a home."""
    nowhere = {"NUMBA_CACHE_DIR": os.devnull, "NUMBA_CACHE_LOCATOR_CLASSES": "UserProvidedCacheLocator"}
    assert _compiled(**nowhere) == ("True False", "None")
