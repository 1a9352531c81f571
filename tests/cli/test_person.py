"""`human`: a person at a terminal, in a match that does not know it."""

import io
import json
import os
import pty
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from donuts_protocol import text
from donuts_protocol.messages import (
    FROM_BOT,
    Cancel,
    End,
    Game,
    Leave,
    Message,
    Move,
    Ping,
    Pong,
    Ready,
    Resign,
    Turn,
    Welcome,
)
from donuts_referee.cli.person import Person
from donuts_referee.cli.stage import Stage

LAYOUT = "H" * 36
LIMIT = 2_147_483_647


def line(message: Message) -> bytes:
    return text.encode(message) + b"\n"


def turn(id: int, cells: str = "." * 36, last: str | None = None, limit: int = LIMIT) -> Turn:
    row = [f"{column}1" for column in "abcdef" if cells["abcdef".index(column)] == "."]
    every = [f"{column}{row}" for row in "123456" for column in "abcdef"]
    ply = 36 - cells.count(".")
    return Turn(
        id=id, game=7, ply=ply, you="xo"[ply % 2], size=6, rings=15, layout=LAYOUT, cells=cells, last=last,
        legal=tuple(every if last is None else row), clock=limit, oclock=limit, inc=0, limit=limit, margin=50, spent=0,
    )  # fmt: skip


GAME = Game(id=7, you="x", size=6, rings=15, main=0, inc=0, margin=50, prep=9, opp="greedy", seed=1)
WELCOME = Welcome(donuts="1-1", session="0" * 32, caps=(), maxline=4096, ref="a/1")


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def person(out: io.StringIO) -> Person:
    """A person in a game that has begun."""
    person = Person("human", Stage(out, lambda: None))
    assert person.greets().startswith(b"hello donuts=1-1 name=human")
    person.told(line(WELCOME))
    assert said(person.told(line(GAME))) == [Ready(id=7)]
    return person


def said(data: bytes) -> list[Message]:
    return [text.decode(each, FROM_BOT) for each in data.splitlines()]


def test_a_square_is_a_move(person: Person, out: io.StringIO) -> None:
    assert person.told(line(turn(8))) == b"" and person.asked
    assert "any empty square" in out.getvalue() and out.getvalue().endswith("> ")
    assert said(person.typed("  C4 \r")) == [Move(id=8, sq="c4")]
    assert not person.asked and person.typed("c5") == b""


@pytest.mark.parametrize(
    ("word", "objection"),
    [
        ("", "type a square"),
        ("help", "resign"),
        ("a1", "a1 is taken"),
        ("a2", "a2 is not on the line of a1"),
        ("g1", "off the board"),
        ("c44", "off the board"),
        ("rook takes", "not a square"),
        ("\x1b[31m", "not a square"),
        ("ａ1", "not a square"),
    ],
)
def test_anything_else_is_asked_again(person: Person, out: io.StringIO, word: str, objection: str) -> None:
    person.told(line(turn(8, "x" + "." * 35, "a1")))
    asked = out.getvalue().count("> ")
    assert person.typed(word) == b"" and person.asked
    assert objection in out.getvalue() and "\x1b" not in out.getvalue()
    assert out.getvalue().count("> ") == asked + 1
    assert said(person.typed("b1")) == [Move(id=8, sq="b1")]


@pytest.mark.parametrize(("word", "message"), [("resign", Resign(id=8)), ("QUIT", Leave())])
def test_giving_up(person: Person, word: str, message: Message) -> None:
    person.told(line(turn(8)))
    assert said(person.typed(word)) == [message] and not person.asked


def test_the_clock_is_shown_where_one_runs(person: Person, out: io.StringIO) -> None:
    person.told(line(turn(8, limit=59_900)))
    assert "59.9 s" in out.getvalue()


def test_a_closed_question_is_not_answered(person: Person, out: io.StringIO) -> None:
    person.told(line(turn(8)) + line(Cancel(id=8, why="timeout")))
    assert not person.asked and person.typed("a1") == b""
    end = End(
        id=7,
        result="loss",
        winner="o",
        why="timeout",
        text="too late",
        ply=0,
        cells="." * 36,
        moves=(),
        more=1,
    )
    assert person.told(line(end)) == b""
    assert "you lose. too late" in out.getvalue()
    assert said(person.told(line(Ping(id=11)))) == [Pong(id=11)]


# --- at the keyboard ---


