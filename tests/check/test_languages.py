"""The language of a bot is guessed from its command and its file, for the hint how to flush."""

import sys
from pathlib import Path

import pytest

from donuts_referee.channels.program import Program
from donuts_referee.check.languages import flushing, language


@pytest.mark.parametrize(
    ("argv", "expected"),
    [
        ((sys.executable, "-m", "mybot"), "python"),
        (("/usr/bin/python3.12", "bot"), "python"),
        (("/opt/bot.py",), "python"),
        (("node", "bot.mjs"), "node"),
        (("/usr/bin/java", "-jar", "bot.jar"), "java"),
        (("/bin/sh", "bot"), "sh"),
        (("./no-such-file",), None),
    ],
)
def test_by_the_command(argv: tuple[str, ...], expected: str | None) -> None:
    assert language(Program(argv=argv)) == expected


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"#!/usr/bin/env python3\nprint()", "python"),
        (b"#!/usr/bin/env -S node --quiet\n", "node"),
        (b"#!/bin/sh -e\n", "sh"),
        (b"#!/usr/bin/perl\n", None),
        (b"\x7fELF....Go build ID: x", "go"),
        (b"\x7fELF..../rustc/90b35a6", "rust"),
        (b"\x7fELF....libstdc++.so.6", "c++"),
        (b"\x7fELF....libc.so.6", "c"),
        (b"hello", None),
    ],
)
def test_by_the_file(content: bytes, expected: str | None, tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_bytes(content)
    program.chmod(0o755)
    assert language(Program(argv=(str(program),))) == expected


def test_the_hint_names_the_call() -> None:
    assert "print(line, flush=True)" in flushing(Program(argv=("bot.py",)))
    assert "fflush(stdout)" in flushing(None)
