"""The journal: whole lines only, whatever tears them; nothing lost in silence; several writers at once."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from donuts_referee.records.faults import BadLine, ReadFault, WriteFault
from donuts_referee.records.journal import SEAL, Entry, Journal, JournalReader, Torn
from donuts_referee.records.record import Record, encode, new_match_id
from records.played import games, played, side

MATCH = "20260104-101500-000000-0badcafe"


def record(number: int = 1, **changed: object) -> Record:
    return Record.of(played(number, number=number, **changed), MATCH)  # type: ignore[arg-type]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.jsonl"


def write(path: Path, *records: Record) -> None:
    with Journal(path) as journal:
        for one in records:
            journal.append(one)


def test_games_come_back_in_order_with_their_lines(path):
    kept = [record(number) for number in range(1, 6)]
    write(path, *kept[:2])
    write(path, *kept[2:])
    reader = JournalReader(path)
    assert list(reader) == [Entry(at, one) for at, one in enumerate(kept, 1)]
    assert reader.torn == ()


@settings(max_examples=30)
@given(st.lists(games(), min_size=1, max_size=3))
def test_the_index_finds_what_reading_finds(tmp_path_factory, several):
    path = tmp_path_factory.mktemp("journal") / "journal.jsonl"
    kept = [Record.of(game, MATCH) for game in several]
    write(path, *kept)
    reader = JournalReader(path)
    index = reader.index()
    assert [reader.at(one) for one in index] == kept
    for one, whole in zip(index, kept, strict=True):
        assert (one.head.id, one.head.match, one.head.number) == (whole.id, whole.match, whole.number)
        assert (one.head.x.bot, one.head.o.name) == (whole.x.bot, whole.o.name)
        assert (one.head.x.ver, one.head.o.ver) == (whole.x.ver, whole.o.ver)
        assert one.head.verdict == whole.verdict


def test_a_name_that_looks_like_the_long_part_does_not_fool_the_index(path):
    whole = record(x=side('","turns":[],"', argv=(',"turns":',)))
    write(path, whole)
    (found,) = JournalReader(path).index()
    assert found.head.x.bot == '","turns":[],"'
    assert found.head.o.bot == whole.o.bot


def test_one_write_per_game(path):
    calls: list[bytes] = []

    def spy(fd: int, data: bytes, /) -> int:
        calls.append(data)
        return os.write(fd, data)

    kept = [record(1), record(2)]
    with Journal(path, write=spy) as journal:
        for one in kept:
            journal.append(one)
    assert calls == [encode(one) + b"\n" for one in kept]


def test_a_line_torn_at_any_byte_is_reported_and_skipped_and_the_next_writer_goes_on(path):
    first, second, third = record(1), record(2), record(3)
    whole = encode(first) + b"\n"
    last = encode(second) + b"\n"
    for cut in range(len(last)):
        path.write_bytes(whole + last[:cut])
        reader = JournalReader(path)
        torn = (Torn(2, cut),) if cut else ()
        assert [one.record.id for one in reader] == [first.id]
        assert reader.torn == torn
        assert [one.head.id for one in reader.index()] == [first.id]
        assert reader.torn == torn
        if cut % 97 == 0 or cut > len(last) - 3:
            write(path, third)
            assert [one.record for one in reader] == [first, third]
            assert reader.torn == torn


def test_the_seal_behind_a_line_that_another_writer_completed_means_nothing(path):
    first, second = record(1), record(2)
    path.write_bytes(encode(first)[:100])
    with Journal(path) as late:  # opened while the other is in the middle of its line
        with path.open("ab") as other:
            other.write(encode(first)[100:] + b"\n")
        late.append(second)
    reader = JournalReader(path)
    assert [one.record for one in reader] == [first, second]
    assert reader.torn == ()
    assert SEAL in path.read_bytes()


@pytest.mark.parametrize("taken", [0, 1, len(SEAL), 200])
def test_a_short_write_is_an_error_and_leaves_no_half_game(path, taken):
    first, second = record(1), record(2)
    limits = [None, taken, taken, None]

    def short(fd: int, data: bytes, /) -> int:
        limit = limits.pop(0)
        return os.write(fd, data if limit is None else data[:limit])

    with Journal(path, write=short) as journal:
        journal.append(first)
        for _ in range(2):
            with pytest.raises(WriteFault, match=r"journal\.jsonl.*bytes went out.*the game is not in it"):
                journal.append(second)
        assert [one.record for one in JournalReader(path)] == [first]
        journal.append(second)  # there is room again
    assert [one.record for one in JournalReader(path)] == [first, second]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full on this system")
def test_a_full_disk_is_one_clear_line():
    with Journal("/dev/full") as journal, pytest.raises(WriteFault) as caught:
        journal.append(record())
    assert "no space left" in str(caught.value)
    assert "the game is not in it" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_named(tmp_path):
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        with pytest.raises(WriteFault, match=r"journal\.jsonl: permission denied"):
            Journal(tmp_path / "journal.jsonl")
    finally:
        tmp_path.chmod(stat.S_IRWXU)


def test_a_missing_directory_is_named(tmp_path):
    with pytest.raises(WriteFault, match=r"nowhere.*no such file or directory; name a directory"):
        Journal(tmp_path / "nowhere" / "journal.jsonl")


@pytest.mark.parametrize(
    "bad",
    [b"{}", b"[1,2", b"\xff\xfe", b"null", b'{"format":1,"id":"a","turns":[]}', b"nonsense", b"{} #tor"],
)
def test_a_bad_line_in_the_middle_is_an_error_that_names_file_line_and_remedy(path, bad):
    write(path, record(1))
    with path.open("ab") as file:
        file.write(bad + b"\n")
    write(path, record(2))
    with pytest.raises(BadLine) as caught:
        list(JournalReader(path))
    assert str(caught.value).startswith(f"{path}:2: not a record of a game")
    assert "restore the line from a copy or take it out" in str(caught.value)
    assert "\n" not in str(caught.value)
    with pytest.raises(BadLine, match=":2: "):
        JournalReader(path).index()


def test_a_line_with_a_broken_tail_is_found_when_its_game_is_read(path):
    whole = encode(record(1))
    path.write_bytes(whole[:-40] + b"}\n")
    reader = JournalReader(path)
    (found,) = reader.index()
    with pytest.raises(BadLine, match=":1: not a record"):
        reader.at(found)


@pytest.mark.parametrize("more", [b"", b',"board":{"new":"shape"}'])
def test_a_record_of_a_later_format_says_so(path, more):
    line = encode(record(1)).replace(b'{"format":1', b'{"format":2' + more)
    path.write_bytes(line + b"\n")
    for read in (lambda: list(JournalReader(path)), lambda: JournalReader(path).index()):
        with pytest.raises(BadLine, match="format 2 and this version reads up to 1"):
            read()


def test_keys_that_are_not_known_are_passed_over(path):
    path.write_bytes(encode(record(1)).replace(b'{"format":1', b'{"format":1,"mood":{"a":[1]}') + b"\n")
    assert [one.record for one in JournalReader(path)] == [record(1)]


def test_a_line_whose_keys_stand_in_another_order_is_read(path):
    import json

    told = json.loads(encode(record(1)))
    path.write_text(json.dumps(dict(sorted(told.items(), reverse=True))) + "\n")
    reader = JournalReader(path)
    assert [reader.at(one) for one in reader.index()] == [record(1)]


def test_empty_lines_are_passed_over_and_an_empty_file_holds_no_game(path):
    path.write_bytes(b"")
    assert list(JournalReader(path)) == []
    path.write_bytes(b"\n" + encode(record(1)) + b"\n\n")
    assert [one.line for one in JournalReader(path)] == [2]


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(ReadFault, match="no such file"):
        list(JournalReader(tmp_path / "none.jsonl"))
    with pytest.raises(ReadFault, match="is a directory"):
        JournalReader(tmp_path).index()


WRITER = """
import sys
from records.played import played, side
from donuts_referee.records.journal import Journal
from donuts_referee.records.pgn import PgnFile
from donuts_referee.records.record import Record
folder, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
games = [Record.of(played(number, number=number, x=side(name, stderr="e" * (7000 * (number % 5)))), "m-" + name)
         for number in range(1, count + 1)]
