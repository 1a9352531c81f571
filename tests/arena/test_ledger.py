"""Nothing is lost while the disk is full: games are held, tried again, and written once."""

import json
from pathlib import Path

import pytest

from donuts_referee.arena.ledger import Ledger
from donuts_referee.records.faults import RecordsFault, WriteFault
from donuts_referee.records.journal import Journal
from donuts_referee.records.pgn import PgnFile
from records.played import played


class Full:
    """A disk that is full while `full` is true."""

    full = False


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Full:
    disk = Full()

    def guarded(kind: type, method: str) -> None:
        real = getattr(kind, method)

        def append(self: object, what: object) -> None:
            if disk.full:
                raise WriteFault("cannot write it: no space left on the device; make room")
            real(self, what)

        monkeypatch.setattr(kind, method, append)

    guarded(Journal, "append")
    guarded(PgnFile, "append")
    return disk


def test_games_are_held_and_written_once(tmp_path: Path, disk: Full) -> None:
    ledger = Ledger(tmp_path)
    first = ledger.keep(played(), "20260101-000000-aa")
    disk.full = True
    second = ledger.keep(played(), "20260101-000000-bb")
    assert ledger.held == 1 and ledger.fault and "no space" in ledger.fault
    assert not ledger.settle()
    disk.full = False
    assert ledger.settle() and ledger.held == 0 and ledger.fault is None
    ledger.close()
    lines = [json.loads(line) for line in (tmp_path / "journal.jsonl").read_text().splitlines()]
    assert [line["id"] for line in lines] == [first, second]
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == 2


def test_a_pgn_that_cannot_be_written_doubles_nothing_in_the_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = Ledger(tmp_path)
    real = PgnFile.append

    def fails(self: PgnFile, game: object) -> None:
        raise WriteFault("cannot write it: no space left on the device; make room")

    monkeypatch.setattr(PgnFile, "append", fails)
    ledger.keep(played(), "20260101-000000-aa")
    ledger.settle()
    monkeypatch.setattr(PgnFile, "append", real)
    assert ledger.settle()
    ledger.close()
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 1
    assert (tmp_path / "games.pgn").read_text().count("[Event ") == 1


def test_what_is_held_is_tried_once_more_at_the_end(tmp_path: Path, disk: Full) -> None:
    ledger = Ledger(tmp_path)
    disk.full = True
    ledger.keep(played(), "20260101-000000-aa")
    disk.full = False
    ledger.close()
    assert len((tmp_path / "journal.jsonl").read_text().splitlines()) == 1


def test_files_that_cannot_be_opened_are_a_fault_at_once(tmp_path: Path) -> None:
    (tmp_path / "games.pgn").mkdir()
    with pytest.raises(RecordsFault):
        Ledger(tmp_path)
