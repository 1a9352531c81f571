"""The stream of JSON lines: what it says, that it is whole after a resume, and that no reader harms the event."""

import json
import os
import select
import threading
from pathlib import Path

import pytest

from competition.happened import began, ended, game, standings
from donuts_referee.competition import stream as streams
from donuts_referee.competition.happenings import Benched, Happening, JobLost, JobStarted, RosterChanged
from donuts_referee.competition.onlooking import Gone, Onlookers, Pace
from donuts_referee.competition.stream import Stream, open_stream
from donuts_referee.records.faults import WriteFault


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stands still at the end of a stream is no reader that does not read."""
    monkeypatch.setattr(streams, "LAST", 60.0)


def _read(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def test_every_happening_has_its_line(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    stream = open_stream(str(path))
    for happening in (
        began(),
        JobStarted(1, 1, "semifinal", "alpha", "beta", 2),
        game(1),
        JobLost(1, "its worker ended"),
        RosterChanged(7, ("gamma",), (), 30),
        Benched("beta", 3),
        game(2, winner="-"),
        standings(1),
        ended(),
    ):
        stream.see(happening)
    stream.close()
    stream.close()
    told = _read(path)
    kinds = [line["event"] for line in told]
    assert kinds == [
        "began",
        "job",
        "game",
        "lost",
        "roster",
        "benched",
        "game",
        "standings",
        "standings",
        "ended",
    ]
    assert told[0]["bots"] == ["alpha", "beta"] and told[0]["planned"] == 10 and told[0]["resumed"] is False
    assert told[2] == {
        "event": "game",
        "at": told[2]["at"],
        "encounter": 1,
        "round": 1,
        "leg": 1,
        "label": "",
        "x": "alpha",
        "o": "beta",
        "winner": "x",
        "why": "five",
        "text": "five in a row",
        "fault": None,
        "void": False,
        "seconds": 0.5,
        "counted": True,
        "settled": 0,
        "record": "game-1",
    }
    rows = told[-2]["standings"]
    assert isinstance(rows, list) and rows[0]["columns"] == {"buchholz": 2.5}
    assert told[-1]["reason"] == "over"


def test_a_resumed_event_adds_to_its_file_and_ends_a_torn_line(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    path.write_bytes(b'{"event":"began"}\n{"event":"ga')
    stream = open_stream(str(path))
    stream.see(began(settled=3, resumed=True))
    stream.close()
    lines = path.read_bytes().splitlines()
    assert lines[1] == b'{"event":"ga'
    assert json.loads(lines[2])["resumed"] is True


def test_a_line_is_there_before_the_next_happening(tmp_path: Path) -> None:
    """A viewer that tails the file sees each game when it is told, not when the event ends."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(reader, True)
    stream = open_stream(str(pipe))
    for number in (1, 2):
        stream.see(game(number))
        assert json.loads(os.read(reader, 65536))["record"] == f"game-{number}"
    stream.close()
    os.close(reader)


def test_a_reader_that_left_is_told_of_once_and_the_event_goes_on() -> None:
    reader, writer = os.pipe()
    stream = Stream(writer, "the stream")
    os.close(reader)
    notes: list[str] = []
    seen: list[Happening] = []
    onlookers = Onlookers([stream, _Seeing(seen)], notes.append)
    onlookers.see(game(1))
    stream._thread.join()  # it met the closed pipe
    for number in (2, 3, 4):
        onlookers.see(game(number))
    onlookers.close()
    assert notes == ["the stream ends here: its reader went away; the event goes on without it"]
    assert len(seen) == 4


def test_a_reader_that_does_not_read_stops_nobody() -> None:
    reader, writer = os.pipe()
    stream = Stream(writer, "the stream", waiting=3)
    notes: list[str] = []
    onlookers = Onlookers([stream], notes.append)
    long = game(1, text="x" * 70_000)  # more than a pipe holds
    onlookers.see(long)
    select.select([reader], [], [])  # it is being written, and can never be written whole
    for _ in range(3):
        onlookers.see(long)
    assert notes == []
    for _ in range(2):
        onlookers.see(long)
    assert notes == [
        "the stream ends here: 3 lines wait for a reader that does not read; the event goes on without it"
    ]
    onlookers.close()
    drain = threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(reader, 1 << 20), b"")])
    drain.start()
    stream._thread.join()
    drain.join()
    os.close(reader)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_disk_ends_the_stream_alone() -> None:
    stream = open_stream("/dev/full")
    stream.see(game(1))
    with pytest.raises(Gone, match="no space left"):
        stream.close()
    stream.close()


def test_what_cannot_be_written_is_refused_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(WriteFault, match="is a directory; name a file"):
        open_stream(str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WriteFault, match="a named pipe that nobody reads"):
        open_stream(str(tmp_path / "pipe"))


def test_standings_are_asked_for_now_and_then_and_always_at_the_end() -> None:
    now = [0.0]
    pace = Pace(least=1.0, share=20, clock=lambda: now[0])
    assert pace.look(standings(1)) is not None
    assert pace.look(standings(2)) is None
    now[0] = 1.5
    assert pace.look(game(5)) is not None, "what was not due before is seen at the next happening"
    assert pace.look(game(6)) is None, "nothing has changed"
    assert pace.look(ended()) is not None


def test_standings_that_cost_much_are_asked_for_less_often() -> None:
    now = [0.0]
    pace = Pace(least=1.0, share=20, clock=lambda: now[0])
    costly = standings(1)._replace(standings=lambda: (now.__setitem__(0, now[0] + 2.0), ())[1])
    assert pace.look(costly) is not None
    now[0] = 41.9
    assert pace.look(standings(2)) is None
    now[0] = 42.1
    assert pace.look(standings(2)) is not None


class _Seeing:
    def __init__(self, seen: list[Happening]) -> None:
        self._seen = seen

    def see(self, happening: Happening) -> None:
        self._seen.append(happening)

    def close(self) -> None:
        pass