with Journal(folder + "/journal.jsonl") as journal, PgnFile(folder + "/games.pgn") as pgn:
    print("ready", flush=True)
    sys.stdin.readline()
    for game in games:
        journal.append(game)
        pgn.append(game)
"""


def test_two_processes_that_append_at_once_never_interleave(tmp_path):
    from donuts_referee.records.pgn_reading import PgnReader

    count = 150
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(tmp_path), name, str(count)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
        )
        for name in ("left", "right")
    ]
    try:
        for one in writers:
            assert one.stdout is not None and one.stdout.readline() == b"ready\n"
        for one in writers:
            assert one.stdin is not None
            one.stdin.write(b"go\n")
            one.stdin.flush()
        for one in writers:
            one.communicate(timeout=60)
            assert one.returncode == 0
    finally:
        for one in writers:
            one.kill()
            one.communicate()
    reader = JournalReader(tmp_path / "journal.jsonl")
    found = [(one.record.x.bot, one.record.number) for one in reader]
    assert reader.torn == ()
    for name in ("left", "right"):
        assert [number for bot, number in found if bot == name] == list(range(1, count + 1))
    pgn = PgnReader(tmp_path / "games.pgn")
    assert sorted((one.sheet.x, one.sheet.number) for one in pgn) == sorted(found)
    assert pgn.torn == ()


def test_many_games_are_indexed_without_reading_their_turns(path):
    line = encode(Record.of(played(), new_match_id())) + b"\n"
    path.write_bytes(line.replace(b'"turns":[{"ply":0', b'"turns":[{"ply":"not a number"') * 1000)
    assert len(JournalReader(path).index()) == 1000  # faulty turns would have been an error


@pytest.mark.skipif(not Path("/sys/kernel").exists(), reason="needs a file system that nobody may write")
def test_a_file_system_that_nobody_may_write_is_one_clear_line():
    with pytest.raises(WriteFault) as caught:
        Journal("/sys/journal.jsonl")
    assert str(caught.value).startswith("cannot write /sys/journal.jsonl: ")
    assert str(caught.value).endswith("; name a directory that can be written")
