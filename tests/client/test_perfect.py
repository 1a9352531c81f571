"""donuts:perfect keeps the value of every position it has time for, and says no more than it knows."""

import random
import subprocess
import sys

from client.test_thinking import UNLIMITED, asked
from donuts_client.answer import Answer
from donuts_client.bots.perfect import PerfectBot, best
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solved import shipped
from donuts_engine.solver import Choice, Solver, Verdict
from donuts_engine.tiles import TileSet

WIN, DRAW, LOSS = (Verdict(value, value) for value in ("win", "draw", "loss"))
OPEN, NOT_LOST, NOT_WON = Verdict("loss", "win"), Verdict("draw", "win"), Verdict("loss", "draw")


def test_it_keeps_every_value_and_says_so() -> None:
    dice = random.Random(4)
    for number in range(3):
        position = Position.start(TileSet.shipped().draw(6, dice)[0])
        bot, solver = PerfectBot(seed=1), Solver(position.board)
        bot.stopper = lambda _position, _most: lambda _nodes: False
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
    assert (answer.proof, answer.eval) == (None, 500)


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
    start = Position.start(Board("H" * 36))

    def choose(*known: tuple[Verdict, int | None]) -> tuple[int, ...]:
        return best(start, tuple(Choice(at, verdict, plies) for at, (verdict, plies) in enumerate(known)))

    assert choose((WIN, 9), (WIN, 5), (DRAW, 30), (WIN, None), (WIN, 5)) == (1, 4)
    assert choose((LOSS, 4), (LOSS, 8), (LOSS, 6)) == (1,)
    assert choose((DRAW, None), (OPEN, None), (LOSS, 30)) == (0,)
    assert choose((DRAW, None), (NOT_LOST, None)) == (1,)
    assert choose((LOSS, 30), (NOT_WON, None), (OPEN, None)) == (2,)
    assert choose((WIN, None), (NOT_LOST, None)) == (0,)
    rows = Position.start(Board("V" + "H" * 29 + "D" + "H" * 5))
    far = Choice(30, OPEN)  # a6 shows a diagonal of one square: the opponent may go anywhere
    assert best(rows, (far, Choice(0, OPEN), Choice(7, OPEN))) == (0, 7)


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
