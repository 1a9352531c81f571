"""What a ply costs: whole matches between two C bots, played, judged and kept exactly as `donuts play` does it.

One process is one worker at concurrency 1. `measure` plays in this process; `python -m donuts_referee.bench.ply` is a
worker of `workers.measure_together`: it says `ready`, waits for a line, plays, and prints what it measured.
"""

import os
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import msgspec
from msgspec import Struct

from donuts_engine.tiles import TileSet
from donuts_referee.channels.choose import exchange
from donuts_referee.channels.program import Program
from donuts_referee.contest import Books, Contest, hold
from donuts_referee.programme import Boards, programme
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import Entrant, MatchRules
from donuts_referee.table.events import Event, GameOver, GameStarted

__all__ = ["SEED", "BenchFault", "Stint", "main", "measure"]

SEED = 20
"""The boards are the same in every run, so that two runs can be compared."""


class BenchFault(Exception):
    """The games could not be played as meant, so that a figure would mean nothing."""


class Stint(Struct, frozen=True, kw_only=True):
    """One worker's games; stamps in ns of the system's monotonic clock, `cpu_ns` user + system time of its process."""

    games: int
    plies: int
    began: int
    ended: int
    cpu_ns: int
    rss_kib: int


class _Stopwatch:
    """The witness: stamps the end of the first game's preparation and the last verdict, and counts plies.

    Start-up is not measured: game 1 makes both bots ready and counts for nothing.
    """

    each_move = False

    def __init__(self) -> None:
        self.games = self.plies = 0
        self.began = self.ended = self.cpu_began = self.cpu_ended = 0

    def see(self, event: Event, record: str) -> None:
        if type(event) is GameOver:
            game = event.game
            if game.verdict.fault is not None:
                raise BenchFault(f"game {game.number} of the bench went wrong: {game.verdict.text}")
            self.ended, self.cpu_ended = time.monotonic_ns(), time.process_time_ns()
            if game.number > 1:
                self.games += 1
                self.plies += len(game.moves)
        elif type(event) is GameStarted and event.number == 2:
            self.began, self.cpu_began = time.monotonic_ns(), time.process_time_ns()


def measure(bot: Path, games: int) -> Stint:
    """Play `games` games (and one before them for the start-up) between two processes of `bot`, records on."""
    settings = programme(games + 1, Boards(tiles=TileSet.shipped(), size=6), 15, SEED, ())
    program = Program(argv=(str(bot),))
    watch = _Stopwatch()
    with closing(exchange()) as links, tempfile.TemporaryDirectory(prefix="donuts-bench-") as folder:
        first, second = (
            Entrant(bot=name, open=lambda: links.spawn(program), argv=program.argv)
            for name in ("first", "first#2")
        )
        with Books(Path(folder)) as books:
            hold(Contest(first, second, settings, MatchRules(control=TimeControl())), links, books, watch)
    return Stint(
        games=watch.games,
        plies=watch.plies,
        began=watch.began,
        ended=watch.ended,
        cpu_ns=watch.cpu_ended - watch.cpu_began,
        rss_kib=_peak_kib(),
    )


def _peak_kib() -> int:
    """The most memory this process ever had resident, in KiB; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak // 1024 if sys.platform == "darwin" else peak


def main() -> int:
    """A worker: BOT GAMES on the command line."""
    bot, games = Path(sys.argv[1]), int(sys.argv[2])
    os.write(1, b"ready\n")
    if not sys.stdin.readline():
        return 1
    os.write(1, msgspec.json.encode(measure(bot, games)) + b"\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
