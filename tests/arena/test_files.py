"""The folder of seats is private, changed by one at a time, and whole at any moment."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from donuts_protocol.invitation import Invitation, parse
from donuts_referee.arena.issuing import IssuingFault, issue, join_file, revoke
from donuts_referee.arena.seats import SeatList
from donuts_referee.endpoints import parse_endpoint
from donuts_referee.files import locked

REMOTE = parse_endpoint("tcp://arena.example:7464", binding=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "seats"


def invitation(folder: Path, name: str) -> Invitation:
    return parse(join_file(folder, name).read_text("utf-8"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("mask", [0, 0o077])
def test_everything_is_private_from_the_first_byte(
    folder: Path, mask: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the umask: os.open makes the file with its mode before a byte is in it."""
    modes: list[int] = []
    real = os.fsync

    def fsync(descriptor: int) -> None:
        modes.append(os.fstat(descriptor).st_mode & 0o777)
        real(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    before = os.umask(mask)
    try:
        issue(folder, ["alice"], REMOTE)
    finally:
        os.umask(before)
    assert set(modes) == {0o600, 0o700}
    assert folder.stat().st_mode & 0o777 == 0o700
    names = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert names == dict.fromkeys((".lock", "alice.join.toml", "seats.toml", "server.key"), 0o600)


def test_a_failed_write_leaves_the_file_before(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    issue(folder, ["alice"])
    before = contents(folder)

    def fsync(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(IssuingFault, match="not written: no space left on device"):
        revoke(folder, "alice")
    assert contents(folder) == before


def test_a_folder_that_others_may_enter_is_refused(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    with pytest.raises(IssuingFault, match="chmod 700"):
        issue(folder, ["a"])
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for name, right in (("file", "no folder"), ("file/x", "can be made"), ("x" * 300, "can be made")):
        with pytest.raises(IssuingFault, match=right):
            issue(tmp_path / name, ["a"])


@pytest.mark.parametrize("lock", ["link", "folder"])
def test_a_lock_that_is_something_else_is_refused(folder: Path, lock: str) -> None:
    folder.mkdir(mode=0o700)
    target = folder.parent / "elsewhere"
    if lock == "link":
        (folder / ".lock").symlink_to(target)
    else:
        (folder / ".lock").mkdir()
    with pytest.raises(IssuingFault, match=r"\.lock: "):
        issue(folder, ["a"])
    assert not target.exists()


def test_two_runs_at_the_same_time_lose_no_seat(folder: Path) -> None:
    """Each of many processes adds teams of its own and one that all of them want."""
    code = (
        "import sys; from pathlib import Path; from donuts_referee.arena.issuing import issue, revoke\n"
        "folder, me = Path(sys.argv[1]), sys.argv[2]\n"
        "sys.stdin.read()\n"
        "for number in range(8): issue(folder, ['all', f'{me}-{number}'])\n"
        "revoke(folder, f'{me}-0')\n"
    )
    runs = [
        subprocess.Popen([sys.executable, "-c", code, str(folder), me], stdin=subprocess.PIPE)
        for me in "abcd"
    ]
    for run in runs:
        assert run.stdin is not None
        run.stdin.close()
    assert [run.wait(60) for run in runs] == [0] * 4
    seats = SeatList.load(folder)
    assert {seat.name for seat in seats.seats} == {"all"} | {f"{me}-{n}" for me in "abcd" for n in range(8)}
    assert {seat.name for seat in seats.seats if seat.revoked} == {f"{me}-0" for me in "abcd"}
    for seat in seats.seats:
        assert seats.by_token(invitation(folder, seat.name).token or "") is seat


def test_a_second_writer_waits_for_the_first(folder: Path) -> None:
    issue(folder, ["a"])
    code = (
        "import sys; from pathlib import Path; from donuts_referee.arena.issuing import revoke\n"
        "print('here', flush=True); revoke(Path(sys.argv[1]), 'a'); print('done', flush=True)\n"
    )
    with locked(folder):
        run = subprocess.Popen([sys.executable, "-c", code, str(folder)], stdout=subprocess.PIPE, text=True)
        assert run.stdout is not None
        assert run.stdout.readline() == "here\n"
        seat = SeatList.load(folder).by_name("a")
        assert seat is not None and not seat.revoked
    assert run.stdout.readline() == "done\n"
    run.stdout.close()
    assert run.wait(60) == 0
    seat = SeatList.load(folder).by_name("a")
    assert seat is not None and seat.revoked


def test_a_reader_sees_a_whole_list_at_any_moment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list changes by a rename: before it the old one is there, after it the new one."""
    issue(folder, ["a"])
    seen: list[bool] = []
    real = Path.replace

    def replace(self: Path, target: Path) -> Path:
        for turn in (False, True):
            if turn:
                real(self, target)
            seat = SeatList.load(folder).by_name("a")
            assert seat is not None
            seen.append(seat.revoked)
        return target

    monkeypatch.setattr(Path, "replace", replace)
    revoke(folder, "a")
    assert seen == [False, True]
