"""What `analyse` and `standings --analysis` share: progress, words on the cache, what an interrupt leaves."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_referee.analysis.bots import BotFigures, Tally
from donuts_referee.analysis.faults import AnalysisFault, Unplayable
from donuts_referee.analysis.game import Analysed
from donuts_referee.analysis.journal import Analyst, Stand
from donuts_referee.analysis.searching import Effort
from donuts_referee.channels.affinity import allowed
from donuts_referee.cli.extras import need_solver
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.records.faults import RecordsFault
from donuts_referee.records.finding import FoundGame, read_games

if TYPE_CHECKING:
    from donuts_referee.analysis.cache import Cache

__all__ = ["MOST_WORKERS", "Stage", "figures", "workers"]

MOST_WORKERS = 8
"""Processes that are started unless told otherwise; each has a table of its own."""


def workers() -> int:
    """How many processes search unless told otherwise."""
    return min(MOST_WORKERS, allowed())


def figures(journal: Path) -> tuple[BotFigures, ...]:
    """How well each bot of a journal played. Raises UsageFault."""
    tally = Tally()
    stage = Stage(journal)
    for game in stage.games(read_games(journal), Effort(workers=workers()), openings=False):
        tally.add(game)
    stage.clear()
    return tally.rows()


class Stage:
    """An analysis of games of one file, and what is said of it on stderr."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._shown = sys.stderr.isatty()
        self._of = 0
        self._stand = Stand(0, 0, 0)

    def games(
        self, found: Iterable[FoundGame], effort: Effort, *, openings: bool = True, alone: bool = False
    ) -> Iterator[Analysed]:
        """Each game with its moves; one that breaks the rules is told of and skipped, if it is not asked for `alone`.

        Raises UsageFault. An interrupt is told of, with what there is of the work, and passed on.
        """
        need_solver()

        def skip(game: FoundGame, fault: Unplayable) -> None:
            if alone:
                raise fault
            self._say(f"{game.place}: {fault}; skipped")

        games = iter(found)
        try:
            first = list(islice(games, 1))  # so that nothing is made beside what cannot be read
        except RecordsFault as fault:
            raise UsageFault(plain(str(fault))) from None
        if not first:
            return
        with self._cache() as cache:
            try:
                with Analyst(effort, cache, openings=openings, report=self._report, skip=skip) as analyst:
                    yield from analyst.games(self._counted(chain(first, games), alone))
            except (AnalysisFault, RecordsFault) as fault:
                self.clear()
                raise UsageFault(plain(str(fault))) from None
            except KeyboardInterrupt:
                self._tell_interrupted(cache)
                raise

    def clear(self) -> None:
        """Take the line of progress away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _counted(self, found: Iterable[FoundGame], alone: bool) -> Iterator[FoundGame]:
        for game in found:
            self._of = 1 if alone else game.of
            yield game

    @contextmanager
    def _cache(self) -> "Iterator[Cache | None]":
        """The cache beside the records."""
        try:
            from donuts_referee.analysis.cache import CACHE, Cache
        except ImportError:
            self._say("this Python was built without sqlite3; what is computed is not kept")
            yield None
        else:
            path = self._path.resolve() if self._path.is_symlink() else self._path  # such as /dev/stdin
            with Cache((path if path.is_dir() else path.parent) / CACHE, self._say) as cache:
                yield cache

    def _tell_interrupted(self, cache: "Cache | None") -> None:
        kept = "nothing is kept" if cache is None or not cache.open else f"kept in {cache.path}"
        self._say(
            f"interrupted: {self._stand.games} of {self._of} games analysed; "
            f"{self._stand.positions} positions were searched, {kept}"
        )

    def _report(self, stand: Stand) -> None:
        self._stand = stand
        if self._shown:
            searched = f"{stand.positions} of {stand.wanted} positions searched"
            sys.stderr.write(f"\r{stand.games} of {self._of} games analysed, {searched}")
            sys.stderr.flush()

    def _say(self, text: str) -> None:
        self.clear()
        sys.stderr.write(f"donuts: {plain(text)}\n")
