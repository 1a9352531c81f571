"""Standings: what a journal comes to, how it is shown, and the command as a process of its own."""

import json
import os
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from donuts_referee.arena.ladder import Ladder, Outcome, RowKey
from donuts_referee.arena.standings import (
    NAME_WIDTH,
    VERSION_WIDTH,
    Standings,
    outcome_of,
    read_standings,
    report,
    table,
)
from donuts_referee.records.faults import BadLine, ReadFault
from donuts_referee.records.journal import Journal
from donuts_referee.records.record import Record, encode
from donuts_referee.table.finished import FinishedGame, Verdict
from records.played import played, side

MATCH = "20260104-101500-000000-0badcafe"


def game(x: str, o: str, winner: str = "x", **verdict: object) -> FinishedGame:
    """A finished game of two bots, each `seat` or `seat/ver`."""
    import msgspec

    told = Verdict(winner=winner, why="row", text="five in a row", **verdict)  # type: ignore[arg-type]
    return msgspec.structs.replace(played(1, x=player(x), o=player(o)), verdict=told)


def player(word: str):
    seat, _, ver = word.partition("/")
    return side(seat, ver=ver or None)


@pytest.fixture
def keep(tmp_path: Path):
    """Write games into the journal of `tmp_path`; returns its path."""

    def write(*games: FinishedGame) -> Path:
        path = tmp_path / "journal.jsonl"
        with Journal(path) as journal:
            for one in games:
                journal.append(Record.of(one, MATCH))
        return path

    return write


def shown_rows(text: str) -> list[list[str]]:
    return [line.split() for line in text.split("\n\n")[0].splitlines()[1:]]


# --- the fold ---


def test_a_journal_is_folded_in_its_order(keep) -> None:
    games = [game("a/1", "b", "x"), game("b", "a/2", "-"), game("a/2", "c/9", "o", fault="x")]
    told = read_standings(keep(*games, game("a/2", "b", "-", void=True, fault="o")))
    assert (told.games, told.voids, told.torn) == (4, 1, ())
    expected = Ladder()
    a1, a2, b, c = RowKey("a", "1"), RowKey("a", "2"), RowKey("b"), RowKey("c", "9")
    for one in (
        Outcome(a1, b, "x"),
        Outcome(b, a2, "-"),
        Outcome(a2, c, "o", fault="x"),
        Outcome(a2, b, "-", void=True),
    ):
        expected.count(one)
    assert told.ladder.standings() == expected.standings()
    assert told.ladder.row(a2).faults == 1 and told.ladder.row(b).faults == 0


def test_a_server_that_folds_its_journal_goes_on_as_if_it_had_never_stopped(keep) -> None:
    games = [game("a/1", "b", "x"), game("b", "c", "x"), game("c", "a/2", "-"), game("a/2", "b", "o")]
    live = Ladder()
    for one in games:
        live.count(outcome_of(live, one))
    restarted = read_standings(keep(*games[:2])).ladder
    for one in games[2:]:
        restarted.count(outcome_of(restarted, one))
    assert restarted.standings() == live.standings()


def test_a_bot_that_never_said_hello_is_counted_under_its_latest_version(keep) -> None:
    import msgspec

    silent = side("a", name=None, ver=None)
    crashed = msgspec.structs.replace(game("a", "b", "o", fault="x"), x=silent)
    told = read_standings(keep(game("a/7", "b"), crashed))
    assert [row.key for row in told.ladder.standings() if row.key.seat == "a"] == [RowKey("a", "7")]
    assert told.ladder.row(RowKey("a", "7")).faults == 1
    unversioned = read_standings(keep(game("a", "b")))
    assert unversioned.ladder.row(RowKey("a")).games == 1  # it said hello and named none


def test_torn_games_are_skipped_and_told(keep) -> None:
    path = keep(game("a", "b"))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:100])
    told = read_standings(path)
    assert told.games == 1 and [one.size for one in told.torn] == [100]
    keep(game("b", "a"))  # the next writer seals the torn line
    told = read_standings(path)
    assert told.games == 2 and len(told.torn) == 1


