"""The figures of `donuts bench arena`: what a ply costs over ZeroMQ, and how the arena bears a crowd.

One pair of bots plays one game at a time beside the bare round trip, in rounds one after the other, since a machine
is not always equally fast; then many bots play at once. The arena and its bots are two processes.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec
from msgspec import Struct

from donuts_referee.bench.callers import STEADY, Calls, Load
from donuts_referee.bench.hosted import HostedArena, Kept
from donuts_referee.bench.pingpong import pingpong_us
from donuts_referee.bench.ply import BenchFault
from donuts_referee.bench.workers import own_modules

__all__ = ["ArenaFigures", "Crowd", "Goals", "Solo", "bench_arena"]

ROUNDS = 5

SETTLING = 600
"""plies of each bot of the crowd before its memory is steady: libzmq's queues grow to twice 256 messages"""

MIB = 1 << 20


class Solo(Struct, frozen=True, kw_only=True):
    """One game at a time over tcp, medians of the rounds; times in microseconds."""

    pingpong_us: float
    """a round trip between ROUTER and DEALER, each waiting with zmq.Poller"""
    us_per_ply: float
    """from one turn of a game to the next one"""
    ratio: float
    """the one over the other, within each round"""
    whole_us_per_ply: float
    """with all that lies between games: records, ladder, pairing, making ready"""
    whole_ratio: float
    cpu_us_per_ply: float
    """CPU of the arena's process, user and system, all threads"""
    plies: int


class Crowd(Struct, frozen=True, kw_only=True):
    """Many bots at once."""

    bots: int
    plies: int
    plies_per_s: float
    cpu_us_per_ply: float
    timeouts: int
    faults: int
    """games that a bot lost by a fault of any kind, the timeouts among them"""
    sent_away: int
    """bots that the arena sent away or refused"""
    latest_ms: float
    """the largest lateness of the referee beside a move; 0: under 2 ms"""
    rss_mib: float
    """memory of the arena when it began to be steady"""
    rss_end_mib: float
    growth: float
    """of the memory, as a share"""


class Goals(Struct, frozen=True, kw_only=True):
    """What the figures are to stay under; `timeouts` and `faults` are to be exactly that."""

    ratio: float = 2.0
    timeouts: int = 0
    faults: int = 0
    rss_end_mib: float = 150.0
    growth: float = 0.05


class ArenaFigures(Struct, frozen=True, kw_only=True):
    """What `donuts bench arena` prints."""

    solo: Solo
    crowd: Crowd
    goals: Goals = Goals()


def bench_arena(plies: int, bots: int, folder: Path) -> ArenaFigures:
    """Measure with a crowd of `bots` that plays `plies`, and a fourth of that solo. Raises BenchFault."""
    for name in ("solo", "crowd"):
        (folder / name).mkdir()
    return ArenaFigures(
        solo=_solo(max(20, plies // 4 // ROUNDS), folder / "solo"),
        crowd=_crowd(plies, bots, folder / "crowd"),
    )


def _solo(plies: int, folder: Path) -> Solo:
    rounds: list[tuple[float, _Stint]] = []
    with HostedArena(folder) as arena:
        for _ in range(ROUNDS):
            bare = pingpong_us(plies)
            rounds.append((bare, _play(arena, 2, max(10, plies // 10), plies)))
    stints = [stint for _, stint in rounds]
    within = [each.calls.within_ns / max(1, each.calls.within) / 1000 for each in stints]
    whole = [each.us_per_ply for each in stints]
    return Solo(
        pingpong_us=round(median(bare for bare, _ in rounds), 1),
        us_per_ply=round(median(within), 1),
        ratio=round(median(us / bare for us, (bare, _) in zip(within, rounds, strict=True)), 2),
        whole_us_per_ply=round(median(whole), 1),
        whole_ratio=round(median(us / bare for us, (bare, _) in zip(whole, rounds, strict=True)), 2),
        cpu_us_per_ply=round(sum(each.cpu_s for each in stints) * 1e6 / (plies * ROUNDS), 1),
        plies=plies * ROUNDS,
    )


def _crowd(plies: int, bots: int, folder: Path) -> Crowd:
    with HostedArena(folder) as arena:
        stint = _play(arena, bots, SETTLING * bots, plies)
    games = tuple(arena.kept())
    return Crowd(
        bots=bots,
        plies=plies,
        plies_per_s=round(1e6 / stint.us_per_ply, 1),
        cpu_us_per_ply=round(stint.cpu_s * 1e6 / plies, 1),
        timeouts=sum(game.verdict.why == "timeout" for game in games),
        faults=sum(game.verdict.fault is not None and game.verdict.why != "resign" for game in games),
        sent_away=stint.calls.sent_away,
        latest_ms=round(_latest(games) / 1e6, 1),
        rss_mib=round(stint.resident / MIB, 1),
        rss_end_mib=round(stint.resident_end / MIB, 1),
        growth=round(stint.resident_end / stint.resident - 1, 3) if stint.resident else 0.0,
    )


def _latest(games: Iterable[Kept]) -> int:
    return max((turn.lateness for game in games for turn in game.turns), default=0)


class _Stint(NamedTuple):
    """What the bots counted, and what the arena took while they did."""

    calls: Calls
    cpu_s: float
    resident: int
    resident_end: int

    @property
    def us_per_ply(self) -> float:
        return (self.calls.ended - self.calls.began) / self.calls.plies / 1000


def _play(arena: HostedArena, bots: int, warm: int, plies: int) -> _Stint:
    """Let that many bots dial in, play and leave. Raises BenchFault."""
    load = msgspec.json.encode(Load(endpoint=arena.endpoint, bots=bots, warm=warm, plies=plies))
    command = [sys.executable, "-P", "-m", "donuts_referee.bench.callers", load.decode()]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=own_modules()) as callers:
        assert callers.stdout is not None
        try:
            steady = callers.stdout.readline()
            cpu_s, resident = arena.cpu_s(), arena.resident()
            calls = callers.stdout.readline()
            cpu_s, resident_end = arena.cpu_s() - cpu_s, arena.resident()
        finally:
            callers.terminate()
    if steady != STEADY or not calls:
        raise BenchFault("the bots of the bench failed; their stderr says why")
    return _Stint(msgspec.json.decode(calls, type=Calls), cpu_s, resident, resident_end)
