"""`donuts join` as a process of its own at a scripted arena; a mark finds the processes of its bots again."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.scripted_arena import Caller, ScriptedArena
from match.arena import BOTS, Arena

Join = Callable[..., Caller]


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[Arena]:
    """Knows the processes of the bots by a word of their command lines; none may be left."""
    arena = Arena(tmp_path, "poll")
    yield arena
    assert arena.clear() == []


@pytest.fixture
def arena() -> Iterator[ScriptedArena]:
    one = ScriptedArena()
    yield one
    one.close()


@pytest.fixture
def join(tmp_path: Path, marked: Arena) -> Iterator[Join]:
    """Run `donuts join OPTIONS -- BOT MARK WORDS`; a BOT with several lines is a program, else one of tests/bots.

    It is `patient`, but where a test needs that a bot is not waited for.
    """
    callers: list[Caller] = []

    def run(
        *options: str, bot: str = "plain.py", words: tuple[str, ...] = (), patient: bool = True, **env: str
    ) -> Caller:
        path = BOTS / bot
        if "\n" in bot:
            path = tmp_path / "bot.py"
            path.write_text(bot)
        program = [str(path)] if path.suffix == ".sh" else [sys.executable, str(path)]
        donuts = [str(Path(__file__).with_name("patient.py"))] if patient else ["-m", "donuts_referee"]
        line = [*donuts, "join", *options, "--", *program, marked.mark, *words]
        callers.append(Caller(line, tmp_path, env))
        return callers[-1]

    yield run
    for caller in callers:  # a killed one would take its bot along, but who knows when
        caller.process.terminate()
        caller.process.wait(timeout=30)
        caller.stop()
