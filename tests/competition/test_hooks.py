"""Hook commands: what they are handed, and that those that hang, fork, fail, flood or are missing harm nothing."""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from competition.happened import began, ended, game, standings
from donuts_referee.competition.event import Hooks
from donuts_referee.competition.hooks import LOG, HookLimits, HookRunner

pytestmark = pytest.mark.skipif(os.name == "nt", reason="hooks need process groups")


def sh(script: str) -> tuple[str, ...]:
    """A hook as an operator may have it who wants a shell."""
    return ("sh", "-c", script)


class Hooked:
    """A hook runner in a folder of its own, with what it notes."""

    def __init__(self, folder: Path, limits: HookLimits | None = None, **commands: tuple[str, ...]) -> None:
        self.notes: list[str] = []
        self.folder = folder
        (folder / "records").mkdir()
        self.runner = HookRunner(
            Hooks(**commands), folder, folder / "records", self.notes.append, limits or HookLimits()
        )

    def log(self) -> str:
        path = self.folder / "records" / LOG
        return path.read_text() if path.exists() else ""


def test_each_hook_gets_its_line_on_stdin_in_order_and_runs_beside_the_event_file(tmp_path: Path) -> None:
    keep = sh('cat >>told; echo "$DONUTS_EVENT" >>kinds')
    hooked = Hooked(tmp_path, start=keep, verdict=keep, standings=keep, end=keep)
    for happening in (began(), game(1), game(2), standings(1), ended()):
        hooked.runner.see(happening)
    hooked.runner.close()
    kinds = ["start", "verdict", "verdict", "standings", "standings", "end"]
    assert (tmp_path / "kinds").read_text().split() == kinds
    told = [json.loads(line) for line in (tmp_path / "told").read_text().splitlines()]
    assert [line["event"] for line in told] == ["began", "game", "game", "standings", "standings", "ended"]
    assert told[1]["record"] == "game-1"
    assert hooked.notes == [] and hooked.log() == ""


def test_no_shell_reads_the_words(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path, start=("touch", "a b;c"))
    hooked.runner.see(began())
    hooked.runner.close()
    assert (tmp_path / "a b;c").exists()


def test_what_fails_is_told_once_and_counted_and_its_stderr_kept(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path, verdict=sh('printf "no \\033[2Jroute\\n" >&2; exit 3'))
    for number in (1, 2, 3):
        hooked.runner.see(game(number))
    hooked.runner.close()
    log = tmp_path / "records" / LOG
    assert hooked.notes == [
        f"hook verdict: exit status 3, and its stderr is in {log}; the event goes on, and this is told once",
        f"hook verdict: 3 of 3 calls failed; see {log}",
    ]
    assert hooked.log().count("  no \\x1b[2Jroute\n") == 3


@pytest.mark.parametrize(
    ("command", "fault"),
    [
        (("./no such hook",), "cannot run ./no such hook: no such file or directory"),
        (("/",), "cannot run /: permission denied"),
        (sh("kill -SEGV $$"), "ended by signal 11"),
        (sh("exec 0<&- 1>&- 2>&-; exit 1"), "exit status 1"),
    ],
)
def test_each_kind_of_failure_has_its_words(tmp_path: Path, command: tuple[str, ...], fault: str) -> None:
    hooked = Hooked(tmp_path, start=command, end=sh("touch ended"))
    hooked.runner.see(began())
    hooked.runner.see(ended())
    hooked.runner.close()
    assert fault in hooked.notes[0]
    assert (tmp_path / "ended").exists(), "one hook that fails keeps no other from being called"


@pytest.mark.parametrize(
    "script",
    [
        "sleep 1000 & echo $! >pid; wait",
        "trap '' TERM INT HUP; exec 2>&-; sleep 1000 & echo $! >pid; wait",
        "sleep 1000 & echo $! >pid; while :; do echo flood >&2; done",
    ],
    ids=["hangs", "ignores signals and stderr", "floods"],
)
def test_a_hook_that_does_not_end_is_killed_with_its_children(tmp_path: Path, script: str) -> None:
    hooked = Hooked(tmp_path, HookLimits(seconds=1.0), start=sh(script), end=sh("touch ended"))
    hooked.runner.see(began())
    hooked.runner.see(ended())
    hooked.runner.close()
    assert "hook start: killed after 1 s" in hooked.notes[0]
    assert (tmp_path / "ended").exists()
    _gone(int((tmp_path / "pid").read_text()))
    assert len(hooked.log()) < 20_000


def test_what_a_hook_leaves_in_its_group_ends_with_it_though_it_holds_stderr(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path, start=sh("echo said >&2; sleep 1000 & echo $! >pid"))
    hooked.runner.see(began())
    hooked.runner.close()
    assert hooked.notes == [] and "said" in hooked.log()
    _gone(int((tmp_path / "pid").read_text()))


def test_an_escaped_child_that_holds_stderr_keeps_nobody_waiting(tmp_path: Path) -> None:
    child = "import os,signal; open('pid','w').write(str(os.getpid())); signal.pause()"
    start = "import subprocess,sys,time,pathlib\n"
    start += f"subprocess.Popen([sys.executable,'-c',{child!r}],start_new_session=True)\n"
    wait = "while not (pathlib.Path('pid').exists() and pathlib.Path('pid').read_text()): time.sleep(0.01)\n"
    hooked = Hooked(tmp_path, start=(sys.executable, "-c", start + wait))
    hooked.runner.see(began())
    hooked.runner.close()
    os.kill(
        int((tmp_path / "pid").read_text()), 9
    )  # it lives: it left the group, as a daemon that was meant to
    assert hooked.notes == []


def test_a_backlog_gives_up_standings_first_and_calls_the_end_still(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    keep = sh('read line <gate; echo "$DONUTS_EVENT" >>kinds')
    hooked = Hooked(tmp_path, HookLimits(waiting=3), start=keep, verdict=keep, standings=keep, end=keep)
    hooked.runner._pace._least = 0.0
    hooked.runner.see(began())
    with (tmp_path / "gate").open("w") as gate:  # opens when the first hook is running
        for number in (1, 2):
            hooked.runner.see(standings(number))
        for number in (1, 2, 3, 4, 5):
            hooked.runner.see(game(number))
        hooked.runner.see(ended())
        gate.write("go\n" * 20)
        gate.flush()
        closing = threading.Thread(target=hooked.runner.close)
        closing.start()
        closing.join()
    kinds = (tmp_path / "kinds").read_text().split()
    assert kinds == ["start", "verdict", "verdict", "verdict", "end"]
    assert "hook standings: 0 of 0 calls failed, 3 were not made" in "\n".join(hooked.notes)
    assert "hook verdict: 0 of 3 calls failed, 2 were not made" in "\n".join(hooked.notes)
    assert sum("more calls wait than 3" in note for note in hooked.notes) == 2


def test_records_that_cannot_be_written_cost_the_log_alone(tmp_path: Path) -> None:
    hooked = Hooked(tmp_path, start=sh("echo hm >&2; touch ran"))
    (tmp_path / "records").rmdir()
    hooked.runner.see(began())
    hooked.runner.close()
    assert (tmp_path / "ran").exists() and hooked.notes == []


def _gone(pid: int) -> None:
    """Wait for the end of a process that was killed: its parent, whoever that is now, may reap it late."""
    _until(lambda: not Path(f"/proc/{pid}").exists() or _state(pid) == "Z")


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2][:1]
    except OSError:
        return "Z"


def _until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 10
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)
