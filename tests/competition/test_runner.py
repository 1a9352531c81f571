"""One run of an event: what stops it, what changes it while it runs, and what it refuses to begin with."""

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from donuts_referee.competition.audit.auditing import audit
from donuts_referee.competition.books import EventBooks, OtherEvent
from donuts_referee.competition.config import read_event
from donuts_referee.competition.happenings import (
    Began,
    Benched,
    Ended,
    GameEnded,
    Happening,
    JobLost,
    RosterChanged,
)
from donuts_referee.competition.job import Job
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.reading import read_event as read_kept
from donuts_referee.competition.rows import rows
from donuts_referee.competition.runner import Ending, Outcome, Runner
from donuts_referee.modules import own_modules
from donuts_referee.records.faults import BadLine, ReadFault, RecordsFault
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.lock import FolderTaken

RUNNING = Path(__file__).with_name("running_event.py")


class Looking:
    """An onlooker that keeps what it saw, and does something at one kind of happening."""

    def __init__(self, act: Callable[[Happening], None] = lambda _: None) -> None:
        self.seen: list[Happening] = []
        self._act = act

    def see(self, happening: Happening) -> None:
        self.seen.append(happening)
        self._act(happening)

    def close(self) -> None:
        pass


def write_event(folder: Path, salted: Path, bots: dict[str, str], rest: str = "") -> Path:
    listed = "".join(f'[[bot]]\nname = "{name}"\nrun = "{salted} {args}"\n' for name, args in bots.items())
    path = folder / "event.toml"
    path.write_text(f'{listed}[games]\nsize = 6\ntc = "inf"\n{rest}\n')
    return path


def run(
    path: Path,
    act: Callable[[Happening], None] = lambda _: None,
    *,
    workers: int = 1,
    signals: Callable[[], int] = lambda: 0,
    notes: list[str] | None = None,
) -> tuple[Outcome, list[Happening]]:
    event = read_event(path)
    looking = Looking(act)
    note = [].append if notes is None else notes.append
    with EventBooks(event) as books, closing(LocalWorkers(workers, books.folder, stagger=0)) as crew:
        return Runner(event, books, crew, looking, note, signals).run(), looking.seen


THREE = {"ann": "ann", "bob": "bob", "cyd": "cyd"}


