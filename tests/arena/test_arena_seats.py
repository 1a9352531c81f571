"""`donuts arena seats` as an operator meets it: what it says, what it never says, and its exit codes."""

import argparse
import sys
import tomllib
from pathlib import Path

import pytest

from donuts_protocol.invitation import parse
from donuts_referee.arena.config import read_config
from donuts_referee.arena.seats import SeatList
from donuts_referee.cli import arena_seats
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.parser import Parser


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("teams.csv").write_text("team,city\nalice,X\nbob,Y\n")


def parsed(*words: str) -> argparse.Namespace:
    parser = Parser(prog="donuts arena")
    arena_seats.add_parser(parser.add_subparsers(required=True))
    return parser.parse_args(["seats", *words])


def seats(*words: str) -> int:
    args = parsed(*words)
    assert args.act is arena_seats.run
    return arena_seats.run(args)


def fault(*words: str) -> str:
    with pytest.raises(UsageFault) as caught:
        seats(*words)
    said = str(caught.value)
    assert said.isprintable()
    return said


def secrets_of(*names: str) -> list[str]:
    invitations = [parse(Path("seats", f"{name}.join.toml").read_text("utf-8")) for name in names]
    return [text for each in invitations for text in (each.token, each.secret_key) if text is not None]


def test_what_the_operator_reads_after_tokens_were_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert seats("--roster", "teams.csv", "--out", "seats") == 0
    said = capsys.readouterr().out
    assert said.startswith(
        "wrote seats/alice.join.toml\nwrote seats/bob.join.toml\n2 seats made (tokens for tcp://"
    )
    assert "the list is seats/seats.toml" in said
    assert "Send each team its own file" in said
    assert "donuts join tcp://127.0.0.1:7464 --seat-file alice.join.toml -- ./mybot" in said
    assert not any(secret in said for secret in secrets_of("alice", "bob"))


@pytest.mark.parametrize("endpoint", [None, "tcp://arena.example:7464", "tcp://[::1]:99", "ipc://run/a.sock"])
def test_the_lines_for_arena_toml_can_be_used_as_they_are(
    capsys: pytest.CaptureFixture[str], endpoint: str | None
) -> None:
    out = 'my "seats" ü'
    seats("--roster", "teams.csv", "--out", out, *(("--endpoint", endpoint) if endpoint else ()))
    said = capsys.readouterr().out.splitlines()
    first = said.index("       [arena]")
    Path("arena.toml").write_text("\n".join(said[first : first + 3]), "utf-8")
    assert tomllib.loads(Path("arena.toml").read_text("utf-8"))["arena"]["seats"] == out
    config = read_config(Path("arena.toml"))
    assert config.seats == Path.cwd() / out
    dialled = parse(Path(out, "alice.join.toml").read_text("utf-8")).endpoint
    listens = config.endpoints[0].text
    assert listens == ("tcp://*:7464" if endpoint == "tcp://arena.example:7464" else dialled)
    assert dialled == (
        f"ipc://{Path.cwd()}/run/a.sock" if endpoint == "ipc://run/a.sock" else endpoint or listens
    )


def test_what_the_operator_reads_the_second_time(capsys: pytest.CaptureFixture[str]) -> None:
    seats("--roster", "teams.csv", "--out", "seats")
    Path("teams.csv").write_text("name\nbob\ncarl\n")
    capsys.readouterr()
    seats("--roster", "teams.csv", "--out", "seats", "--endpoint", "tcp://arena.example:7464")
    said = capsys.readouterr().out
    assert "wrote seats/carl.join.toml\n1 seat made, 1 kept (CURVE keys for tcp://arena.example:7464)" in said
    assert "bob.join.toml" not in said
    assert "not in the roster, but still seated: alice; --revoke NAME" in said
    assert "join files of before name tcp://127.0.0.1:7464; --renew NAME" in said
    assert "a token only, good for local endpoints: alice, bob;" in said
    assert not any(secret in said for secret in secrets_of("alice", "bob", "carl"))


