"""`donuts standings`, `crosstable` and `compare` on the folder of an event and on a plain journal."""

import contextlib
import csv
import io
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform != "win32":
    import fcntl
    import pty
    import termios

from competition.kept_event import described, simulate
from donuts_referee.cli.fault import ExitCode
from donuts_referee.cli.main import main
from donuts_referee.contest import JOURNAL
from donuts_referee.records.journal import Journal
from donuts_referee.records.record import Record
from donuts_referee.web.export import export
from records.played import played, side

BOTS = ("ann", "bob", "cyd")
NO_NUMPY = "numpy is not installed: pip install 'donuts-arena[tournament]', or in a clone pip install '.[tournament]'"
WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None
from donuts_referee.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return simulate(tmp_path_factory.mktemp("event") / "spring", described(BOTS))


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    with Journal(tmp_path / JOURNAL) as journal:
        for number, (x, o) in enumerate((("a", "b"), ("b", "a"), ("a", "c")), 1):
            game = played(number, number=number, x=side(x), o=side(o))
            journal.append(Record.of(game, "20260104-101500-000000-0badcafe"))
    return tmp_path


class Said:
    """Runs a command and keeps what it printed."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self._capsys = capsys

    def __call__(self, *words: object) -> str:
        assert main([str(word) for word in words]) == ExitCode.OK
        return self._capsys.readouterr().out

    def fault(self, *words: object) -> str:
        assert main([str(word) for word in words]) == ExitCode.USAGE
        told = self._capsys.readouterr()
        assert told.out == "" and told.err.count("\n") == 1
        return told.err


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]) -> Said:
    return Said(capsys)


def test_the_standings_of_an_event(said: Said, event: Path) -> None:
    lines = said("standings", event).splitlines()
    assert lines[0].split()[:2] == ["place", "bot"] and "rating" in lines[0]
    assert sorted(line.split()[1] for line in lines[1:4]) == list(BOTS)
    told = json.loads(said("standings", event, "--json"))
    assert [row["bot"] for row in told["rows"]] == [line.split()[1] for line in lines[1:4]]
    assert told["encounters"] == 3 and told["name"] == "spring cup"
    read = list(csv.DictReader(io.StringIO(said("standings", event, "--csv"))))
    assert [row["points"] for row in read] == [f"{row['points']:g}" for row in told["rows"]]


def test_the_standings_of_a_plain_journal_are_the_ladder(said: Said, plain: Path, event: Path) -> None:
    assert said("standings", plain).startswith("rank  bot")
    assert "--csv is for events" in said.fault("standings", plain, "--csv")
    # the journal of an event is a journal like any other
    assert said("standings", event / JOURNAL).startswith("rank  bot")


def test_a_site_of_either(said: Said, event: Path, plain: Path, tmp_path: Path) -> None:
    for at, where in enumerate((event, plain, plain / JOURNAL)):
        out = tmp_path / f"site{at}"
        assert said("standings", where, "--html", out) == f"{out / 'index.html'}\n"
        assert (out / "index.html").read_text().startswith("<!")
    other = tmp_path / "games.jsonl"
    other.write_bytes((plain / JOURNAL).read_bytes())
    assert "name" in said.fault("standings", other, "--html", tmp_path / "none")
    (tmp_path / "file").touch()
    assert "cannot write" in said.fault("standings", event, "--html", tmp_path / "file" / "site")


def test_one_form_at_a_time(said: Said, event: Path) -> None:
    assert "not allowed with" in said.fault("standings", event, "--json", "--csv")


def test_the_crosstable_of_either(said: Said, event: Path, plain: Path) -> None:
    lines = said("crosstable", event).splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["#", "1", "2", "3"]
    told = json.loads(said("crosstable", event, "--json"))
    assert sum(row["points"] for row in told["rows"]) == 6
    assert len(list(csv.reader(io.StringIO(said("crosstable", event, "--csv"))))) == 1 + 6
    assert {row["bot"] for row in json.loads(said("crosstable", plain, "--json"))["rows"]} == {"a", "b", "c"}


def test_a_comparison_in_either(said: Said, event: Path, plain: Path) -> None:
    assert said("compare", event, "ann", "bob").startswith("ann against bob: ")
    told = json.loads(said("compare", event, "bob", "ann", "--json"))
    assert told["bot"] == "bob" and told["games"] == 2 and sum(told["counts"]) == 1
    assert [test["scale"] for test in told["tests"]] == ["logistic", "normalized"]
    alone = json.loads(said("compare", plain, "a", "c", "--json"))
    assert alone["alone"] == 1 and alone["joint"] is not None
    assert "they have not met" in said("compare", plain, "b", "c")


def test_faults_are_one_line_with_a_remedy(said: Said, event: Path, tmp_path: Path) -> None:
    assert "did you mean ann?" in said.fault("compare", event, "anm", "bob")
    assert "there are " in said.fault("compare", event, "\x1b[31m", "bob")
    assert "named twice" in said.fault("compare", event, "bob", "bob")
    for command in ("standings", "crosstable"):
        assert "holds no journal.jsonl; name" in said.fault(command, tmp_path)
        assert "there is no" in said.fault(command, tmp_path / "none")
        (tmp_path / "x.pgn").touch()
        assert "is a PGN file" in said.fault(command, tmp_path / "x.pgn")


def test_an_event_file_or_a_zip_file_in_the_place_of_records_is_refused_with_these(
    said: Said, event: Path, tmp_path: Path
) -> None:
    file = tmp_path / "cup.toml"
    file.write_text('name = "cup"\n')
    commands = (("standings",), ("crosstable",), ("compare", "a", "b"), ("export", "x.zip"), ("verify",))
    for words in (*commands, ("standings", "--html", tmp_path / "site")):
        told = said.fault(words[0], file, *words[1:])
        assert f"cup.toml is an event file; its records are in {tmp_path / 'cup-records'}: name that" in told
    file.write_text('records = "kept/here"\n')
    assert f"in {tmp_path / 'kept' / 'here'}: name that" in said.fault("standings", file)
    for text in ("records = 3\n", "no toml\n"):
        file.write_text(text)
        assert "is an event file; its records are in" in said.fault("standings", file)
    (tmp_path / "event.zip").write_bytes(b"PK")
    for words in (("standings",), ("crosstable",), ("compare", "a", "b")):
        assert "is a zip file, which `donuts verify` checks; unpack it and name" in said.fault(
            words[0], tmp_path / "event.zip", *words[1:]
        )


def test_a_journal_that_was_edited_is_named_with_its_line(said: Said, event: Path, tmp_path: Path) -> None:
    for file in event.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    lines = (tmp_path / JOURNAL).read_bytes().splitlines(keepends=True)
    assert b"five" in lines[1]
    (tmp_path / JOURNAL).write_bytes(b"".join([lines[0], lines[1].replace(b"five", b"FIVE", 1), *lines[2:]]))
    for words in (("standings",), ("crosstable",), ("compare", "ann", "bob")):
        assert f"{JOURNAL}:2" in said.fault(words[0], tmp_path, *words[1:])


def test_a_game_never_finished_is_told_on_stderr(plain: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (plain / JOURNAL).open("ab") as file:
        file.write(b'{"format":1,')
    assert main(["crosstable", str(plain)]) == ExitCode.OK
    assert f"{JOURNAL}:4: a game that was never finished (12 bytes), skipped" in capsys.readouterr().err


def test_without_numpy_one_line_says_what_to_install(
    said: Said, event: Path, plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    for words in (
        ("standings", event),
        ("crosstable", plain),
        ("compare", plain, "a", "b"),
        ("standings", event, "--html", tmp_path / "site"),
        ("export", event, tmp_path / "event.zip"),
    ):
        assert NO_NUMPY in said.fault(*words)
    assert said("standings", plain).startswith("rank")  # which needs none


def test_without_numpy_verify_says_so_where_it_needs_it(event: Path, tmp_path: Path) -> None:
    """In a process of its own, in which nothing has been imported yet."""
    export(event, tmp_path / "event.zip")
    for where, code, told in ((tmp_path / "event.zip", ExitCode.USAGE, NO_NUMPY), (event, ExitCode.OK, "")):
        done = subprocess.run(
            [sys.executable, "-c", WITHOUT_NUMPY, "verify", str(where)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr.strip().removeprefix("donuts: ")) == (code, told)


def at_a_terminal(columns: int, *words: object) -> str:
    """What a command prints on a terminal of so many columns."""
    master, slave = pty.openpty()
    with os.fdopen(master, "rb", buffering=0) as screen:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        env = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        with subprocess.Popen(
            [sys.executable, "-m", "donuts_referee", *map(str, words)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=env,
        ):
            os.close(slave)
            shown = b""
            with contextlib.suppress(OSError):  # Linux's end of a terminal
                while data := screen.read(65536):
                    shown += data
    return shown.decode().replace("\r\n", "\n")


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal of Unix")
def test_tables_fit_the_terminal_that_they_are_printed_on(said: Said, event: Path) -> None:
    for words in (("standings",), ("compare", "ann", "bob")):
        piped, wide, narrow = (
            said(words[0], event, *words[1:]),
            at_a_terminal(300, words[0], event, *words[1:]),
            at_a_terminal(60, words[0], event, *words[1:]),
        )
        assert wide == piped
        assert max(map(len, narrow.splitlines())) <= 60 < max(map(len, piped.splitlines()))
