"""donuts:perfect keeps the value of every position it has time for, and says no more than it knows."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from client.test_thinking import UNLIMITED, asked
from donuts_client.answer import Answer
from donuts_client.bots.perfect import PerfectBot, Proving, best
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solved import shipped
from donuts_engine.solver import Choice, Solver, Verdict
from donuts_engine.tiles import TileSet

WIN, DRAW, LOSS = (Verdict(value, value) for value in ("win", "draw", "loss"))
OPEN, NOT_LOST, NOT_WON = Verdict("loss", "win"), Verdict("draw", "win"), Verdict("loss", "draw")
START = Position.start(Board("HVDA" * 9), 17)


class Scripted:
    """A solver for which each move takes as many nodes as is written here."""

    def __init__(self, script: dict[int, tuple[Verdict, int]]) -> None:
        self.script = script
        self.nodes = 0
        self.asked: list[int] = []

    def choice(
        self, _node: Position, square: int, *, limit: Callable[[int], bool], plies: bool = False
    ) -> Choice:
        verdict, needed = self.script[square]
        self.asked.append(square)
        spent = 0
        while spent < needed:
            if limit(spent):
                return Choice(square, OPEN)
            step = min(64, needed - spent)
            spent += step
            self.nodes += step
        return Choice(square, verdict, 9 if plies else None)


def test_it_keeps_every_value_and_says_so() -> None:
    dice = random.Random(4)
    for number in range(3):
        position = Position.start(TileSet.shipped().draw(6, dice)[0])
        bot, solver = PerfectBot(seed=1), Solver(position.board)
        bot.stopper = lambda _position, _most, _keep=0: lambda _nodes: False
        while position.result is None:
            if position.ply % 2 == number % 2 and position.ply:
                value, plies = solver.value(position), solver.distance(position)
                answer = bot.move(asked(position, UNLIMITED))
                assert isinstance(answer, Answer) and isinstance(answer.square, int)
                assert answer.proof == value
                assert answer.eval == {"win": 1000, "draw": 500, "loss": 0}[value]
                after = play(position, answer.square)
                assert after.result is not None or solver.distance(after) == plies - 1
                position = after
            else:
                position = play(position, dice.choice(position.legal))


def test_without_time_it_answers_and_claims_nothing() -> None:
    position = play(Position.start(TileSet.shipped().draw(6, random.Random(1))[0]), 14)
    answer = PerfectBot(seed=1).move(asked(position, 0))
    assert isinstance(answer, Answer) and answer.square in position.legal
    assert answer.proof is None and 0 < (answer.eval or 0) < 1000


def test_without_time_it_still_wins_what_is_won_at_once() -> None:
    """Ten late positions with a win of three plies or so, which alphabeta does not see at rest."""
    dice, won = random.Random(6), 0
    while won < 10:
        position = Position.start(TileSet.shipped().draw(6, dice)[0])
        solver = Solver(position.board)
        while position.ply < 18 and position.result is None:
            position = play(position, dice.choice(position.legal))
        if position.result is not None or solver.distance(position) != 3 or solver.value(position) != "win":
            continue
        answer = PerfectBot(seed=1).move(asked(position, 0))
        assert isinstance(answer, Answer) and isinstance(answer.square, int) and answer.proof == "win"
        assert solver.choice(position, answer.square).verdict == WIN
        won += 1


def test_a_move_that_is_hard_takes_no_time_from_the_others() -> None:
    """Behind the first one, which no search settles, the win of the last is found, and the search ends with it."""
    solver = Scripted({1: (OPEN, 1 << 30), 2: (LOSS, 1 << 14), 3: (WIN, 1 << 15), 4: (LOSS, 1 << 30)})
    proving = Proving(solver, START, (1, 2, 3, 4))  # type: ignore[arg-type]
    proving.values(lambda nodes: nodes > 1 << 20)
    assert proving.value == "win" and proving.best() == (3,)
    assert proving.nodes < 8 << 15
    assert solver.asked[-1] == 3


def test_the_time_is_asked_for_before_every_move_but_those_of_the_first_round() -> None:
    solver = Scripted({1: (OPEN, 1 << 30), 2: (OPEN, 1 << 30), 3: (LOSS, 1)})
    proving = Proving(solver, START, (1, 2, 3))  # type: ignore[arg-type]
    proving.values(lambda _nodes: True)
    assert solver.asked == [1, 2, 3] and proving.nodes <= 1 << 12
    assert proving.value == "unknown" and proving.best() == (1, 2)


def test_a_solver_of_small_steps_looks_up_often() -> None:
    solver = Solver(START.board, START.rings, step=1 << 10)
    assert solver.choice(START, 0, limit=lambda nodes: nodes > 0).verdict == OPEN
    assert 0 < solver.nodes <= 1 << 11


def test_what_is_proved_stays_so_where_the_length_is_not_found() -> None:
    solver = Scripted({1: (WIN, 10), 2: (WIN, 10)})
    proving = Proving(solver, START, (1, 2))  # type: ignore[arg-type]
    proving.values(lambda _nodes: False)
    solver.script = {1: (WIN, 1 << 30), 2: (OPEN, 1 << 30)}
    proving.lengths(lambda nodes: nodes > 1 << 16)
    assert proving.value == "win" and solver.asked.count(1) > 2


def test_on_a_board_that_comes_solved_it_begins_well_without_time() -> None:
    solved = shipped()
    for number in list(solved)[:5]:
        answer = PerfectBot(seed=1).move(asked(Position.start(solved.tiles.board(number)), 0))
        assert isinstance(answer, Answer) and isinstance(answer.square, int)
        assert (solved[number][answer.square], answer.proof) == ("W", "win")


def test_the_larger_board_is_played_without_a_solver() -> None:
    position = play(Position.start(TileSet.shipped().draw(9, random.Random(1))[0]), 40)
    answer = PerfectBot(seed=1).move(asked(position, 40))
    assert isinstance(answer, Answer) and answer.square in position.legal


def test_the_best_known_move_comes_first() -> None:
    def choose(*known: tuple[Verdict, int | None]) -> tuple[int, ...]:
        return best(tuple(Choice(at, verdict, plies) for at, (verdict, plies) in enumerate(known)))

    assert choose((WIN, 9), (WIN, 5), (DRAW, 30), (WIN, None), (WIN, 5)) == (1, 4)
    assert choose((LOSS, 4), (LOSS, 8), (LOSS, 6)) == (1,)
    assert choose((DRAW, None), (OPEN, None), (LOSS, 30)) == (0,)
    assert choose((DRAW, None), (NOT_LOST, None)) == (1,)
    assert choose((LOSS, 30), (NOT_WON, None), (OPEN, None)) == (2,)
    assert choose((WIN, None), (NOT_LOST, None)) == (0,)
    assert choose((OPEN, None), (LOSS, 4), (OPEN, None)) == (0, 2)
    assert choose((LOSS, 8), (LOSS, None)) == (1,)


def test_it_plays_over_pipes_and_says_what_is_missing(seat, board: Board) -> None:
    table = seat("-m", "donuts_client.bots.perfect")
    assert table.greet().name == "perfect"
    start = Position.start(board)
    table.begin("x", size=6, rings=15, seed=1)
    assert table.answer(start).sq in start.legal_names
    hidden = (
        "import sys, runpy; sys.modules['numba'] = None\n"
        "sys.argv = ['perfect']\n"
        "import importlib.util as u; find = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'numba' else find(name, *a)\n"
        "runpy.run_module('donuts_client.bots.perfect', run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", hidden], capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    assert done.returncode == 1
    assert done.stderr == "donuts:perfect needs numba: pip install 'donuts-arena[solver]'\n"


def test_a_numba_that_does_not_load_is_told_of_in_one_line_after_hello(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('Numba needs an older NumPy.')")
    done = subprocess.run(
        [sys.executable, "-m", "donuts_client.bots.perfect"],
        capture_output=True,
        text=True,
        input="welcome donuts=1-1 session=5a caps= maxline=4096 ref=test/1\n",
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(tmp_path), *sys.path))},
    )
    assert done.returncode == 1 and "perfect" in done.stdout
    assert done.stderr == (
        "donuts:perfect cannot play: numba is installed but does not load (Numba needs an older NumPy); "
        "pip install -U numba brings versions that fit together\n"
    )
