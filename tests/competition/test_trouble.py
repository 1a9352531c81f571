"""Bots that end, stop or mislead the worker that plays them harm themselves, and the others play on."""

import os
import select
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from competition.test_runner import THREE, run, write_event
from donuts_referee.channels.program import Program
from donuts_referee.competition.encounter import Encounter
from donuts_referee.competition.happenings import GameEnded, Happening, JobLost
from donuts_referee.competition.job import Fixture, Job, Lost
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.reading import read_event as read_kept
from donuts_referee.competition.runner import Ending
from donuts_referee.competition.trouble import AT_ONCE, IN_ALL, TRIES, Trouble
from donuts_referee.modules import own_modules
from donuts_referee.records import lock
from donuts_referee.records.faults import WriteFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.record import Place
from donuts_referee.table.control import TimeControl
from donuts_referee.teams.bot import Bot

SIGNALLING = """\
import os, signal, sys
print("hello donuts=1-1 name=evil", flush=True)
turns = 0
for line in sys.stdin:
    verb, *rest = line.split()
    if verb == "game":
        print("ready", rest[0], flush=True)
    elif verb == "turn":
        turns += 1
        if turns == 2:
            os.kill(os.getppid(), {number})
        legal = next(word for word in rest if word.startswith("legal="))
        print("move", rest[0], legal[6:8], flush=True)
    elif verb == "bye":
        break
"""


def with_evil(folder: Path, salted: Path, number: int, others: dict[str, str] = THREE) -> Path:
    evil = folder / "evil.py"
    evil.write_text(SIGNALLING.format(number=int(number)))
    path = write_event(folder, salted, others, "[format]\ncycles = 4")
    text = path.read_text()
    path.write_text(
        text.replace("[games]", f'[[bot]]\nname = "evil"\nrun = "{sys.executable} {evil}"\n[games]')
    )
    return path


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_a_bot_that_ends_its_worker_is_named_and_the_others_play_on(
    tmp_path: Path, salted: Path, number: int
) -> None:
    outcome, seen = run(with_evil(tmp_path, salted, number))
    assert outcome.ending is Ending.FAILED
    assert "ann and evil; bob and evil; cyd and evil cannot be played" in outcome.text
    assert outcome.text.endswith("evil is in all of them, withdraw it")
    assert sum(isinstance(one, JobLost) for one in seen) == 3 * TRIES
    played = [one.head for one in seen if isinstance(one, GameEnded) and one.counted]
    assert len(played) == 3 * 4 * 2 and not any("evil" in (head.x.bot, head.o.bot) for head in played)


def test_once_it_is_withdrawn_the_event_is_over(tmp_path: Path, salted: Path) -> None:
    path = with_evil(tmp_path, salted, signal.SIGKILL)
    assert run(path)[0].ending is Ending.FAILED
    path.write_text('withdrawn = ["evil"]\n' + path.read_text())
    assert run(path)[0].ending is Ending.OVER


def test_a_worker_that_stands_still_is_ended_when_no_game_takes_so_long(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Job, "longest_game", 0.6)
    outcome, seen = run(with_evil(tmp_path, salted, signal.SIGSTOP, {"ann": "ann"}))
    assert outcome.ending is Ending.FAILED
    assert all("s at one game, and was ended" in one.why for one in seen if isinstance(one, JobLost))


def test_reports_that_lie_in_the_pipe_are_read_before_a_worker_is_called_slow(
    tmp_path: Path, salted: Path
) -> None:
    """As after a Ctrl-Z of the runner: it was the runner that stood still."""
    bots = {name: Bot(name=name, program=Program(argv=(str(salted), name))) for name in ("ann", "bob")}
    fixture = Fixture(Place(event="e", encounter=1, round=1, leg=1), "H" * 36, 15, 1)
    control = TimeControl.each("5")
    with closing(LocalWorkers(1, tmp_path)) as crew:
        crew.submit(Job(1, bots["ann"], bots["bob"], (fixture,), control, "forfeit", True))
        while not crew._crew:
            crew.wait(0.1)
        (worker,) = crew._crew.values()
        assert select.select([worker.source], [], [], 60)[0]
        worker.heard -= 10_000
        assert not any(isinstance(report, Lost) for report in crew.wait(60))


def test_how_long_a_game_can_take_follows_from_its_clocks() -> None:
    def longest(control: TimeControl) -> float:
        bot = Bot(name="ann", program=Program(argv=("true",)))
        fixture = Fixture(Place(event="e", encounter=1, round=1, leg=1), "H" * 36, 15, 1)
        return Job(1, bot, bot, (fixture,), control, "forfeit", True).longest_game

    assert longest(TimeControl.parse("inf")) == float("inf")
    each = TimeControl.each("0.1", margin=50, prep=10_000, hello=30_000)
    assert longest(each) == 2 * 30 + 2 * 10 + 30 * 0.2 + 60


