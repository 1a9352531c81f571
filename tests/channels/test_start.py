"""A bot starts with what it is given and nothing else, or there is a sentence that says why not."""

import os
import signal
import sys
from pathlib import Path

import pytest

from channels.offspring import children
from channels.test_shutdown import open_files
from donuts_referee.channels.link import StartFailure
from donuts_referee.channels.process import start
from donuts_referee.channels.program import Program

PRINT_ENVIRONMENT = "say(repr(sorted(os.environ.items())))"


def test_the_environment_is_scrubbed(room, ear, bot, monkeypatch) -> None:
    for name in tuple(os.environ):
        monkeypatch.delenv(name)
    given = {"PATH": "/usr/bin:/bin", "HOME": "/h", "LANG": "C", "LC_ALL": "C", "TMPDIR": "/tmp", "TZ": "UTC"}
    for name, value in {**given, "TOKEN": "secret", "PYTHONUNBUFFERED": "1", "LD_PRELOAD_X": "1"}.items():
        monkeypatch.setenv(name, value)
    link = room.spawn(bot(PRINT_ENVIRONMENT, env=(("LEVEL", "3"), ("TZ", "CET"))))
    expected = {**given, "LEVEL": "3", "TZ": "CET"}
    assert dict(eval(ear.line(link))) == expected


def test_only_descriptors_0_to_2_are_open(room, ear, bot) -> None:
    with open(os.devnull, "rb") as stray:  # noqa: PTH123
        os.set_inheritable(stray.fileno(), True)
        link = room.spawn(bot("fds = os.listdir('/proc/self/fd'); say(repr(sorted(map(int, fds))))"))
        seen = eval(ear.line(link))
    assert seen[:3] == [0, 1, 2]
    assert len(seen) <= 4  # the one that reads the list itself


def test_a_bot_leads_its_own_session_and_group(room, ear, bot) -> None:
    link = room.spawn(bot("say(repr((os.getpid(), os.getsid(0), os.getpgid(0))))"))
    pid, sid, pgid = eval(ear.line(link))
    assert pid == sid == pgid != os.getpid()


def test_arguments_pass_no_shell(room, ear, bot) -> None:
    words = ("a b", "$HOME", "*", "'", '"', "", ";true", "ü\n")
    link = room.spawn(bot("say(ascii(sys.argv[1:]))", *words))
    assert tuple(eval(ear.line(link))) == words


def test_the_folder_is_the_programs_own(room, ear, tmp_path) -> None:
    (tmp_path / "bot").write_text("#!/bin/sh\npwd\n")
    (tmp_path / "bot").chmod(0o755)
    link = room.spawn(Program(("./bot",), str(tmp_path)))
    assert ear.line(link).decode() == str(tmp_path)


def test_the_path_of_the_program_counts(room, ear, tmp_path) -> None:
    (tmp_path / "mybot").write_text("#!/bin/sh\necho found\n")
    (tmp_path / "mybot").chmod(0o755)
    program = Program(("mybot",), None, (("PATH", str(tmp_path)),))
    assert program.path() == tmp_path / "mybot"
    assert ear.line(room.spawn(program)) == b"found"


def test_signals_are_as_a_program_expects_them(room, ear, bot) -> None:
    """SIGPIPE is not ignored by a bot because it is by the referee."""
    text = "say(repr([signal.getsignal(s) == signal.SIG_IGN for s in (signal.SIGINT, signal.SIGTERM)]))"
    assert ear.line(room.spawn(bot(text))) == b"[False, False]"
    shell = Program(("/bin/sh", "-c", "kill -PIPE $$; echo survived"))
    link = room.spawn(shell)
    assert ear.all_of(link) == b""
    assert link.reap().signal == signal.SIGPIPE


def refusal(program: Program) -> tuple[int, str]:
    with pytest.raises(StartFailure) as caught:
        start(program)
    return caught.value.status, str(caught.value)


def made(path: Path, content: bytes, mode: int = 0o755) -> Path:
    path.write_bytes(content)
    path.chmod(mode)
    return path


def test_a_missing_file_is_127(tmp_path) -> None:
    status, text = refusal(Program((str(tmp_path / "nobot"),)))
    assert status == 127
    assert "nobot" in text and "no such file" in text


