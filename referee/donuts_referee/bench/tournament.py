"""What a competition adds to the cost of a ply: an event between C bots beside the same games without an event.

Everything is as in `donuts tournament`: worker processes, a chained journal, PGN, and onlookers that look away. The
bare games are those of `donuts bench ply` at the same concurrency, once before and once after.
"""

import time
from contextlib import closing
from pathlib import Path

from msgspec import Struct

from donuts_engine.tiles import TileSet
from donuts_referee.bench.build import build
from donuts_referee.bench.ply import SEED, BenchFault, Stint
from donuts_referee.bench.workers import work
from donuts_referee.channels.guard import resident
from donuts_referee.channels.program import Program
from donuts_referee.competition.books import EventBooks
from donuts_referee.competition.event import Event, RoundRobin, Running
from donuts_referee.competition.happenings import GameEnded, Happening
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.runner import Ending, Runner
from donuts_referee.contest import JOURNAL
from donuts_referee.records.journal import JournalReader
from donuts_referee.table.control import TimeControl
from donuts_referee.teams.bot import Bot

__all__ = ["GOAL", "TournamentFigures", "bench_tournament"]

GOAL = 1.15
"""times the cost of a bare ply that a ply may cost in an event"""

EARLY = 1000
"""After so many games the memory is looked at first."""


class TournamentFigures(Struct, frozen=True, kw_only=True):
    """What `donuts bench tournament` prints; times in microseconds of wall time, memory of the event's own process."""

    us_per_ply: float
    bare_us_per_ply: float
    """of the same games played by `donuts bench ply`"""
    ratio: float
    goal: float
    games_per_s: float
    rss_early_mib: float
    """after 1000 games, or half of them where there are fewer"""
    rss_end_mib: float
    growth: float
    """of the memory between the two, as a share"""
    plies: int
    games: int
    workers: int
    bots: int


class _Stopwatch:
    """Stamps the end of the first game and of the last, and looks at the memory."""

    def __init__(self, games: int) -> None:
        self.games = 0
        self.began = self.ended = 0.0
        self.early = self.late = 0.0
        self._early = min(EARLY, games // 2)

    def see(self, happening: Happening) -> None:
        if isinstance(happening, GameEnded):
            if not happening.counted:
                raise BenchFault(f"a game of the bench went wrong: {happening.head.verdict.text}")
            self.games += 1
            self.ended = time.monotonic()
            if self.games == 1:
                self.began = self.ended
            if self.games == self._early:
                self.early = resident() / (1 << 20)

    def close(self) -> None:
        self.late = resident() / (1 << 20)


def bench_tournament(games: int, workers: int, folder: Path, bots: int = 2) -> TournamentFigures:
    """Measure an event of so many bots, of a program compiled into `folder`; raises NoCompiler or BenchFault."""
    bot = build("first", folder)
    each = max(10, games // (2 * workers))
    before = _bare(work(bot, each, workers))
    watch, plies = _event(bot, games, workers, folder, bots)
    after = _bare(work(bot, each, workers))
    bare = (before + after) / 2
    seconds = watch.ended - watch.began
    per_ply = seconds / plies * 1e6
    return TournamentFigures(
        us_per_ply=round(per_ply, 2),
        bare_us_per_ply=round(bare, 2),
        ratio=round(per_ply / bare, 3),
        goal=GOAL,
        games_per_s=round((watch.games - 1) / seconds, 1),
        rss_early_mib=round(watch.early, 1),
        rss_end_mib=round(watch.late, 1),
        growth=round(watch.late / watch.early - 1, 4) if watch.early else 0.0,
        plies=plies,
        games=watch.games,
        workers=workers,
        bots=bots,
    )


def _event(bot: Path, games: int, workers: int, folder: Path, bots: int) -> tuple[_Stopwatch, int]:
    """Play it; the watch, and the plies of all games but the first."""
    event = Event(
        name="bench",
        file=folder / "event.toml",
        records=folder / "records",
        seed=SEED,
        bots=tuple(Bot(name=f"bot{at}", program=Program(argv=(str(bot),))) for at in range(1, bots + 1)),
        format=RoundRobin(cycles=-(-games // (bots * (bots - 1)))),
        size=6,
        rings=15,
        tiles=TileSet.shipped(),
        control=TimeControl(),
        running=Running(workers=workers),
    )
    watch = _Stopwatch(games)
    with EventBooks(event) as books, closing(LocalWorkers(workers, books.folder, stagger=0)) as crew:
        outcome = Runner(event, books, crew, watch, lambda _: None, lambda: 0).run()
        watch.close()
    if outcome.ending is not Ending.OVER:
        raise BenchFault(f"the event of the bench ended early: {outcome.text}")
    records = (entry.record for entry in JournalReader(event.records / JOURNAL))
    return watch, sum(len(record.moves) for at, record in enumerate(records) if at)


def _bare(stints: list[Stint]) -> float:
    """Microseconds of wall time for a ply of several workers at once."""
    wall = max(each.ended for each in stints) - min(each.began for each in stints)
    return wall / sum(each.plies for each in stints) / 1000
