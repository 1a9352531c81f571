"""Keeps what a bot writes to stderr: the beginning, the end and how much there was, 20 KiB at most."""

from collections.abc import Callable
from typing import TypeAlias

from donuts_referee.channels.link import LEGACY, Stderr

HEAD = 4096
TAIL = 16384

Tee: TypeAlias = Callable[[bytes], None] | None
"""Is handed every piece of a bot's stderr that is kept or counted, as it is read, on the thread that read it."""


class StderrKeeper:
    """`kept` is a whole value at any moment, so that one thread may feed while another reads.

    `head` holds the first 4 KiB and `tail` the last 16 KiB of what came after them: when `total` is the sum
    of their lengths nothing is missing in between. Once `ended()` says that the bot has ended, no more is taken than
    its pipe may have held: the rest is of a process that it left. It is asked after every read, since whoever waits
    for the end may hear of it much later than a process that writes as fast as it is read.
    """

    __slots__ = ("_ended", "_legacy", "_over", "_tee", "kept")

    def __init__(self, tee: Tee = None, ended: Callable[[], bool] = lambda: False) -> None:
        self.kept = Stderr(b"", b"", 0)
        self._tee = tee
        self._ended = ended
        self._over = False
        self._legacy = LEGACY

    def feed(self, data: bytes) -> None:
        """Take what a read returned."""
        self._over = self._over or self._ended()
        if self._over:
            data = data[: self._legacy]
            self._legacy -= len(data)
        if data and self._tee is not None:
            self._tee(data)
        head, tail, total = self.kept
        room = HEAD - len(head)
        if room:
            head += data[:room]
            rest = data[room:]
        else:
            rest = data
        if rest:
            tail = rest[-TAIL:] if len(rest) >= TAIL else (tail + rest)[-TAIL:]
        self.kept = Stderr(head, tail, total + len(data))
