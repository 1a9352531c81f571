"""How far an event is and when it will be over, in figures and in a line as wide as the terminal has room for."""

import time
from collections.abc import Callable

from donuts_referee.cli.words import duration
from donuts_referee.competition.happenings import (
    Began,
    Ended,
    GameEnded,
    Happening,
    RosterChanged,
    StandingsChanged,
)

__all__ = ["Progress", "progress_text"]


class Progress:
    """How far the event is and when it will be over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.planned: int | None = None
        """encounters of the whole event; None: without end, or not known yet"""
        self.settled = 0
        self.games = 0
        """finished games, the void ones among them"""
        self.workers = 1
        self._clock = clock
        self._began = clock()
        self._legs_before = 0
        self._legs = 0
        """legs that were counted since the start"""

    def see(self, happening: Happening) -> None:
        """Take note of it."""
        match happening:
            case GameEnded(_, counted, settled):
                self.games += 1
                self._legs += counted
                self.settled = settled
            case Began():
                self.planned, self.settled = happening.planned, happening.settled
                self.games, self.workers = happening.games, happening.workers
                self._began = self._clock()
                self._legs_before = 2 * happening.settled
            case RosterChanged() | StandingsChanged():
                self.planned = happening.planned
            case Ended():
                self.settled, self.games = happening.settled, happening.games
                if happening.reason == "over" and self.planned is not None:
                    # less than was planned, where bots left or a test was decided
                    self.planned = self.settled
            case _:
                pass

    @property
    def elapsed(self) -> float:
        """Seconds since this start of the event."""
        return self._clock() - self._began

    @property
    def share(self) -> float | None:
        """How much of the event is played, 0 to 1; None when it has no end."""
        if self.planned is None:
            return None
        return min(1.0, self._played() / (2 * self.planned)) if self.planned else 1.0

    @property
    def per_second(self) -> float:
        """Games that were counted in a second, on the average since this start."""
        return self._legs / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds that the rest will take at this pace; None while every worker has not played a game, and where there
        is no end.

        A knockout has more to play when encounters are level, an SPRT less.
        """
        if self.planned is None or self._legs < self.workers or self.per_second <= 0:
            return None
        return max(0, 2 * self.planned - self._played()) / self.per_second

    def _played(self) -> int:
        """Legs that are done: a walkover is seen when its encounter is settled, a first leg before."""
        return max(2 * self.settled, self._legs_before + self._legs)


def progress_text(progress: Progress, width: int) -> str:
    """The progress in at most `width` columns: what matters least is left out first."""
    of = "" if progress.planned is None else f"/{progress.planned}"
    encounters = f"encounters {progress.settled}{of}"
    games = f"games {progress.games}"
    elapsed = f"elapsed {duration(progress.elapsed)}"
    pace = _pace_text(progress.per_second)
    left = progress.remaining
    short = long = ""
    if progress.planned is not None:
        short = f"eta {'-' if left is None else duration(left)}"
        long = short if left is None else f"{short} ({_clock_at(left)})"
    for parts in (
        (encounters, games, pace, elapsed, long),
        (encounters, games, elapsed, long),
        (encounters, games, elapsed, short),
        (encounters, games, short),
        (encounters, short),
    ):
        text = "  ".join(filter(None, parts))
        if len(text) <= width:
            return text
    return encounters


def _pace_text(per_second: float) -> str:
    if per_second >= 1:
        return f"{per_second:.1f} games/s"
    return f"{per_second * 60:.1f} games/min"


def _clock_at(seconds: float) -> str:
    """The time of day in so many seconds, with the date where it is another one."""
    then, now = time.localtime(time.time() + seconds), time.localtime()
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)
