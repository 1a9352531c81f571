"""Tells which file makes a bot what it is."""

import hashlib
import os
import sys

import pytest

from donuts_referee.channels.program import Program


def digest_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "bot.py"
    path.write_bytes(b"print()\n")
    path.chmod(0o755)
    return path


def test_a_program_is_its_own_file(script) -> None:
    assert Program((str(script), "-x")).digest() == digest_of(b"print()\n")


@pytest.mark.parametrize("interpreter", ["python3", "python3.11", "pypy3", "java", "node", "bash", "sh"])
def test_an_interpreter_stands_for_its_script(script, tmp_path, interpreter) -> None:
    tool = tmp_path / interpreter
    tool.write_bytes(b"#!/bin/sh\n")
    tool.chmod(0o755)
    assert Program((str(tool), "-u", str(script), "level")).digest() == digest_of(b"print()\n")


def test_the_script_is_looked_for_in_the_programs_folder(script, tmp_path) -> None:
    assert Program((sys.executable, "bot.py"), str(tmp_path)).file() == script
    assert Program(("./bot.py",), str(tmp_path)).file() == script


@pytest.mark.parametrize("words", [("-m", "donuts_client"), ("-c", "print()"), ()])
def test_a_module_or_a_text_has_no_file(words) -> None:
    assert Program((sys.executable, *words)).digest() is None


def test_what_is_not_there_has_no_digest(tmp_path) -> None:
    assert Program((str(tmp_path / "nobot"),)).digest() is None
    assert Program(()).digest() is None


def test_what_is_not_a_plain_file_is_not_read(tmp_path) -> None:
    os.mkfifo(tmp_path / "fifo")
    assert Program((str(tmp_path / "fifo"),)).digest() is None
    assert Program((str(tmp_path),)).digest() is None


def test_what_may_not_be_looked_at_has_no_digest(shut) -> None:
    assert Program((str(shut / "mybot"),)).digest() is None
    assert Program(("./mybot",), str(shut)).digest() is None
    assert Program((sys.executable, str(shut / "bot.py"))).digest() is None


@pytest.mark.parametrize("words", [("./" + "a" * 5000,), (sys.executable, "a" * 5000), ("./a\0b",)])
def test_what_can_be_no_file_has_no_digest(words) -> None:
    assert Program(words).digest() is None
