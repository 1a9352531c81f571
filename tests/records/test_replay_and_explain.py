"""`donuts replay` and `explain`: what they say of kept games, in words and as one JSON object."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from donuts_referee.records.record import Record, decode, encode
from donuts_referee.table.adjudication import Adjudication
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import Verdict
from records.kept import Kept, record
from records.played import Ending, side

FULL = TimeControl(main=1000, inc=100, margin=50)


@pytest.mark.parametrize(
    "words",
    [
        ("replay",),
        ("explain",),
        ("rerun", "--moves"),
        ("probe", "--ply", "0", "--", "donuts:random"),
    ],
    ids=lambda words: words[0],
)
def test_the_folder_of_records_stands_for_its_journal(words, kept):
    first, last = record(1), record(2)
    kept.keep(first, last)
    command, *rest = words
    told = [kept.run(command, place, "--json", *rest) for place in (kept.journal.parent, kept.journal)]
    for code, out, err in told:
        assert (code, err) == (told[1][0], "") and code != 2
        assert command == "probe" or last.id in out
    missing = kept.journal.parent / "empty"
    missing.mkdir()
    said = f"donuts: cannot read {missing / 'journal.jsonl'}: no such file or directory; name a journal or a PGN file"
    assert kept.fault(command, missing, *rest).rstrip() == said


# --- replay ----------------------------------------------------------------------------------------------------------


def test_replay_draws_every_position_and_says_that_the_record_holds(kept):
    one = record(opening=2)
    kept.keep(record(1), one)
    for file in (kept.journal, kept.pgn):
        code, out, _ = kept.run("replay", file, "--ascii")
        assert code == 0
        assert one.id in out
        assert out.isascii()
        assert "\x1b" not in out
        assert out.count(" a     b     c ") == len(one.moves) + 1
        for ply, square in enumerate(one.moves):
            assert re.search(rf"^ply {ply}: .*\b{square}\b", out, re.MULTILINE)
        assert "ply 0: x" in out
        assert "(opening)" in out
        assert "The record holds" in out


def test_replay_as_json_is_the_same_from_either_file(kept):
    one = record(2, size=9)
    kept.keep(one)
    code, told = kept.one_object("replay", kept.journal)
    _, from_pgn = kept.one_object("replay", kept.pgn)
    assert code == 0
    assert told["holds"] is True
    assert [move["sq"] for move in told["moves"]] == list(one.moves)
    assert told["moves"][-1]["cells"] == told["cells"] == one.cells
    assert (told["winner"], told["why"]) == (one.verdict.winner, one.verdict.why)
    assert {**told, "place": None} == {**from_pgn, "place": None}


def test_replay_tells_no_clock_where_none_runs(kept):
    kept.keep(record(control=TimeControl.parse("inf")))
    for file in (kept.journal, kept.pgn):
        _, told = kept.one_object("replay", file)
        assert {(move["clock"], move["spent"]) for move in told["moves"]} == {(None, None)}
        _, out, _ = kept.run("replay", file, "--ascii")
        assert " ms" not in out.split("layout", 1)[1] and " [eval " in out and "[]" not in out


def test_replay_says_where_a_record_does_not_hold(kept):
    one = record()
    wrong = replace(one, verdict=Verdict(winner="o", why="group", text="group at ply 9: nonsense"))
    kept.keep(wrong)
    for file in (kept.journal, kept.pgn):
        code, out, _ = kept.run("replay", file, "--ascii")
        assert code == 1
        assert "THE RECORD DOES NOT HOLD:\n  the verdict is group, winner o, but by the rules it is" in out
        code, told = kept.one_object("replay", file)
        assert (code, told["holds"]) == (1, False)


def test_replay_shows_an_illegal_move_as_a_fault_of_the_record(kept):
    one = record()
    kept.keep(replace(one, moves=(one.moves[0], one.moves[0], *one.moves[2:])))
    code, out, _ = kept.run("replay", kept.pgn, "--ascii")
    assert code == 1
    assert f"ply 1: {one.moves[0]} is taken" in out


def test_a_layout_that_is_none_is_a_usage_fault(kept):
    kept.keep(replace(record(), layout="HVDA"))
    assert "journal.jsonl:1: layout: " in kept.fault("replay", kept.journal)


@pytest.mark.parametrize("command", ["replay", "explain"])
def test_games_that_cannot_be_had_get_one_line(kept, tmp_path, command):
    assert "no such file" in kept.fault(command, tmp_path / "none")
    kept.keep(record())
    assert "has no game 7; it holds 1" in kept.fault(command, kept.journal, "--game", "7")
    assert "has no game" in kept.fault(command, kept.journal, "--game", "\x1b[2J")
    kept.journal.write_bytes(b"{}\n" + kept.journal.read_bytes())
    assert "journal.jsonl:1: not a record of a game" in kept.fault(command, kept.journal)


def test_a_torn_game_is_told_on_stderr(kept):
    kept.keep(record())
    with kept.journal.open("ab") as file:
        file.write(b'{"format":1')
    code, out, err = kept.run("replay", kept.journal, "--ascii")
    assert code == 0
    assert "The record holds" in out
    assert re.fullmatch(
        r"donuts: .*journal\.jsonl:2: a game that was never finished \(11 bytes\), skipped\n", err
    )


def test_an_adjudicated_game_is_explained_with_its_clause_and_what_was_asked_for(kept):
    one = record(adjudication=Adjudication(max_plies=7))
    kept.keep(one)
    for file in (kept.journal, kept.pgn):
        code, out, _ = kept.run("explain", file)
        assert code == 0
        assert "draw: adjudicated (DBP-9.21), ended by a rule of the operator" in out
        assert f"  {one.verdict.text}\n  the operator asked for: plies=7\n" in out
        _, told = kept.one_object("explain", file)
        assert (told["clause"], told["consequence"], told["adjudication"], told["holds"]) == (
            "DBP-9.21",
            "result",
            "plies=7",
            True,
        )
        assert kept.run("replay", file, "--ascii")[0] == 0
    kept.keep(record())
    assert kept.one_object("explain", kept.journal, "--game", "2")[1]["adjudication"] is None


NASTY = "\x1b[2J\u202eevil\n\x07"


def test_nothing_that_a_bot_wrote_reaches_the_terminal_raw(kept):
    told = side(NASTY, name=NASTY, stderr=NASTY, first_noise=NASTY, ver=NASTY, noise=1)
    one = record(x=told, o=told, ending=Ending("crash", 5))
    one = replace(
        one,
        verdict=replace(one.verdict, text=NASTY),
        turns=(*one.turns[:-1], replace(one.turns[-1], raw=NASTY)),
    )
    kept.keep(one)
    for command in (["replay", "--ascii"], ["explain"]):
        for file in (kept.journal, kept.pgn):
            code, out, err = kept.run(command[0], file, *command[1:])
            assert code == 0
            assert err == ""
            assert all(line.isprintable() for line in out.split("\n"))
            assert r"\x1b[2J\u202eevil" in out


# --- explain ---------------------------------------------------------------------------------------------------------


def test_explain_a_flag_with_its_arithmetic(kept):
    one = record(ending=Ending("timeout", 8), control=TimeControl(main=1000, inc=100, movemax=300, margin=50))
    turn = one.turns[-1]
    kept.keep(one)
    code, out, _ = kept.run("explain", kept.journal)
    assert code == 0
    assert "timeout (DBP-9.5)" in out
    assert one.verdict.text in out
    assert "at fault: donuts:greedy (x); what follows from it: loss" in out
    rows = dict(
        re.findall(
            r"^  (\w+) +([\d.]+|fell|did not fall)  ", out.split("clock of x at ply 8")[1], re.MULTILINE
        )
    )
    before = one.turns[-3].clock
    assert rows["before"] == str(before)
    assert f"+ 100 increment = {before + 100}" in out
    assert rows["limit"] == str(turn.limit) == "300"
    assert f"the smaller of {before + 100} and movemax 300" in out
    assert rows["margin"] == "50"
    assert rows["used"] == f"{turn.used / 1e6:.6f}" == "353.000017"
    assert rows["overrun"] == "53.000017"
    assert rows["charged"] == str(turn.spent) == "353"
    assert rows["left"] == str(turn.clock) == str(before + 100 - 353)
    assert rows["flag"] == "fell"
    assert "353.000017 > 300 + 50" in out
    assert "clock of o at ply 7" in out
    assert "ply 8, x, 353.000017 ms: no answer" in out


def test_explain_as_json_has_the_same_numbers(kept):
    one = record(ending=Ending("timeout", 8), control=FULL)
    kept.keep(one)
    code, told = kept.one_object("explain", kept.journal)
    assert code == 0
    assert (told["why"], told["clause"], told["fault"], told["winner"]) == ("timeout", "DBP-9.5", "x", "o")
    last = told["clocks"][-1]
    turn = one.turns[-1]
    assert (last["ply"], last["used_ns"], last["spent"], last["left"]) == (
        8,
        turn.used,
        turn.spent,
        turn.clock,
    )
    assert last["flagged"] is True
    assert [clock["flagged"] for clock in told["clocks"]] == [False, True]
    assert last["overrun_ns"] == turn.used - turn.limit * 1_000_000
    assert told["bots"]["x"]["at_fault"] is True
    assert told["bots"]["o"]["at_fault"] is False
    assert told["holds"] is True


@pytest.mark.parametrize("sq", ["taken", "off the line", "i9"])
def test_explain_an_illegal_move(kept, sq):
    one = record(ending=Ending("illegal", 4, "a1"))
    code, told = kept.one_object("explain", _kept(kept, one))
    legal = told["illegal"]["legal"]
    names = [f"{column}{row}" for row in range(1, 7) for column in "abcdef"]
    square = {
        "taken": one.moves[0],
        "off the line": next(name for name in names if name not in legal and name not in one.moves),
        "i9": "i9",
    }[sq]
    one = replace(one, turns=(*one.turns[:-1], replace(one.turns[-1], sq=square)))
    code, out, _ = kept.run("explain", _kept(kept, one))
    assert code == 0
    reason = {"taken": "is taken", "off the line": "is not on the line of", "i9": "is off the 6 x 6 board"}[
        sq
    ]
    assert f"why {square} is not legal: {square} {reason}" in out
    assert f"legal were: {', '.join(legal)}" in out
    assert "illegal (DBP-9.3)" in out


def _kept(kept: Kept, one: Record) -> Path:
    kept.keep(one)
    return kept.journal


def test_explain_shows_what_is_known_of_a_bot(kept):
    lines = r"\x0a".join(f"line {number} of C:\\\\x0a" for number in range(40))
    told = side("mine", name="deep", ver="0.3", exit_signal=11, noise=2, first_noise="stdout line 3", late=1)
    kept.keep(record(x=replace(told, stderr=lines, stderr_bytes=700), ending=Ending("crash", 6)))
    code, out, _ = kept.run("explain", kept.journal)
    assert code == 0
    assert "mine (x), calls itself deep 0.3; its process was ended by signal 11" in out
    assert "lines dropped: 2 noise, 1 late" in out
    assert "first noise: stdout line 3" in out
    assert "stderr (700 bytes, the last 12 lines kept):" in out
    assert r"    line 39 of C:\\x0a" in out
    assert "line 27 of" not in out
    assert "crash (DBP-9.7)" in out


@pytest.mark.parametrize(
    ("ended", "words"),
    [
        ({"exit_status": 3}, "its process ended with exit status 3"),
        ({"exit_signal": 15}, "its process was ended by signal 15"),
        ({"sent_signal": 15}, "the referee ended its process, which lived on, with signal 15"),
        (
            {"sent_signal": 15, "exit_status": 0},
            "the referee ended its process, which lived on, with signal 15; its exit status was 0",
        ),
        (
            {"sent_signal": 15, "exit_signal": 11},
            "the referee ended its process, which lived on, with signal 15; it died by signal 11",
        ),
        ({}, "its process was running at the end"),
    ],
)
def test_explain_tells_the_referees_signal_from_one_that_was_not_its_own(kept, ended, words):
    kept.keep(record(x=side("mine", name="deep", ver="0.3", **ended), ending=Ending("crash", 6)))
    _, out, _ = kept.run("explain", kept.journal)
    assert f"mine (x), calls itself deep 0.3; {words}\n" in out
    _, told = kept.one_object("explain", kept.journal)
    keys = "exit_status", "exit_signal", "sent_signal"
    assert {key: told["bots"]["x"][key] for key in keys} == {key: ended.get(key) for key in keys}


def test_a_record_from_before_the_referees_signal_was_kept_is_read(kept):
    one = record(x=side("mine", exit_signal=15), ending=Ending("crash", 6))
    line = encode(one)
    assert line.count(b',"sent_signal":null') == 2
    assert decode(line.replace(b',"sent_signal":null', b"")) == one


def test_explain_a_result_names_no_fault(kept):
    kept.keep(record())
    code, out, _ = kept.run("explain", kept.journal)
    assert code == 0
    assert "DBP-9.1" in out
    assert "at fault" not in out


def test_explain_from_pgn_says_what_pgn_does_not_hold(kept):
    kept.keep(record(ending=Ending("timeout", 8), control=FULL))
    code, out, _ = kept.run("explain", kept.pgn)
    assert code == 0
    assert "timeout (DBP-9.5)" in out
    assert "PGN keeps no answers" in out
    _, told = kept.one_object("explain", kept.pgn)
    assert (told["answers"], told["clocks"], told["bots"]) == ([], [], {})


@pytest.mark.parametrize("control", [TimeControl.each("0.2"), TimeControl.parse("inf")], ids=str)
def test_explain_other_kinds_of_clock(kept, control):
    kept.keep(record(control=control))
    code, out, _ = kept.run("explain", kept.journal)
    assert code == 0
    assert ("the same for every move" in out) == control.per_move
    assert ("no limit: nothing is charged" in out) == control.unlimited
