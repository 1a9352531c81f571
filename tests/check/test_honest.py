"""Bots that do everything right pass every check, on pipes and over ZeroMQ, in text and in msgpack."""

import sys
from pathlib import Path

import pytest

from check.scene import SETTINGS, bot, dialled_stand, failed, stand, verdicts
from client.patience import patient, shipped
from donuts_referee.channels.program import Program
from donuts_referee.check import leaving, remote
from donuts_referee.roster import find

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the checks know Linux")

ROOT = Path(__file__).parent.parent.parent
THINKERS = ("donuts:alphabeta:1", "donuts:mcts:1")
"""These ask to report while they think."""

HONEST = SETTINGS._replace(margin=5000)
"""As much time as a busy machine may need."""


@pytest.fixture(autouse=True)
def _time_to_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaving, "SECOND", 10_000)


def _program(words: str) -> Program:
    if words == "minimal.py":
        return Program(argv=(sys.executable, str(ROOT / "clients" / "python" / words)))
    if words == "packed.py":
        return Program(argv=(sys.executable, str(ROOT / "tests" / "bots" / words)))
    program = find(words).program
    assert program is not None
    return program


@pytest.mark.parametrize(
    ("words", "encoding", "channel"),
    [
        ("minimal.py", "text", "poll"),
        ("donuts:random", "text", "threads"),
        ("donuts:greedy", "text", "poll"),
        ("donuts:alphabeta:1", "text", "poll"),
        ("donuts:mcts:1", "text", "poll"),
        ("packed.py", "msgpack", "threads"),
    ],
)
def test_an_honest_bot_passes_all(
    words: str, encoding: str, channel: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DONUTS_CHANNEL", channel)
    settings = HONEST._replace(encoding="msgpack" if encoding == "msgpack" else "text")
    with stand(_program(words), settings) as made:
        found = verdicts(made, [])
    assert failed(found) == {}
    other = {"text": "packed-", "msgpack": "line-form"}[encoding]
    skipped = {one.id for one in found.values() if one.outcome == "skipped"}
    remotes = {check.id for check in remote.CHECKS}
    silent = set() if words in THINKERS else {"info"}
    assert {id for id in skipped - remotes if not id.startswith(other)} == silent


def test_reports_that_are_right_pass() -> None:
    with stand(bot("vicious.py", "Info"), HONEST) as made:
        found = verdicts(made, ["info", "info-ungranted", "line-form"])
    assert [one.outcome for one in found.values()] == ["ok"] * 3
    assert "20 reports" in found["info"].note


@pytest.mark.parametrize("words", [(), ("--msgpack",)], ids=["text", "msgpack"])
def test_a_bot_that_dials_in_passes_all(words: tuple[str, ...]) -> None:
    argv = (sys.executable, "-c", patient(shipped("random")), *words, "--connect", "{endpoint}")
    ids = (
        "hello-time,version,flush,ids,ping,one-answer,resend,one-write,time-200,stays,cancel,second-game,bye"
    )
    with dialled_stand(Program(argv=argv), HONEST) as made:
        found = verdicts(made, [*ids.split(","), "dials", "resume-error", "resume-lost"])
        assert failed(found) == {}
        assert {one.outcome for one in found.values()} == {"ok"}


def test_a_bot_dials_anew_after_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remote, "SILENCE", 6000)
    monkeypatch.setattr(remote, "GRACE", 20_000)
    with dialled_stand(bot("dialler.py", "{endpoint}", "none", "6"), HONEST._replace(soak=True)) as made:
        found = verdicts(made, ["resume-silence", "sent-away", "bye"])
    assert failed(found) == {}
    assert found["resume-silence"].outcome == "ok"
