"""A bot that dials in plays whole games over real sockets, in both encodings, and ends as it is told."""

import random
import signal
from contextlib import closing
from pathlib import Path

import pytest

from client.acts import PLODDING, UNTIL_GO, bot, in_peace, playing
from client.patience import shipped
from client.scripted_arena import Keys, ScriptedArena
from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_protocol.invitation import render
from donuts_protocol.messages import Bye, Error, Info, Leave, Move, Ping, Pong

ENCODINGS = pytest.mark.parametrize("encoding", ["text", "msgpack"])


def game(arena: ScriptedArena, board: Board, you: str = "x") -> None:
    """A whole game of the bot against dice."""
    dice, position = random.Random(1), Position.start(board)
    arena.begin(you, rings=position.rings)
    while outcome(position) is None:
        if position.you == you:
            move = arena.answer(position)
            position = play(position, index(move.sq, board.size))
        else:
            position = play(position, dice.choice(position.legal))
    arena.end(position, more=1)


# --- whole games -------------------------------------------------------------------------------------------------


@ENCODINGS
@pytest.mark.parametrize("carrier", ["tcp", "ipc", "curve"])
def test_whole_games(carrier: str, encoding: str, caller, board: Board, tmp_path: Path) -> None:
    keys = Keys.fresh()
    arena = ScriptedArena(
        f"ipc://{tmp_path}/a" if carrier == "ipc" else "tcp://127.0.0.1:*",
        Keys.fresh() if carrier == "curve" else None,
    )
    arena.known = {keys.public} if carrier == "curve" else set()
    (tmp_path / "my.join.toml").write_text(render(arena.invitation(keys)))
    mine = caller(code=bot(run=f"seat_file='my.join.toml', encoding={encoding!r}"))
    hello = arena.greet()
    assert (hello.name, hello.ver, hello.session) == ("mine", "0.1", None)
    assert arena.session.encoding == encoding
    game(arena, board, "x")
    game(arena, board, "o")
    ping = arena.session.next_id()
    arena.say(Ping(id=ping))
    assert arena.hear() == Pong(id=ping)
    assert in_peace(mine, arena) == ("", f"welcome at {arena.endpoint}, says test/1\n")
    arena.close()


@pytest.mark.parametrize("name", ["random", "greedy"])
@ENCODINGS
def test_a_shipped_bot_tries_an_arena(name: str, encoding: str, caller, arena, board: Board) -> None:
    words = ["--msgpack"] if encoding == "msgpack" else []
    words += ["--connect", arena.endpoint, "--games", "1", "--tc", "10+0.1"]
    mine = caller(*words, code=shipped(name))
    hello = arena.greet()
    assert (hello.name, hello.tc) == (name, "10+0.1")
    game(arena, board)
    assert arena.hear() == Leave()
    assert mine.rest()[0] == 0


def test_the_hooks_and_the_reports_are_those_of_every_bot_and_stdout_is_its_own(caller, arena, board) -> None:
    body = (
        "def load(self): print('load')\n"
        "def prepare(self, game): print('prepare', game.seed)\n"
        "def move(self, position):\n"
        "    print('report', self.report(eval=400, pv=('a1',)))\n"
        "    return Answer(position.legal[0], eval=513)\n"
        "def finish(self, end): print('finish', end.why)"
    )
    mine = caller(arena.endpoint, code=bot(body))
    assert arena.greet().caps == ("info",)
    arena.begin(seed=7)
    turn = arena.ask(Position.start(board))
    assert arena.hear() == Info(id=turn, eval=400, pv=("a1",))
    assert arena.hear() == Move(id=turn, sq=Position.start(board).legal_names[0], eval=513)
    arena.end(Position.start(board))
    assert in_peace(mine, arena)[0] == "load\nprepare 7\nreport True\nfinish abort\n"


def test_hello_is_said_before_the_bot_is_imported(caller, arena, board: Board, tmp_path: Path) -> None:
    (tmp_path / "slow.py").write_text(
        "import os, time\nfrom donuts_client import Bot\nwhile not os.path.exists('go'): time.sleep(0.005)\n"
        "class Slow(Bot):\n    def move(self, position): return position.legal[0]\n"
    )
    code = f"from donuts_client import run\nrun('slow:Slow', name='slow one', connect={arena.endpoint!r})\n"
    mine = caller(code=code)
    assert arena.greet().name == "slow one"
    mine.release("go")
    game(arena, board)
    in_peace(mine, arena)