def test_an_event_is_played_to_its_end_and_told_of(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 2")
    outcome, seen = run(path, workers=2)
    assert outcome == Outcome(Ending.OVER)
    assert isinstance(seen[0], Began) and seen[0].planned == 6 and not seen[0].resumed
    assert isinstance(seen[-1], Ended) and seen[-1].reason == "over" and seen[-1].games == 12
    assert sum(isinstance(one, GameEnded) for one in seen) == 12
    kept = read_kept(tmp_path / "event-records")
    assert kept.state.frontier == 6 and seen[-1].standings() == rows(kept.description, kept.state)
    both = [entry.record for entry in JournalReader(tmp_path / "event-records" / "journal.jsonl")]
    for number in range(1, 7):
        legs = {one.place.leg: one for one in both if one.place is not None and one.place.encounter == number}
        assert legs[1].layout == legs[2].layout and legs[1].seed == legs[2].seed
        assert (legs[1].x.bot, legs[1].o.bot) == (legs[2].o.bot, legs[2].x.bot)


def test_an_event_that_is_over_is_not_played_again(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE)
    run(path)
    before = (tmp_path / "event-records" / "journal.jsonl").read_bytes()
    outcome, seen = run(path)
    assert outcome.ending is Ending.OVER and [type(one) for one in seen] == [Began, Ended]
    assert (tmp_path / "event-records" / "journal.jsonl").read_bytes() == before


def test_a_signal_voids_what_is_under_way_and_the_next_run_goes_on(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 40")
    asked: list[int] = []
    outcome, seen = run(path, lambda what: asked.append(1) if isinstance(what, GameEnded) else None,
                        signals=lambda: len(asked) > 10)  # fmt: skip
    assert outcome.ending is Ending.INTERRUPTED
    assert isinstance(seen[-1], Ended) and seen[-1].reason == "interrupted"
    played = read_kept(tmp_path / "event-records").games
    assert played >= 10
    outcome, seen = run(path)
    assert outcome.ending is Ending.OVER and isinstance(seen[0], Began) and seen[0].resumed
    assert seen[0].games == played
    assert read_kept(tmp_path / "event-records").state.frontier == 120


def test_a_second_runner_is_kept_out(tmp_path: Path, salted: Path) -> None:
    event = read_event(write_event(tmp_path, salted, THREE))
    with EventBooks(event), pytest.raises(FolderTaken, match="this one or another, keeps its records in"):
        EventBooks(event)
    EventBooks(event).close()


def test_a_worker_that_is_killed_costs_nothing_but_its_games(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 10")
    event = read_event(path)

    class Killing(LocalWorkers):
        def submit(self, job: Job) -> None:
            """Two jobs come to nothing, for they are handed to a worker that stands still and then is killed."""
            fated = [worker.process for worker in self._crew.values() if job.id in (2, 4)]
            for process in fated:
                process.send_signal(signal.SIGSTOP)
            super().submit(job)
            for process in fated:
                process.kill()

    looking = Looking()
    with EventBooks(event) as books, closing(Killing(1, books.folder)) as crew:
        outcome = Runner(event, books, crew, looking, print, lambda: 0).run()
    assert outcome.ending is Ending.OVER
    assert [one.job for one in looking.seen if isinstance(one, JobLost)] == [2, 4]
    assert read_kept(tmp_path / "event-records").state.frontier == 30


def test_workers_that_only_die_end_the_event(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write_event(tmp_path, salted, THREE)
    monkeypatch.setattr("donuts_referee.modules.sys.executable", "/bin/false")
    outcome, _ = run(path)
    assert outcome.ending is Ending.FAILED and "its worker ended (exit status 1" in outcome.text


def test_the_policy_stop_ends_the_event_with_the_loss(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, {**THREE, "cyd": "cyd 1000"}, '[faults]\non_fault = "stop"')
    outcome, _ = run(path)
    assert outcome.ending is Ending.STOPPED and "crash" in outcome.text
    kept = read_kept(tmp_path / "event-records")
    assert kept.state.faults() == {"cyd": {"crash": 1}}


@pytest.mark.parametrize(("policy", "games"), [("void", 4), ("forfeit", 1)])
def test_a_fault_is_replayed_as_often_as_the_policy_says(
    tmp_path: Path, salted: Path, policy: str, games: int
) -> None:
    bots = {"ann": "ann", "bob": "bob 1000"}
    path = write_event(
        tmp_path, salted, bots, f'[faults]\non_fault = "{policy}"\nreplays = 3\ncrash_limit = 0'
    )
    assert run(path)[0].ending is Ending.OVER
    kept = read_kept(tmp_path / "event-records")
    assert kept.games == 2 * games and kept.voids == 2 * (games - 1)
    assert audit(tmp_path / "event-records").holds
    assert rows(kept.description, kept.state)[0].points == 2


def test_a_bot_with_too_many_faults_is_benched(tmp_path: Path, salted: Path) -> None:
    path = write_event(
        tmp_path, salted, {**THREE, "cyd": "cyd 1000"}, "[format]\ncycles = 10\n[faults]\ncrash_limit = 4"
    )
    outcome, seen = run(path)
    assert outcome.ending is Ending.OVER
    assert [(one.bot, one.encounter) for one in seen if isinstance(one, Benched)] == [("cyd", 2)]
    state = read_kept(tmp_path / "event-records").state
    assert all(duel.points("cyd") == 0 for duel in state.duels())
    assert sum(not leg.played for _, leg in state.legs()) >= 2 * 16


@pytest.mark.parametrize("over", [False, True], ids=["while it runs", "after its end"])
def test_bots_join_and_leave(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch, over: bool
) -> None:
    monkeypatch.setattr("donuts_referee.competition.runner.LOOK", 0)  # at the file, after each game
    cycles = "[format]\ncycles = 60"
    path = write_event(tmp_path, salted, THREE, cycles)
    changed: list[bool] = []

    def change(what: Happening) -> None:
        if isinstance(what, Ended if over else GameEnded) and not changed:
            changed.append(True)
            write_event(tmp_path, salted, {"ann": "ann", "bob": "bob", "dee": "dee"}, f"{cycles}\n# dee")

    outcome, seen = run(path, change)
    assert outcome.ending is Ending.OVER and changed
    told = [one for one in seen if isinstance(one, RosterChanged)]
    if over:
        assert told == []
        outcome, seen = run(path)
        told = [one for one in seen if isinstance(one, RosterChanged)]
    assert [(one.added, one.withdrawn) for one in told] == [(("dee",), ()), ((), ("cyd",))]
    state = read_kept(tmp_path / "event-records").state
    pairs = [frozenset((duel.encounter.first, duel.encounter.second)) for duel in state.duels()]
    assert pairs.count(frozenset(("ann", "dee"))) == pairs.count(frozenset(("bob", "dee"))) == 60
    assert frozenset(("cyd", "dee")) not in pairs
    assert run(path)[0].ending is Ending.OVER
    assert [frozenset((d.encounter.first, d.encounter.second)) for d in
            read_kept(tmp_path / "event-records").state.duels()] == pairs  # fmt: skip


def test_a_file_that_is_spoiled_while_it_runs_is_told_of_and_changes_nothing(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("donuts_referee.competition.runner.LOOK", 0)
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 20")
    notes: list[str] = []

    def spoil(what: Happening) -> None:
        if isinstance(what, GameEnded) and path.stat().st_size > 20:
            path.write_text("nonsense = ")

    outcome, _ = run(path, spoil, notes=notes)
    assert outcome.ending is Ending.OVER
    assert len(notes) == 1 and notes[0].endswith("(the event goes on as it was)")
    assert read_kept(tmp_path / "event-records").state.frontier == 60


def edited(lines: list[bytes]) -> list[bytes]:
    """The second game has another winner."""
    other = {b"x": b"o", b"o": b"x", b"-": b"x"}
    at = lines[1].index(b'"winner":"') + 10
    return [lines[0], lines[1][:at] + other[lines[1][at : at + 1]] + lines[1][at + 1 :], *lines[2:]]


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        (edited, ":2: the chain is broken"),
        (lambda lines: lines[:2] + lines[3:], ":3: the chain is broken"),
        (lambda lines: [*lines[:3], lines[2], *lines[3:]], ":4: the chain is broken"),
        (lambda lines: [lines[1], lines[0], *lines[2:]], ":1: the chain is broken"),
        (lambda lines: lines[:-1], "1 of 6 lines are gone from its end"),
        (lambda lines: [*lines[:-1], lines[-1][:200]], "1 of 6 lines are gone from its end"),
        (lambda lines: [b"garbage\n", *lines], ":1: the line has no chain"),
    ],
    ids=["edited", "taken out", "doubled", "swapped", "cut at a line", "cut in a line", "put before"],
)
def test_a_journal_that_was_tampered_with_is_refused_and_left_alone(
    tmp_path: Path, salted: Path, spoil: Callable[[list[bytes]], list[bytes]], told: str
) -> None:
    path = write_event(tmp_path, salted, THREE)
    run(path)
    journal = tmp_path / "event-records" / "journal.jsonl"
    journal.write_bytes(b"".join(spoil(journal.read_bytes().splitlines(keepends=True))))
    before = {each.name: each.read_bytes() for each in journal.parent.iterdir()}
    with pytest.raises(RecordsFault, match=told):
        run(path)
    assert {each.name: each.read_bytes() for each in journal.parent.iterdir()} == before


def test_a_line_that_a_kill_left_torn_is_skipped(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE)
    run(path)
    journal = tmp_path / "event-records" / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:4], lines[4][:300]]))
    (journal.parent / "journal.seal").unlink()
    assert len(read_kept(journal.parent).torn) == 1
    assert run(path)[0].ending is Ending.OVER
    kept = read_kept(journal.parent)
    assert kept.state.frontier == 3 and kept.games == 6 and len(kept.torn) == 1


