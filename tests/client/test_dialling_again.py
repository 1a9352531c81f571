"""A bot that is cut off from its arena comes back by itself, and neither loses nor repeats a thought."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.acts import FIRST, PLODDING, UNTIL_GO, bot, in_peace, playing, sent_again
from client.scripted_arena import ScriptedArena
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_protocol.messages import Bye, Cancel, Error, Game, Info, Leave, Move, Ready

ENCODINGS = pytest.mark.parametrize("encoding", ["text", "msgpack"])


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ScriptedArena]:
    """An arena at a place that is its own while it is down; a port might be another's when it comes back."""
    opened = ScriptedArena(f"ipc://{tmp_path}/a")
    yield opened
    opened.close()


@ENCODINGS
def test_a_connection_that_is_lost_between_two_turns(encoding: str, caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=bot(run=f"connect=sys.argv[1], encoding={encoding!r}"))
    playing(arena)
    position = Position.start(board)
    arena.answer(position)
    arena.drop()
    assert arena.greet(FIRST).session == FIRST
    assert isinstance(arena.answer(position), Move)
    in_peace(mine, arena)


def test_a_turn_cut_off_while_the_bot_looks_is_answered_when_it_is_sent_again(caller, arena, board) -> None:
    mine = caller(arena.endpoint, code=UNTIL_GO)
    playing(arena)
    turn = arena.ask(Position.start(board))
    assert isinstance(arena.hear(), Info)
    arena.drop()
    assert arena.greet(FIRST).session == FIRST, "it dials again while it thinks"
    sent_again(arena, Position.start(board), turn)
    mine.release("go")
    move = arena.hear()
    assert (move.id, move.sq) == (turn, "f6")
    assert isinstance(arena.answer(play(Position.start(board), 35)), Move)
    assert in_peace(mine, arena)[0] == "moved 0 False\nmoved 1 False\n", "it thought once of each"


def test_an_answer_found_while_the_connection_was_gone_is_kept(caller, arena, board) -> None:
    mine = caller(arena.endpoint, code=PLODDING)
    playing(arena)
    turn = arena.ask(Position.start(board))
    assert isinstance(arena.hear(), Info)
    arena.drop()
    mine.release("go")
    assert arena.greet(FIRST).session == FIRST
    assert mine.process.stdout.readline() == "moved 0 False\n"
    sent_again(arena, Position.start(board), turn)
    assert arena.hear() == Move(id=turn, sq="f6")
    assert in_peace(mine, arena)[0] == "", "it did not think twice"


def test_an_answer_that_was_lost_on_the_way_is_given_again(caller, arena, board) -> None:
    mine = caller(arena.endpoint, code=UNTIL_GO)
    mine.release("go")
    playing(arena)
    turn = arena.ask(Position.start(board))
    while not arena.frame()[1].startswith(b"move"):
        pass  # and this one the arena does not take in
    for _ in range(2):
        arena.drop()
        assert arena.greet(FIRST).session == FIRST
        sent_again(arena, Position.start(board), turn)
        assert arena.frame()[1] == b"move %d f6" % turn
    assert in_peace(mine, arena)[0] == "moved 0 False\n"


def test_a_search_that_was_cut_off_sees_that_it_is_cancelled(caller, arena, board) -> None:
    mine = caller(arena.endpoint, code=UNTIL_GO)
    playing(arena)
    turn = arena.ask(Position.start(board))
    assert isinstance(arena.hear(), Info)
    arena.drop()
    arena.greet(FIRST)
    arena.say(Cancel(id=turn, why="timeout"))
    arena.end(Position.start(board), more=1)
    arena.begin()
    assert isinstance(arena.answer(play(Position.start(board), 0)), Move)
    assert in_peace(mine, arena)[0] == "moved 0 True\nmoved 1 False\n"


def test_a_game_that_is_sent_again_is_prepared_once(caller, arena, board) -> None:
    body = (
        "def prepare(self, game):\n"
        "    print('prepare', flush=True)\n"
        "    while not os.path.exists('go'): time.sleep(0.002)"
    )
    mine = caller(arena.endpoint, code=bot(body))
    arena.greet(FIRST)
    announced = Game(
        id=arena.session.next_id(), you="x", size=6, rings=15, main=1, inc=0, margin=1, prep=1, seed=1
    )
    arena.say(announced)
    assert mine.process.stdout.readline() == "prepare\n"
    arena.drop()
    mine.release("go")
    arena.greet(FIRST)
    arena.say(announced)
    assert arena.hear() == Ready(id=announced.id)
    assert in_peace(mine, arena)[0] == ""


def test_an_arena_that_forgot_the_address_is_greeted_again_at_once(caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=bot())
    playing(arena)
    arena.answer(Position.start(board))
    arena.say(Error(id=None, code="hello", text="say hello first"))
    assert arena.greet(FIRST).session == FIRST
    assert isinstance(arena.answer(Position.start(board)), Move)
    assert in_peace(mine, arena)[1].count("\n") == 1, "nobody is told of that"


def test_in_a_new_session_the_old_game_is_simply_over(caller, arena, board: Board) -> None:
    body = (
        "def prepare(self, game): print('prepare', self.game.seed)\n"
        "def finish(self, end): print('finish', self.game.seed)"
    )
    mine = caller(arena.endpoint, code=bot(body, run="connect=sys.argv[1], games=2"))
    playing(arena)
    arena.answer(Position.start(board))
    arena.drop()
    assert arena.greet("b" * 32).session == FIRST
    arena.begin(seed=12)
    arena.answer(Position.start(board))
    arena.end(Position.start(board))
    assert arena.hear() == Leave(), "both games count"
    assert mine.rest()[:2] == (0, "prepare 11\nprepare 12\nfinish 12\n")


def test_a_search_for_a_game_that_is_gone_sees_it(caller, arena, board) -> None:
    mine = caller(arena.endpoint, code=UNTIL_GO)
    playing(arena)
    arena.ask(Position.start(board))
    assert isinstance(arena.hear(), Info)
    arena.drop()
    arena.greet("b" * 32)
    arena.begin()
    assert in_peace(mine, arena)[0] == "moved 0 True\n"


def test_an_arena_that_is_away_for_a_while_is_waited_for_with_one_line(caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=bot())
    playing(arena)
    arena.answer(Position.start(board))
    arena.close()
    line = f"nobody answers at {arena.endpoint}; dialling again, Ctrl-C ends it\n"
    assert mine.tells("nobody answers") == line
    arena.open()
    assert arena.greet(FIRST).session == FIRST
    assert isinstance(arena.answer(Position.start(board)), Move)
    welcome = f"welcome at {arena.endpoint}, says test/1\n"
    assert in_peace(mine, arena)[1] == welcome + line + welcome


def test_after_a_bye_that_bids_so_it_dials_in_again(caller, arena, board: Board) -> None:
    mine = caller(arena.endpoint, code=bot())
    playing(arena)
    arena.say(Bye(why="drain"))
    assert arena.greet("b" * 32).session == FIRST
    arena.begin()
    assert isinstance(arena.answer(Position.start(board)), Move)
    assert "says bye: drain" in in_peace(mine, arena)[1]
