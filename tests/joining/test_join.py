"""`donuts join` from outside: whole games over every transport in both encodings, and how it ends."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from client.scripted_arena import Keys, ScriptedArena
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.invitation import Invitation, render
from donuts_protocol.messages import Bye, Error, Leave, Ping, Pong
from joining.games import START, placed, whole_game

TOKEN = "hunter2-0123456789"


@pytest.fixture(params=["tcp", "ipc", "curve"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[ScriptedArena, Invitation]]:
    """An arena and the invitation to it."""
    if request.param == "curve":
        arena, keys = ScriptedArena(keys=Keys.fresh()), Keys.fresh()
        arena.known.add(keys.public)
        invitation = arena.invitation(keys, token=TOKEN)
    else:
        arena = ScriptedArena(
            f"ipc://{tmp_path}/arena.sock" if request.param == "ipc" else "tcp://127.0.0.1:*"
        )
        invitation = arena.invitation(token=TOKEN)
    yield arena, invitation
    arena.close()


def secrets(invitation: Invitation) -> list[str]:
    return [text for text in (invitation.token, invitation.secret_key) if text]


@pytest.mark.parametrize(("bot", "encoding"), [("plain.py", "text"), ("packed.py", "msgpack")])
def test_a_bot_plays_at_an_arena(place, join, tmp_path, bot, encoding) -> None:
    arena, invitation = place
    (tmp_path / "seat.toml").write_text(render(invitation))
    caller = join("--seat-file", "seat.toml", "--tc", "10+0.1", bot=bot)
    hello = arena.greet()
    assert (hello.name, hello.seat, hello.session, hello.tc) == (bot[:-3], TOKEN, None, "10+0.1")
    assert arena.session.encoding == encoding
    command = Path(f"/proc/{caller.process.pid}/cmdline").read_bytes().decode()
    assert [one for one in secrets(invitation) if one in command] == []
    ends = [whole_game(arena, "x"), whole_game(arena, "o")]
    arena.say(ping := Ping(id=arena.session.next_id()))
    assert arena.hear() == Pong(id=ping.id)
    arena.say(Bye(why="done"))
    status, out, err = caller.rest()
    assert (status, out) == (0, "")
    told = {"win": "won", "loss": "lost", "draw": "drawn"}
    said = [
        line for line in err.splitlines() if "does not answer" not in line
    ]  # in a second, on a busy machine
    assert said == [
        f"donuts: seated at {invitation.endpoint} as {bot[:-3]}",
        *(f"donuts: game {n}: {told[e.result]}; as the rules have it" for n, e in enumerate(ends, 1)),
    ]
    assert [one for one in secrets(invitation) if one in err] == []


def test_it_plays_where_pipes_cannot_be_polled(arena, join) -> None:
    caller = join(arena.endpoint, "--games", "1", DONUTS_CHANNEL="threads")
    arena.greet()
    whole_game(arena)
    assert isinstance(arena.hear(), Leave)
    assert caller.rest()[0] == 0


def test_the_token_may_come_from_the_environment_and_the_bot_does_not_see_it(arena, join) -> None:
    bot = "import os, sys\nsys.stderr.write(f'{sorted(os.environ)}\\n')\nprint('hello donuts=1-1 name=b')\n"
    caller = join(
        arena.endpoint, "--name", "alice", bot=bot + "sys.stdout.flush(); sys.stdin.read()", DONUTS_SEAT=TOKEN
    )
    hello = arena.greet()
    assert (hello.seat, hello.name) == (TOKEN, "alice")
    arena.say(Bye(why="done"))
    status, _, err = caller.rest()
    assert status == 0 and "'PATH'" in err and "DONUTS_SEAT" not in err and TOKEN not in err


def test_games_can_be_counted(arena, join) -> None:
    caller = join(arena.endpoint, "--games", "2", "--quiet")
    arena.greet()
    whole_game(arena)
    whole_game(arena)
    assert arena.hear() == Leave(text="2 games are played")
    assert caller.rest() == (0, "", "")


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_both_sides(arena, join, marked, number, code) -> None:
    caller = join(arena.endpoint, bot="ignores_sigterm.py", patient=False)
    arena.greet()
    arena.begin()
    assert marked.left_behind()
    caller.process.send_signal(number)
    assert arena.hear() == Leave(text="stopped by its operator")
    assert caller.rest()[0] == code
    assert marked.left_behind() == []


def test_a_signal_ends_it_before_there_is_an_arena(join, marked, tmp_path) -> None:
    caller = join(f"ipc://{tmp_path}/arena.sock")
    caller.tells("does not answer")
    caller.process.send_signal(signal.SIGINT)
    assert caller.rest()[0] == 130


def test_what_the_bot_writes_to_stderr_is_seen_at_once_and_cannot_do_harm(arena, join) -> None:
    bot = """
