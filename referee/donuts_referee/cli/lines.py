"""A match in the plain: a line per verdict and the score; on a terminal a line of progress besides."""

import time
from collections.abc import Callable
from pathlib import Path

from donuts_referee.cli.stage import Stage, verdict_line
from donuts_referee.table.events import Event, GameOver, GameStarted, MatchOver, MovePlayed, Score, Warned

__all__ = ["Lines", "Progress", "score_lines"]

EVERY = 0.1
"""Seconds between two drawings of the progress line."""


class Progress:
    """The line that says how far a match is: overwritten in place, removed before anything else is written."""

    def __init__(self, stage: Stage, now: Callable[[], float] = time.monotonic) -> None:
        self._stage = stage
        self._now = now
        self._began = now()
        self._next = 0.0
        self._width = 0

    def show(self, number: int, of: int, ply: int, score: str) -> None:
        """Draw the line, at most ten times a second; `number` is the game being played, from 1."""
        now = self._now()
        if now < self._next:
            return
        self._next = now + EVERY
        done = number - 1
        eta = f", {_clock((now - self._began) / done * (of - done))} to go" if done else ""
        line = f"game {number} of {of}, ply {ply}{score}{eta}"
        self._stage.write("\r" + line.ljust(self._width))
        self._width = len(line)

    def clear(self) -> None:
        """Remove the line."""
        if self._width:
            self._stage.write("\r" + " " * self._width + "\r")
            self._width = 0
        self._next = 0.0


class Lines:
    """The onlooker of `donuts play` without --watch and --json; `progress` None: nobody looks on."""

    def __init__(
        self,
        stage: Stage,
        bots: tuple[str, str],
        records: tuple[Path, ...],
        seed: int,
        progress: Progress | None,
    ) -> None:
        self.each_move = progress is not None
        self._stage = stage
        self._bots = bots
        self._records = records
        self._seed = seed
        self._progress = progress
        self._of = 0
        self._points = [0.0, 0.0]

    def see(self, event: Event, record: str) -> None:
        """Print verdicts, warnings and the score as they come."""
        match event:
            case MovePlayed():
                self._show(event.number, event.after.ply)
            case GameStarted():
                self._of = event.of
                self._show(event.number, len(event.setting.opening))
            case Warned():
                self._print(f"game {event.number}: {event.bot} ({event.side}): {event.text}")
            case GameOver(game):
                if not game.verdict.void:
                    first = "x" if game.number % 2 else "o"
                    self._points[0] += _points(game.verdict.winner, first)
                    self._points[1] += 1 - _points(game.verdict.winner, first)
                self._print(verdict_line(game, self._of))
            case MatchOver(score):
                self._print(score_lines(score, self._bots, self._records, self._seed))

    def _show(self, number: int, ply: int) -> None:
        if self._progress is not None:
            first, second = self._points
            self._progress.show(
                number, self._of, ply, f", {self._bots[0]} {first:g} - {second:g} {self._bots[1]}"
            )

    def _print(self, line: str) -> None:
        if self._progress is not None:
            self._progress.clear()
        self._stage.write(line + "\n")


def score_lines(score: Score, bots: tuple[str, str], records: tuple[Path, ...], seed: int) -> str:
    """The end of a match: the score, how to have it again, where it is kept."""
    first, second = score.points
    voids = f", {score.voids} void" if score.voids else ""
    lines = [
        f"score: {bots[0]} {first:g} - {second:g} {bots[1]} "
        f"({score.wins} won, {score.draws} drawn, {score.losses} lost{voids})"
    ]
    if score.stopped is not None:
        lines.append(f"stopped: {score.stopped}")
    lines.append(f"seed: {seed}")
    lines.append(f"records: {', '.join(str(path) for path in records)}")
    return "\n".join(lines)


def _points(winner: str, side: str) -> float:
    return 0.5 if winner == "-" else float(winner == side)


def _clock(seconds: float) -> str:
    whole = round(seconds)
    hours, rest = divmod(whole, 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"
