"""`donuts play` from end to end: what it shows, what it keeps, and the code it ends with."""

import json
import os
import pty
import signal
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO

import jsonschema
import pytest

from cli.terminal import Drain
from donuts_referee.records.journal import JournalReader

COUNT = {"type": "integer", "minimum": 0}
SQUARES = {"type": "array", "items": {"type": "string", "pattern": "^[a-i][1-9]$"}}
SIDE = {"enum": ["x", "o"]}
NUMBERED = {"1": {"type": "number"}, "2": {"type": "number"}}


def _object(event: str, **fields: object) -> dict:
    return {
        "type": "object",
        "properties": {"event": {"const": event}, **fields},
        "required": ["event", *fields],
        "additionalProperties": False,
    }


EVENTS = {
    "game": _object(
        "game", game=COUNT, of=COUNT, x={"type": "string"}, o={"type": "string"}, size={"enum": [6, 9]},
        layout={"type": "string", "pattern": "^[HVDA]+$"}, board={"type": ["integer", "null"]}, rings=COUNT,
        seed=COUNT, opening=SQUARES,
    ),
    "move": _object(
        "move", game=COUNT, ply=COUNT, side=SIDE, move={"type": "string", "pattern": "^[a-i][1-9]$"}, flips=SQUARES,
        cells={"type": "string", "pattern": "^[.xo]+$"}, used_us=COUNT, spent=COUNT, clock=COUNT,
    ),
    "warning": _object(
        "warning", game=COUNT, side=SIDE, why={"enum": ["noise", "late", "state", "rate"]},
        shown={"type": "string"}, text={"type": "string"},
    ),
    "verdict": _object(
        "verdict", game=COUNT, winner={"enum": ["x", "o", "-"]}, why={"type": "string"}, text={"type": "string"},
        fault={"enum": ["x", "o", "xo", None]}, void={"type": "boolean"}, ply=COUNT, record={"type": "string"},
    ),
    "score": _object(
        "score", games=COUNT, bots={"type": "object", "required": ["1", "2"]},
        score={"type": "object", "properties": NUMBERED, "required": ["1", "2"]}, wins=COUNT, draws=COUNT,
        losses=COUNT, voids=COUNT, seed=COUNT, stopped={"type": ["string", "null"]}, records={"type": "string"},
    ),
}  # fmt: skip


def events(out: str) -> list[dict]:
    found = [json.loads(line) for line in out.splitlines()]
    for event in found:
        jsonschema.validate(event, EVENTS[event["event"]])
    return found


def only(found: list[dict], event: str) -> list[dict]:
    return [each for each in found if each["event"] == event]


# --- what is shown and kept ---


def test_json_tells_all_of_a_match(donuts: Callable, bot: Callable) -> None:
    ran = donuts(
        "play", bot("a"), bot("b"), "--json", "--seed", "5", "--opening", "a1,b1", "--layout", "H" * 36
    )
    assert ran.code == 0 and ran.err == ""
    found = events(ran.out)
    games, verdicts, (score,) = only(found, "game"), only(found, "verdict"), only(found, "score")
    assert [(game["x"], game["o"]) for game in games] == [("a", "b"), ("b", "a")]
    assert games[0]["opening"] == ["a1", "b1"] and games[0]["layout"] == games[1]["layout"] == "H" * 36
    assert games[0]["seed"] == games[1]["seed"]
    for verdict in verdicts:
        moves = [move for move in only(found, "move") if move["game"] == verdict["game"]]
        assert [move["ply"] for move in moves] == list(range(2, verdict["ply"]))
        assert [move["side"] for move in moves] == ["xo"[move["ply"] % 2] for move in moves]
        assert moves[-1]["cells"].count(".") == 36 - verdict["ply"]
    assert found[-1] is score and score["games"] == 2 and sum(score["score"].values()) == 2
    assert score["bots"] == {"1": "a", "2": "b"} and score["seed"] == 5


def test_the_records_are_those_of_the_events(donuts: Callable, bot: Callable, tmp_path: Path) -> None:
    ran = donuts(
        "play", bot("a"), bot("b"), "--json", "--games", "3", "--records", "deep/kept", "--wire", "wire"
    )
    found = events(ran.out)
    kept = [entry.record for entry in JournalReader(tmp_path / "deep" / "kept" / "journal.jsonl")]
    assert [record.id for record in kept] == [verdict["record"] for verdict in only(found, "verdict")]
    assert [record.seed for record in kept] == [game["seed"] for game in only(found, "game")]
    assert len(list((tmp_path / "wire").iterdir())) == 3
    assert (tmp_path / "deep" / "kept" / "games.pgn").read_text().count("[Result ") == 3
    assert ran.err.startswith("seed: ")


