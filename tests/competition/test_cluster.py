"""A real Dask cluster of two workers over TCP: the same result as here, workers that die, a scheduler that goes."""

import gc
import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import closing
from pathlib import Path

import pytest

from competition.dask_cluster import Dask, dask_cluster
from competition.running_event import run as run_locally
from donuts_engine.solved import Solved
from donuts_engine.tiles import TileSet
from donuts_referee.channels.containment import processes
from donuts_referee.cli.main import main
from donuts_referee.competition import cluster as clusters
from donuts_referee.competition import errand
from donuts_referee.competition.books import EventBooks
from donuts_referee.competition.cluster import Cluster, ClusterFault
from donuts_referee.competition.config import read_event
from donuts_referee.competition.happenings import Began, GameEnded, Happening, JobLost
from donuts_referee.competition.runner import Ending, Outcome, Runner
from donuts_referee.modules import own_modules
from donuts_referee.records.journal import JournalReader
from donuts_referee.solving.cluster import Answer

pytestmark = [
    # sockets and loops of Dask that its own threads close when they are collected
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A worker that is asked for the first time has much to import, and the machine may be busy.

    What is left of Dask is collected here, where its warnings are passed over, and not in the test of somebody else.
    """
    monkeypatch.setattr(clusters, "CONNECT", 120.0)
    monkeypatch.setitem(Cluster.__init__.__kwdefaults__, "connect", 120.0)
    yield
    gc.collect()


@pytest.fixture(scope="module")
def dask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Dask]:
    with dask_cluster(tmp_path_factory.mktemp("dask")) as cluster:
        yield cluster


def _write(folder: Path, salted: Path, *, gated: bool = False) -> Path:
    """An event of three bots; with a gate, the second start of one of them waits for a word in a pipe."""
    folder.mkdir()
    script = folder / "gated.sh"
    script.write_text(
        f'cd "{folder}"\n'
        "mkdir once 2>&- || { mkdir twice 2>&- && echo $$ >gated.pid && read word <gate; }\n"
        f'exec "{salted}" ann\n'
    )
    first = f"sh {script}" if gated else f"{salted} ann"
    bots = {"ann": first, "bob": f"{salted} bob", "cyd": f"{salted} cyd 5"}
    listed = "".join(f'[[bot]]\nname = "{name}"\nrun = "{run}"\n' for name, run in bots.items())
    path = folder / "event.toml"
    path.write_text(
        f'seed = 3\n{listed}[format]\ncycles = 3\n[games]\nsize = 6\ntc = "inf"\nhello = 600\n'
        "[faults]\ncrash_limit = 0\n"
    )
    return path


class Looking:
    def __init__(self, act: Callable[[Happening], None]) -> None:
        self.seen: list[Happening] = []
        self._act = act

    def see(self, happening: Happening) -> None:
        self.seen.append(happening)
        self._act(happening)

    def close(self) -> None:
        pass


def _run(
    path: Path,
    address: str,
    act: Callable[[Happening], None] = lambda _: None,
    signals: Callable[[], int] = lambda: 0,
) -> tuple[Outcome, list[Happening]]:
    looking = Looking(act)
    event = read_event(path)
    with EventBooks(event) as books, closing(Cluster(address, print)) as cluster:
        return Runner(event, books, cluster, looking, print, signals).run(), looking.seen


Results = dict[tuple[int, int], tuple[object, ...]]


def _results(path: Path) -> Results:
    """All that counts of the games that count, by encounter and leg; each is there once."""
    found: Results = {}
    for entry in JournalReader(path.parent / "event-records" / "journal.jsonl"):
        record = entry.record
        assert record.place is not None
        if not record.verdict.void:
            key = record.place.encounter, record.place.leg
            assert key not in found
            found[key] = (record.layout, record.x.bot, record.o.bot, record.moves, record.verdict)
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory, salted: Path) -> Results:
    path = _write(tmp_path_factory.mktemp("here") / "event", salted)
    assert run_locally(path, 2) == Outcome(Ending.OVER)
    results = _results(path)
    assert len(results) == 18
    return results


def test_boards_are_solved_on_the_cluster(
    dask: Dask, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Into the same file as here, and with the same values."""
    here, there = tmp_path / "here.solved", tmp_path / "there.solved"
    words = ["solve", "--all", "--rings", "2", "--boards", "40-49", "--out"]
    assert main([*words, str(here)]) == 0
    assert main([*words, str(there), "--executor", "dask", "--scheduler", dask.address]) == 0
    assert "10 boards, 10 new" in capsys.readouterr().out
    one, other = (Solved.parse(path.read_bytes(), TileSet.shipped(), "file") for path in (here, there))
    assert one.version == other.version and list(other) == list(range(40, 50))


@pytest.mark.parametrize("fault", [CancelledError("lost"), TimeoutError(), ImportError("numba")])
def test_a_cluster_that_cannot_solve_says_so_in_one_line(fault: Exception) -> None:
    class Future:
        def result(self, timeout: float) -> None:
            raise fault

    with pytest.raises(ClusterFault) as told:
        Answer(Future()).result()
    assert "\n" not in str(told.value) and "cluster" in str(told.value)


def test_a_worker_that_is_killed_changes_nothing_in_the_result(
    dask: Dask, tmp_path: Path, salted: Path, expected: Results
) -> None:
    path = _write(tmp_path / "event", salted, gated=True)
    gate = path.parent / "gate"
    os.mkfifo(gate)

    held: list[int] = []
    """a descriptor of the process that played there"""

    def kill() -> None:
        with gate.open("w"):  # opens when the bot is waiting there
            table = processes()
            aide = table[int((path.parent / "gated.pid").read_text())].ppid
            (worker,) = (one for one in dask.workers if one.pid == table[aide].ppid)
            held.append(os.pidfd_open(aide))
            worker.kill()
            worker.wait()

    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    outcome, _ = _run(path, dask.address)
    killer.join()
    assert outcome == Outcome(Ending.OVER) and held
    assert _results(path) == expected
    assert select.select(held, [], [], 120)[0], "nothing of it is left"
    os.close(held[0])
    dask.workers[:] = [one for one in dask.workers if one.returncode is None]


def test_a_runner_that_is_killed_leaves_no_game_behind_on_the_cluster(
    dask: Dask, tmp_path: Path, salted: Path, expected: Results
) -> None:
    path = _write(tmp_path / "event", salted, gated=True)
    gate = path.parent / "gate"
    os.mkfifo(gate)
    runner = subprocess.Popen(
        [sys.executable, "-P", str(Path(__file__).with_name("running_event.py")), str(path), dask.address],
        env=own_modules(),
        stdin=subprocess.DEVNULL,
    )
    with gate.open("w"):  # opens when the bot is waiting there, in the middle of a job
        held = os.pidfd_open(int((path.parent / "gated.pid").read_text()))
        runner.kill()
        runner.wait()
        assert select.select([held], [], [], 120)[0], "its bots are sent away"
        os.close(held)
    outcome, seen = _run(path, dask.address)
    assert outcome == Outcome(Ending.OVER) and isinstance(seen[0], Began) and seen[0].resumed
    assert _results(path) == expected


def test_an_interrupted_event_voids_its_games_and_goes_on_elsewhere(
    dask: Dask, tmp_path: Path, salted: Path, expected: Results
) -> None:
    """Begun on the cluster, ended by a signal there, and gone on with on this machine."""
    path = _write(tmp_path / "event", salted)
    asked: list[int] = []
    outcome, seen = _run(
        path,
        dask.address,
        lambda what: asked.append(1) if isinstance(what, GameEnded) else None,
        lambda: int(len(asked) >= 4),
    )
    assert outcome == Outcome(Ending.INTERRUPTED)
    assert not any(isinstance(one, JobLost) for one in seen)
    assert 4 <= len(_results(path)) < 18
    assert run_locally(path) == Outcome(Ending.OVER)
    assert _results(path) == expected


def test_another_version_of_ours_is_refused(dask: Dask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("donuts_referee.competition.cluster.__version__", "99.0")
    with pytest.raises(
        ClusterFault, match=r"worker tcp://127\.0\.0\.1:\d+ has donuts-arena .* install the same"
    ):
        Cluster(dask.address)


def test_a_worker_that_does_not_tell_its_version_is_named(
    dask: Dask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(errand, "version", _mute)
    with pytest.raises(
        ClusterFault,
        match=r"worker tcp://127\.0\.0\.1:\d+ does not say which donuts-arena it has \(.*gone\); see its log",
    ):
        Cluster(dask.address)


def _mute() -> str:
    raise OSError("gone")


def test_a_task_of_another_version_is_not_played() -> None:
    with pytest.raises(errand.OtherVersion, match=r"and the event runs on 99\.0"):
        errand.play(1, b"", "token", "key", "99.0")


def test_nobody_at_the_address_is_said_in_a_line() -> None:
    with pytest.raises(
        ClusterFault, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:1 .*start one"
    ) as caught:
        Cluster("tcp://127.0.0.1:1", connect=0.3)
    assert "\n" not in str(caught.value)
    with pytest.raises(ClusterFault, match="no Dask scheduler answers at nonsense"):
        Cluster("nonsense://", connect=0.3)


def test_a_scheduler_that_goes_away_ends_the_run_and_the_journal_goes_on(
    tmp_path: Path, salted: Path, expected: Results
) -> None:
    path = _write(tmp_path / "event", salted)
    with dask_cluster(tmp_path) as own:

        def kill(what: Happening) -> None:
            if isinstance(what, GameEnded) and own.scheduler.poll() is None:
                own.scheduler.send_signal(signal.SIGKILL)
                own.scheduler.wait()

        outcome, _ = _run(path, own.address, kill)
    assert outcome.ending is Ending.FAILED
    assert "the Dask scheduler at tcp://127.0.0.1:" in outcome.text and "went away" in outcome.text
    assert run_locally(path) == Outcome(Ending.OVER)
    assert _results(path) == expected
