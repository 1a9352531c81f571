"""The figures of `donuts bench arena`: what a ply costs over ZeroMQ, and how the arena bears a crowd.

One pair of bots plays one game at a time beside the bare round trip, turn about in short bouts, since a machine is not
always equally fast; then many bots play at once. The arena and its bots are two processes.
"""

import subprocess
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from operator import truediv
from pathlib import Path
from statistics import median

import msgspec
from msgspec import Struct

from donuts_referee.bench.callers import Bout, Load
from donuts_referee.bench.hosted import HostedArena, Kept
from donuts_referee.bench.pingpong import PingPong
from donuts_referee.bench.ply import BenchFault
from donuts_referee.modules import own_modules, running

__all__ = ["ArenaFigures", "Crowd", "Goals", "Solo", "bench_arena"]

BOUTS = 60

SETTLING = 600
"""plies of each bot of the crowd before its memory is steady: libzmq's queues grow to twice 256 messages"""

MIB = 1 << 20


class Solo(Struct, frozen=True, kw_only=True):
    """One game at a time over tcp, medians of the bouts; times in microseconds."""

    pingpong_us: float
    """a round trip between ROUTER and DEALER, each waiting with zmq.Poller"""
    us_per_ply: float
    """from one turn of a game to the next one"""
    ratio: float
    """the one over the other, within each bout and the round trips before it"""
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
        solo=_solo(max(20, plies // 4 // BOUTS), folder / "solo"),
        crowd=_crowd(plies, bots, folder / "crowd"),
    )


def _solo(plies: int, folder: Path) -> Solo:
    pairs: list[tuple[float, Bout]] = []
    with HostedArena(folder) as arena, PingPong() as pingpong:
        pingpong.us(200)
        load = Load(endpoint=arena.endpoint, bots=2, warm=200, plies=plies, bouts=BOUTS)
        with _callers(load) as callers:
            _bout(callers)
            cpu_s = arena.cpu_s()
            for _ in range(BOUTS):
                bare = pingpong.us(plies)
                _go_on(callers)
                pairs.append((bare, _bout(callers)))
            cpu_s = arena.cpu_s() - cpu_s
            _go_on(callers)
    within = [bout.within_ns / max(1, bout.within) / 1000 for _, bout in pairs]
    whole = [bout.ns / bout.plies / 1000 for _, bout in pairs]
    bares = [bare for bare, _ in pairs]
    return Solo(
        pingpong_us=round(median(bares), 1),
        us_per_ply=round(median(within), 1),
        ratio=round(median(map(truediv, within, bares)), 2),
        whole_us_per_ply=round(median(whole), 1),
        whole_ratio=round(median(map(truediv, whole, bares)), 2),
        cpu_us_per_ply=round(cpu_s * 1e6 / (plies * BOUTS), 1),
        plies=plies * BOUTS,
    )


def _crowd(plies: int, bots: int, folder: Path) -> Crowd:
    with HostedArena(folder) as arena:
        load = Load(endpoint=arena.endpoint, bots=bots, warm=SETTLING * bots, plies=plies)
        with _callers(load) as callers:
            _bout(callers)
            cpu_s, resident = arena.cpu_s(), arena.resident()
            _go_on(callers)
            bout = _bout(callers)
            cpu_s, resident_end = arena.cpu_s() - cpu_s, arena.resident()
            _go_on(callers)
    games = tuple(arena.kept())
    return Crowd(
        bots=bots,
        plies=plies,
        plies_per_s=round(plies / bout.ns * 1e9, 1),
        cpu_us_per_ply=round(cpu_s * 1e6 / plies, 1),
        timeouts=sum(game.verdict.why == "timeout" for game in games),
        faults=sum(game.verdict.fault is not None and game.verdict.why != "resign" for game in games),
        sent_away=bout.sent_away,
        latest_ms=round(_latest(games) / 1e6, 1),
        rss_mib=round(resident / MIB, 1),
        rss_end_mib=round(resident_end / MIB, 1),
        growth=round(resident_end / resident - 1, 3) if resident else 0.0,
    )


def _latest(games: Iterable[Kept]) -> int:
    return max((turn.lateness for game in games for turn in game.turns), default=0)


@contextmanager
def _callers(load: Load) -> "Iterator[subprocess.Popen[bytes]]":
    """The bots as a process, which leave when the block is left."""
    text = msgspec.json.encode(load).decode()
    command = running("donuts_referee.bench.callers", text)
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=own_modules()) as callers:
        try:
            yield callers
        except BaseException:
            callers.kill()
            raise


def _bout(callers: "subprocess.Popen[bytes]") -> Bout:
    """Wait for the end of a bout; the bots hold still then. Raises BenchFault."""
    assert callers.stdout is not None
    try:
        return msgspec.json.decode(callers.stdout.readline(), type=Bout)
    except msgspec.DecodeError:
        raise BenchFault("the bots of the bench failed; their stderr says why") from None


def _go_on(callers: "subprocess.Popen[bytes]") -> None:
    """Let the bots begin the next bout, or leave after the last."""
    assert callers.stdin is not None
    callers.stdin.write(b"\n")
    callers.stdin.flush()
