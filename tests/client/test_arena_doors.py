"""What a bot shows at the door of an arena, and the one line it says where it cannot dial or is not let in."""

import subprocess
import sys
from pathlib import Path

import pytest

from client.acts import bot, in_peace, playing
from client.scripted_arena import Keys, ScriptedArena
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_protocol.invitation import Invitation, render
from donuts_protocol.messages import Move

BY_FILE = "seat_file='my.join.toml'"
KEY = "0" * 40


def join_file(folder: Path, invitation: Invitation) -> None:
    (folder / "my.join.toml").write_text(render(invitation))


# --- what it shows -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "in_file, in_environment, shown",
    [("t0ken", None, "t0ken"), ("t0ken", "other", "t0ken"), (None, "other", "other"), (None, "", None)],
)
def test_the_token_is_that_of_the_file_or_of_the_environment(
    in_file: str | None, in_environment: str | None, shown: str | None, caller, arena, tmp_path: Path
) -> None:
    join_file(tmp_path, Invitation(arena.endpoint, token=in_file))
    env = {} if in_environment is None else {"DONUTS_SEAT": in_environment}
    mine = caller(code=bot(run=BY_FILE), **env)
    assert arena.greet().seat == shown
    in_peace(mine, arena)


@pytest.mark.parametrize(
    "run, name", [(BY_FILE, "alice"), (f"{BY_FILE}, name='other'", "other"), ("connect=sys.argv[1]", "mine")]
)
def test_the_name_is_the_callers_or_the_files_or_the_bots(
    run: str, name: str, caller, arena, tmp_path
) -> None:
    join_file(tmp_path, Invitation(arena.endpoint, name="alice"))
    mine = caller(arena.endpoint, code=bot(run=run))
    assert arena.greet().name == name
    in_peace(mine, arena)


def test_connect_says_where_when_the_file_says_another_place(caller, arena, tmp_path: Path) -> None:
    join_file(tmp_path, Invitation("tcp://127.0.0.1:1", token="t0ken"))
    mine = caller(arena.endpoint, code=bot(run=f"{BY_FILE}, connect=sys.argv[1], tc='inf'"))
    hello = arena.greet()
    assert (hello.seat, hello.tc) == ("t0ken", "inf")
    in_peace(mine, arena)


# --- what cannot be dialled --------------------------------------------------------------------------------------


def refusal(code: str, folder: Path, **env: str) -> str:
    """What a program says that must end with 2 and one line."""
    (folder / "mine.py").write_text(code)
    found = subprocess.run(
        [sys.executable, "mine.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PATH": ""} | env,
        timeout=120,
    )
    assert found.returncode == 2, found.stderr
    assert found.stdout == ""
    assert found.stderr.count("\n") == 1 and "Traceback" not in found.stderr
    return found.stderr


@pytest.mark.parametrize(
    "run, said",
    [
        ("seat_file='none.toml'", "none.toml cannot be read: No such file"),
        ("seat_file='bad.toml'", "bad.toml is no join file: endpoint: missing"),
        ("seat_file='latin.toml'", "latin.toml is no join file: it is not UTF-8"),
        ("connect='127.0.0.1:7464'", "127.0.0.1:7464 cannot be dialled: "),
        ("connect='http://x'", "http://x cannot be dialled: "),
        ("connect='tcp://127.0.0.1:1', tc='quick'", "tc must be a time control such as 10+0.1"),
        ("connect='tcp://10.1.2.3:7464'", "no loopback address"),
        ("connect='tcp://arena.example:7464'", "seat_file="),
    ],
)
def test_what_cannot_be_dialled_is_one_line_and_2(run: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "bad.toml").write_text("name = 'alice'\n")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xe9'\n")
    assert said in refusal(bot(run=run), tmp_path)


def test_a_token_that_is_none_is_refused_and_not_shown(tmp_path: Path) -> None:
    said = refusal(bot(run="connect='tcp://127.0.0.1:1'"), tmp_path, DONUTS_SEAT="s3cret word")
    assert "DONUTS_SEAT" in said and "s3cret" not in said


