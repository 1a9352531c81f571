"""The dispatcher: help, versions, and the words and codes for whatever goes wrong."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from donuts_referee.cli.fault import Terminated, UsageFault
from donuts_referee.cli.main import COMMANDS, main
from donuts_referee.version import __version__


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Make `donuts play` end in an error."""

    def break_with(error: BaseException) -> None:
        module = ModuleType("donuts_referee.cli.play")

        def run(args: object) -> int:
            raise error

        module.add_parser = lambda subparsers: subparsers.add_parser("play")  # type: ignore[attr-defined]
        module.run = run  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "donuts_referee.cli.play", module)

    return break_with


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_help(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 0
    out = capsys.readouterr().out
    assert all(f"\n  {name} " in out for name in COMMANDS) and "examples:" in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"donuts {__version__}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_help(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"usage: donuts {name}" in capsys.readouterr().out


def test_a_near_miss_is_recognised(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pley"]) == 2
    assert "did you mean 'play'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (KeyboardInterrupt(), 130),
        (Terminated(15), 143),
        (UsageFault("no\nsuch thing"), 2),
        (BrokenPipeError(), 141),
    ],
)
def test_codes(error: BaseException, code: int, broken: Callable, capfd: pytest.CaptureFixture[str]) -> None:
    broken(error)
    assert main(["play"]) == code
    assert capfd.readouterr().err == ("donuts: no such thing\n" if code == 2 else "")


def test_a_fault_of_our_own_is_one_line_with_its_traceback_in_a_file(
    broken: Callable, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    broken(ZeroDivisionError("by\nnothing"))
    with pytest.raises(SystemExit) as ended:
        main(["play"])
    assert ended.value.code == 4
    err = capsys.readouterr().err
    (file,) = tmp_path.iterdir()
    assert err == f"donuts: internal error: ZeroDivisionError: by nothing; please report it with {file}\n"
    assert "Traceback" in file.read_text()


def test_the_traceback_on_request(
    broken: Callable, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DONUTS_TRACEBACK", "1")
    broken(ZeroDivisionError("x"))
    with pytest.raises(SystemExit):
        main(["play"])
    assert "Traceback" in capsys.readouterr().err


def test_a_closed_stdout_is_quiet(command: Callable, tmp_path: Path) -> None:
    """A reader that has left before anything is written."""
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as unread:
        done = subprocess.run(
            ["sh", "-c", '"$@" --help; echo "$?" >&2', "sh", *command()],
            cwd=tmp_path, stdout=unread, stderr=subprocess.PIPE, text=True, check=False, timeout=60,
        )  # fmt: skip
    assert done.stderr == "141\n"


@pytest.mark.skipif(os.name == "nt", reason="closes descriptors as a POSIX shell does")
@pytest.mark.parametrize(
    ("command", "closed"), [("board --board 5", "2>&-"), ("board --board 5", ">&-"), ("engine", "<&-")]
)
def test_a_closed_standard_stream_is_no_fault(command: str, closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m donuts_referee {command} {closed}', sys.executable],
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, b"")


LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
PLAY = "play donuts:random donuts:random --games 1"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize(
    "words",
    [
        "--help",
        "--version",
        "play --help",
        "board --board 5",
        f"perft {LAYOUT} --depth 2",
        f"position {LAYOUT} --json",
        "engine",
        PLAY,
        f"{PLAY} --watch",
        f"{PLAY} --json --seed 1",
    ],
)
def test_a_stdout_on_a_full_disk_is_one_line(words: str, command: Callable, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(*words.split()),
            input=f"query 1 layout={LAYOUT}\n".encode(),
            cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False,
        )  # fmt: skip
    said = b"donuts: cannot write to stdout: no space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


@pytest.mark.skipif(os.name == "nt", reason="redirects as a POSIX shell does")
def test_a_stdout_that_is_opened_for_reading_is_one_line() -> None:
    done = subprocess.run(
        ["sh", "-c", '"$0" -m donuts_referee board --board 5 1</dev/null', sys.executable],
        stderr=subprocess.PIPE,
        check=False,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (2, b"donuts: cannot write to stdout: bad file descriptor\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_notes_that_cannot_be_written_do_not_end_a_match(command: Callable, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command(*PLAY.split(), "--json"),
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, timeout=60, check=False,
        )  # fmt: skip
    assert done.returncode == 0 and b'"event":"score"' in done.stdout
