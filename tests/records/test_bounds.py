"""An edited file of games is refused in one line, or read: none of its values makes a reader of it fail."""

import copy
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from donuts_protocol import packed, text
from donuts_referee.probing import NoSuchTurn, question
from donuts_referee.records.account import account
from donuts_referee.records.bounds import check
from donuts_referee.records.faults import BadLine, RecordsFault
from donuts_referee.records.finding import read_game
from donuts_referee.records.pgn import pgn
from donuts_referee.records.record import encode
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.adjudication import Adjudication, Resignation
from donuts_referee.table.control import TimeControl
from donuts_referee.table.questions import game_question, turn_question
from records.kept import Kept, record
from records.played import Ending

ODD = (-1, 0, 2**53, 2**63, 10**400, "", "q", "\ud800", "\u202e\n", None, [], 1e308, 0.5)
GAMES = {
    "by the rules": record(3),
    "timeout": record(4, ending=Ending("timeout", 6)),
    "illegal": record(5, ending=Ending("illegal", 6, "a1"), control=TimeControl.parse("inf")),
    "adjudicated": record(12, adjudication=Adjudication(Resignation(501, 1), 60)),
}


def read_by_everyone(path: Path) -> None:
    """What `replay`, `explain` and `probe` make of the last game; RecordsFault or NoSuchTurn where they refuse it."""
    found = read_game(path)
    account(found)
    for ply in (4, 5):
        asked = question(found, ply)
        game = game_question(
            1, asked.position.you, asked.position, asked.conditions, asked.opp or None, asked.seed
        )
        turn = turn_question(3, 1, asked.position, asked.allowed, asked.oclock, 0, asked.spent)
        for encoded in (text.encode, packed.encode):
            encoded(game)
            encoded(turn)


def places(value: object, path: tuple = ()) -> Iterator[tuple]:
    """The way to every value of a JSON object; of a list the first and the last two."""
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*path, key))
    elif isinstance(value, list) and value:
        yield path
        for at in sorted({0, len(value) - 2, len(value) - 1} & set(range(len(value)))):
            yield from places(value[at], (*path, at))
    else:
        yield path


def edited(whole: object, path: tuple, value: object) -> object:
    changed = copy.deepcopy(whole)
    inner = changed
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = value
    return changed


@pytest.mark.parametrize("one", GAMES.values(), ids=GAMES)
def test_no_value_of_a_journal_makes_a_reader_fail(one, tmp_path):
    file = tmp_path / "journal.jsonl"
    whole = json.loads(encode(one))
    refused = 0
    for path in places(whole):
        for value in ODD:
            file.write_text(json.dumps(edited(whole, path, value)) + "\n")
            try:
                read_by_everyone(file)
            except (RecordsFault, NoSuchTurn):
                refused += 1
    assert refused > 100


@pytest.mark.parametrize("one", GAMES.values(), ids=GAMES)
def test_no_value_of_a_pgn_makes_a_reader_fail(one, tmp_path):
    file = tmp_path / "games.pgn"
    whole = pgn(Sheet.of(one))
    odd = (
        "",
        "0",
        "-1",
        "9" * 16,
        "9" * 12 + "+" + "9" * 12,
        "q",
        "\\ud800",
        "\\u202e",
        "*",
        "²",
        "9" * 5000,
    )
    clocks = ("9" * 30 + ":00:00.0", "9" * 5000 + ":00:00.0", "0:99:99.999", "²:00:00.0")
    changed = [
        whole[: tag.start(1)] + value + whole[tag.end(1) :]
        for tag in re.finditer(r'^\[\w+ "(.*)"\]$', whole, re.MULTILINE)
        for value in odd
    ]
    changed += [
        re.sub(rf"%{word} [0-9:.]+", f"%{word} {at}", whole) for word in ("clk", "emt") for at in clocks
    ]
    refused = 0
    for content in changed:
        file.write_text(content)
        try:
            read_by_everyone(file)
        except (RecordsFault, NoSuchTurn):
            refused += 1
    assert refused > 20


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("size",), 0),
        (("rings",), -3),
        (("number",), 0),
        (("started",), 1e300),
        (("seed",), -1),
        (("conditions", "main"), -1),
        (("conditions", "margin"), 2**60),
        (("verdict", "winner"), "q"),
        (("verdict", "fault"), "y"),
        (("turns", 0, "side"), "q"),
        (("turns", 1, "ply"), 10**9),
        (("turns", 1, "used"), -1),
        (("turns", 1, "used"), 2**64),
        (("turns", 1, "eval"), 1001),
    ],
)
def test_every_command_refuses_such_a_record_in_one_line(path, value, kept: Kept):
    line = json.dumps(edited(json.loads(encode(record())), path, value))
    kept.journal.write_text(line + "\n")
    for words in (
        ["replay", kept.journal],
        ["explain", kept.journal],
        ["probe", kept.journal, "--ply", "4", "--", "donuts:random"],
    ):
        said = kept.fault(*words)
        assert "journal.jsonl:1: not a record of a game" in said
        assert str(path[-1]) in said


def test_a_winner_that_is_no_side_does_not_get_into_an_index(kept: Kept):
    from donuts_referee.records.journal import JournalReader

    kept.journal.write_text(
        json.dumps(edited(json.loads(encode(record())), ("verdict", "winner"), "q")) + "\n"
    )
    with pytest.raises(BadLine, match="winner"):
        JournalReader(kept.journal).index()


@pytest.mark.parametrize("one", GAMES.values(), ids=GAMES)
def test_what_a_game_makes_is_within_the_bounds(one):
    check(one)