def test_where_pyzmq_is_missing_one_line_says_how_to_get_it(tmp_path: Path) -> None:
    code = "import sys\nsys.modules['zmq'] = None\n" + bot(run="connect='tcp://127.0.0.1:1'")
    assert refusal(code, tmp_path) == "pyzmq is not installed: pip install pyzmq\n"


@pytest.mark.parametrize("run", ["games=0, connect='tcp://127.0.0.1:1'", "games=1", "tc='inf'"])
def test_arguments_that_do_not_fit_together_are_the_authors_fault(run: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(bot(run=run))
    found = subprocess.run(
        [sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120
    )
    assert found.returncode == 1 and "ValueError" in found.stderr
    assert found.stdout == ""


@pytest.mark.parametrize("words", [["--games", "2"], ["--tc", "inf"], ["--games", "0", "--connect", "x"]])
def test_the_shipped_bots_refuse_such_options_too(words: list[str]) -> None:
    command = [sys.executable, "-m", "donuts_client.bots.random", *words]
    found = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert found.returncode == 2 and words[0] in found.stderr.splitlines()[-1]


def test_a_bot_on_stdin_and_stdout_imports_nothing_of_it(seat, board: Board) -> None:
    code = bot(
        "def move(self, position):\n"
        "    strange = ('zmq', 'tomllib', 'donuts_client.dial', 'donuts_client.call', 'donuts_protocol.dial')\n"
        "    print([name for name in sys.modules if name.startswith(strange)])\n"
        "    return position.legal[0]",
        run="",
    )
    table = seat(code=code)
    table.greet()
    table.begin()
    assert isinstance(table.answer(Position.start(board)), Move)
    assert table.leave() == (0, "[]\n")


def test_a_bot_at_an_arena_leaves_the_pipes_alone(caller, arena, board: Board) -> None:
    code = bot("def move(self, position): return input()")
    mine = caller(arena.endpoint, code=code + "print('still there, and sys.stdout too', file=sys.stdout)\n")
    playing(arena)
    arena.ask(Position.start(board))
    mine.process.stdin.write("b1\n")
    mine.process.stdin.flush()
    assert arena.hear().sq == "b1"
    assert in_peace(mine, arena)[0] == "still there, and sys.stdout too\n"


# --- keys --------------------------------------------------------------------------------------------------------


@pytest.fixture
def locked() -> ScriptedArena:
    """An arena that wants keys and knows none."""
    arena = ScriptedArena(keys=Keys.fresh())
    arena.known = {KEY}
    yield arena
    arena.close()


def test_the_wrong_key_of_the_arena_is_told_and_tried_again(locked, caller, tmp_path: Path) -> None:
    strange = locked.invitation(Keys.fresh(), server_key=Keys.fresh().public)
    join_file(tmp_path, strange)
    mine = caller(code=bot(run=BY_FILE))
    assert "breaks off the handshake" in mine.tells(locked.endpoint)
    assert mine.process.poll() is None


@pytest.mark.parametrize("keys", [True, False])
def test_keys_at_one_end_only_are_told_and_tried_again(keys: bool, locked, arena, caller, tmp_path) -> None:
    endpoint = arena.endpoint if keys else locked.endpoint
    lines = locked.invitation(Keys.fresh()) if keys else Invitation("tcp://127.0.0.1:1")
    join_file(tmp_path, lines._replace(endpoint=endpoint))
    mine = caller(code=bot(run=BY_FILE))
    assert "breaks off the handshake" in mine.tells(endpoint)


def test_a_key_that_the_arena_does_not_let_in_is_the_end(locked, caller, tmp_path: Path) -> None:
    join_file(tmp_path, locked.invitation(Keys.fresh()))
    mine = caller(code=bot(run=BY_FILE))
    while mine.process.poll() is None:
        assert locked.frame(50) is None
    status, _, err = mine.rest()
    assert status == 3
    assert err == (
        "the arena refuses this bot; it does not know the key of this join file, or has revoked it: "
        "ask the operator for a new one\n"
    )