def test_what_is_no_journal_is_a_fault(tmp_path: Path) -> None:
    with pytest.raises(ReadFault):
        read_standings(tmp_path / "none.jsonl")
    (tmp_path / "bad.jsonl").write_text("{}\n")
    with pytest.raises(BadLine):
        read_standings(tmp_path / "bad.jsonl")


# --- the table ---


def standings(*outcomes: Outcome) -> Standings:
    ladder = Ladder()
    for one in outcomes:
        ladder.count(one)
    return Standings(ladder=ladder, games=len(outcomes), voids=sum(one.void for one in outcomes), torn=())


def test_the_table_tells_each_row() -> None:
    a, b, c = RowKey("a", "1.2"), RowKey("b"), RowKey("c")
    text = table(
        standings(
            *[Outcome(a, b, "x"), Outcome(b, a, "x", fault="o")] * 30,
            Outcome(a, b, "-"),
            Outcome(c, b, "o", void=True),
        )
    )
    lines = text.splitlines()
    assert lines[0].split() == (
        [
            "rank",
            "bot",
            "version",
            "rating",
            "+-",
            "games",
            "won",
            "drawn",
            "lost",
            "score",
            "%",
            "faults",
            "void",
        ]
    )
    first, second = sorted(shown_rows(text), key=lambda row: row[1])
    assert first[1:3] == ["a", "1.2"] and first[5:] == ["61", "30", "1", "30", "50.0", "30", "0"]
    assert second[1:3] == ["b", "-"] and second[5:] == ["61", "30", "1", "30", "50.0", "0", "1"]
    assert "?" not in text
    assert lines[-1].startswith("62 games, 1 of them void; ")


def test_provisional_rows_are_marked_and_explained() -> None:
    text = table(standings(Outcome(RowKey("a"), RowKey("b"), "x")))
    assert all(row[3].endswith("?") for row in shown_rows(text))
    assert text.splitlines()[-1].startswith("? provisional: fewer than 30 games")
    assert text.splitlines()[-2].startswith("1 game; ")


def test_a_ladder_without_a_game_says_so() -> None:
    assert table(standings()) == "no game has counted yet (0 games)\n"
    void = Outcome(RowKey("a"), RowKey("b"), "-", void=True)
    assert table(standings(void)) == "no game has counted yet (1 game, 1 of them void)\n"


NASTY = [
    "\x1b[31mred\x1b[0m",
    "two\nlines",
    "rtl\u202eevil",
    "back\\slash",
    "日本語の名前のボット",
    "e\u0301galite\u0301",
    "🍩",
    "x" * 500,
    "日" * 500,
    "\x1b" * 500,
    "\udcff",
    "",
]


def columns(text: str) -> int:
    """Columns on a terminal, by another rule than the one tested: a wide character is written as two."""
    wide = "".join(c * 2 if unicodedata.east_asian_width(c) in "WF" else c for c in text)
    return len([c for c in wide if not unicodedata.combining(c)])


def test_two_hundred_rows_with_odd_names_are_aligned_and_harmless() -> None:
    keys = [RowKey(name, name) for name in NASTY]
    keys += [RowKey(f"team{number}", f"0.{number}") for number in range(200 - len(keys))]
    text = table(standings(*[Outcome(one, other, "x") for one in keys[:3] for other in keys if one != other]))
    assert text.count("\n") == 200 + 4
    assert all(c.isprintable() for c in text.replace("\n", ""))
    rows = text.split("\n\n")[0].splitlines()
    ends = {columns(row) for row in rows}
    assert len(ends) == 1 and ends.pop() <= NAME_WIDTH + VERSION_WIDTH + 80
    assert [int(row.split()[0]) for row in rows[1:]] == list(range(1, 201))
    for whole in (r"\x1b[31mred\x1b[0m", r"two\x0alines", r"rtl\u202eevil", "日本語の名前のボット"):
        assert whole in text
    assert "x" * 37 + "..." in text and "x" * 38 not in text


