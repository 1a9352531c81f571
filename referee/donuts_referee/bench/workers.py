"""Several workers at once, and the bare round trip of the system beside them: the figures of `donuts bench ply`."""

import json
import subprocess
from contextlib import ExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from donuts_referee.bench.build import build
from donuts_referee.bench.ply import BenchFault, Stint
from donuts_referee.modules import own_modules, running

__all__ = ["Figures", "bench_ply", "work"]


class Figures(Struct, frozen=True, kw_only=True):
    """What `donuts bench ply` prints; times in microseconds.

    With several workers `us_per_ply` is the wall time from the first start to the last end over the plies of all, and
    `cpu_us_per_ply` the CPU time of all referees over the same plies.
    """

    us_per_ply: float
    cpu_us_per_ply: float
    games_per_s: float
    rss_mb: float
    pingpong_us: float
    ratio: float
    plies: int
    games: int
    workers: int


def bench_ply(games: int, workers: int, folder: Path) -> Figures:
    """Measure with programs compiled into `folder`; raises NoCompiler or BenchFault."""
    bot, pingpong = build("first", folder), build("pingpong", folder)
    before = _pingpong(pingpong)
    stints = work(bot, games, workers)
    after = _pingpong(pingpong)
    wall = max(each.ended for each in stints) - min(each.began for each in stints)
    plies = sum(each.plies for each in stints)
    played = sum(each.games for each in stints)
    bare = (before + after) / 2
    per_ply = wall / plies / 1000
    return Figures(
        us_per_ply=round(per_ply, 2),
        cpu_us_per_ply=round(sum(each.cpu_ns for each in stints) / plies / 1000, 2),
        games_per_s=round(played / wall * 1e9, 1),
        rss_mb=round(max(each.rss_kib for each in stints) / 1024, 1),
        pingpong_us=round(bare, 2),
        ratio=round(per_ply / bare, 2),
        plies=plies,
        games=played,
        workers=workers,
    )


def _pingpong(program: Path) -> float:
    done = subprocess.run([program], capture_output=True, check=False)
    if done.returncode != 0:
        raise BenchFault(f"pingpong ended with exit status {done.returncode}")
    return float(json.loads(done.stdout)["mean_us"])


def work(bot: Path, games: int, workers: int) -> list[Stint]:
    """Start the workers, let them go at one time, collect what they measured. Raises BenchFault."""
    command = running("donuts_referee.bench.ply", str(bot), str(games))
    with ExitStack() as stack:
        crew: list[subprocess.Popen[bytes]] = []
        stack.callback(_end, crew)
        for _ in range(workers):
            crew.append(stack.enter_context(_worker(command)))
        for each in crew:
            if _line(each) != b"ready\n":
                raise BenchFault("a worker of the bench did not start; its stderr says why")
        for each in crew:
            assert each.stdin is not None
            each.stdin.write(b"go\n")
            each.stdin.flush()
        stints: list[Stint] = []
        for each in crew:
            try:
                stints.append(msgspec.json.decode(_line(each), type=Stint))
            except msgspec.DecodeError:
                raise BenchFault("a worker of the bench failed; its stderr says why") from None
        return stints


def _worker(command: list[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=own_modules())


def _end(crew: "list[subprocess.Popen[bytes]]") -> None:
    for each in crew:
        if each.poll() is None:
            each.terminate()


def _line(worker: "subprocess.Popen[bytes]") -> bytes:
    assert worker.stdout is not None
    return worker.stdout.readline()
