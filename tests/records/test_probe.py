"""`donuts probe`: exactly that turn again, and what the answer would have been in a game."""

import json
import re
import sys
from pathlib import Path

import pytest

from donuts_referee.channels import ladder
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.control import TimeControl
from records.kept import Kept, record
from records.played import Ending

FULL = TimeControl(main=60_000, inc=100, margin=50)

HEAD = """
import os, sys, time
def say(s): print(s, flush=True)
say("hello donuts=1-1 name=probed caps=info")
def ask():
    line = input()
    verb, *words = line.split()
    return verb, words[0] if words else "", dict(w.split("=", 1) for w in words if "=" in w), line
ask()
verb, game, fields, game_line = ask()
say("ready " + game)
verb, id, fields, line = ask()
legal = fields["legal"].split(",")
"""

REST = """
while ask()[0] != "bye": pass
"""


@pytest.fixture(autouse=True)
def _time_to_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    """These bots leave by themselves, in as much time as a busy machine may need."""
    monkeypatch.setattr(ladder, "SECOND", 60 * ladder.SECOND)


def bot(code: str) -> list[str]:
    return ["--", sys.executable, "-c", HEAD + code]


def test_probe_sends_exactly_the_turn_of_the_record(kept):
    one = record(control=TimeControl(main=60_000, inc=7))
    kept.keep(one)
    echo = bot(
        "print(game_line, file=sys.stderr); print(line, file=sys.stderr); say(f'move {id} {legal[-1]} eval=77')"
        + REST
    )
    turn = one.turns[9]
    for file in (kept.journal, kept.pgn):
        code, told = _probe(kept, file, 9, echo)
        assert code == 0, told
        sent = [text["text"].removesuffix("\\x0a") for text in told["lines"] if text["dir"] == ">"]
        (asked,) = [text for text in sent if text.startswith("turn ")]
        fields = dict(word.split("=", 1) for word in asked.split(" ")[2:])
        if file == kept.journal:
            assert asked.startswith(f"turn {turn.id} ")
        assert fields["ply"] == "9"
        assert fields["you"] == "o"
        assert fields["last"] == one.moves[8]
        assert fields["layout"] == one.layout
        assert fields["limit"] == str(turn.limit)
        assert fields["margin"] == str(turn.margin)
        assert fields["clock"] == str(one.turns[7].clock + 7)
        assert fields["oclock"] == str(one.turns[8].clock)
        assert fields["spent"] == str(one.turns[7].spent)
        assert fields["legal"].split(",") == told["legal"]
        assert one.moves[9] in told["legal"]
        assert told["then"] == one.moves[9]
        assert (told["ok"], told["sq"], told["eval"], told["exit_status"]) == (True, told["legal"][-1], 77, 0)
        assert asked in told["stderr"]
        (game,) = [text for text in sent if text.startswith("game ")]
        assert f" seed={one.seed} " in f"{game} "
        assert " opp=donuts:greedy" in game


def _probe(kept: Kept, file: Path, ply: int, words: list[str], *more: str) -> tuple[int, dict]:
    code, out, _ = kept.run("probe", file, "--ply", ply, *more, "--json", *words)
    assert out.count("\n") == 1
    return code, json.loads(out)


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("say(f'resign {id}')" + REST, "resign"),
        ("say(f'move {id} i9')" + REST, "illegal"),
        ("say(f'move {id} ' + fields['last'])" + REST, "illegal"),
        ("say(f'move {id} zz')" + REST, "malformed"),
        ("say(f'move 1 a1')" + REST, "protocol"),
        ("sys.exit(3)", "crash"),
        ("os.write(1, f'move {id} {legal[0]}'.encode()); sys.exit(0)", "malformed"),
        ("say('bye')", "resign"),
        ("say('x' * 5000)" + REST, "flood"),
        ("print(ask()[3], file=sys.stderr)" + REST, "timeout"),
    ],
)
def test_probe_judges_the_answer_as_a_game_would(kept, code, why):
    kept.keep(record(control=TimeControl.each("0.2" if why == "timeout" else "20")))
    exit_code, told = _probe(kept, kept.journal, 4, bot(code))
    assert (told["why"], told["ok"], exit_code) == (why, False, 1)
    assert told["text"]
    if why == "crash":
        assert told["exit_status"] == 3
    if why == "timeout":
        assert told["used_ns"] > 250_000_000
        assert told["stderr"].startswith("cancel ")
        assert told["exit_status"] == 0  # it heard `bye` too


