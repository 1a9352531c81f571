"""What those who are shown a match share: a stream whose reader may leave, and the words for a verdict."""

import sys
from collections.abc import Callable
from typing import TextIO

from donuts_referee.table.finished import FinishedGame

__all__ = ["Stage", "pairing_line", "verdict_line"]


class Stage:
    """A text stream whose reader may leave, or whose disk may be full.

    Then `gone` is called once and what is written later is lost.
    """

    def __init__(self, stream: TextIO, gone: Callable[[], None]) -> None:
        self.stream = stream
        self.left = False
        """True once the reader is gone, or the stream cannot be written to"""
        self.fault: OSError | None = None
        """why it cannot be written to; None when only the reader is gone"""
        self._gone = gone

    def write(self, text: str) -> None:
        """Write and flush; nothing is raised when nobody reads or nothing can be written."""
        if self.left:
            return
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError as error:
            self.left = True
            self.fault = None if isinstance(error, BrokenPipeError) else error
            self._gone()

    @property
    def name(self) -> str:
        """What to call the stream."""
        return "stderr" if self.stream is sys.stderr else "stdout"

    def terminal(self) -> bool:
        """True when a person looks at it."""
        return self.stream.isatty()


def verdict_line(game: FinishedGame, of: int) -> str:
    """One finished game in a line: who, how, why."""
    return f"game {game.number}/{of}: {pairing_line(game)}"


def pairing_line(game: FinishedGame) -> str:
    """Who played whom, who won, and why."""
    verdict = game.verdict
    if verdict.void:
        outcome = "void"
    elif verdict.winner == "-":
        outcome = "draw"
    else:
        winner = game.x if verdict.winner == "x" else game.o
        outcome = f"{winner.bot} wins"
    return f"{game.x.bot} (x) - {game.o.bot} (o): {outcome}; {verdict.text}"
