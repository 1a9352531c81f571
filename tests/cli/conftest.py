"""The command as a process of its own, and small bots for it to play."""

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

BOT = """
import sys
def say(s): print(s, flush=True)
say("hello donuts=1-1 name=pupil")
turns = 0
while True:
    verb, *args = input().split()
    fields = dict(a.split("=", 1) for a in args if "=" in a)
    if verb == "turn":
        turns += 1
        VICE
        say(f"move {args[0]} {fields['legal'].split(',')[0]}")
    elif verb == "game": say(f"ready {args[0]}")
    elif verb == "ping": say(f"pong {args[0]}")
    elif verb == "bye": break
"""


class Ran(NamedTuple):
    """How a command ended and what it wrote."""

    code: int
    out: str
    err: str


Donuts = Callable[..., Ran]


@pytest.fixture
def donuts(tmp_path: Path) -> Donuts:
    """Run `donuts WORDS` in `tmp_path` to its end."""

    def run(*words: str, given: str = "", **env: str) -> Ran:
        done = subprocess.run(
            command(*words),
            input=given,
            cwd=tmp_path,
            env={**os.environ, **env},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return Ran(done.returncode, done.stdout, done.stderr)

    return run


def command(*words: str) -> Sequence[str]:
    """The words of a process that is `donuts WORDS`."""
    return [sys.executable, "-m", "donuts_referee", *words]


@pytest.fixture(name="command")
def _command() -> Callable[..., Sequence[str]]:
    return command


@pytest.fixture
def bot(tmp_path: Path) -> Callable[[str, str], str]:
    """Write a bot that plays the first legal square, after the vice (a line of Python) in each of its turns."""

    def write(name: str, vice: str = "pass") -> str:
        (tmp_path / f"{name}.py").write_text(BOT.replace("VICE", vice))
        return f"{name}.py"

    return write