def test_lines_may_be_piped_ahead_and_their_end_is_leaving(
    donuts: Callable, bot: Callable, tmp_path: Path
) -> None:
    words = ("play", "human", bot("b"), "--games", "1", "--layout", LAYOUT, "--json")
    ran = donuts(*words, given="nonsense\na1\nc1")
    assert ran.code == 0 and "no clock runs" in ran.err and "nonsense" not in ran.out
    found = [json.loads(each) for each in ran.out.splitlines()]
    assert [each["move"] for each in found if each["event"] == "move"] == ["a1", "b1", "c1", "d1"]
    (verdict,) = (each for each in found if each["event"] == "verdict")
    assert (verdict["why"], verdict["winner"], verdict["void"]) == ("resign", "o", False)
    assert "you lose" in ran.err


def test_two_people_share_a_keyboard(donuts: Callable) -> None:
    ran = donuts(
        "play",
        "human",
        "human",
        "--games",
        "2",
        "--layout",
        LAYOUT,
        "--rings",
        "1",
        "--json",
        given="a1\nb1\nc1\nd1\n",
    )
    assert ran.code == 0
    found = [json.loads(each) for each in ran.out.splitlines()]
    assert [each["move"] for each in found if each["event"] == "move"] == ["a1", "b1", "c1", "d1"]
    assert [each["why"] for each in found if each["event"] == "verdict"] == ["group", "group"]
    assert {each["x"] for each in found if each["event"] == "game"} == {"human", "human#2"}


class Terminal:
    """A process on a pseudo-terminal of its own."""

    def __init__(self, words: list[str], cwd: Path) -> None:
        self._ours, theirs = pty.openpty()
        self.process = subprocess.Popen(
            words, cwd=cwd, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
        )
        os.close(theirs)
        self.seen = ""

    def until(self, mark: str) -> str:
        """Read up to `mark`; returns what came since the last call, up to and with it."""
        while mark not in self.seen:
            try:
                data = os.read(self._ours, 65536)
            except OSError:  # EIO: the other end is closed
                data = b""
            assert data, f"{mark!r} never came: {self.seen!r}"
            self.seen += data.decode("utf-8", "replace")
        head, _, self.seen = self.seen.partition(mark)
        return head + mark

    def type(self, words: str) -> None:
        os.write(self._ours, words.encode())

    def close(self) -> None:
        self.process.kill()
        self.process.wait(timeout=60)
        os.close(self._ours)


@pytest.fixture
def terminal(command: Callable, tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    opened: list[Terminal] = []

    def open_one(*words: str) -> Terminal:
        opened.append(Terminal(command(*words), tmp_path))
        return opened[-1]

    yield open_one
    for each in opened:
        each.close()


def test_a_person_plays_at_a_terminal(terminal: Callable, bot: Callable) -> None:
    screen = terminal("play", "human", bot("b"), "--games", "1", "--layout", LAYOUT)
    assert "no clock runs" in screen.until("any empty square")
    screen.until("> ")
    screen.type("z9\n")
    assert "off the board" in screen.until("> ")
    screen.type("a1\n")
    assert "c1" in screen.until("legal: c1 d1 e1 f1")
    screen.until("> ")
    screen.type("resign\n")
    screen.until("score: human 0 - 1 b")
    assert screen.process.wait(timeout=60) == 0


def test_the_end_of_the_keyboard_is_leaving(terminal: Callable, bot: Callable) -> None:
    screen = terminal("play", bot("b"), "human", "--games", "2", "--layout", LAYOUT)
    screen.until("> ")
    screen.type("\x04")
    screen.until("score: b 1 - 0 human")
    assert screen.process.wait(timeout=60) == 130


@pytest.mark.parametrize("word", ["quit\n", "q\n", ""])
@pytest.mark.parametrize(("games", "code"), [("2", 130), ("1", 0)])
def test_leaving_with_games_left_is_an_interruption(
    word: str, games: str, code: int, donuts: Callable, bot: Callable
) -> None:
    for pair in (("human", bot("b")), (bot("b"), "human"), ("human", "human")):
        ran = donuts("play", *pair, "--games", games, "--layout", LAYOUT, given=word)
        assert ran.code == code
        assert ran.out.count("\ngame 1/") == 1 and "game 2/" not in ran.out and "; resign at ply" in ran.out


def test_giving_up_a_game_is_not_leaving(donuts: Callable, bot: Callable) -> None:
    ran = donuts("play", "human", bot("b"), "--games", "2", "--layout", LAYOUT, given="resign\nresign\n")
    assert ran.code == 0 and "score: human 0 - 2 b" in ran.out


def test_ctrl_c_at_a_prompt(terminal: Callable, bot: Callable) -> None:
    """The terminal sends SIGINT to its foreground group; here the process gets it directly."""
    screen = terminal("play", "human", bot("b"), "--layout", LAYOUT)
    screen.until("> ")
    screen.process.send_signal(2)
    screen.until("void; abort")
    assert screen.process.wait(timeout=60) == 130
