"""`donuts analyse` and `standings --analysis`: what is printed, written and kept, and one line for each fault."""

import csv
import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from analysis.made import random_game, sheet
from competition.kept_event import described, simulate
from donuts_referee.analysis.cache import CACHE, Cache
from donuts_referee.analysis.game import positions
from donuts_referee.cli.main import main
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.pgn_reading import PgnReader
from donuts_referee.records.sheet import Sheet

GROUP = {"winner": "-", "why": "group", "text": "all rings are placed", "fault": None}


def games(folder: Path, *sheets: Sheet) -> Path:
    with PgnFile(folder / "games.pgn") as file:
        for at, one in enumerate(sheets, 1):
            file.append(one._replace(id=f"{one.id[:-4]}{at:04d}", number=at))
    return folder / "games.pgn"


@pytest.fixture
def three(tmp_path: Path) -> Path:
    """Quick games: one with a mistake, one void, one on a large board."""
    return games(
        tmp_path,
        random_game(4, 5),
        random_game(2, 2)._replace(
            moves=random_game(2, 2).moves[:3],
            marks=(None,) * 3,
            winner="-",
            void=True,
            why="abort",
            text="interrupted",
        ),
        sheet(("a1", "a2"), layout="V" * 81, size=9, rings=36),
    )


def said(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    assert main([str(word) for word in words]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_a_game_as_text_and_as_json_and_as_pgn(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(said(capsys, "analyse", three, "--game", 1, "--distance", "--json"))
    moves = facts["moves"]
    marked = [move for move in moves if move["mark"]]
    assert len(moves) == 10 and {move["mark"] for move in marked} == {"?", "??"}
    for move in moves:
        assert move["best"] == move["keeping"][0]
        assert (move["mark"] == "") == (move["sq"] in move["keeping"])
        assert 1 <= move["plies_before"] <= 10 - move["ply"] >= move["plies_after"]
    assert facts["bots"][0].keys() >= {"bot", "accuracy", "per_game", "conversion"}

    out = tmp = three.parent / "marked.pgn"
    text = said(capsys, "analyse", three, "--game", 1, "--pgn", out)
    first = marked[0]
    line = next(line for line in text.splitlines() if line.split()[:1] == [str(first["ply"])])
    assert f"{first['sq']}{first['mark']}" in line and f"{first['before']} to {first['after']}" in line
    assert f"{len(first['keeping'])} of {first['legal']}" in line and "best " in line
    assert "accuracy %" in text

    written = tmp.read_text("utf-8")
    assert written.count("$2 {") + written.count("$4 {") == len(marked)
    (entry,), (original, *_) = list(PgnReader(out)), list(PgnReader(three))
    assert entry.sheet == original.sheet
    assert main(["analyse", str(three), "--pgn", str(out)]) == 2
    assert "is there already; name another file" in capsys.readouterr().err
    assert out.read_text("utf-8") == written


def test_all_games_a_line_each(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [json.loads(line) for line in said(capsys, "analyse", three, "--all", "--json").splitlines()]
    assert [line.get("number") for line in lines] == [1, 2, 3, None]
    assert [move["before"] for move in lines[2]["moves"]] == ["unknown", "unknown"]
    assert (lines[3]["games"], lines[3]["voids"]) == (3, 1)
    assert [row["games"] for row in lines[3]["bots"]] == [
        1,
        1,
    ]  # the void one and the large board count for nothing
    assert [row["unknown"] for row in lines[3]["bots"]] == [1, 1]
    text = said(capsys, "analyse", three, "--all").splitlines()
    assert [line.split()[4] for line in text[:3]][1] == "*"
    assert "2 of 2 moves unknown" in text[2] and text[4] == "3 games, 1 of them void"
    assert "unknown: moves whose value was not found" in text[-1]


def test_a_large_board_is_said_to_be_unknown(three: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "analyse", three)
    assert "9 x 9 boards cannot be solved: every value is unknown" in text


def test_games_that_break_the_rules_are_skipped_among_others(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = games(tmp_path, random_game(1, 2), sheet(("a1", "a1")))
    assert main(["analyse", str(path), "--all"]) == 0
    out, err = capsys.readouterr()
    assert "\n1 game\n" in out and err.count("\n") == 1
    assert err.endswith("a1 is taken; skipped\n")
    assert main(["analyse", str(path), "--pgn", str(tmp_path / "out.pgn")]) == 2
    assert not (tmp_path / "out.pgn").exists()
    assert capsys.readouterr().err == "donuts: the game cannot be played over: ply 1: a1 is taken\n"


def test_games_that_do_not_hold_are_named_and_count_for_nobody(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    true = random_game(1, 2)
    path = games(tmp_path, true, true._replace(winner="o" if true.winner != "o" else "x"))
    (tmp_path / "true").mkdir()
    sound = said(capsys, "analyse", games(tmp_path / "true", true), "--all")
    assert main(["analyse", str(path), "--all"]) == 0
    out, err = capsys.readouterr()
    assert out == sound and err.count("\n") == 1
    assert "the record does not hold: the verdict is " in err and err.endswith("; skipped\n")
    assert main(["analyse", str(path)]) == 2
    assert capsys.readouterr().err.startswith("donuts: the record does not hold: ")


def test_standings_take_no_word_of_a_journal_that_does_not_hold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    event = simulate(tmp_path / "spring", described(("ann", "bob")))
    lines = (event / "journal.jsonl").read_text("utf-8").splitlines()
    record = json.loads(lines[0])
    record["opening"] = [*record["moves"], "a1"]
    changed = tmp_path / "journal.jsonl"
    changed.write_text("\n".join([json.dumps(record), *lines[1:]]) + "\n", "utf-8")
    assert main(["standings", str(changed), "--analysis", "--json"]) == 0
    out, err = capsys.readouterr()
    assert {row["games"] for row in json.loads(out)["analysis"]} == {1}
    assert err.count("\n") == 1 and "journal.jsonl:1: the record does not hold: the opening is " in err


def test_the_second_time_nothing_is_searched(
    three: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = said(capsys, "analyse", three, "--all")
    monkeypatch.setattr("donuts_referee.analysis.searching._moves", pytest.fail)
    assert said(capsys, "analyse", three, "--all") == before


def test_a_damaged_cache_is_told_of_and_changes_nothing(
    three: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = said(capsys, "analyse", three, "--all")
    (three.parent / CACHE).write_bytes(b"what is this?" * 999)
    assert main(["analyse", str(three), "--all"]) == 0
    out, err = capsys.readouterr()
    assert out == before
    assert err.count("\n") == 1 and err.endswith("; it is begun anew\n")
    assert said(capsys, "analyse", three, "--all") == before


def test_the_cache_of_a_link_is_where_the_records_are(
    three: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    link = tmp_path / "elsewhere" / "link.pgn"
    link.parent.mkdir()
    link.symlink_to(three)
    said(capsys, "analyse", link, "--game", 1)
    assert (three.parent / CACHE).is_file() and list(link.parent.iterdir()) == [link]


def test_too_short_a_limit_says_unknown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = games(tmp_path, sheet(("a1",), layout="HVDA" * 9))
    text = said(capsys, "analyse", path, "--limit", "0.001", "--distance")
    assert "unknown: 1 of 1, for which the time was too short" in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere.pgn"], "cannot read nowhere.pgn"),
        (["games.pgn", "--game", "9"], "games.pgn has no game 9"),
        (["games.pgn", "--game", "1", "--all"], "--all and --game: give one of them"),
        (["games.pgn", "--limit", "soon"], "--limit: 'soon' is no time"),
        (["games.pgn", "--workers", "65"], "--workers: '65' is not a whole number from 0 to 64"),
        (["games.pgn", "--memory", "0"], "--memory: '0' is not"),
        (["games.pgn", "--pgn", "no/where.pgn"], "--pgn no/where.pgn: no such file or directory"),
        (["empty.jsonl", "--all"], "empty.jsonl holds no finished game"),
    ],
)
def test_one_line_for_each_fault(
    words: list[str],
    told: str,
    three: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(three.parent)
    Path("empty.jsonl").touch()
    assert main(["analyse", *words]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.count("\n") == 1 and told in err
    assert not Path(CACHE).exists()


def test_without_numba_it_says_what_to_install(
    three: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    for words in (["analyse", str(three)], ["standings", str(three.parent), "--analysis"]):
        (three.parent / "journal.jsonl").touch()
        assert main(words) == 2
        assert "the solver needs numba: pip install 'donuts-arena[solver]'" in capsys.readouterr().err


def test_ctrl_c_keeps_what_was_found(tmp_path: Path) -> None:
    """SIGINT comes when three positions are found and the search of the fourth has begun."""
    path = games(
        tmp_path, sheet(("a1", "a2", "a3", "a4"), layout="V" * 36, rings=2, **GROUP), random_game(1, 2)
    )
    script = (
        "import sys\n"
        "from donuts_referee.analysis import searching\n"
        "from donuts_referee.cli.main import main\n"
        "solve, asked = searching._moves, []\n"
        "def moves(*rest):\n"
        "    asked.append(1)\n"
        "    if len(asked) == 4:\n"
        "        print('found', flush=True)\n"
        "        sys.stdin.read()\n"
        "    return solve(*rest)\n"
        "searching._moves = moves\n"
        f"sys.exit(main(['analyse', {str(path)!r}, '--all', '--workers', '0']))\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None and process.stdout.readline() == "found\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    kept = tmp_path / CACHE
    assert err == f"donuts: interrupted: 0 of 2 games analysed; 3 positions were searched, kept in {kept}\n"
    first = next(iter(PgnReader(path))).sheet
    with Cache(kept, pytest.fail) as cache:
        found = [cache.find(position) is not None for position in positions(first)]
    assert found == [True, True, True, False]


def test_ctrl_c_while_workers_start_ends_them_without_a_word(tmp_path: Path) -> None:
    """SIGINT comes when a worker is there and waits for what it needs to begin; a thread of a library takes it."""
    path = games(tmp_path, *(random_game(seed, 2) for seed in range(5)))
    script = (
        "import signal, sys, threading\n"
        "from multiprocessing import util\n"
        "from donuts_referee.cli.main import main\n"
        "turn = threading.Barrier(2)\n"
        "def take():\n"
        "    while True:\n"
        "        turn.wait()\n"
        "        signal.pthread_kill(threading.get_ident(), signal.SIGINT)\n"
        "        turn.wait()\n"
        "threading.Thread(target=take, daemon=True).start()\n"
        "spawn = util.spawnv_passfds\n"
        "def spawned(*rest):\n"
        "    process = spawn(*rest)\n"
        "    if 'spawn_main' in str(rest):\n"
        "        print(process, flush=True)\n"
        "        turn.wait()\n"
        "        turn.wait()\n"
        "    return process\n"
        "util.spawnv_passfds = spawned\n"
        f"sys.exit(main(['analyse', {str(path)!r}, '--all', '--workers', '2']))\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert done.returncode == 130
    assert done.stderr == (
        f"donuts: interrupted: 0 of 5 games analysed; 0 positions were searched, kept in {tmp_path / CACHE}\n"
    )
    started = [int(line) for line in done.stdout.split()]
    assert len(started) == 2
    for process in started:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_standings_with_analysis(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    event = simulate(tmp_path / "spring", described(("ann", "bob")))
    told = json.loads(said(capsys, "standings", event, "--analysis", "--json"))
    assert "analysis" not in json.loads(said(capsys, "standings", event, "--json"))
    figures = {row["bot"]: row for row in told["analysis"]}
    assert set(figures) == {"ann", "bob"} and all(row["games"] == 2 for row in figures.values())
    table = said(capsys, "standings", event, "--analysis")
    assert table.startswith(said(capsys, "standings", event)) and "accuracy %" in table
    lines = list(csv.DictReader(io.StringIO(said(capsys, "standings", event, "--analysis", "--csv"))))
    for line in lines:
        one = figures[line["bot"]]
        assert [line[key] for key in ("choices", "accuracy", "per_game", "conversion")] == [
            str(one[key]) for key in ("choices", "accuracy", "per_game", "conversion")
        ]
    ladder = json.loads(said(capsys, "standings", event / "journal.jsonl", "--analysis", "--json"))
    assert ladder["analysis"] == told["analysis"]
    assert said(capsys, "verify", event).splitlines()[0].endswith(" holds: 2 games")
    assert main(["standings", str(event), "--analysis", "--html", str(tmp_path / "site")]) == 2