# --- ends --------------------------------------------------------------------------------------------------------


def test_it_leaves_between_games_after_as_many_as_it_was_told(caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=bot(run="connect=sys.argv[1], games=2"))
    arena.greet()
    game(arena, board, "x")
    game(arena, board, "o")
    assert arena.hear() == Leave()
    assert mine.rest()[:2] == (0, "")


@pytest.mark.parametrize(
    "why, remedy",
    [
        ("kicked", "operator"),
        ("benched", "own faults"),
        ("seat", "new join file"),
        ("replaced", "another connection"),
        ("version", "update"),
        ("unheard_of", ""),
    ],
)
def test_a_last_bye_is_told_with_its_remedy_and_3(why: str, remedy: str, caller, arena) -> None:
    mine = caller(arena.endpoint, code=bot())
    arena.admit()
    arena.send_away(Error(id=None, code=why, text="for a reason"), Bye(why=why))
    status, _, err = mine.rest()
    assert status == 3
    said, last = err.splitlines()
    assert said == f"the referee says: {why}: for a reason"
    assert last.startswith(f"the arena says bye: {why} (for a reason)")
    assert remedy in last


@pytest.mark.parametrize("why", ["done", None])
def test_a_bye_that_is_no_complaint_is_a_quiet_end(why: str | None, caller, arena) -> None:
    mine = caller(arena.endpoint, code=bot())
    arena.greet()
    arena.say(Bye(why=why))
    assert mine.rest() == (0, "", f"welcome at {arena.endpoint}, says test/1\n")


def test_a_bye_while_it_thinks_ends_the_search(caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=UNTIL_GO)
    playing(arena)
    arena.ask(Position.start(board))
    assert isinstance(arena.hear(), Info)
    arena.say(Bye(why="kicked"))
    assert mine.rest()[:2] == (3, "moved 0 True\n")


@pytest.mark.parametrize("when", ["idle", "thinking"])
def test_ctrl_c_says_bye_and_leaves_quietly(when: str, caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=UNTIL_GO)
    playing(arena)
    if when == "thinking":
        arena.ask(Position.start(board))
        assert isinstance(arena.hear(), Info)
    mine.process.send_signal(signal.SIGINT)
    assert arena.hear() == Leave()
    assert mine.rest() == (130, "", f"welcome at {arena.endpoint}, says test/1\n")


def test_ctrl_c_ends_a_bot_that_reaches_nobody(caller, tmp_path: Path) -> None:
    mine = caller(f"ipc://{tmp_path}/a", code=bot())
    mine.tells("nobody answers")
    mine.process.send_signal(signal.SIGINT)
    status, _, err = mine.rest()
    assert (status, err.count("\n")) == (130, 1)


def test_an_exception_is_told_and_the_arena_need_not_wait(caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=bot("def move(self, position): return 1 / 0"))
    playing(arena)
    turn = arena.ask(Position.start(board))
    told = arena.hear()
    assert (told.id, told.code, told.text) == (turn, "exception", "ZeroDivisionError: division by zero")
    assert arena.hear() == Leave()
    status, _, err = mine.rest()
    assert status == 1 and "Traceback" in err


def test_an_answer_out_of_its_bounds_is_the_authors_fault_when_it_is_kept_too(
    caller, board: Board, tmp_path: Path
) -> None:
    code = PLODDING.replace("position.legal[-1]", "Answer('a1', eval=1001)")
    with closing(ScriptedArena(f"ipc://{tmp_path}/a")) as arena:  # a port might be another's once it is free
        mine = caller(arena.endpoint, code=code)
        playing(arena)
        arena.ask(Position.start(board))
        assert isinstance(arena.hear(), Info)
    mine.release("go")
    status, _, err = mine.rest()
    assert status == 1 and "eval" in err


def test_nonsense_of_the_arena_is_told_to_it(caller, arena) -> None:
    mine = caller(arena.endpoint, code=bot())
    arena.greet()
    arena.say_frame(b"two", b"frames")  # which are none of our messages
    arena.say_frame(b"turn what")
    told = arena.hear()
    assert told.code == "protocol" and "turn what" in told.text
    assert arena.hear() == Leave()
    status, _, err = mine.rest()
    assert status == 1 and "turn what" in err and "Traceback" not in err