def test_nothing_new_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(2):
        capsys.readouterr()
        seats("--roster", "teams.csv", "--out", "seats")
    said = capsys.readouterr().out
    assert said == "0 seats made, 2 kept (tokens for tcp://127.0.0.1:7464); the list is seats/seats.toml\n"


def test_many_names_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    Path("teams.csv").write_text("name\n" + "".join(f"t{number}\n" for number in range(30)))
    seats("--roster", "teams.csv", "--out", "seats")
    Path("teams.csv").write_text("name\nt0\n")
    capsys.readouterr()
    seats("--roster", "teams.csv", "--out", "seats")
    assert "t10 and 19 more; --revoke" in capsys.readouterr().out


def test_a_seat_is_taken_given_back_renewed_and_listed(capsys: pytest.CaptureFixture[str]) -> None:
    seats("--roster", "teams.csv", "--out", "seats")
    old = secrets_of("alice")
    capsys.readouterr()
    said = []
    for words in (
        ("--revoke", "alice"),
        ("--revoke", "alice"),
        ("--list",),
        ("--restore", "alice"),
        ("--restore", "alice"),
        ("--renew", "alice", "--curve"),
    ):
        assert seats(*words, "--out", "seats") == 0
        said.append(capsys.readouterr().out)
    assert said[0] == "alice is revoked; an arena that runs sees it by itself\n"
    assert said[1] == "alice was revoked already\n"
    assert said[2] == (
        "alice  token      revoked\n"
        "bob    token      may sit down\n"
        "2 seats, 1 revoked, join files name tcp://127.0.0.1:7464\n"
    )
    assert said[3] == "alice has its seat again; an arena that runs sees it by itself\n"
    assert said[4] == "alice has its seat, it was not revoked\n"
    assert said[5].startswith("wrote seats/alice.join.toml (CURVE keys for tcp://127.0.0.1:7464)\n")
    assert "nobody else" in said[5]
    assert not any(secret in text for secret in old + secrets_of("alice") for text in said)
    Path("seats/bob.join.toml").unlink()
    seats("--list", "--out", "seats")
    assert "bob    token      may sit down  (its join file is not here)\n" in capsys.readouterr().out
    assert SeatList.load(Path("seats")).server_public is not None


@pytest.mark.parametrize(
    ("words", "right"),
    [
        (("--roster", "none.csv", "--out", "seats"), "none.csv: no such file"),
        (("--roster", "teams.csv", "--out", "teams.csv"), "teams.csv: is no folder"),
        (("--roster", "teams.csv", "--out", "a\x1b[31m"), "--out 'a\\x1b[31m'"),
        (("--roster", "teams.csv", "--out", "seats", "--endpoint", "tcp://*:1"), "--endpoint: 'tcp://*:1'"),
        (("--roster", "teams.csv", "--out", "seats", "--endpoint", "udp://x"), "tcp and ipc only"),
        (("--list", "--out", "seats"), "seats: no such folder"),
        (("--revoke", "alice", "--out", "seats"), "seats: no such folder"),
        (("--list", "--out", "seats", "--curve"), "--endpoint and --curve go with --roster or --renew"),
        (("--revoke", "a", "--out", "seats", "--endpoint", "ipc://x"), "go with --roster or --renew"),
        (("--list",), "the following arguments are required: --out"),
        (("--out", "seats"), "one of the arguments --roster --revoke"),
        (("--list", "--revoke", "a", "--out", "seats"), "not allowed with argument --list"),
    ],
)
def test_a_fault_is_one_line_and_nothing_is_made(words: tuple[str, ...], right: str) -> None:
    assert right in fault(*words)
    assert not Path("seats").exists()


def test_a_faulty_roster_makes_nothing() -> None:
    Path("teams.csv").write_text("name\n..\nA\na\n")
    said = fault("--roster", "teams.csv", "--out", "seats")
    assert "line 2: '..'" in said and "line 4: a is in line 3 already" in said
    assert not Path("seats").exists()


def test_without_pyzmq_keys_are_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zmq", None)
    said = fault("--roster", "teams.csv", "--out", "seats", "--curve")
    assert said == "pyzmq is not installed: pip install pyzmq"
