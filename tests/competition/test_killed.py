"""An event that is killed at any moment goes on as if nothing had been, in every format.

DONUTS_KILLS says how many kills there are in all (default: one for each format, on this machine alone); one in four is
on a Dask cluster.
"""

import os
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from competition.dask_cluster import dask_cluster
from donuts_referee.competition.encounter import Duel
from donuts_referee.competition.formats.ranking import last_counted
from donuts_referee.competition.reading import Kept, read_event
from donuts_referee.competition.rows import rows
from donuts_referee.modules import own_modules
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.pgn_reading import PgnReader

RUNNING = Path(__file__).with_name("running_event.py")

FORMATS = {
    "round-robin": 'kind = "round-robin"\ncycles = 12',
    "gauntlet": 'kind = "gauntlet"\ncycles = 20',
    "swiss": 'kind = "swiss"\nrounds = 4',
    "knockout": 'kind = "knockout"\nencounters = 9\nthird_place = true',
    "ladder": 'kind = "ladder"\nencounters = 90',
    "sprt": 'kind = "sprt"\nelo0 = -5.0\nelo1 = 5.0\nencounters = 90',
}

KILLS = int(os.environ.get("DONUTS_KILLS", "0"))

pytestmark = pytest.mark.timeout(900)
"""of as many kills as anybody asks for"""

LONGEST = 0.9
"""seconds after which a run is killed at the latest; most are over by then"""


def event_file(
    folder: Path, salted: Path, kind: str, faults: str = 'on_fault = "void"\ncrash_limit = 20'
) -> Path:
    """An event in which one bot crashes now and then."""
    folder.mkdir()
    crashes = {"bob": 2 if kind == "sprt" else 6, "eve": 30}
    names = ("ann", "bob") if kind == "sprt" else ("ann", "bob", "cyd", "dee", "eve")
    bots = "".join(
        f'[[bot]]\nname = "{name}"\nrun = "{salted} {name} {crashes.get(name, 0)}"\n' for name in names
    )
    path = folder / "event.toml"
    path.write_text(
        f'seed = 3\n{bots}[format]\n{FORMATS[kind]}\n[games]\nsize = 6\ntc = "inf"\n[faults]\n{faults}\n'
    )
    return path


def start(path: Path, workers: int | str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-P", str(RUNNING), str(path), str(workers)],
        env=own_modules(),
        stdin=subprocess.DEVNULL,
    )


def finish(path: Path, workers: int | str) -> Kept:
    with start(path, workers) as run:
        assert run.wait(600) == 0
    return read_event(path.parent / "event-records")


def check(kept: Kept, folder: Path) -> None:
    """No game is lost or there twice, and none of a half-played encounter was played again."""
    games = Counter(
        (located.head.place.encounter, located.head.place.leg)
        for located in JournalReader(folder / "journal.jsonl").located()
        if located.head.place is not None and not located.head.verdict.void
    )
    assert set(games.values()) == {1}
    assert set(games) >= {  # more where a bot was benched that had played ahead
        (duel.encounter.number, leg)
        for duel in kept.state.duels()
        for leg in (1, 2)
        if duel.legs[leg - 1].played and duel.legs[leg - 1].winner
    }


def counted(kept: Kept) -> list[Duel]:
    last = last_counted(kept.description.format, kept.state)
    return [duel for duel in kept.state.duels() if last is None or duel.encounter.number <= last]


@pytest.mark.parametrize("kind", FORMATS)
def test_it_ends_as_if_it_had_never_been_killed(tmp_path: Path, salted: Path, kind: str) -> None:
    killed(tmp_path, salted, kind, max(1, -(-KILLS * 3 // 4 // len(FORMATS))), (1, 2))


@pytest.mark.skipif(not KILLS, reason="DONUTS_KILLS=200 asks for it")
@pytest.mark.parametrize("kind", FORMATS)
def test_it_ends_so_on_a_cluster_too(tmp_path: Path, salted: Path, kind: str) -> None:
    with dask_cluster(tmp_path) as cluster:
        killed(tmp_path, salted, kind, max(1, -(-KILLS // 4 // len(FORMATS))), (cluster.address,))


def killed(folder: Path, salted: Path, kind: str, kills: int, places: Sequence[int | str]) -> None:
    """Kill runs of an event until `kills` of them were killed; each event ends as one that was not."""
    whole = finish(event_file(folder / "whole", salted, kind), workers=1)
    rng = random.Random(kind)
    for attempt in range(1000):
        if kills <= 0:
            break
        path = event_file(folder / f"killed-{attempt}", salted, kind)
        for _ in range(min(20, max(3, kills))):  # beyond that every run would be killed before it plays
            place = rng.choice(places)
            with start(path, place) as run:
                try:
                    run.wait(rng.uniform(0.1, LONGEST if isinstance(place, int) else 2 * LONGEST))
                except subprocess.TimeoutExpired:
                    run.send_signal(signal.SIGKILL)
                    kills -= 1
            if run.returncode == 0:
                break
        kept = finish(path, places[-1])
        records = path.parent / "event-records"
        assert rows(kept.description, kept.state) == rows(whole.description, whole.state)
        assert counted(kept) == counted(whole)
        check(kept, records)
        in_pgn = [game.sheet.id for game in PgnReader(records / "games.pgn")]
        assert in_pgn == [located.head.id for located in JournalReader(records / "journal.jsonl").located()]