def test_a_seed_repeats_the_match(donuts: Callable, bot: Callable) -> None:
    first, again = (
        donuts("play", bot("a"), bot("b"), "--json", "--games", "4", "--seed", "77") for _ in range(2)
    )
    for event in ("game", "move"):
        kept = [{**each, "used_us": 0, "spent": 0, "clock": 0} for each in only(events(first.out), event)]
        assert kept == [
            {**each, "used_us": 0, "spent": 0, "clock": 0} for each in only(events(again.out), event)
        ]


def test_a_pipe_gets_a_line_per_verdict_and_the_score(donuts: Callable, bot: Callable) -> None:
    ran = donuts("play", bot("a"), bot("a"), "--games", "2", "--seed", "9")
    assert ran.code == 0 and ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0].startswith("game 1/2: a (x) - a#2 (o): ") and lines[1].startswith(
        "game 2/2: a#2 (x) - a (o): "
    )
    assert lines[2].startswith("score: a ") and lines[3] == "seed: 9"
    assert "journal.jsonl" in lines[4] and "games.pgn" in lines[4] and len(lines) == 5


def test_watch_draws_every_position_in_ascii_where_no_more_is_sure(donuts: Callable, bot: Callable) -> None:
    words = ("play", bot("a"), bot("b"), "--watch", "--games", "1", "--rings", "2", "--seed", "3")
    ran = donuts(*words, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert ran.code == 0 and ran.out.isascii() and "\x1b" not in ran.out
    assert ran.out.count("ply 0: a (x) ") == 1 and ran.out.count("ply 3: b (o) ") == 1
    assert ran.out.rstrip().endswith("games.pgn") and "score: " in ran.out
    assert not donuts(*words, PYTHONIOENCODING="utf-8").out.isascii()


def test_a_warning_is_shown_once_and_safely(donuts: Callable, bot: Callable) -> None:
    noisy = bot("noisy", r"print('debug \x1b[31m', flush=True)")
    ran = donuts("play", noisy, bot("b"), "--json", "--games", "1", "--rings", "3")
    (warning,) = only(events(ran.out), "warning")
    assert (warning["why"], warning["side"]) == ("noise", "x")
    assert warning["shown"] == r"debug \x1b[31m" and "debug" in warning["text"]


# --- exit codes ---


def test_strict_makes_a_fault_exit_1(donuts: Callable, bot: Callable) -> None:
    words = ("play", bot("a", "sys.exit(5)"), bot("b"), "--games", "2")
    assert donuts(*words).code == 0
    ran = donuts(*words, "--strict", "--json")
    assert ran.code == 1
    assert {verdict["why"] for verdict in only(events(ran.out), "verdict")} == {"crash"}
    assert donuts("play", bot("c"), bot("b"), "--strict").code == 0


@pytest.mark.parametrize("strict", [[], ["--strict"]])
def test_a_bot_that_does_not_start_is_exit_3_with_its_reason(
    donuts: Callable, bot: Callable, tmp_path: Path, strict: list[str]
) -> None:
    (tmp_path / "broken.py").write_text(
        "import sys\nsys.stderr.write('no \\x1b[31mnet\\nat all\\n')\nsys.exit(9)\n"
    )
    ran = donuts("play", "broken.py", bot("b"), "--games", "4", *strict)
    assert ran.code == 3
    assert ran.err.count("broken would not start") == 1
    assert (
        "exit status 9" in ran.err
        and "    no \\x1b[31mnet\n    at all\n" in ran.err
        and "\x1b" not in ran.err
    )
    record = next(iter(JournalReader(tmp_path / "donuts-records" / "journal.jsonl"))).record
    assert record.verdict.why == "start" and "exit status 9" in record.verdict.text


@pytest.mark.parametrize("missing", ["./missing", "./folder"])
def test_what_cannot_be_run_is_exit_3(donuts: Callable, bot: Callable, tmp_path: Path, missing: str) -> None:
    (tmp_path / "folder").mkdir()
    ran = donuts("play", missing, bot("b"), "--json")
    assert ran.code == 3 and {each["why"] for each in only(events(ran.out), "verdict")} == {"start"}


def test_a_version_nobody_speaks_is_exit_3(donuts: Callable, bot: Callable, tmp_path: Path) -> None:
    (tmp_path / "future.py").write_text("print('hello donuts=7-9 name=f', flush=True)\ninput()\n")
    ran = donuts("play", "future.py", bot("b"), "--json", "--games", "1")
    assert ran.code == 3 and only(events(ran.out), "verdict")[0]["why"] == "version"
    assert "future would not start" in ran.err


def test_on_fault_stop_ends_the_match(donuts: Callable, bot: Callable) -> None:
    ran = donuts("play", bot("a", "sys.exit(5)"), bot("b"), "--games", "6", "--json", "--on-fault", "stop")
    (score,) = only(events(ran.out), "score")
    assert score["games"] == 1 and "crash" in score["stopped"]


def test_on_fault_void_plays_the_game_again(donuts: Callable, bot: Callable) -> None:
    vice = "import os; first = not os.path.exists('went'); open('went', 'w').close(); first and sys.exit(5)"
    ran = donuts("play", bot("a", vice), bot("b"), "--games", "1", "--json", "--on-fault", "void")
    verdicts = only(events(ran.out), "verdict")
    assert [verdict["void"] for verdict in verdicts] == [True, False] and ran.code == 0
    assert only(events(ran.out), "score")[0]["voids"] == 1


@pytest.mark.parametrize("channel", ["poll", "threads"])
@pytest.mark.parametrize("view", [[], ["--json"]])
def test_a_shortage_of_the_system_is_exit_4_in_one_line_and_charged_to_nobody(
    started: Callable, bot: Callable, tmp_path: Path, monkeypatch, channel: str, view: list[str]
) -> None:
    """From a limit at which no bot can be started to one at which both can: 4, then 0, and never else."""
    monkeypatch.setenv("DONUTS_CHANNEL", channel)
    words = ["play", bot("a"), bot("b"), "--games", "2", "--seed", "7", "--on-fault", "void", *view]
    codes = []
    for limit in (9, 11, 13, 15, 17, 24):
        journal = tmp_path / "donuts-records" / "journal.jsonl"
        journal.unlink(missing_ok=True)
        process = started(*words, files=limit)
        out, err = process.communicate(timeout=60)
        codes.append(process.returncode)
        kept = [entry.record for entry in JournalReader(journal)]
        if process.returncode == 4:
            assert err.startswith("donuts: referee at ply 0: cannot start ") and err.count("\n") == 1
            assert err.endswith(
                "the referee has no more open files; raise the limit of open files (ulimit -n)\n"
            )
            assert [(record.verdict.why, record.verdict.void, record.verdict.fault) for record in kept] == [
                ("referee", True, None)
            ]
            assert "would not start" not in out + err
        else:
            assert {record.verdict.why for record in kept} <= {"five", "group"} and len(kept) == 2
    assert codes == sorted(codes, reverse=True) and {*codes} == {4, 0}


def test_a_reader_that_left_is_told_before_a_shortage(started: Callable, bot: Callable) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as unread:
        process = started("play", bot("a"), bot("b"), files=12, stdout=unread)
    assert process.wait(60) == 141


# --- signals and readers that leave ---

STALL = "import time; open('stalled', 'w').close(); time.sleep(600)"


@pytest.fixture
def started(
    command: Callable[..., Sequence[str]], tmp_path: Path
) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    running: list[subprocess.Popen[str]] = []

    def start(
        *words: str, files: int | None = None, stdout: IO[bytes] | int = subprocess.PIPE
    ) -> subprocess.Popen[str]:
        limit = [] if files is None else ["sh", "-c", f'ulimit -n {files}; exec "$@"', "sh"]
        process = subprocess.Popen(
            [*limit, *command(*words)],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
        )
        running.append(process)
        return process

    yield start
    for process in running:
        process.kill()
        process.communicate(timeout=60)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_the_match_and_keeps_the_records(
    number: signal.Signals, code: int, started: Callable, bot: Callable, tmp_path: Path
) -> None:
    process = started("play", bot("a"), bot("b", STALL), "--json", "--tc", "inf", "--games", "4")
    seen = [json.loads(process.stdout.readline())]
    while seen[-1]["event"] != "move":
        seen.append(json.loads(process.stdout.readline()))
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code and "Traceback" not in err
    (verdict,), (score,) = only(events(out), "verdict"), only(events(out), "score")
    assert (verdict["why"], verdict["void"], verdict["winner"], verdict["fault"]) == (
        "abort",
        True,
        "-",
        None,
    )
    assert score["voids"] == 1 and score["stopped"]
    (entry,) = JournalReader(tmp_path / "donuts-records" / "journal.jsonl")
    assert entry.record.verdict.why == "abort" and entry.record.id == verdict["record"]


def test_a_reader_that_leaves_ends_the_match_quietly(
    started: Callable, bot: Callable, tmp_path: Path
) -> None:
    process = started("play", bot("a"), bot("b"), "--json", "--games", "100000", "--seed", "1")
    process.stdout.readline()
    process.stdout.close()
    assert process.wait(timeout=60) == 141
    assert process.stderr.read() == ""
    last = list(JournalReader(tmp_path / "donuts-records" / "journal.jsonl"))[-1].record
    assert last.verdict.why == "abort"


def test_progress_is_for_terminals(command: Callable, bot: Callable, tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    words = command("play", bot("a"), bot("b"), "--games", "4", "--seed", "2")
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs)
    os.close(theirs)
    drain = Drain(ours)
    out, _ = process.communicate(timeout=60)
    shown = drain.rest().decode()
    assert process.returncode == 0 and out.decode().count("game ") == 4
    assert "\rgame 1 of 4, ply 0" in shown and shown.endswith("\r")
