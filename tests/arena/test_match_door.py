"""`donuts play zmq:NAME`: a bot that dials in meets a child or another remote bot, in one match."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from arena.hall import ANY_PORT, PATIENCE, Caller, seats

BOTS = Path(__file__).parents[1] / "bots"


class Match:
    """`donuts play` in a folder, with what it wrote."""

    endpoint: str
    """where bots dial in, as it said"""

    def __init__(self, folder: Path, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "donuts_referee", "play", *words],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # who reads one line leaves the others to `communicate`
        )
        self._told = b""

    def listens(self) -> "Match":
        """Wait until it says where bots dial in."""
        assert self.process.stderr is not None
        self._told = self.process.stderr.readline()
        said = re.match(rb"waiting for \w+: donuts join (\S+) ", self._told)
        assert said is not None, self._told + self.process.stderr.read()
        self.endpoint = said[1].decode()
        return self

    def end(self) -> tuple[int, str, str]:
        out, err = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, out.decode(), (self._told + err).decode()


@pytest.mark.parametrize("encoding", ["text", "msgpack"])
@pytest.mark.parametrize("way", ["tcp", "ipc", "curve"])
def test_a_child_meets_a_bot_that_dials_in(tmp_path: Path, way: str, encoding: str) -> None:
    words = ["--listen", ANY_PORT if way != "ipc" else f"ipc://{tmp_path}/run/door"]
    if way == "curve":
        invitation = seats(tmp_path, "alice", "--curve")["alice"]
        words += ["--seats", "seats"]
    match = Match(tmp_path, "zmq:alice", "donuts:random", "--games", "4", "--json", *words).listens()
    if way == "curve":
        bot = Caller(invitation._replace(endpoint=match.endpoint), "her own name", encoding)
    else:
        bot = Caller(match.endpoint, "alice", encoding)
    code, out, err = match.end()
    bot.join()
    assert code == 0, err
    verdicts = [event for event in map(json.loads, out.splitlines()) if event["event"] == "verdict"]
    assert len(verdicts) == 4 and {event["why"] for event in verdicts} <= {"five", "group"}
    assert bot.last == "done" and "waiting for alice" in err
    record = json.loads((tmp_path / "donuts-records" / "journal.jsonl").read_text().splitlines()[0])
    assert record["x"]["bot"] == "alice" and record["x"]["encoding"] == encoding
    assert record["conditions"]["margin"] == 100
    assert all(turn["rtt"] for turn in record["turns"] if turn["side"] == "x")


def test_two_remote_bots_meet_and_names_decide_who_sits_where(tmp_path: Path) -> None:
    match = Match(tmp_path, "zmq:ada", "zmq:bob", "--games", "2", "--listen", ANY_PORT).listens()
    bob, ada = Caller(match.endpoint, "bob"), Caller(match.endpoint, "ada")
    code, out, err = match.end()
    bob.join()
    ada.join()
    assert code == 0, err
    records = [
        json.loads(line) for line in (tmp_path / "donuts-records" / "journal.jsonl").read_text().splitlines()
    ]
    assert [(r["x"]["bot"], r["x"]["name"]) for r in records] == [("ada", "ada"), ("bob", "bob")]
    assert "score: ada" in out


def test_where_two_are_expected_only_their_names_sit_down(tmp_path: Path) -> None:
    match = Match(tmp_path, "zmq:ada", "zmq:bob", "--games", "2", "--listen", ANY_PORT).listens()
    first = Caller(match.endpoint, "first")
    first.join()
    assert first.last == "seat"
    assert any("ada and bob" in (m.text or "") for m in first.heard if type(m).__name__ == "Error")
    bots = [Caller(match.endpoint, "ada"), Caller(match.endpoint, "bob")]
    code, _, err = match.end()
    assert code == 0, err
    for bot in bots:
        bot.join()


def test_a_third_bot_is_told_that_all_seats_are_taken(tmp_path: Path) -> None:
    class Late(Caller):
        def think(self, turn):  # type: ignore[no-untyped-def]
            if not late:
                late.append(Caller(match.endpoint, "eve"))
                late[0].join()
            return turn.legal[0]

    late: list[Caller] = []
    match = Match(tmp_path, "zmq:ada", "donuts:random", "--listen", ANY_PORT).listens()
    ada = Late(match.endpoint, "ada")
    code, _, err = match.end()
    ada.join()
    assert code == 0, err
    assert late[0].last == "busy"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["zmq:", "donuts:random"], "name the seat"),
        (["zmq:a b", "donuts:random"], "name the seat"),
        (["zmq:ada", "human"], "cannot meet"),
        (["zmq:ada", "zmq:ada"], "named twice"),
        (["donuts:random", "donuts:greedy", "--listen", "tcp://127.0.0.1:*"], "zmq:NAME"),
        (["zmq:ada", "donuts:random", "--listen", "tcp://0.0.0.0:*"], "--seats"),
        (["zmq:ada", "donuts:random", "--listen", "nowhere"], "--listen"),
        (["zmq:ada", "donuts:random", "--seats", "nowhere"], "--seats"),
    ],
)
def test_what_cannot_be_is_one_clear_line(tmp_path: Path, words: list[str], told: str) -> None:
    code, out, err = Match(tmp_path, *words).end()
    assert (code, out) == (2, "") and err.count("\n") == 1 and told in err, err
