"""The shipped bots play whole games over real pipes, in both encodings and sizes, and do what they say."""

import itertools
import random
import subprocess
import sys

import pytest

from client.conftest import CLIENT
from client.test_thinking import HOURS
from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_engine.tiles import TileSet
from donuts_protocol.messages import Ping

BOTS = ("random", "greedy", "alphabeta", "mcts")
LEVEL = {"alphabeta": ("--level", "1"), "mcts": ("--level", "1")}
"""Those that think do so at a level: what they play then follows from the seed of the game alone."""


def _play_against_dice(table, board: Board, you: str, seed: int) -> list[str]:
    """A game between the bot at the table, which has side `you`, and dice; returns the bot's squares."""
    dice, position, chosen = random.Random(seed), Position.start(board), []
    table.begin(you, size=board.size, rings=position.rings, seed=seed)
    while outcome(position) is None:
        if position.you == you:
            move = table.answer(position, clock=HOURS, limit=HOURS)
            assert move.sq in position.legal_names
            chosen.append(move.sq)
            position = play(position, index(move.sq, board.size))
        else:
            position = play(position, dice.choice(position.legal))
    table.end(position, more=1)
    return chosen


@pytest.mark.parametrize(
    ("name", "encoding", "size"),
    [
        *itertools.product(("random", "greedy"), ("text", "msgpack"), (6, 9)),
        *itertools.product(LEVEL, ("text",), (6, 9)),
    ],
)
def test_a_shipped_bot_plays_several_games_in_one_session(name: str, encoding: str, size: int, seat) -> None:
    words = ["--msgpack"] if encoding == "msgpack" else []
    table = seat("-m", f"donuts_client.bots.{name}", *words, *LEVEL.get(name, ()))
    assert table.greet().name == name
    assert table.session.encoding == encoding
    board, _ = TileSet.shipped().draw(size, random.Random(5))
    first = _play_against_dice(table, board, "x", 1)
    _play_against_dice(table, board, "o", 2)
    assert _play_against_dice(table, board, "x", 1) == first, "the game's seed makes the dice"
    assert table.leave() == (0, "")


def test_other_seeds_make_other_dice(seat, board: Board) -> None:
    def first_moves(*words: str, seed: int) -> list[str]:
        table = seat("-m", "donuts_client.bots.random", *words)
        table.greet()
        games = []
        for number in range(5):
            table.begin(seed=seed + number)
            games.append(table.answer(Position.start(board)).sq)
            table.end(Position.start(board), more=1)
        return games

    usual = first_moves(seed=1)
    assert first_moves(seed=1) == usual
    assert first_moves(seed=100) != usual
    own = first_moves("--seed", "5", seed=1)
    assert own != usual
    assert first_moves("--seed", "5", seed=1) == own


def _positions(board: Board, seeds: range) -> list[Position]:
    """Positions of random games, four of each."""
    found = []
    for seed in seeds:
        dice, position, passed = random.Random(seed), Position.start(board), []
        while outcome(position) is None:
            passed.append(position)
            position = play(position, dice.choice(position.legal))
        found += [passed[len(passed) // 2], *passed[-3:]]
    return found


def _wins(position: Position) -> set[int]:
    return {s for s in position.legal if (end := outcome(play(position, s))) and end.winner == position.you}


def _hands_over(position: Position, square: int) -> bool:
    after = play(position, square)
    end = outcome(after)
    return bool(_wins(after)) if end is None else end.winner == after.you


def test_greedy_does_what_it_says(seat, board: Board) -> None:
    table = seat("-m", "donuts_client.bots.greedy")
    table.greet()
    table.begin()
    seen = {"win": 0, "danger": 0, "lost": 0}
    for position in _positions(board, range(120)):
        answer = table.answer(position)
        square = index(answer.sq, 6)
        wins = _wins(position)
        if wins:
            seen["win"] += 1
            assert square in wins
            assert (answer.eval, answer.proof) == (1000, "win")
            continue
        safe = {s for s in position.legal if not _hands_over(position, s)}
        seen["danger"] += len(safe) < len(position.legal)
        seen["lost"] += not safe
        among = safe or set(position.legal)
        assert square in among
        rings = {s: play(position, s).cells.count(position.you) for s in among}
        assert rings[square] == max(rings.values())
        assert answer.proof is None
    assert min(seen.values()) > 0, f"the positions must show each case: {seen}"


@pytest.mark.parametrize("name", BOTS)
def test_help_is_for_people(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"donuts_client.bots.{name}", "--help"],
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    assert "--seed" in run.stdout and "--msgpack" in run.stdout
    assert f"donuts:{name}" in run.stdout


@pytest.mark.parametrize("name", BOTS)
def test_a_wrong_option_is_one_line_and_2(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"donuts_client.bots.{name}", "--seed", "x"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 2
    assert run.stdout == ""
    assert "--seed" in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("name", LEVEL)
@pytest.mark.parametrize("level", ["0", "6", "x"])
def test_a_level_that_does_not_exist_is_one_line_and_2(name: str, level: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"donuts_client.bots.{name}", "--level", level],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert "--level" in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("name", BOTS)
def test_the_end_of_stdin_is_a_quiet_end(name: str) -> None:
    run = subprocess.run(
        [sys.executable, "-m", f"donuts_client.bots.{name}"],
        input="",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert run.returncode == 0
    assert run.stdout.startswith("hello donuts=1-1 ")
    assert run.stderr == ""


def test_hello_is_said_before_the_rules_are_imported() -> None:
    code = (
        f"import sys, {', '.join(f'donuts_client.bots.{name}' for name in BOTS)}\n"
        "heavy = ('donuts_engine', 'donuts_client.search', 'donuts_referee', 'dataclasses')\n"
        "print([m for m in sys.modules if m.startswith(heavy)])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert run.stdout.strip() == "[]"


def test_the_ten_line_bot_plays_and_has_no_import_of_ours(seat, board: Board) -> None:

    program = (CLIENT / "minimal.py").read_text()
    assert len(program.splitlines()) == 10
    assert [line for line in program.splitlines() if "import" in line] == ["import random"]
    table = seat(str(CLIENT / "minimal.py"))
    table.greet()
    _play_against_dice(table, board, "x", 1)
    _play_against_dice(table, board, "o", 2)

    ping = table.session.next_id()
    table.say(Ping(id=ping))
    assert table.hear().id == ping
    assert table.leave() == (0, "")