import sys
sys.stderr.write("loading\\t50 % \\x1b[31m\\n")
sys.stderr.flush()
print("hello donuts=1-1 name=loud", flush=True)
sys.stdin.read()
sys.stderr.write("no line end")
"""
    caller = join(arena.endpoint, bot=bot)
    assert caller.tells("loading") == "loading 50 % \\x1b[31m\n"
    arena.greet()
    arena.say(Bye(why="done"))
    assert "no line end\n" in caller.rest()[2]


def test_a_line_that_is_too_long_is_named_by_the_arena(arena, join) -> None:
    caller = join(arena.endpoint, bot="long_line.py")
    arena.greet()
    arena.begin()
    answer = arena.answer(START)
    after = placed(START, answer.sq)
    arena.ask(placed(after, after.legal_names[0]))
    with pytest.raises(RemoteProtocolError) as fault:
        arena.hear()
    assert fault.value.why == "flood"
    arena.end(START)
    arena.say(Bye(why="flood"))
    caller.tells("said bye (flood); dialling in again in 1 s")
    assert arena.greet().session is None


@pytest.mark.parametrize("why", ["drain", "busy", "protocol"])
def test_it_comes_back_by_itself(arena, join, why) -> None:
    caller = join(arena.endpoint, "--games", "1")
    arena.greet()
    arena.say(Bye(why=why))
    assert arena.greet("b" * 32).session is None
    whole_game(arena)
    assert isinstance(arena.hear(), Leave)
    status, _, err = caller.rest()
    assert status == 0 and f"the arena said bye ({why}); dialling in again in 1 s" in err


@pytest.mark.parametrize(
    ("why", "words"),
    [
        ("replaced", "does the bot run twice?"),
        ("kicked", "ask them before"),
        ("benched", "mend it"),
        ("strange", "said bye (strange) for good"),
    ],
)
def test_it_ends_with_a_line_when_it_is_sent_away(arena, join, why, words) -> None:
    caller = join(arena.endpoint)
    arena.greet()
    arena.say(Bye(why=why))
    status, _, err = caller.rest()
    assert status == 3 and words in err.splitlines()[-1]


def test_a_seat_that_there_is_not(arena, join) -> None:
    caller = join(arena.endpoint, DONUTS_SEAT="nobody")
    arena.admit()
    arena.send_away(Error(id=None, code="seat", text="it was revoked"), Bye(why="seat"))
    status, _, err = caller.rest()
    assert status == 3 and "new join file (it said: it was revoked)" in err and "nobody" not in err


def test_a_key_that_is_not_let_in(join, tmp_path) -> None:
    arena = ScriptedArena(keys=Keys.fresh())
    arena.known.add("somebody else's")
    (tmp_path / "seat.toml").write_text(render(arena.invitation(Keys.fresh())))
    caller = join("--seat-file", "seat.toml")
    while caller.process.poll() is None:
        assert arena.frame(50) is None
    arena.close()
    status, _, err = caller.rest()
    assert status == 3 and "does not let the keys of the join file in" in err


@pytest.mark.parametrize(
    ("bot", "words"), [("exits_at_once.sh", "weights.bin"), ("hello_no_version.py", "start")]
)
def test_a_bot_that_does_not_start(arena, join, bot, words) -> None:
    status, _, err = join(arena.endpoint, bot=bot).rest()
    assert status == 3 and words in err.splitlines()[-1]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["tcp://127.0.0.1:7464"], "name it after --"),
        (["--", "donuts:greedy"], "ENDPOINT"),
        (["tcp://arena.example:7464", "--", "donuts:greedy"], "--seat-file"),
        (["http://127.0.0.1:7464", "--", "donuts:greedy"], "tcp://HOST:PORT"),
        (["tcp://127.0.0.1", "--", "donuts:greedy"], "tcp://HOST:PORT"),
        (["tcp://127.0.0.1:7464", "--", "human"], "donuts play human"),
        (["tcp://127.0.0.1:7464", "--", "donuts:nobody"], "donuts:greedy"),
        (["tcp://127.0.0.1:7464", "--tc", "fast", "--", "donuts:greedy"], "--tc"),
        (["tcp://127.0.0.1:7464", "--name", "x" * 41, "--", "donuts:greedy"], "--name"),
        (["--seat-file", "nowhere", "--", "donuts:greedy"], "--seat-file nowhere"),
        (["--seat-file", "bad.toml", "--", "donuts:greedy"], "token"),
    ],
)
def test_a_mistake_is_one_line(tmp_path, options, words, capsys, monkeypatch) -> None:
    from donuts_referee.cli.main import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DONUTS_SEAT", raising=False)
    (tmp_path / "bad.toml").write_text(
        f'endpoint = "tcp://127.0.0.1:7464"\ntoken = {json.dumps(TOKEN + " ")}\n'
    )
    assert main(["join", *options]) == 2
    said = capsys.readouterr().err
    assert words in said and said.count("\n") == 1 and TOKEN not in said


def test_a_token_that_is_none_is_not_shown(capsys, monkeypatch) -> None:
    from donuts_referee.cli.main import main

    monkeypatch.setenv("DONUTS_SEAT", TOKEN + "!")
    assert main(["join", "tcp://127.0.0.1:7464", "--", "donuts:greedy"]) == 2
    said = capsys.readouterr().err
    assert "DONUTS_SEAT" in said and TOKEN not in said