def test_two_failed_starts_cost_two_games_and_not_the_rest_of_a_job(tmp_path: Path, salted: Path) -> None:
    flaky = tmp_path / "flaky.sh"
    count = tmp_path / "count"
    flaky.write_text(
        f'n=$(cat "{count}" 2>/dev/null || echo 0)\nn=$((n + 1))\necho $n >"{count}"\n'
        f'case $n in 3|4) exit 1;; esac\nexec "{salted}" flaky 20\n'
    )
    path = write_event(tmp_path, salted, {"ann": "ann"}, "[format]\ncycles = 30\n[faults]\ncrash_limit = 0")
    path.write_text(f'[[bot]]\nname = "flaky"\nrun = "sh {flaky}"\n' + path.read_text())
    assert run(path)[0].ending is Ending.OVER
    state = read_kept(tmp_path / "event-records").state
    assert state.faults()["flaky"].get("start", 0) == 2
    texts = [
        entry.record.verdict.text for entry in JournalReader(tmp_path / "event-records" / "journal.jsonl")
    ]
    assert not any("not tried" in text for text in texts)


@pytest.mark.parametrize("spoil", ["removed", "cut", "replaced", "added to"])
def test_a_journal_that_somebody_else_touches_ends_the_run_at_once(
    tmp_path: Path, salted: Path, spoil: str
) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 100")
    journal = tmp_path / "event-records" / "journal.jsonl"
    games: list[int] = []

    def touch(what: Happening) -> None:
        if isinstance(what, GameEnded):
            games.append(what.head.number)
            if len(games) == 5:
                whole = journal.read_bytes()
                if spoil == "removed":
                    journal.unlink()
                elif spoil == "cut":
                    os.truncate(journal, 100)
                elif spoil == "replaced":
                    journal.unlink()
                    journal.write_bytes(whole)
                else:
                    with journal.open("ab") as file:
                        file.write(b"{}\n")

    with pytest.raises(WriteFault, match="changed, moved or removed by somebody else"):
        run(path, touch)
    assert len(games) == 5


def test_a_second_runner_is_kept_out_even_where_the_lock_was_removed(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "LINGERING", 0.1)
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 30")
    told: list[str] = []

    def second(what: Happening) -> None:
        if isinstance(what, GameEnded) and not told:
            (tmp_path / "event-records" / "event.lock").unlink()
            with pytest.raises(WriteFault) as caught:
                run(path)
            told.append(str(caught.value))

    assert run(path, second)[0].ending is Ending.OVER
    assert "is being written by another event" in told[0]
    assert read_kept(tmp_path / "event-records").state.frontier == 90


FORKS = """
import os, signal, sys
from pathlib import Path
from donuts_referee.competition.books import EventBooks
from donuts_referee.competition.config import read_event
with EventBooks(read_event(Path(sys.argv[1]))):
    if os.fork() == 0:
        sys.stdin.read()
        os._exit(0)
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_runner_that_was_killed_while_it_started_a_worker_can_be_followed_at_once(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was forked and has not begun its own program yet holds all that was open in the dead."""
    path = write_event(tmp_path, salted, THREE)
    with subprocess.Popen(
        [sys.executable, "-P", "-c", FORKS, str(path)],
        env=own_modules(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as killed:
        assert killed.wait(120) == -9
        monkeypatch.setattr(lock, "sleep", lambda seconds: killed.communicate())
        assert run(path)[0].ending is Ending.OVER


def test_a_seal_that_is_a_pipe_is_not_waited_for(tmp_path: Path, salted: Path) -> None:
    run(write_event(tmp_path, salted, THREE))
    seal = tmp_path / "event-records" / "journal.seal"
    seal.unlink()
    os.mkfifo(seal)
    assert read_kept(tmp_path / "event-records").state.frontier == 3


def test_a_full_disk_is_told_once_and_in_one_line(tmp_path: Path, salted: Path) -> None:
    write_event(tmp_path, salted, THREE, "[format]\ncycles = 10")
    script = (
        "import resource, signal, sys\nresource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nfrom donuts_referee.cli.main import main\n"
        "sys.exit(main(['tournament', 'event.toml', '--quiet']))\n"
    )
    full = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**own_modules(), "PYTHONDONTWRITEBYTECODE": "1"},  # half a module would stay for all
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert full.returncode == 2 and full.stderr.count("\n") == 1 and "disk or quota full" in full.stderr, full


def meeting(number: int, one: str, other: str) -> Encounter:
    return Encounter(number, 1, one, other)


def test_where_nothing_can_be_played_the_run_is_given_up_at_once() -> None:
    trouble = Trouble()
    told = [trouble.note(meeting(at, "ann", f"b{at}"), "gone", fruitless=True) for at in range(AT_ONCE)]
    assert told == [False] * (AT_ONCE - 1) + [True]
    assert trouble.text() == f"{AT_ONCE} jobs one after the other came to nothing: gone"


def test_two_bots_are_set_aside_after_some_tries_and_a_game_wipes_them_out() -> None:
    trouble = Trouble()
    trouble.over(frozenset(("ann", "cyd")))
    for _ in range(TRIES - 1):
        trouble.note(meeting(1, "ann", "bob"), "gone", fruitless=True)
    assert trouble.suspects(meeting(9, "bob", "ann")) and not trouble.aside(meeting(1, "ann", "bob"))
    trouble.over(frozenset(("ann", "bob")))
    assert not trouble.suspects(meeting(9, "bob", "ann"))
    for at in range(IN_ALL):
        assert trouble.note(meeting(at, "ann", f"b{at}"), "gone", fruitless=True) == (at == IN_ALL - 1)
