"""The ends that come from outside: Ctrl-C, SIGTERM and SIGKILL to the referee, with bots that would rather stay."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable

import pytest

from match.arena import Arena

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")

LOST = 60
"""Seconds after which a process that should be gone is held to stay."""


def _until(true: Callable[[], bool]) -> bool:
    """Wait for something that will be so, and say whether it came."""
    end = time.monotonic() + LOST
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def _read_until_turn(process, ply: int) -> bytes:
    """Read JSON events until the move before `ply` of the first game was played: now the bot on turn is thinking."""
    told = b""
    for line in process.stdout:
        told += line
        event = json.loads(line)
        if event["event"] == "move" and event["ply"] == ply - 1:
            return told
    raise AssertionError(f"the match ended before ply {ply}: {told!r}")


@pytest.mark.parametrize(
    "number, status", [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"]
)
def test_an_interrupted_match_keeps_its_records_and_leaves_nothing(
    number: int, status: int, arena: Arena
) -> None:
    process = arena.start("silent.py", "ignores_sigterm.py", "--json", "--tc", "inf", "--games", "3")
    told = _read_until_turn(process, 2)
    assert len(arena.left_behind()) == 2
    process.send_signal(number)
    out, err = process.communicate(timeout=LOST)
    played = arena.played(process.returncode, told + out, err)

    assert played.exit == status
    assert b"Traceback" not in err
    assert [(each["why"], each["winner"], each["void"]) for each in played.of("verdict")] == [
        ("abort", "-", True)
    ]
    [record] = played.records
    assert record["verdict"]["why"] == "abort" and record["verdict"]["void"] is True
    assert len(record["moves"]) == 2
    assert arena.left_behind() == []


def test_a_finished_game_survives_the_interruption_of_the_next(arena: Arena) -> None:
    # silent.py sins as x only: first-named second, it plays game 1 as o and falls silent in game 2
    process = arena.start("plain.py", "silent.py", "--json", "--tc", "inf", "--games", "2")
    told = b""
    for line in process.stdout:
        told += line
        event = json.loads(line)
        if event["event"] == "move" and (event["game"], event["ply"]) == (2, 1):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=LOST)
    played = arena.played(process.returncode, told + out, err)
    assert played.exit == 130
    assert [each["verdict"]["why"] in ("five", "group") for each in played.records] == [True, False]
    assert played.records[1]["verdict"]["why"] == "abort"
    assert played.of("score")[-1]["voids"] == 1


def test_two_ctrl_c_in_a_row_still_leave_nothing(arena: Arena) -> None:
    process = arena.start("silent.py", "ignores_sigterm.py", "--json", "--tc", "inf")
    _read_until_turn(process, 2)
    process.send_signal(signal.SIGINT)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=LOST)
    assert process.returncode == 130
    assert _until(lambda: arena.left_behind() == [])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the parent-death signal is Linux's")
def test_bots_die_with_a_referee_that_is_killed(arena: Arena) -> None:
    process = arena.start("ignores_sigterm.py", "silent.py", "--json", "--tc", "inf", "--games", "2")
    told = b""
    for line in process.stdout:
        told += line
        if json.loads(line)["event"] == "move":
            break
    assert len(arena.left_behind()) == 2
    os.kill(process.pid, signal.SIGKILL)
    process.communicate(timeout=LOST)
    assert process.returncode == -signal.SIGKILL
    assert _until(lambda: arena.left_behind() == [])


def test_a_reader_that_leaves_ends_the_match_quietly(arena: Arena) -> None:
    process = arena.start("plain.py", "plain.py", "--json", "--games", "200", "--movetime", "30")
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=LOST)
    assert b"Traceback" not in err
    assert _until(lambda: arena.left_behind() == [])
