"""What becomes of a seat when the connection or the bot is lost: the one never learns of the other, but for a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from client.scripted_arena import ScriptedArena
from donuts_protocol.messages import Bye, Error, Leave, Move, Ping, Pong, Turn
from joining.games import START, placed, whole_game

LOUD = """
import os, sys, time
def say(s): print(s, flush=True)
def tell(s): sys.stderr.write(s + "\\n"); sys.stderr.flush()
say("hello donuts=1-1 name=loud")
for line in sys.stdin:
    verb, *args = line.split()
    fields = dict(a.split("=", 1) for a in args if "=" in a)
    tell(f"heard {verb} {fields.get('why', '')}".strip())
    if verb == "turn":
        while fields["ply"] == "2" and not os.path.exists("go"): time.sleep(0.005)
        say(f"move {args[0]} {fields['legal'].split(',')[0]}")
        tell(f"answered {fields['ply']}")
    elif verb == "game": say(f"ready {args[0]}")
    elif verb == "ping": say(f"pong {args[0]}")
    elif verb == "end": END
    elif verb == "bye": break
"""


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[ScriptedArena]:
    """An arena at a place that is its own while it is down; a port might be another's when it comes back."""
    one = ScriptedArena(f"ipc://{tmp_path}/a")
    yield one
    one.close()


def loud(end: str = "pass") -> str:
    return LOUD.replace("END", end)


def heard(err: str) -> list[str]:
    return [line for line in err.splitlines() if line.startswith("heard")]


def second_turn(arena, **more) -> Turn:
    """The first turn asked and answered; the second one, not yet sent."""
    answer = arena.answer(START)
    position = placed(START, answer.sq)
    return arena.turn(placed(position, position.legal_names[0]), **more)


def again(turn: Turn) -> Turn:
    return Turn(**{name: getattr(turn, name) for name in turn.__struct_fields__} | {"resend": 1})


def test_an_answer_that_was_given_while_the_arena_was_away_is_kept_for_it(arena, join) -> None:
    caller = join(arena.endpoint, bot=loud())
    arena.greet()
    arena.begin()
    turn = second_turn(arena)
    arena.say(turn)
    for _ in range(3):
        caller.tells("heard")
    caller.tells("heard turn")
    arena.close()
    caller.tells("is lost; dialling again")
    caller.release("go")
    caller.tells("answered 2")
    arena.open()
    assert arena.greet().session == "a" * 32
    caller.tells("back at")
    arena.say(again(turn))
    move = arena.hear()
    assert isinstance(move, Move) and move.id == turn.id
    arena.end(START)
    arena.say(ping := Ping(id=arena.session.next_id()))
    assert arena.hear() == Pong(id=ping.id)
    caller.process.terminate()
    assert heard(caller.rest()[2]) == [
        "heard welcome", "heard game", "heard turn", "heard turn", "heard end abort", "heard ping", "heard bye abort"
    ]  # fmt: skip


def test_a_bot_that_thinks_is_not_asked_twice(arena, join) -> None:
    caller = join(arena.endpoint, bot=loud())
    arena.greet()
    arena.begin()
    turn = second_turn(arena)
    arena.say(turn)
    arena.drop()
    assert arena.greet().session == "a" * 32
    arena.say(again(turn))
    caller.tells("back at")
    caller.release("go")
    move = arena.hear()
    assert isinstance(move, Move) and move.id == turn.id
    arena.say(ping := Ping(id=arena.session.next_id()))
    assert arena.hear() == Pong(id=ping.id)
    caller.process.terminate()
    assert heard(caller.rest()[2]).count("heard turn") <= 2


def test_after_a_new_session_the_bot_is_told_that_its_game_is_void(arena, join) -> None:
    caller = join(arena.endpoint, "--games", "1", bot=loud())
    arena.greet()
    arena.begin()
    arena.say(second_turn(arena))
    caller.tells("answered 0")
    caller.tells("heard turn")
    arena.drop()
    assert arena.greet("b" * 32).session == "a" * 32
    assert "the game before is gone" in caller.tells("seated at")
    caller.release("go")
    caller.tells("heard end referee")
    whole_game(arena)  # the answer to the turn of the old session, an id never issued here, would fail it
    assert isinstance(arena.hear(), Leave)
    status, _, err = caller.rest()
    assert status == 0
    assert heard(err)[:5] == ["heard welcome", "heard game", "heard turn", "heard turn", "heard end referee"]
    assert heard(err).count("heard welcome") == 1


def test_an_arena_that_is_away_is_waited_for(arena, join) -> None:
    arena.close()
    caller = join(arena.endpoint, "--games", "1")
    caller.tells("does not answer, or wants (other) keys; trying on")
    arena.open()
    arena.greet()
    whole_game(arena)
    assert isinstance(arena.hear(), Leave)
    assert caller.rest()[0] == 0


def test_a_bot_that_dies_in_a_game_loses_it_and_is_started_again(arena, join) -> None:
    caller = join(arena.endpoint, bot="exit3.py")
    for token in "abc":
        assert arena.greet(token * 32).session is None
        arena.begin()
        arena.say(second_turn(arena))
        what = "the bot ended with exit status 3"
        assert [arena.hear(), arena.hear()] == [Error(id=None, code="crash", text=what), Leave(text=what)]
        if token != "c":  # after the third one nobody is there
            arena.end(START)
            arena.say(Bye(why="done"))
    status, _, err = caller.rest()
    assert status == 3
    assert "game 1: void" in err and "\x1b" not in err
    last = err.splitlines()[-1]
    assert "the bot ended with exit status 3, 3 times without a finished game; stderr ends: " in last


def test_a_bot_that_dies_between_games_keeps_its_seat(arena, join) -> None:
    caller = join(arena.endpoint, "--games", "4", bot=loud(end="sys.exit(1)"))
    arena.greet()
    for you in "xoxo":
        caller.release("go")
        whole_game(arena, you)
    assert isinstance(arena.hear(), Leave)
    status, _, err = caller.rest()
    assert status == 0 and err.count("seated at") == 1 and heard(err).count("heard welcome") >= 4


def test_a_bot_that_says_bye_between_games_is_started_again(arena, join) -> None:
    caller = join(arena.endpoint, "--games", "2", bot="bye_between.py")
    arena.greet()
    whole_game(arena)
    whole_game(arena)
    assert isinstance(arena.hear(), Leave)
    assert caller.rest()[0] == 0


def test_a_bot_that_says_bye_in_a_game_resigns(arena, join) -> None:
    join(arena.endpoint, bot="bye_in_game.py")
    arena.greet()
    arena.begin()
    arena.say(second_turn(arena))
    assert isinstance(arena.hear(), Leave)
    arena.end(START)
    arena.say(Bye(why="done"))
    assert arena.greet("b" * 32).session is None