def test_a_missing_command_is_127() -> None:
    status, text = refusal(Program(("donuts-no-such-command",)))
    assert status == 127
    assert "donuts-no-such-command" in text and "PATH" in text


def test_a_folder_on_the_way_that_is_a_file_is_127(tmp_path) -> None:
    made(tmp_path / "file", b"")
    assert refusal(Program((str(tmp_path / "file" / "bot"),)))[0] == 127


@pytest.mark.parametrize("argv", [(), ("",)])
def test_no_command_at_all_is_127(argv) -> None:
    assert refusal(Program(argv)) == (127, "the bot has no command: name a program to start")


def test_a_file_that_is_not_executable_is_126_and_chmod_is_named(tmp_path) -> None:
    path = made(tmp_path / "mybot", b"#!/bin/sh\n", 0o644)
    status, text = refusal(Program((str(path),)))
    assert status == 126
    assert f"chmod +x {path}" in text


def test_a_command_in_path_that_is_not_executable_is_126(tmp_path) -> None:
    made(tmp_path / "mybot", b"#!/bin/sh\n", 0o644)
    status, text = refusal(Program(("mybot",), None, (("PATH", str(tmp_path)),)))
    assert status == 126
    assert "chmod +x" in text


def test_a_program_under_a_folder_that_may_not_be_searched_is_126(shut) -> None:
    status, text = refusal(Program((str(shut / "mybot"),)))
    assert status == 126
    assert "mybot" in text and "chmod +x on the folders above it" in text


def test_a_command_is_looked_for_past_a_folder_that_may_not_be_searched(shut) -> None:
    status, text = refusal(Program(("mybot",), None, (("PATH", str(shut)),)))
    assert status in (126, 127)
    assert "mybot" in text


def test_a_name_too_long_for_a_file_is_126(tmp_path) -> None:
    status, text = refusal(Program((str(tmp_path / ("a" * 5000)),)))
    assert status == 126
    assert "too long" in text


def test_a_folder_is_126(tmp_path) -> None:
    status, text = refusal(Program((str(tmp_path),)))
    assert status == 126
    assert "it is a folder" in text


def test_a_script_without_an_interpreter_is_126(tmp_path) -> None:
    path = made(tmp_path / "mybot", b"print('hello')\n")
    status, text = refusal(Program((str(path),)))
    assert status == 126
    assert "#!/usr/bin/env python3" in text


def test_a_program_for_another_machine_is_126(tmp_path) -> None:
    path = made(tmp_path / "mybot", b"\x7fELF\x01\0\0\0" + bytes(60))
    status, text = refusal(Program((str(path),)))
    assert status == 126
    assert "not a program for this system" in text


def test_an_interpreter_that_is_not_there_is_126(tmp_path) -> None:
    path = made(tmp_path / "mybot", b"#!/no/such/python\r\nprint()\n")
    status, text = refusal(Program((str(path),)))
    assert status == 126
    assert "#!/no/such/python\\r" in text


def test_a_folder_to_start_in_that_is_not_there_is_126(tmp_path) -> None:
    status, text = refusal(Program(("true",), str(tmp_path / "gone")))
    assert status == 126
    assert "gone" in text and "folder" in text


@pytest.mark.parametrize("program", [Program(("true", "a\0b")), Program(("true",), None, (("A=B", "c"),))])
def test_what_no_process_can_be_given_is_126(program) -> None:
    assert refusal(program)[0] == 126


def test_a_name_that_could_move_the_cursor_is_escaped(tmp_path) -> None:
    _, text = refusal(Program((str(tmp_path / "bot\x1b[2J\n"),)))
    assert text.isprintable()


def test_a_failed_start_leaves_nothing_open(room, tmp_path) -> None:
    path = made(tmp_path / "mybot", b"print('hello')\n")
    before = open_files()
    before_all = children()
    for _ in range(20):
        with pytest.raises(StartFailure):
            room.spawn(Program((str(path),)))
    assert open_files().items() <= before.items()
    assert children() <= before_all


def test_the_running_python_starts(room, ear) -> None:
    assert ear.line(room.spawn(Program((sys.executable, "-c", "print('here')")))) == b"here"
