"""Prints from a thread of its own, so that whoever reads what an arena prints can stop without stopping its games."""

import queue
import threading

from donuts_referee.cli.stage import Stage
from donuts_referee.patience import ends

__all__ = ["Printer"]

WAITING = 10_000
"""lines that wait at most for a reader that has stopped"""

LAST = 2.0
"""seconds that the last lines have at the end"""


class Printer:
    """A stage that never waits; what there is no room for is lost and counted."""

    def __init__(self, stage: Stage, waiting: int = WAITING) -> None:
        self._stage = stage
        self._lines: queue.Queue[str | None] = queue.Queue(waiting)
        self._lost = 0
        self._thread = threading.Thread(target=self._print, name="printer", daemon=True)
        self._thread.start()

    def write(self, text: str) -> None:
        """Print the text soon."""
        try:
            self._lines.put_nowait(text)
        except queue.Full:
            self._lost += 1

    @property
    def lost(self) -> int:
        """Texts that could not be printed because nobody read."""
        return self._lost

    def close(self) -> None:
        """Print what is left, as far as somebody reads it."""
        try:
            self._lines.put(None, timeout=LAST)
        except queue.Full:
            return
        ends(self._thread, LAST)

    def _print(self) -> None:
        while (text := self._lines.get()) is not None:
            self._stage.write(text)
