"""A bot that runs into its limits is judged like any other that breaks down, and its opponent plays on."""

import sys
from contextlib import closing
from pathlib import Path

from donuts_engine.board import Board
from donuts_referee.channels.choose import exchange
from donuts_referee.channels.drive import drive
from donuts_referee.channels.limits import Limits
from donuts_referee.channels.program import Program
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import GameOver
from donuts_referee.table.match import match

BOTS = Path(__file__).parent.parent / "bots"
HOARDS = f"""
import sys
sys.path.append({str(BOTS)!r})
from plain import Plain

class Hoards(Plain):
    def sin(self, id, turn):
        self.hoard = bytes(400 << 20)  # asked for, but never touched: it takes none of the machine's
        self.answer(id, turn)

Hoards().run()
"""
"""takes more memory than a limit of 256 MiB allows, at its second turn as x"""

LAYOUT = "VHDDDHVDHVHVDADHHHVADVVHVVDHDDDVHDAD"


def played(limits, games=2):
    """The games of the hoarder, held to `limits`, as x in the first one, against plain.py."""
    first = Program((sys.executable, "-c", HOARDS), limits=limits)
    second = Program((sys.executable, str(BOTS / "plain.py")))
    over = []

    def observe(event):
        if isinstance(event, GameOver):
            over.append(event.game)

    with closing(exchange()) as room:
        steps = match(
            Entrant("hoards", lambda: room.spawn(first)),
            Entrant("plain", lambda: room.spawn(second)),
            [Setting(Board(LAYOUT), 15, seed=7)] * games,
            MatchRules(TimeControl.parse("60+0.1")),
            room.now,
            observe,
        )
        drive(steps, room)
    return over


def test_a_bot_over_its_limit_of_memory_crashes_and_is_there_again_for_the_next_game():
    first, second = played(Limits(memory=256))
    assert (first.verdict.why, first.verdict.fault, first.verdict.winner) == ("crash", "x", "o")
    assert "exit status 1; stderr ends: MemoryError" in first.verdict.text
    assert second.verdict.why in ("five", "group")


def test_limits_that_are_not_to_be_had_are_a_failure_to_start_with_the_sentence_of_it(monkeypatch):
    import resource

    monkeypatch.setattr(resource, "getrlimit", lambda kind: (256, 256))
    (only,) = played(Limits(files=512), games=1)
    assert (only.verdict.why, only.verdict.fault, only.verdict.winner) == ("start", "x", "o")
    assert "its limit of files 512 is above that of the referee itself, files 256" in only.verdict.text


def test_the_same_bot_without_limits_plays_on():
    (only,) = played(Limits(), games=1)
    assert only.verdict.why in ("five", "group")
