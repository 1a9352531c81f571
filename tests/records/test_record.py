"""A record holds all of a finished game, comes back from JSON the same, and its name is fit for a file."""

import json
import re
from typing import get_type_hints

import msgspec
import pytest
from hypothesis import given

from donuts_referee.records.record import FORMAT, Record, decode, encode, new_match_id
from donuts_referee.table.finished import FinishedGame
from records.played import games, played, side


def test_a_record_has_every_field_of_a_finished_game_with_the_same_type():
    kept, given_fields = get_type_hints(Record), get_type_hints(FinishedGame)
    assert {name: kept.get(name) for name in given_fields} == given_fields
    assert set(kept) - set(given_fields) == {"format", "id", "match", "versions", "host", "place"}


def test_the_long_part_comes_last_so_that_an_index_need_not_read_it():
    assert Record.__struct_fields__[-1] == "turns"


@given(games())
def test_a_record_comes_back_from_json_the_same(game):
    record = Record.of(game, new_match_id())
    line = encode(record)
    assert b"\n" not in line
    assert decode(line) == record
    for name in game.__struct_fields__:
        assert getattr(record, name) == getattr(game, name)


def test_the_object_is_flat_and_says_what_wrote_it():
    told = json.loads(encode(Record.of(played(), "20260104-101500-000000-0badcafe")))
    assert told["format"] == FORMAT == 1
    assert set(told["versions"]) == {"donuts-arena", "dbp", "python"}
    assert set(told["host"]) == {"system", "machine", "implementation"}
    assert told["match"] == "20260104-101500-000000-0badcafe"
    assert told["moves"] == list(played().moves)
    assert told["x"]["bot"] == "donuts:greedy"


def test_the_host_is_not_named(monkeypatch):
    import getpass
    import platform

    line = encode(Record.of(played(), new_match_id())).decode()
    assert platform.node() == "" or f'"{platform.node()}"' not in line
    assert f'"{getpass.getuser()}"' not in line


def test_ids_sort_by_time_are_unique_and_fit_for_file_names():
    match = new_match_id(1_767_521_700.0)
    ids = [
        Record.of(played(number=number, started=1_767_521_730 + number / 1000), match).id
        for number in range(1, 30)
    ]
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[0-9]{8}-[0-9]{6}-[0-9]{6}-[0-9a-f]{8}-[0-9]{4}", one) for one in ids)
    assert ids[0].startswith("20260104-101530-001000-")


def test_a_void_game_that_is_played_again_under_its_number_has_an_id_of_its_own():
    match = new_match_id()
    first = Record.of(played(number=3, started=1_767_521_730.0), match)
    again = Record.of(played(number=3, started=1_767_521_731.5), match)
    assert first.id < again.id


def test_matches_that_begin_together_have_different_ids():
    assert len({new_match_id(1_767_521_700.0) for _ in range(100)}) == 100


def test_an_argument_that_is_no_utf8_does_not_lose_the_record():
    record = Record.of(played(x=side("./b\udcff", argv=("./b\udcff", "é"))), new_match_id())
    assert record.x.bot == r"./b\udcff"
    assert record.x.argv == (r"./b\udcff", "é")
    assert decode(encode(record)) == record


def test_a_surrogate_anywhere_else_does_not_either():
    record = Record.of(played(x=side(stderr="\udce9 wrong")), new_match_id())
    assert decode(encode(record)).x.stderr == r"\udce9 wrong"


def test_what_is_json_but_no_record_is_refused():
    with pytest.raises(msgspec.ValidationError):
        decode(b'{"format": 1}')
