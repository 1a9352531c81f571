"""`donuts referee`: the bot is the parent; protocol alone on stdout, all else on stderr."""

import json
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from donuts_protocol import text
from donuts_protocol.messages import FROM_REFEREE, Bye, End, Game, Message, Turn, Welcome


class Parent:
    """A bot that has started its referee."""

    def __init__(self, words: Sequence[str], cwd: Path) -> None:
        self.process = subprocess.Popen(
            words, cwd=cwd, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        assert self.process.stdin and self.process.stdout
        self._in, self._out = self.process.stdin, self.process.stdout

    def say(self, words: str) -> None:
        self._in.write(words.encode() + b"\n")
        self._in.flush()

    def leave(self) -> None:
        """Close our end."""
        self._in.close()
        self.process.stdin = None

    def hear(self) -> Message | None:
        """The next message; None at the end. Anything that is no message is an error."""
        got = self._out.readline()
        return text.decode(got[:-1], FROM_REFEREE) if got else None

    def play(self, until: Callable[[Message], bool] = lambda message: False) -> list[Message]:
        """Play first legal squares up to `bye`, or until a message is as asked; returns what was heard."""
        heard: list[Message] = []
        while (message := self.hear()) is not None:
            heard.append(message)
            if until(message):
                return heard
            match message:
                case Game():
                    self.say(f"ready {message.id}")
                case Turn():
                    self.say(f"move {message.id} {message.legal[0]}")
                case Bye():
                    break
                case _:
                    pass
        return heard

    def end(self) -> "Ended":
        """Close our end and wait; returns the exit code, the events and what else stood on stderr."""
        out, err = self.process.communicate(timeout=60)
        assert out == b""
        lines = err.decode().splitlines()
        events = [json.loads(line) for line in lines if line.startswith("{")]
        return Ended(self.process.returncode, events, [line for line in lines if not line.startswith("{")])


class Ended(NamedTuple):
    code: int
    events: list[dict]
    notes: list[str]

    def verdicts(self) -> list[tuple[str, str]]:
        return [(event["why"], event["fault"]) for event in self.events if event["event"] == "verdict"]


@pytest.fixture
def parent(command: Callable, bot: Callable, tmp_path: Path) -> Iterator[Callable[..., Parent]]:
    running: list[Parent] = []

    def start(*words: str) -> Parent:
        bot_file = bot("pupil")
        running.append(Parent(command("referee", "--against", bot_file, "--json", *words), tmp_path))
        return running[-1]

    yield start
    for each in running:
        each.process.kill()
        each.process.communicate(timeout=60)


def test_a_whole_match(parent: Callable) -> None:
    us = parent("--games", "3", "--seed", "4", "--margin", "77", "--prep", "3")
    us.say("hello donuts=1-1 name=us seat=whatever session=whatever")
    heard = us.play()
    assert isinstance(heard[0], Welcome) and isinstance(heard[-1], Bye) and heard[-1].why == "done"
    games = [message for message in heard if isinstance(message, Game)]
    assert [game.you for game in games] == ["x", "o", "x"]
    assert {(game.margin, game.prep) for game in games} == {(77, 3000)}
    assert [message.more for message in heard if isinstance(message, End)] == [1, 1, 0]
    ended = us.end()
    assert ended.code == 0 and ended.notes == []
    assert len(ended.verdicts()) == 3 and all(fault is None for _, fault in ended.verdicts())
    assert ended.events[0]["x"] == "parent" and ended.events[-1]["bots"] == {"1": "parent", "2": "pupil"}


def test_the_end_of_file_in_a_game_is_a_crash_and_ends_the_run(parent: Callable) -> None:
    us = parent("--games", "3")
    us.say("hello donuts=1-1 name=us")
    us.play(until=lambda message: isinstance(message, Turn))
    us.leave()
    us.play()
    ended = us.end()
    assert ended.code == 3 and ended.verdicts() == [("crash", "x")]


def test_a_crash_in_the_last_game_is_exit_3_too(parent: Callable) -> None:
    us = parent("--games", "1")
    us.say("hello donuts=1-1 name=us")
    us.play(until=lambda message: isinstance(message, Turn))
    us.leave()
    us.play()
    assert us.end().code == 3


def test_the_end_of_file_after_the_last_end_is_no_fault(parent: Callable) -> None:
    us = parent("--games", "1")
    us.say("hello donuts=1-1 name=us")
    us.play(until=lambda message: isinstance(message, End))
    us.leave()
    assert us.play()[-1] == Bye(why="done")
    assert us.end().code == 0


def test_an_illegal_move_is_a_loss_and_the_run_goes_on(parent: Callable) -> None:
    us = parent("--games", "2", "--layout", "H" * 36)
    us.say("hello donuts=1-1 name=us")
    turn = us.play(until=lambda message: isinstance(message, Turn) and message.ply == 2)[-1]
    us.say(f"move {turn.id} a6")
    us.play()
    ended = us.end()
    assert ended.code == 0
    assert ended.verdicts()[0] == ("illegal", "x") and len(ended.verdicts()) == 2


def test_a_second_hello_ends_the_run(parent: Callable) -> None:
    us = parent("--games", "3")
    us.say("hello donuts=1-1 name=us")
    us.play(until=lambda message: isinstance(message, Turn))
    us.say("hello donuts=1-1 name=us")
    assert isinstance(us.play()[-1], Bye)
    ended = us.end()
    assert ended.code == 3 and ended.verdicts() == [("protocol", "x")]


def test_no_hello_is_start(parent: Callable) -> None:
    us = parent("--games", "1", "--hello", "3")
    ended = us.end()
    assert ended.code == 3 and ended.verdicts() == [("start", "x")]
    assert any("parent would not start" in note for note in ended.notes)


def test_people_read_it_on_stderr(command: Callable, bot: Callable, tmp_path: Path) -> None:
    us = Parent(command("referee", "--against", bot("pupil"), "--games", "1"), tmp_path)
    us.say("hello donuts=1-1 name=us")
    us.play()
    ended = us.end()
    assert ended.code == 0 and ended.notes[0].startswith("game 1/1: parent (x) - pupil (o): ")
