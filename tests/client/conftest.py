"""Gives the tests a table to seat a bot at: a real process, spoken to through `RefereeSession` over pipes."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest

from client.patience import patient
from client.referee import Referee
from client.scripted_arena import Caller, ScriptedArena
from donuts_engine.board import Board
from donuts_engine.tiles import TileSet
from donuts_protocol.messages import Bye, Hello
from donuts_protocol.session import Dropped, Noise, RefereeSession

CLIENT = Path(__file__).parents[2] / "clients" / "python"


class Table(Referee):
    """One bot in a process of its own and the referee's end of its conversation."""

    def __init__(self, words: list[str], folder: Path, grants: tuple[str, ...] = ("info",)) -> None:
        self.process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=folder,
            env={name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"},
        )
        self.session = RefereeSession(grants=grants)
        self.heard: list[Any] = []
        """everything the bot said, in order"""
        self._folder = folder

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.kill()
        self.process.wait(timeout=60)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()

    def say(self, message: Any) -> None:
        """Send a message to the bot."""
        self.process.stdin.write(self.session.send(message))

    def hear(self) -> Any:
        """What the bot says next; None when its stdout is at its end."""
        while True:
            event = self.session.next_event()
            if event is not None:
                self.heard.append(event)
                assert not isinstance(event, Dropped | Noise), event
                return event
            data = self.process.stdout.read(65536)
            if not data:
                return None
            self.session.receive(data, time.monotonic_ns())

    def greet(self) -> Hello:
        """Take its hello and say welcome."""
        hello = self.hear()
        assert isinstance(hello, Hello)
        self.welcome()
        return hello

    def release(self, name: str) -> None:
        """Make the file of this name appear where the bot runs."""
        (self._folder / name).touch()

    def leave(self) -> tuple[int, str]:
        """Say bye; returns the exit status and what was on stderr."""
        self.say(Bye(why="done"))
        return self.rest()

    def rest(self) -> tuple[int, str]:
        """Wait for the process; returns its exit status and what was on stderr."""
        out, err = self.process.communicate(timeout=30)
        assert not out, "the bot must have said everything it says"
        return self.process.returncode, err.decode()


@pytest.fixture
def seat(tmp_path: Path) -> Iterator[Callable[..., Table]]:
    """Seats a bot: `seat("-m", "module", ...)`, or `seat(code="...")` for a program that is written to a file."""
    seated: list[Table] = []

    def sit(*words: str, code: str | None = None, grants: tuple[str, ...] = ("info",)) -> Table:
        if code is not None:
            (tmp_path / "mine.py").write_text(code)
            words = ("mine.py", *words)
        table = Table(list(words), tmp_path, grants)
        seated.append(table)
        return table

    yield sit
    for table in seated:
        table.__exit__(None, None, None)


@pytest.fixture(scope="session")
def board() -> Board:
    """A 6 x 6 board."""
    return TileSet.shipped().board(4711)


@pytest.fixture
def arena() -> Iterator[ScriptedArena]:
    """An arena on loopback tcp, open to all."""
    opened = ScriptedArena()
    yield opened
    opened.close()


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Callable[..., Caller]]:
    """Starts a bot that dials in, and that is patient: `caller("word", ..., code="...")`; `env` is added to its own."""
    started: list[Caller] = []

    def call(*words: str, code: str, **env: str) -> Caller:
        (tmp_path / "mine.py").write_text(patient(code))
        started.append(Caller(["mine.py", *words], tmp_path, env))
        return started[-1]

    yield call
    for each in started:
        each.stop()
