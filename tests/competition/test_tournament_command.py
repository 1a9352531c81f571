"""`donuts tournament` as an operator uses it: a file, a command, a signal, the command again."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from donuts_referee.modules import own_modules

EVENT = """\
[[bot]]
name = "ann"
run = "{salted} ann"
[[bot]]
name = "bob"
run = "{salted} bob {crashes}"
[games]
size = 6
tc = "inf"
[format]
cycles = {cycles}
{rest}
"""


def command(*words: str) -> list[str]:
    return [sys.executable, "-P", "-m", "donuts_referee", "tournament", *words]


def donuts(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(*words),
        cwd=folder,
        env=own_modules(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def write(folder: Path, salted: Path, cycles: int = 2, crashes: int = 0, rest: str = "") -> None:
    text = EVENT.format(salted=salted, cycles=cycles, crashes=crashes, rest=rest)
    (folder / "event.toml").write_text(text)


def test_init_writes_a_file_that_can_be_played_and_never_over_another(tmp_path: Path) -> None:
    done = donuts(tmp_path, "--init")
    assert done.returncode == 0 and "donuts tournament event.toml" in done.stdout
    text = (tmp_path / "event.toml").read_text()
    assert "size 9" in text and "movetime = 0.1" in text
    again = donuts(tmp_path, "--init")
    assert again.returncode == 2 and again.stderr.count("\n") == 1 and "is there already" in again.stderr
    assert (tmp_path / "event.toml").read_text() == text


def test_an_event_is_played_and_its_standings_printed(tmp_path: Path, salted: Path) -> None:
    write(tmp_path, salted)
    done = donuts(tmp_path, "event.toml")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert sum(line.startswith("encounter ") for line in lines) == 4
    assert any(line.split()[:2] == ["place", "bot"] for line in lines)
    quiet = donuts(tmp_path, "event.toml", "--quiet")
    assert quiet.returncode == 0 and quiet.stdout.startswith("place") and quiet.stderr == ""


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)]
)
def test_a_signal_ends_it_with_the_summary_and_the_command_to_go_on(
    tmp_path: Path, salted: Path, number: int, code: int
) -> None:
    write(tmp_path, salted, cycles=100_000)
    with subprocess.Popen(
        command("event.toml", "--events", "happened.jsonl"),
        cwd=tmp_path,
        env=own_modules(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL),
    ) as run:
        assert run.stdout is not None
        while not run.stdout.readline().startswith("encounter "):
            pass
        run.send_signal(number)
        out, err = run.communicate(timeout=60)
    assert (run.returncode, err) == (code, "")
    assert "to go on: donuts tournament event.toml --events happened.jsonl" in out
    assert out.index("place") < out.index("to go on")
    ended = json.loads((tmp_path / "happened.jsonl").read_text().splitlines()[-1])
    assert ended["event"] == "ended" and ended["reason"] == "interrupted"


def test_the_policy_stop_is_exit_1_and_says_why(tmp_path: Path, salted: Path) -> None:
    write(tmp_path, salted, crashes=1000, rest='[faults]\non_fault = "stop"')
    done = donuts(tmp_path, "event.toml", "--quiet")
    assert done.returncode == 1 and "ended early: leg" in done.stdout and "to go on:" in done.stdout


def test_at_the_end_it_says_what_is_made_of_the_records_and_at_a_later_start_that_it_is_over(
    tmp_path: Path, salted: Path
) -> None:
    write(tmp_path, salted, cycles=1)
    done = donuts(tmp_path, "event.toml")
    assert done.returncode == 0
    assert done.stdout.startswith("event begins: 2 bots, 1 encounter of 2 games, ")
    assert done.stdout.splitlines()[-3:] == [
        "records: event-records",
        "a site to look at: donuts standings event-records --html site",
        "all in one file: donuts export event-records event.zip",
    ]
    again = donuts(tmp_path, "event.toml")
    assert again.returncode == 0
    assert again.stdout.startswith("event is over: 2 bots, 1 encounter settled, 2 games kept\n")


def test_a_signal_while_hooks_are_waited_for_ends_that_wait_and_the_standings_come(
    tmp_path: Path, salted: Path
) -> None:
    os.mkfifo(tmp_path / "ready")
    os.mkfifo(tmp_path / "never")
    hook = tmp_path / "hang.sh"
    hook.write_text("#!/bin/sh\necho ready >ready\n: <never\n")
    write(tmp_path, salted, cycles=1, rest='[hooks]\nend = "./hang.sh"')
    refused = donuts(tmp_path, "event.toml")
    assert refused.returncode == 2 and ":13: hooks.end:" in refused.stderr and "chmod +x" in refused.stderr
    assert not (tmp_path / "event-records").exists(), "before anything is played"
    hook.chmod(0o755)
    with subprocess.Popen(
        command("event.toml"),
        cwd=tmp_path,
        env=own_modules(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert (tmp_path / "ready").read_text() == "ready\n"
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=60)
    assert run.returncode == 0 and "\nplace" in out and "records: event-records" in out, (
        "it is over all the same"
    )
    assert "hook end: killed after" in err and "since a signal ended the wait for hooks" in err
    assert (tmp_path / "event-records" / "hooks.log").exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "which event? name its file"),
        (("nowhere.toml",), "nowhere.toml"),
        (("event.toml", "--scheduler", "tcp://127.0.0.1:1"), "say --executor dask too"),
        (("event.toml", "--executor", "dask"), "needs --scheduler"),
        (("event.toml", "--workers", "0"), "--workers"),
        (("event.toml", "--workers", "1025"), "1024"),
        (("event.toml", "--events", "no/such/folder"), "cannot write"),
        (("event.toml", "--events", "event-records/journal.jsonl"), "is among the records"),
        (("event.toml", "--init", "--plan"), "not allowed with"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    tmp_path: Path, salted: Path, words: tuple[str, ...], told: str
) -> None:
    write(tmp_path, salted)
    done = donuts(tmp_path, *words)
    assert done.returncode == 2 and told in done.stderr and done.stderr.count("\n") == 1, done.stderr
    journal = tmp_path / "event-records" / "journal.jsonl"
    assert done.stdout == "" and not (journal.exists() and journal.stat().st_size)


def test_a_folder_means_the_event_file_in_it_and_records_say_whose_they_are(
    tmp_path: Path, salted: Path
) -> None:
    write(tmp_path, salted)
    assert donuts(tmp_path, ".", "--quiet").returncode == 0
    (tmp_path / "cup.toml").write_text('records = "event-records"\nbots = "donuts:greedy"')
    (tmp_path / "other.toml").write_text('bots = "donuts:greedy"')
    told = donuts(tmp_path, "event-records")
    assert (told.returncode, told.stdout) == (2, "")
    assert told.stderr == (
        "donuts: event-records holds the records of an event; name its event file: cup.toml or event.toml\n"
    )
    (tmp_path / "empty").mkdir()
    assert donuts(tmp_path, "empty").stderr == (
        "donuts: empty holds no event.toml; `donuts tournament --init` writes one\n"
    )


def test_every_fault_of_the_file_is_told_at_once_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "event.toml").write_text(
        'bots = ["donuts:greedy"]\n[games]\nsize = 7\n[format]\nkind = "swis"\n'
    )
    done = donuts(tmp_path, "event.toml")
    assert done.returncode == 2
    assert [": ".join(line.split(": ")[:3]) for line in done.stderr.splitlines()] == [
        "donuts: event.toml:1: bots",
        "donuts: event.toml:3: games.size",
        "donuts: event.toml:5: format.kind",
    ]


def test_a_second_start_on_the_same_records_is_refused(tmp_path: Path, salted: Path) -> None:
    write(tmp_path, salted, cycles=100_000)
    with subprocess.Popen(
        command("event.toml"), cwd=tmp_path, env=own_modules(), stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        while not run.stdout.readline().startswith("encounter "):
            pass
        second = donuts(tmp_path, "event.toml")
        run.kill()
    assert second.returncode == 2
    assert "an event that runs already, this one or another, keeps its records in" in second.stderr


def test_a_word_is_said_where_more_games_are_played_than_there_are_processors_for(
    tmp_path: Path, salted: Path
) -> None:
    write(tmp_path, salted)
    many = str(2 * (os.cpu_count() or 1))
    done = donuts(tmp_path, "event.toml", "--workers", many, "--quiet")
    assert done.returncode == 0 and f"{many} games at once on" in done.stderr


def test_who_reads_the_lines_may_go_away(tmp_path: Path, salted: Path) -> None:
    write(tmp_path, salted, cycles=100)
    with subprocess.Popen(
        command("event.toml"),
        cwd=tmp_path,
        env=own_modules(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as run:
        assert run.stdout is not None and run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.wait(180) in (0, 141)
        assert "Traceback" not in run.stderr.read()
    again = donuts(tmp_path, "event.toml", "--quiet")
    assert again.returncode == 0 and "200 games" in again.stdout
