"""One fault is told once: what fails by it as well is not reached, and says where it was told of."""

import sys

import pytest

from check.scene import SETTINGS, SILENT, bot, dialled_stand, stand, verdicts
from donuts_referee.check import asking, handshake
from donuts_referee.check.verdicts import Verdict

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the vices are POSIX programs")


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a bot does answer after it kept silent may take as long as before; one that says nothing may be brief."""
    monkeypatch.setattr(asking, "IMPATIENT", 1)
    monkeypatch.setattr(handshake, "NUDGED", 300)
    monkeypatch.setattr(handshake, "CLOSED", 300)


def found(name: str, ids: str) -> dict[str, Verdict]:
    with stand(bot("vicious.py", name), SILENT._replace(at_most=60_000)) as made:
        return verdicts(made, ids.split(","))


def told(found: dict[str, Verdict]) -> list[str]:
    """What each check came to: its outcome, or the check that it says to see."""
    return [
        one.note.removeprefix("see ") if one.outcome == "unreached" else one.outcome for one in found.values()
    ]


@pytest.mark.parametrize(
    ("name", "ids", "outcomes"),
    [
        ("DiesInGame2", "flush,ids,legal,resend", ["ok", "failed", "8 ids", "8 ids"]),
        ("NoPong", "flush,ids,ping,stays", ["ok", "ok", "failed", "9 ping"]),
        ("NeverPongs", "flush,ids,ping,stays", ["ok", "ok", "failed", "9 ping"]),
        ("WrongIds", "flush,ids,ping,legal", ["ok", "failed", "8 ids", "8 ids"]),
        ("BlindToRings", "flush,first-ring,last-ring,values", ["ok", "ok", "failed", "ok"]),
        ("BlindToRings", "flush,legal,last-ring,resend", ["ok", "failed", "10 legal", "10 legal"]),
        ("BadHello", "hello-form,flush,line-form", ["failed", "ok", "3 hello-form"]),
        ("Loading", "hello-first,flush,clean-stdout", ["failed", "ok", "2 hello-first"]),
        ("Floods", "flush,ids,legal,resend", ["ok", "failed", "8 ids", "8 ids"]),
        ("FloodsComments", "flush,ids,legal,resend", ["ok", "failed", "8 ids", "8 ids"]),
        ("Deaf", "flush,ids,legal", ["ok", "failed", "8 ids"]),
        ("Silent", "flush,ids,legal", ["failed", "7 flush", "7 flush"]),
    ],
)
def test_a_root_is_told_once(name: str, ids: str, outcomes: list[str]) -> None:
    assert told(found(name, ids)) == outcomes


def test_two_faults_are_told_of_both() -> None:
    """They end the process in one way, but upon different messages."""
    assert told(found("DiesTwice", "flush,unknown-verbs,error")) == ["ok", "failed", "failed"]


@pytest.mark.parametrize(
    ("vice", "patience", "came"),
    [("dies", 10_000, "the connection was closed; stderr ends: no weights"), ("empties", 300, "")],
)
def test_a_bot_that_dials_in_is_not_waited_for_without_an_end(vice: str, patience: int, came: str) -> None:
    program = bot("dialler.py", "{endpoint}", vice)
    with dialled_stand(program, SETTINGS._replace(patience=patience)) as made:
        made_of_it = verdicts(made, ["flush", "ids", "legal"])
    assert told(made_of_it) == ["failed", "7 flush", "7 flush"]
    finding = made_of_it["flush"].finding
    assert finding is not None and came in finding.came


def test_what_was_seen_of_an_unreached_check_is_kept() -> None:
    unreached = found("NoPong", "ping,stays")["stays"]
    assert unreached.finding is not None and unreached.finding.right.startswith("pong")
