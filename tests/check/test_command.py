"""`donuts check` as a process: what it prints, and its exit codes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from check.scene import BOTS
from client.patience import patient, shipped
from donuts_referee.check.suite import checks

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the vices are POSIX programs")


def _check(*words: str, **env: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "donuts_referee", "check", *words],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env={**os.environ, **env},
        check=False,
    )


def _bot(*words: str) -> list[str]:
    return ["--", sys.executable, str(BOTS / "vicious.py"), *words]


def test_a_line_for_each_check_and_a_summary() -> None:
    done = _check("--only", "hello-time,one-legal", "donuts:random")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert [line.split()[1:3] for line in lines[:2]] == [["ok", "hello-time"], ["ok", "one-legal"]]
    assert "2 ok, 0 failed, 0 skipped; these hold" in lines[-1]


@pytest.mark.parametrize("channel", ["poll", "threads"])
def test_a_failure_says_what_would_be_right(channel: str) -> None:
    done = _check("--only", "error,ping", *_bot("Error"), DONUTS_CHANNEL=channel)
    assert done.returncode == 1
    assert " FAILED      error " in done.stdout
    assert "(DBP-6.13)\n    sent:  error " in done.stdout
    assert "    came:  move " in done.stdout
    assert "    right: nothing" in done.stdout
    assert done.stdout.rstrip().endswith("1 ok, 1 failed, 0 skipped; NOT conformant")


def test_a_margin_is_forgiven() -> None:
    late = ("--only", "low-clock", *_bot("SlowLow"))
    assert _check(*late).returncode == 1
    assert _check("--margin", "60000", *late).returncode == 0


def test_json_has_an_object_for_each_check_and_one_for_all() -> None:
    done = _check("--json", "--only", "ping,error", *_bot("Error"))
    assert done.returncode == 1
    ping, error, last = map(json.loads, done.stdout.splitlines())
    assert (ping["id"], ping["outcome"], ping["clauses"]) == ("ping", "ok", ["DBP-6.12", "DBP-10.6"])
    assert error["outcome"] == "failed"
    assert set(error["finding"]) == {"sent", "came", "right"}
    assert last["summary"].pop("seconds") >= 0
    counts = {"checks": 2, "ok": 1, "failed": 1, "unreached": 0, "skipped": 0}
    assert last["summary"] == counts | {"conformant": False}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (_bot("Dies"), "exit status 7.*weights.bin: no such file"),
        (["--", "./no-such-bot-anywhere", "-x"], "no such file"),
    ],
    ids=["dies", "missing"],
)
def test_a_bot_that_does_not_start_is_exit_3(words: list[str], says: str) -> None:
    import re

    done = _check(*words)
    assert done.returncode == 3, done.stderr
    assert re.search(says, done.stdout)
    remote = sum(one.check.over == "zmq" for one in checks())
    assert f"2-{len(checks()) - remote} not reached: see 1 hello-time: the bot did not start\n" in done.stdout
    assert f"0 ok, 1 failed, {len(checks()) - remote - 1} not reached, {remote} skipped" in done.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "check needs a bot"),
        (["--only", "legall", "donuts:random"], "there is no check 'legall'; did you mean legal?"),
        (["--only", "xyzzy", "donuts:random"], "there is no check 'xyzzy'; `donuts check --list`"),
        (["--only", ",", "donuts:random"], "names no check"),
        (["--connect", "tcp://0.0.0.0:7999"], "loopback"),
        (["--connect", "udp://x"], "--connect: "),
        (["human"], "check takes a program"),
        (["donuts:nobody"], "no bot"),
    ],
)
def test_usage_is_one_line_and_exit_2(words: list[str], says: str) -> None:
    done = _check(*words)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_the_list_names_every_check() -> None:
    done = _check("--list")
    assert done.returncode == 0
    assert [line.split()[1] for line in done.stdout.splitlines()] == [one.check.id for one in checks()]
    done = _check("--list", "--json", "--only", "1,legal,dials")
    listed = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["id"] for one in listed] == ["hello-time", "legal", "dials"]
    assert listed[2]["over"] == "zmq" and listed[0]["clauses"] == ["DBP-9.11", "DBP-10.4"]


def test_a_bot_that_dials_in_is_started_with_the_endpoint() -> None:
    done = _check(
        *("--connect", "tcp://127.0.0.1:*", "--encoding", "msgpack", "--only", "encoding,dials,legal", "--"),
        *(sys.executable, "-c", patient(shipped("random")), "--msgpack", "--connect", "{endpoint}"),
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 ok" in done.stdout


def test_a_bot_that_does_not_dial_in_is_exit_3(tmp_path: Path) -> None:
    done = _check(
        *("--connect", f"ipc://{tmp_path}/door/socket", "--hello", "20", "--only", "dials", "--"),
        *(sys.executable, "-c", "pass"),
    )
    assert done.returncode == 3, done.stdout + done.stderr
    assert "nobody dialled in, and the command ended: exit status 0" in done.stdout


def test_a_bot_that_others_start_is_not_waited_for_without_an_end() -> None:
    done = _check("--connect", "tcp://127.0.0.1:*", "--hello", "1", "--only", "dials")
    assert done.returncode == 3
    assert "start the bot; waiting 1 s (--hello) for it to dial in at tcp://127.0.0.1:" in done.stderr
    assert "came:  nobody dialled in within 1000 ms\n" in done.stdout


def test_a_bot_that_others_start_is_waited_for_and_sent_away_in_the_end() -> None:
    words = ["check", "--connect", "tcp://127.0.0.1:*", "--only", "flush,ids,bye"]
    with subprocess.Popen(
        [sys.executable, "-m", "donuts_referee", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as checker:
        assert checker.stdout is not None and checker.stderr is not None
        assert "slow or silent takes minutes" in checker.stderr.readline()
        endpoint = checker.stderr.readline().split()[-1]
        bot = [sys.executable, "-c", patient(shipped("random")), "--connect", endpoint]
        played = subprocess.run(bot, capture_output=True, timeout=60, check=False)
        out = checker.stdout.read()
    assert played.returncode == 0, played.stderr
    assert checker.returncode == 0, out
    assert "2 ok, 0 failed, 1 skipped" in out


def test_the_secret_of_a_seat_is_never_shown() -> None:
    done = _check("--only", "hello-form,hello-first", *_bot("Seated"))
    assert done.returncode == 1
    assert "seat=***" in done.stdout
    assert "hunter2" not in done.stdout + done.stderr


def test_checks_that_were_skipped_for_one_reason_are_one_line() -> None:
    done = _check("--only", "resume-lost,resume-silence,sent-away", "donuts:random")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("49-51 skipped: "), lines
    assert lines[-1].endswith("; nothing was checked")


@pytest.mark.parametrize("json", [(), ("--json",)], ids=["text", "json"])
def test_a_reader_that_leaves_ends_it_quietly(json: tuple[str, ...]) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "donuts_referee", "check", *json, "donuts:random"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as checker:
        assert checker.stdout is not None
        assert b"hello-time" in checker.stdout.readline()
        checker.stdout.close()
        assert checker.wait(60) == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_is_one_line_and_exit_2() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "donuts_referee",
                "check",
                "--json",
                "--only",
                "ping,legal",
                "donuts:random",
            ],
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            timeout=60,
        )
    assert done.returncode == 2
    assert done.stderr == "donuts: cannot write to stdout: no space left on device\n"


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_it_and_shows_what_was_found(number: signal.Signals, code: int) -> None:
    with subprocess.Popen(
        [
            sys.executable,
            "-m",
            "donuts_referee",
            "check",
            "--only",
            "hello-first,legal",
            *_bot("StaysInGame"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as checker:
        assert checker.stdout is not None
        assert "FAILED      hello-first" in checker.stdout.readline()
        checker.send_signal(number)
        out, _ = checker.communicate(timeout=60)
    assert checker.returncode == code
    assert "came:  loading weights" in out and "checks: 1 in " in out and "NOT conformant" in out
