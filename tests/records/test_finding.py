"""One game out of a file: by id, by a part of it, by place; the same from the journal and from PGN."""

import os

import pytest
from hypothesis import given, settings

from donuts_referee.records.faults import NoSuchGame, ReadFault
from donuts_referee.records.finding import read_game
from donuts_referee.records.journal import Journal
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet
from records.played import games, played

MATCH = "20260104-101500-000000-0badcafe"


@pytest.fixture
def kept():
    return [Record.of(played(one, number=one, started=1_767_521_730 + one), MATCH) for one in (1, 2, 3)]


@pytest.fixture(params=["journal.jsonl", "games.pgn"])
def path(request, tmp_path, kept):
    path = tmp_path / request.param
    with Journal(path) if request.param == "journal.jsonl" else PgnFile(path) as file:
        for one in kept:
            file.append(one)
    return path


@settings(max_examples=30)
@given(games())
def test_a_journal_and_a_pgn_give_the_same_game_back(tmp_path_factory, game):
    folder = tmp_path_factory.mktemp("both")
    record = Record.of(game, MATCH)
    with Journal(folder / "journal.jsonl") as journal, PgnFile(folder / "games.pgn") as pgn:
        journal.append(record)
        pgn.append(record)
    from_journal = read_game(folder / "journal.jsonl", record.id)
    from_pgn = read_game(folder / "games.pgn", record.id)
    assert from_journal.sheet == from_pgn.sheet == Sheet.of(record)
    assert from_journal.record == record
    assert from_pgn.record is None


@pytest.mark.parametrize(
    ("game", "number"),
    [
        (None, 3),
        ("", 3),
        (1, 1),
        ("2", 2),
        ("-1", 3),
        (-3, 1),
        ("20260104-101532", 2),
        ("-0003", 3),
        ("20260104-101531-000000-0badcafe-0001", 1),
    ],
)
def test_a_game_is_named_by_place_by_id_or_by_a_part_of_it(path, kept, game, number):
    found = read_game(path, game)
    assert (found.number, found.of) == (number, 3)
    assert found.sheet == Sheet.of(kept[number - 1])
    assert found.place.startswith(f"{path}:")


@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("4", "has no game 4; it holds 3"),
        ("0", "has no game 0; it holds 3"),
        ("-4", "has no game -4"),
        (9999, "has no game 9999; it holds 3"),
        (2026, "has no game 2026; it holds 3"),
        ("1999", "has no game 1999; it holds 3"),
        (
            "20260104",
            "'20260104' is ambiguous: 3 games of .* answer to it, 20260104-101531.*; write more of the id",
        ),
        ("2026", "'2026' is ambiguous: 3 games of .*-0001, .*-0002, .*-0003; write more of the id"),
        ("202601", "'202601' is ambiguous: 3 games"),
        ("101", "has no game 101"),
        ("nobody", "has no game 'nobody'; its last is 20260104-101533-000000-0badcafe-0003, number 3"),
        ("\x1b[2J", r"has no game '\\x1b\[2J'"),
    ],
)
def test_a_game_that_is_not_there_is_said_in_one_line(path, game, says):
    with pytest.raises(NoSuchGame, match=says) as caught:
        read_game(path, game)
    assert str(caught.value).isprintable()


def test_torn_games_are_told_with_the_game(path, kept):
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:200])
    found = read_game(path)
    assert found.sheet == Sheet.of(kept[-1])
    assert [one.size for one in found.torn] == [200] or path.suffix == ".pgn"
    assert len(found.torn) == 1


def test_files_without_a_game(tmp_path):
    for name in ("journal.jsonl", "games.pgn"):
        path = tmp_path / name
        path.write_bytes(b"")
        with pytest.raises(NoSuchGame):
            read_game(path)
    (tmp_path / "journal.jsonl").write_bytes(b'{"format":1,"id":')
    with pytest.raises(NoSuchGame, match="only 1 that never got its end"):
        read_game(tmp_path / "journal.jsonl")
    (tmp_path / "other").write_bytes(b"\x7fELF")
    with pytest.raises(ReadFault, match=r"neither a journal .* nor a PGN"):
        read_game(tmp_path / "other")
    with pytest.raises(ReadFault, match="is a directory"):
        read_game(tmp_path)
    with pytest.raises(ReadFault, match="no such file"):
        read_game(tmp_path / "nothing")


@pytest.mark.skipif(os.name == "nt", reason="makes a named pipe")
def test_a_file_that_might_never_end_is_refused(tmp_path):
    os.mkfifo(tmp_path / "journal.jsonl")
    for path in (tmp_path / "journal.jsonl", "/dev/zero"):
        with pytest.raises(ReadFault, match="not a regular file"):
            read_game(path)