def test_an_event_file_that_became_another_is_refused_with_every_difference(
    tmp_path: Path, salted: Path
) -> None:
    run(write_event(tmp_path, salted, THREE))
    path = write_event(tmp_path, salted, THREE, "rings = 12\n[format]\ncycles = 3\n[openings]\nplies = 2")
    with pytest.raises(OtherEvent) as caught:
        run(path)
    for part in (
        "rings was 15 and is 12",
        'format was {"kind":"round-robin","cycles":1}',
        "the openings are others",
    ):
        assert part in str(caught.value)


def test_a_journal_without_its_description_is_not_added_to(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE)
    run(path)
    (tmp_path / "event-records" / "event.json").unlink()
    with pytest.raises(OtherEvent, match=r"holds a journal.jsonl and no event.json"):
        run(path)


def test_a_description_that_cannot_be_read_is_one_clear_line(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE)
    run(path)
    file = tmp_path / "event-records" / "event.json"
    file.write_bytes(msgspec.json.encode({"id": 7}))
    with pytest.raises(ReadFault, match="not the description of an event"):
        run(path)


def test_a_game_of_another_event_is_named(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE)
    run(path)
    file = tmp_path / "event-records" / "event.json"
    file.write_bytes(file.read_bytes().replace(b'"id": "2', b'"id": "3'))
    with pytest.raises(BadLine, match=":1: the chain is broken"):
        run(path)


