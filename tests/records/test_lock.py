"""Who keeps a folder keeps everybody else out, until it ends: not until a child has that it was about to start."""

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from donuts_referee.modules import own_modules
from donuts_referee.records import lock
from donuts_referee.records.lock import FolderLock, FolderTaken, claimed

KEEPER = """
import fcntl, os, signal, sys
from pathlib import Path
from donuts_referee.records.lock import FolderLock, claimed
kept = FolderLock(Path(sys.argv[1]), "event")
journal = open(sys.argv[1] + "/journal", "a")
assert claimed(journal.fileno())
if os.fork() == 0:
    sys.stdin.read()
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""
"""takes a folder and a file and is killed; the child that it has forked begins no program before its stdin ends"""

ANOTHER = """
import sys
from pathlib import Path
from donuts_referee.records.lock import FolderLock, FolderTaken
try:
    FolderLock(Path(sys.argv[1]), "event")
except FolderTaken:
    print("taken")
"""


def python(text: str, folder: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-P", "-c", text, str(folder)],
        env=own_modules(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


@pytest.fixture
def killed(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A keeper that was killed, and whose child is there until what is its stdin is closed."""
    with python(KEEPER, tmp_path) as keeper:
        assert keeper.wait(120) == -9
        yield keeper


def test_a_folder_is_free_as_soon_as_who_kept_it_was_killed(tmp_path, killed) -> None:
    with (tmp_path / "journal").open("a") as file, pytest.raises(BlockingIOError):
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # so the child is there, with all that was open
    FolderLock(tmp_path, "event").close()


def test_what_the_child_of_the_killed_holds_is_waited_for(tmp_path, killed, monkeypatch) -> None:
    looks: list[float] = []

    def nap(seconds: float) -> None:
        looks.append(seconds)
        if len(looks) == 3:
            killed.communicate()  # until the child has ended, whose stdout it is

    monkeypatch.setattr(lock, "sleep", nap)
    with (tmp_path / "journal").open("a") as file:
        assert claimed(file.fileno())
    assert len(looks) == 3


def test_but_not_what_a_living_process_holds(tmp_path: Path, monkeypatch) -> None:
    looks: list[float] = []
    monkeypatch.setattr(lock, "sleep", looks.append)
    path = tmp_path / "journal"
    with path.open("a") as one, path.open("a") as other:
        assert claimed(one.fileno())
        assert not claimed(other.fileno())
    assert sum(looks) == pytest.approx(lock.LINGERING)


def test_a_folder_is_kept_from_other_processes_and_from_this_one(tmp_path: Path) -> None:
    kept = FolderLock(tmp_path, "event")
    for _ in range(2):  # to be refused lets go of nothing
        with pytest.raises(FolderTaken, match="an event that runs already"):
            FolderLock(tmp_path, "event")
        assert python(ANOTHER, tmp_path).communicate() == (b"taken\n", None)
    FolderLock(tmp_path, "arena").close()
    kept.close()
    kept.close()
    assert python(ANOTHER, tmp_path).communicate() == (b"", None)
    FolderLock(tmp_path, "event").close()


def test_a_file_that_cannot_be_locked_is_said_as_it_is(tmp_path: Path) -> None:
    fd = os.open(tmp_path / "file", os.O_CREAT | os.O_RDWR)
    os.close(fd)
    with pytest.raises(OSError, match="descriptor"):
        claimed(fd)
