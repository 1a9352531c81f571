"""A short, bounded run of the fuzzer, which also shows that it reaches what it is meant to reach."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from protocol import driving, fuzz


def test_a_thousand_rounds_find_nothing():
    tally = fuzz.run(rounds=1000, seed=20)
    assert tally["rounds"] == 1000
    reached = {"message", "noise", "decoded", "invalid", "('fault', 'malformed')", "('fault', 'protocol')"}
    reached |= {"('fault', 'start')", "('fault', 'flood')", "('dropped', 'late')", "('dropped', 'rate')"}
    assert reached <= {what for what, count in tally.items() if count}


def test_a_round_repeats_itself():
    assert fuzz.run(rounds=20, seed=7) == fuzz.run(rounds=20, seed=7)


def test_a_failure_names_its_round(monkeypatch):
    def broken(*_: object, **__: object) -> list[object]:
        raise KeyError("stray")

    monkeypatch.setattr(driving, "judged", broken)
    with pytest.raises(KeyError) as failure:
        fuzz.run(rounds=1, seed=3)
    assert failure.value.__notes__ == ["in round 3:0"]


def test_wounds_do_not_hide_the_golden_message():
    line = fuzz.golden()[0][1]
    dice = random.Random(1)
    assert sum(fuzz.wounded(line, dice) == line for _ in range(500)) > 50


def test_the_command_runs_alone():
    command = [sys.executable, Path(fuzz.__file__), "--seconds", "0.2", "--seed", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd="/", timeout=120)
    assert done.stdout.startswith("seed 1\n") and "rounds" in done.stdout