def test_probe_without_clock(kept):
    kept.keep(record(control=TimeControl.each("0.001", margin=0)))
    code, told = _probe(kept, kept.journal, 4, bot("say(f'move {id} {legal[0]}')" + REST), "--unclocked")
    assert code == 0
    assert (told["clock"], told["limit"], told["oclock"], told["spent"]) == (2147483647,) * 3 + (0,)


def test_probe_in_words(kept):
    kept.keep(record())
    nasty = "print('\\x1b[2J', file=sys.stderr); say('debug \\x1b[31m'); say(f'move {id} {legal[0]}')"
    code, out, err = kept.run("probe", kept.journal, "--ply", 4, *bot(nasty + REST))
    assert (code, err) == (0, "")
    assert all(line.isprintable() for line in out.split("\n"))
    assert r"    \x1b[2J" in out
    assert "noise: stdout line 3 is not a message" in out
    assert re.search(r"^answer: move \d+ \w\d \(then: \w\d\)$", out, re.MULTILINE)
    assert re.search(r"^time:   \d+\.\d{3} ms of limit \d+ \+ 50 margin$", out, re.MULTILINE)
    assert re.search(r"^ok:     \w\d at ply 4 is legal and in time$", out, re.MULTILINE)
    assert re.search(r"^ +0\.000 > turn ", out, re.MULTILINE)


NOISE = "os.write(1, b'debug\\n' * {0}); "


@pytest.mark.parametrize(
    ("code", "long"),
    [
        (NOISE.format(300) + "say(f'move {id} {legal[0]}')", True),
        ("os.write(1, f'move {id} {legal[0]}\\n'.encode() + b'debug\\n' * 300)", True),
        (NOISE.format(9) + "say(f'move {id} {legal[0]}')", False),
    ],
)
def test_probe_does_not_flood_the_terminal(kept, code, long):
    kept.keep(record(control=TimeControl.parse("inf")))
    _, out, _ = kept.run("probe", kept.journal, "--ply", 4, *bot(code + REST))
    talk = out.split("ms from the turn:\n")[1].split("\nnoise: ")[0].split("\n\n")[0].splitlines()
    assert len(talk) <= 50
    left_out = [int(found[1]) for line in talk if (found := re.search(r"(\d+) lines more", line))]
    assert bool(left_out) == long and len(left_out) <= 3
    assert any(" > turn " in line for line in talk)
    answer = re.search(r"^answer: (move \d+ \w\d)", out, re.MULTILINE)
    assert answer is None or any(f" < {answer[1]}" in line for line in talk)


def test_probe_a_bot_that_does_not_start(kept, tmp_path):
    kept.keep(record())
    code, told = _probe(kept, kept.journal, 0, ["--", sys.executable, "-c", "1/0"])
    assert (code, told["why"]) == (3, "start")
    assert "ZeroDivisionError" in told["stderr"]
    code, told = _probe(kept, kept.journal, 0, ["--", str(tmp_path / "missing")])
    assert (code, told["why"]) == (3, "start")
    code, told = _probe(
        kept,
        kept.journal,
        0,
        ["--", sys.executable, "-c", "print('hello donuts=7-9 name=a', flush=True); input()"],
    )
    assert (code, told["why"]) == (3, "version")


def test_probe_a_bot_by_its_name(kept):
    kept.keep(record())
    code, told = _probe(kept, kept.journal, 4, ["--", "donuts:greedy"])
    assert (code, told["ok"]) == (0, True)


def test_probe_a_ply_that_was_never_asked(kept):
    one = record()
    kept.keep(one)
    last = len(one.moves)
    fault = kept.fault("probe", kept.journal, "--ply", last, "--", "donuts:greedy")
    assert f"the game has no turn at ply {last}; its turns are those of ply 0 to {last - 1}" in fault
    assert "--ply" in kept.fault("probe", kept.journal, "--ply", "x", "--", "donuts:greedy")
    assert "a person can be asked" in kept.fault("probe", kept.journal, "--ply", "0", "--", "human")
    assert "no bot 'nobody'" in kept.fault("probe", kept.journal, "--ply", "0", "--", "nobody")


def test_the_turn_at_which_a_game_was_lost_can_be_asked_again(kept):
    one = record(ending=Ending("timeout", 8), control=FULL)
    kept.keep(one)
    code, told = _probe(kept, kept.journal, 8, bot("say(f'move {id} {legal[0]}')" + REST))
    assert code == 0
    assert told["then"] is None
    assert told["limit"] == one.turns[-1].limit
    assert Sheet.of(one).moves == one.moves