def test_the_report_holds_names_as_they_are() -> None:
    told = report(standings(Outcome(RowKey("\x1b", "1"), RowKey("b"), "x")), Path("j"))
    first, second = told.rows
    assert (first.rank, first.bot, first.version, first.wins, first.score) == (1, "\x1b", "1", 1, 1.0)
    assert (second.rank, second.version, second.losses, second.provisional) == (2, None, 1, True)
    assert first.rating + second.rating == pytest.approx(3000)


# --- the command ---


def standings_of(*words: object, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "donuts_referee", "standings", *map(str, words)],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_prints_a_table_of_a_directory_or_of_a_journal(keep, tmp_path: Path) -> None:
    path = keep(*[game("a/1", "b/1")] * 3)
    of_directory = standings_of(tmp_path, cwd=tmp_path)
    assert (of_directory.returncode, of_directory.stderr) == (0, "")
    assert [row[1] for row in shown_rows(of_directory.stdout)] == ["a", "b"]
    assert standings_of(path.name, cwd=tmp_path).stdout == of_directory.stdout


def test_the_command_prints_one_object(keep, tmp_path: Path) -> None:
    keep(game("a/1", "\x1bé\u202e"), game("a/1", "c", "-", void=True))
    ran = standings_of(".", "--json", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert ran.returncode == 0 and ran.stdout.count("\n") == 1 and ran.stdout.isascii()
    told = json.loads(ran.stdout)
    assert (told["journal"], told["games"], told["voids"], told["torn"]) == ("journal.jsonl", 2, 1, 0)
    assert [row["bot"] for row in told["rows"]] == ["a", "\x1bé\u202e"]
    keys = "rank bot version rating deviation provisional games wins draws losses score faults voids"
    assert " ".join(told["rows"][0]) == keys


def test_the_command_tells_of_unfinished_games_and_survives_a_narrow_encoding(keep, tmp_path: Path) -> None:
    path = keep(game("é", "b"))
    with path.open("ab") as file:
        file.write(encode(Record.of(game("a", "b"), MATCH))[:50])
    ran = standings_of(path, cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert ran.returncode == 0 and r"\xe9" in ran.stdout
    assert ran.stderr.count("\n") == 1 and ":2: a game that was never finished (50 bytes)" in ran.stderr


def test_a_ladder_that_has_just_begun_is_no_fault(tmp_path: Path) -> None:
    (tmp_path / "journal.jsonl").touch()
    ran = standings_of(".", cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "no game has counted yet (0 games)\n", "")
    assert json.loads(standings_of(".", "--json", cwd=tmp_path).stdout)["rows"] == []


@pytest.mark.parametrize(
    ("word", "says"),
    [
        ("nowhere", "there is no nowhere"),
        ("empty", "empty holds no journal.jsonl"),
        ("games.pgn", "games.pgn is a PGN file"),
        ("n" * 5000, "file name too long"),
        ("bad.jsonl", "bad.jsonl:1: not a record of a game"),
        ("\x1b[31m", r"there is no \x1b[31m"),
    ],
)
def test_what_cannot_be_read_is_one_line(word: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "games.pgn").touch()
    (tmp_path / "bad.jsonl").write_text("[]\n")
    ran = standings_of(word, cwd=tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1)
    assert says in ran.stderr and ran.stderr.rstrip("\n").isprintable()


def test_without_openskill_the_command_says_how_to_get_it(keep, tmp_path: Path) -> None:
    keep(game("a", "b"))
    script = (
        "import sys; sys.modules['openskill.models'] = None\n"
        "from donuts_referee.cli.main import main; sys.exit(main(['standings', '.']))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "donuts: openskill is not installed: pip install openskill\n"


def test_the_help_tells_the_scale_and_the_mark(tmp_path: Path) -> None:
    ran = standings_of("--help", cwd=tmp_path)
    assert ran.returncode == 0
    for word in ("1500", "ten to one", "95 %", "provisional", "fewer than 30 games", "exit codes"):
        assert word in ran.stdout
