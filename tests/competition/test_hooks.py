"""Hook commands: what they are handed, and that those that hang, fork, fail, flood or are missing harm nothing.

A hook that is to hang opens a FIFO that nobody writes to; one that is to be waited for tells so through another.
"""

import itertools
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from competition.happened import began, ended, game, standings
from donuts_referee.competition import hook_call, hooks
from donuts_referee.competition.config import read_event
from donuts_referee.competition.event import Hooks
from donuts_referee.competition.hooks import LOG, HookLimits, HookRunner, unrunnable
from donuts_referee.competition.onlooking import Pace


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow machine is no reason for a word about hooks that take their time, nor to leave one that is killed."""
    monkeypatch.setattr(hooks, "TELL", 60.0)
    monkeypatch.setattr(hooks, "KILLED", 60.0)


LONG = HookLimits(seconds=600.0, hasty=600.0)
"""for all that a machine needs which stands still now and then"""


KINDS = ("start", "verdict", "standings", "end")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="hooks need process groups")


def sh(script: str) -> tuple[str, ...]:
    """A hook as an operator may have it who wants a shell."""
    return ("sh", "-c", script)


class Hooked:
    """A hook runner in a folder of its own, with what it notes."""

    def __init__(
        self,
        folder: Path,
        limits: HookLimits | None = None,
        signals: Callable[[], int] = lambda: 0,
        **commands: tuple[str, ...],
    ) -> None:
        self.notes: list[str] = []
        self.folder = folder
        (folder / "records").mkdir()
        self.runner = HookRunner(
            Hooks(**commands),
            folder,
            folder / "records",
            self.notes.append,
            signals,
            limits or LONG,
        )

    def log(self) -> str:
        path = self.folder / "records" / LOG
        return path.read_text() if path.exists() else ""


def test_each_hook_gets_its_line_on_stdin_in_order_and_runs_beside_the_event_file(tmp_path: Path) -> None:
    keep = sh('cat >>"$DONUTS_EVENT"; echo "$DONUTS_EVENT" >>kinds')
    hooked = Hooked(tmp_path, start=keep, verdict=keep, standings=keep, end=keep)
    for happening in (began(), game(1), game(2), standings(1), ended()):
        hooked.runner.see(happening)
    hooked.runner.close()
    assert (tmp_path / "kinds").read_text().split()[-1] == "end", "after all others"
    told = {kind: [json.loads(line) for line in (tmp_path / kind).read_text().splitlines()] for kind in KINDS}
    assert [line["event"] for line in told["start"]] == ["began"]
    assert [line["record"] for line in told["verdict"]] == ["game-1", "game-2"]
    assert {line["event"] for line in told["standings"]} == {"standings"}
    assert [line["event"] for line in told["end"]] == ["ended"]
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
        f"hook verdict: exit status 3, and its stderr is in {log}; the event is not harmed, and this is told once",
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
        "sleep 1000 & echo $! >pid; echo >started; wait",
        "trap '' TERM INT HUP; exec 2>&-; sleep 1000 & echo $! >pid; echo >started; wait",
        "sleep 1000 & echo $! >pid; echo >started; while :; do echo flood >&2; done",
    ],
    ids=["hangs", "ignores signals and stderr", "floods"],
)
def test_a_hook_that_does_not_end_is_killed_with_its_children(
    tmp_path: Path, script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = threading.Event()
    looks = itertools.count(1)

    def monotonic() -> float:
        """Once the script runs, all its time is over from one look of whoever calls it to the next."""
        late = runs.is_set() and threading.current_thread().name == "hook start"
        return time.monotonic() + (LONG.seconds * next(looks) if late else 0.0)

    clock = SimpleNamespace(monotonic=monotonic, strftime=time.strftime, gmtime=time.gmtime)
    monkeypatch.setattr(hook_call, "time", clock)
    os.mkfifo(tmp_path / "started")
    hooked = Hooked(tmp_path, start=sh(script), end=sh("touch ended"))
    hooked.runner.see(began())
    (tmp_path / "started").read_text()
    runs.set()
    hooked.runner.see(ended())
    hooked.runner.close()
    assert hooked.notes[0].startswith("hook start: killed after 600 s; ")
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


def test_one_that_hangs_holds_up_no_other_kind(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never")
    os.mkfifo(tmp_path / "done")
    hooked = Hooked(
        tmp_path,
        LONG._replace(hasty=0.0),
        start=sh(": <never"),
        verdict=sh("cat >>told; echo done >done"),
        end=sh("touch ended"),
    )
    for happening in (began(), game(1), game(2)):
        hooked.runner.see(happening)
    with (tmp_path / "done").open(
        "r+b", buffering=0
    ) as done:  # as a writer too: so it has no end between the two
        assert done.readline() + done.readline() == b"done\n" * 2, "while `start` hangs"
    hooked.runner.see(ended(reason="interrupted"))
    hooked.runner.close()
    assert len((tmp_path / "told").read_text().splitlines()) == 2 and (tmp_path / "ended").exists()
    told = [note for note in hooked.notes if note.startswith("hook start: killed after")]
    assert len(told) == 1 and "since the event had been over for 0 s" in told[0]


def test_a_signal_ends_the_wait_for_hooks_at_once(tmp_path: Path) -> None:
    for name in ("started", "never"):
        os.mkfifo(tmp_path / name)
    hooked = Hooked(
        tmp_path,
        LONG,
        itertools.count().__next__,
        verdict=sh("echo >started; : <never"),
        end=sh("touch ended"),
    )
    hooked.runner.see(game(1))
    hooked.runner.see(game(2))
    (tmp_path / "started").read_text()
    hooked.runner.see(ended())
    hooked.runner.close()
    assert not (tmp_path / "ended").exists()
    why = "since a signal ended the wait for hooks"
    log = tmp_path / "records" / LOG
    assert hooked.notes[0].startswith("hook verdict: killed after ") and why in hooked.notes[0]
    assert hooked.notes[1:] == [
        f"hook verdict: 1 of 1 calls failed; 1 call was not made, {why}; see {log}",
        f"hook end: 1 call was not made, {why}; see {log}",
    ]
    assert "killed after" in hooked.log(), "the log that is named is there"


def test_too_many_that_wait_are_not_made_and_that_is_the_reason_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    hooked = Hooked(tmp_path, LONG._replace(waiting=2), verdict=sh("read line <gate; cat >>told"))
    hooked.runner.see(game(1))
    with (tmp_path / "gate").open("w") as gate:  # opens when the first is running
        for number in (2, 3, 4, 5):
            hooked.runner.see(game(number))
        gate.write("go\n" * 9)
        gate.flush()
        hooked.runner.close()
    told = [json.loads(line)["record"] for line in (tmp_path / "told").read_text().splitlines()]
    assert told == ["game-1", "game-2", "game-3"]
    slow = "hook verdict: 2 calls wait, since they take too long; some are not made"
    assert hooked.notes == [
        f"{slow}; the event is not harmed, and this is told once",
        "hook verdict: 2 calls were not made, since 2 waited already",
    ]
    assert hooked.log() == "", "nor is it named"


def test_of_standings_that_wait_the_newest_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    hooked = Hooked(tmp_path, standings=sh("read line <gate; cat >>told"))
    hooked.runner._pace = Pace(0.0, 0)
    hooked.runner.see(standings(1))
    with (tmp_path / "gate").open("w") as gate:
        for settled in (2, 3, 4):
            hooked.runner.see(standings(settled))
        gate.write("go\n" * 9)
        gate.flush()
        hooked.runner.close()
    told = [json.loads(line)["settled"] for line in (tmp_path / "told").read_text().splitlines()]
    assert told == [1, 4] and hooked.notes == []


def test_what_cannot_be_run_is_found_before_the_event_begins(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    (tmp_path / "tell.sh").touch(0o755)
    (tmp_path / "tell.py").touch()
    file = tmp_path / "event.toml"
    bots = 'bots = ["donuts:greedy", "donuts:random"]\n[hooks]\n'
    file.write_text(bots + 'start = "./tel.sh"\nverdict = "./plain"\nstandings = "no-such"\nend = "t.py"\n')
    assert unrunnable(read_event(file)) == [
        f"{file}:3: hooks.start: there is no file {tmp_path}/tel.sh; name the command by its path",
        f"{file}:4: hooks.verdict: {tmp_path}/plain may not be executed; say chmod +x, or name what runs it",
        f"{file}:5: hooks.standings: there is no program no-such in PATH; name the command by its path",
        f"{file}:6: hooks.end: there is no file {tmp_path}/t.py; name the command by its path",
    ]
    file.write_text(bots + 'start = "./tell.sh start"\nverdict = "tell.py"\nend = "sh -c true"\n')
    assert unrunnable(read_event(file)) == []


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
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.005)