def test_a_full_disk_ends_the_run_and_loses_no_game_that_was_told_of(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 10")
    script = (
        "import resource, runpy, sys\n"
        f"resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, {resource.RLIM_INFINITY}))\n"
        f"import signal\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nsys.argv = ['run', {str(path)!r}]\n"
        f"runpy.run_path({str(RUNNING)!r}, run_name='__main__')\n"
    )
    full = subprocess.run(
        [sys.executable, "-c", script],
        env={**own_modules(), "PYTHONDONTWRITEBYTECODE": "1"},  # half a module would stay for all
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert full.returncode != 0 and b"disk or quota full" in full.stderr
    played = read_kept(tmp_path / "event-records").games
    assert 0 < played < 60
    assert run(path)[0].ending is Ending.OVER
    assert read_kept(tmp_path / "event-records").state.frontier == 30


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_is_refused_before_the_first_game(
    tmp_path: Path, salted: Path
) -> None:
    path = write_event(tmp_path, salted, THREE)
    tmp_path.chmod(0o500)
    with pytest.raises(RecordsFault, match="cannot write"):
        run(path)


def test_no_process_is_left_when_the_runner_is_killed(tmp_path: Path, salted: Path) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 5000")
    journal = tmp_path / "event-records" / "journal.jsonl"
    with subprocess.Popen([sys.executable, "-P", str(RUNNING), str(path), "2"], env=own_modules()) as child:
        mark = str(salted).encode()
        while not journal.exists() or journal.stat().st_size == 0 or not processes_with(mark):
            assert child.poll() is None
            os.sched_yield()
        child.send_signal(signal.SIGKILL)
        child.wait()
    while processes_with(mark):  # the system ends them; pytest's timeout is the bound
        os.sched_yield()


def processes_with(mark: bytes) -> list[int]:
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                words = (folder / "cmdline").read_bytes()
            except OSError:
                continue
            if words.startswith(mark):
                found.append(int(folder.name))
    return found


def test_a_bot_that_is_withdrawn_from_the_start_takes_no_part_and_may_come_later(
    tmp_path: Path, salted: Path
) -> None:
    path = write_event(tmp_path, salted, THREE)
    sound = path.read_text()
    path.write_text('withdrawn = ["cyd"]\n' + sound)
    assert run(path)[0].ending is Ending.OVER
    assert read_kept(tmp_path / "event-records").state.names() == ("ann", "bob")
    path.write_text(sound)
    assert run(path)[0].ending is Ending.OVER
    state = read_kept(tmp_path / "event-records").state
    assert state.names() == ("ann", "bob", "cyd") and state.frontier == 3
