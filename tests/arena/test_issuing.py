"""Seats are given out once, safely and privately, whatever is there already and wherever a run was cut short."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zmq

from donuts_protocol.invitation import Invitation, parse
from donuts_referee.arena import issuing
from donuts_referee.arena.issuing import Issued, IssuingFault, issue, join_file, renew, restore, revoke
from donuts_referee.arena.seats import SeatList, hashed
from donuts_referee.endpoints import Endpoint, parse_endpoint
from donuts_referee.files import FileFault

LOCAL = parse_endpoint("tcp://127.0.0.1:7464", binding=False)
REMOTE = parse_endpoint("tcp://arena.example:7464", binding=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "seats"


def invitation(folder: Path, name: str) -> Invitation:
    return parse(join_file(folder, name).read_text("utf-8"))


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_a_token_for_each_team(folder: Path) -> None:
    issued = issue(folder, ["alice", "bob.1"])
    assert issued == Issued(("alice", "bob.1"), (), (), LOCAL, None, False, ())
    alice, bob = invitation(folder, "alice"), invitation(folder, "bob.1")
    assert (alice.name, alice.endpoint, alice.server_key) == ("alice", LOCAL.text, None)
    assert alice.token and bob.token and alice.token != bob.token and len(alice.token) == 48
    seats = SeatList.load(folder)
    for each in (alice, bob):
        seat = seats.by_token(each.token or "")
        assert seat is not None and seat.name == each.name and seat.curve_key is None
    assert (seats.server_public, seats.endpoint) == (None, LOCAL.text)
    assert not (folder / "server.key").exists()


def test_only_hashes_are_kept(folder: Path) -> None:
    issue(folder, ["alice"])
    token = invitation(folder, "alice").token or ""
    kept = (folder / "seats.toml").read_text("utf-8")
    assert token not in kept and hashed(token) in kept


@pytest.mark.parametrize(("endpoint", "curve"), [(REMOTE, False), (LOCAL, True), (None, True)])
def test_keys_for_each_team(folder: Path, endpoint: Endpoint | None, curve: bool) -> None:
    issued = issue(folder, ["alice", "bob"], endpoint, curve=curve)
    assert issued.curve and issued.endpoint == (endpoint or LOCAL)
    seats = SeatList.load(folder)
    assert seats.server_public and seats.server_secret
    assert zmq.curve_public(seats.server_secret.encode()).decode() == seats.server_public
    for name in ("alice", "bob"):
        each = invitation(folder, name)
        assert each.token is None and each.server_key == seats.server_public and each.secret_key
        assert zmq.curve_public(each.secret_key.encode()).decode() == each.public_key
        seat = seats.by_key(each.public_key or "")
        assert seat is not None and seat.name == name and seat.token_sha256 is None
        assert each.secret_key not in (folder / "seats.toml").read_text("utf-8")


def test_again_adds_the_new_and_leaves_the_old(folder: Path) -> None:
    issue(folder, ["alice", "gone"])
    before = contents(folder)
    issued = issue(folder, ["bob", "alice"])
    assert (issued.new, issued.old, issued.absent) == (("bob",), ("alice",), ("gone",))
    after = contents(folder)
    assert {name: after[name] for name in before if name != "seats.toml"} == {
        name: text for name, text in before.items() if name != "seats.toml"
    }
    assert [seat.name for seat in SeatList.load(folder).seats] == ["alice", "gone", "bob"]


def test_the_same_roster_again_changes_nothing(folder: Path) -> None:
    for endpoint in (None, REMOTE):
        issue(folder, ["alice"], endpoint)
        before = contents(folder)
        issued = issue(folder, ["alice"])
        assert issued.new == () and contents(folder) == before


def test_a_join_file_that_was_sent_and_removed_is_not_made_again(folder: Path) -> None:
    issue(folder, ["alice"])
    join_file(folder, "alice").unlink()
    assert issue(folder, ["alice"]).new == ()
    assert not join_file(folder, "alice").exists()


def test_what_was_said_once_holds_the_next_time(folder: Path) -> None:
    issue(folder, ["alice"], REMOTE)
    issued = issue(folder, ["bob"])
    assert (issued.endpoint, issued.curve, issued.before) == (REMOTE, True, REMOTE.text)
    assert invitation(folder, "bob").server_key == invitation(folder, "alice").server_key
    socket = parse_endpoint("ipc:///tmp/arena.sock", binding=False)
    assert issue(folder, ["carl"], socket).curve is False
    assert invitation(folder, "carl").token is not None


def test_seats_with_a_token_only_are_named_when_keys_come(folder: Path) -> None:
    issue(folder, ["alice", "bob", "eve"])
    revoke(folder, "eve")
    assert issue(folder, ["carl"], REMOTE).keyless == ("alice", "bob")


def test_names_that_differ_by_case_only_are_refused_before_anything_is_written(folder: Path) -> None:
    issue(folder, ["Alpha"])
    before = contents(folder)
    with pytest.raises(IssuingFault, match="alpha: there is a seat Alpha"):
        issue(folder, ["bob", "alpha"])
    assert contents(folder) == before


def test_there_is_a_most_of_seats(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(issuing, "MOST_TEAMS", 2)
    issue(folder, ["a", "b"])
    with pytest.raises(IssuingFault, match="makes 3 seats; an arena has 2 at most"):
        issue(folder, ["c"])


def test_a_seat_is_taken_back_and_given_back(folder: Path) -> None:
    issue(folder, ["alice", "bob"])
    token = invitation(folder, "alice").token or ""
    loaded = SeatList.load(folder)
    assert revoke(folder, "alice") is True
    assert loaded.stale()
    seat = SeatList.load(folder).by_token(token)
    assert seat is not None and seat.revoked
    assert revoke(folder, "alice") is False
    assert issue(folder, ["bob"]).absent == ()
    assert restore(folder, "alice") is True
    seat = SeatList.load(folder).by_token(token)
    assert seat is not None and not seat.revoked
    assert restore(folder, "alice") is False


def test_a_new_join_file_makes_the_old_one_worthless(folder: Path) -> None:
    issue(folder, ["alice", "bob"])
    old, bob = invitation(folder, "alice"), invitation(folder, "bob")
    assert renew(folder, "alice") == Issued(("alice",), (), (), LOCAL, LOCAL.text, False, ())
    new = invitation(folder, "alice")
    seats = SeatList.load(folder)
    assert seats.by_token(old.token or "") is None
    assert seats.by_token(new.token or "") == seats.by_name("alice")
    assert seats.by_token(bob.token or "") == seats.by_name("bob")
    assert [seat.name for seat in seats.seats] == ["alice", "bob"]


def test_a_seat_can_be_renewed_with_keys_and_for_one_endpoint_only(folder: Path) -> None:
    issue(folder, ["alice"])
    assert renew(folder, "alice", REMOTE).curve
    seats = SeatList.load(folder)
    alice = seats.by_name("alice")
    assert alice is not None and alice.token_sha256 is None
    assert alice.curve_key == invitation(folder, "alice").public_key
    assert seats.endpoint == LOCAL.text


def test_a_revoked_seat_is_not_renewed(folder: Path) -> None:
    issue(folder, ["alice"])
    revoke(folder, "alice")
    before = contents(folder)
    with pytest.raises(IssuingFault, match="alice is revoked; --restore it first"):
        renew(folder, "alice")
    assert contents(folder) == before


@pytest.mark.parametrize("change", [revoke, restore, renew])
def test_a_seat_that_is_not_there_has_a_near_match(folder: Path, change: Callable[[Path, str], Any]) -> None:
    issue(folder, ["alice"])
    with pytest.raises(IssuingFault, match="no seat 'alic'; did you mean alice"):
        change(folder, "alic")
    with pytest.raises(IssuingFault, match=r"no seat '\.\./\\x1bx'; --list shows them"):
        change(folder, "../\x1bx")


@pytest.mark.parametrize("change", [revoke, restore, renew])
def test_a_folder_that_is_not_there_is_not_made(folder: Path, change: Callable[[Path, str], Any]) -> None:
    with pytest.raises(IssuingFault, match="no such folder"):
        change(folder, "alice")
    assert not folder.exists()


@pytest.mark.parametrize("endpoint", [LOCAL, REMOTE])
@pytest.mark.parametrize("writes", range(4))
def test_a_run_that_was_cut_short_is_carried_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch, writes: int, endpoint: Endpoint
) -> None:
    """However many files it wrote: the next run keeps every secret that is there and seats every team."""
    real = issuing.write_whole
    left = writes

    def write(path: Path, text: str) -> None:
        nonlocal left
        if left == 0:
            raise FileFault(f"{path}: not written: no space left on device")
        left -= 1
        real(path, text)

    names = ["a", "b"] if endpoint is REMOTE else ["a", "b", "c"]
    with monkeypatch.context() as patch:
        patch.setattr(issuing, "write_whole", write)
        with pytest.raises(IssuingFault, match="no space left"):
            issue(folder, names, endpoint)
    there = {name: text for name, text in contents(folder).items() if name != "seats.toml"}
    assert len(there) == writes + 1  # and the lock
    assert issue(folder, names, endpoint).new == tuple(names)
    after = contents(folder)
    assert {name: after[name] for name in there} == there
    seats = SeatList.load(folder)
    for name in names:
        each = invitation(folder, name)
        seat = seats.by_key(each.public_key) if each.public_key else seats.by_token(each.token or "")
        assert seat is not None and seat.name == name
        assert each.server_key == seats.server_public


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\udcff",
        'endpoint = "tcp://127.0.0.1:7464"\nname = "a"\n',
        'endpoint = "tcp://127.0.0.1:7464"\nname = "b"\ntoken = "x"\n',
        'endpoint = "tcp://127.0.0.1:1"\nname = "a"\ntoken = "x"\n',
    ],
)
def test_a_strange_file_in_the_place_of_a_join_file_is_left_alone(folder: Path, text: str) -> None:
    folder.mkdir(mode=0o700)
    join_file(folder, "a").write_text(text, errors="surrogateescape")
    join_file(folder, "a").chmod(0o600)
    before = contents(folder)
    with pytest.raises(IssuingFault, match=r"there already.*a\.join\.toml; move them away"):
        issue(folder, ["a"])
    assert {**contents(folder), ".lock": b""} == {**before, ".lock": b""}


def test_a_join_file_that_others_could_read_gives_no_seat(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    join_file(folder, "a").write_text(f'endpoint = "{LOCAL.text}"\nname = "a"\ntoken = "x"\n')
    join_file(folder, "a").chmod(0o644)
    with pytest.raises(IssuingFault, match="chmod 600"):
        issue(folder, ["a"])


def test_a_copied_join_file_gives_no_second_seat(folder: Path) -> None:
    issue(folder, ["a"])
    text = join_file(folder, "a").read_text("utf-8").replace('"a"', '"b"')
    join_file(folder, "b").write_text(text)
    join_file(folder, "b").chmod(0o600)
    with pytest.raises(IssuingFault, match="the list has no seats for them"):
        issue(folder, ["b"])


def test_a_server_key_that_is_none_is_refused(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / "server.key").write_text("secret!")
    (folder / "server.key").chmod(0o600)
    with pytest.raises(IssuingFault, match=r"server\.key: holds no key") as caught:
        issue(folder, ["a"], REMOTE)
    assert "secret!" not in str(caught.value)


def test_without_pyzmq_tokens_are_made_and_keys_are_one_clear_line(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "zmq", None)
    assert issue(folder, ["a"]).new == ("a",)
    before = contents(folder)
    with pytest.raises(IssuingFault) as caught:
        issue(folder, ["b"], REMOTE)
    assert str(caught.value) == "pyzmq is not installed: pip install pyzmq"
    assert contents(folder) == before


def test_nothing_but_making_keys_imports_pyzmq() -> None:
    code = (
        "import sys; from donuts_referee.cli import arena_seats; from donuts_referee.arena import config; "
        "sys.exit('zmq' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
