"""The journal of a competition: every line is held to those before it, and whatever was changed is named."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.competition.chain import (
    ChainedJournal,
    ChainedReader,
    Seal,
    link,
    read_seal,
    root,
    split,
    write_seal,
)
from donuts_referee.competition.state import Changed, Roster
from donuts_referee.records.faults import BadLine, WriteFault

ROSTERS = (
    Roster(1, added=("ann",)),
    Roster(4, withdrawn=("bob", "cyd")),
    Roster(9, ("dee",), ("ann",), (Changed("dee", "2", "ab"), Changed("bob", None))),
)


def journal(path: Path, lines: int = 3) -> ChainedJournal:
    written = ChainedJournal(path, root(b"event"), 0)
    for roster in ROSTERS[:lines]:
        written.change(roster)
    return written


def read(path: Path) -> list[object]:
    return [entry.what for entry in ChainedReader(path, root(b"event"))]


def test_what_was_written_is_read_and_can_be_added_to(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = journal(path, 2)
    first.close()
    reader = ChainedReader(path, root(b"event"))
    assert [entry.what for entry in reader] == list(ROSTERS[:2])
    second = ChainedJournal(path, reader.chain, reader.entries)
    second.change(ROSTERS[2])
    second.close()
    assert read(path) == list(ROSTERS)


def test_a_link_covers_the_link_before_and_the_bytes_of_the_line() -> None:
    assert link("a", b"xy") != link("b", b"xy") != link("b", b"xz")
    assert split(b'{"a":1,"chain":"' + b"0" * 64 + b'"}') == (b'{"a":1', "0" * 64)
    assert split(b'{"a":1}') is None


@given(st.data())
def test_no_changed_byte_goes_unnoticed(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("chain") / "journal.jsonl"
    journal(path).close()
    whole = path.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda one: one != whole[at]))
    path.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
    line = whole.count(b"\n", 0, at) + 1
    if at == len(whole) - 1:  # the last LF: the line counts as never finished
        assert read(path) == list(ROSTERS[:2])
        return
    with pytest.raises(BadLine) as caught:
        read(path)
    place = int(caught.value.place.rpartition(":")[2])
    assert place in (line, line + 1)  # the next where it was the LF, or broke the line in two


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda lines: lines[:1] + lines[2:], 2),
        (lambda lines: [lines[1], lines[0], lines[2]], 1),
        (lambda lines: [*lines, lines[2]], 4),
        (lambda lines: lines[1:], 1),
        (lambda lines: [*lines, b'{"roster":{"start":9}}\n'], 4),
    ],
    ids=["taken out", "swapped", "doubled", "begun later", "without a chain"],
)
def test_lines_that_were_moved_are_named(tmp_path: Path, change, named: int) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "journal.jsonl"
    journal(path).close()
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))
    with pytest.raises(BadLine) as caught:
        read(path)
    assert caught.value.place == f"{path}:{named}"


def test_a_torn_line_is_sealed_skipped_and_no_part_of_the_chain(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    first = journal(path, 2)
    first.close()
    with path.open("ab") as file:
        file.write(b'{"roster":{"start":5,"add')
    second = ChainedJournal(path, first.chain, first.entries)
    second.change(ROSTERS[2])
    second.close()
    reader = ChainedReader(path, root(b"event"))
    assert [entry.what for entry in reader] == list(ROSTERS)
    assert [torn.line for torn in reader.torn] == [3]


def test_a_line_that_could_not_be_written_whole_may_be_handed_in_again(tmp_path: Path) -> None:
    import os

    path = tmp_path / "journal.jsonl"
    room = [10]

    def full(fd: int, data: bytes, /) -> int:
        return os.write(fd, data[: room[0]]) if room else os.write(fd, data)

    written = ChainedJournal(path, root(b"event"), 0, write=full)
    with pytest.raises(WriteFault):
        written.change(ROSTERS[0])
    room.clear()
    written.change(ROSTERS[0])
    written.close()
    assert read(path) == [ROSTERS[0]]


def test_the_seal_says_how_far_a_journal_went(tmp_path: Path) -> None:
    assert read_seal(tmp_path) is None
    write_seal(tmp_path, Seal(7, "f" * 64))
    assert read_seal(tmp_path) == Seal(7, "f" * 64)
    assert [path.name for path in tmp_path.iterdir()] == ["journal.seal"]
