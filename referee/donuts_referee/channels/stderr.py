"""Keeps what a bot writes to stderr: the beginning, the end and how much there was, 20 KiB at most."""

from collections.abc import Callable
from typing import TypeAlias

from donuts_referee.channels.link import Stderr

HEAD = 4096
TAIL = 16384

Tee: TypeAlias = Callable[[bytes], None] | None
"""Is handed every piece of a bot's stderr as it is read, on the thread that read it."""


class StderrKeeper:
    """`kept` is a whole value at any moment, so that one thread may feed while another reads.

    `head` holds the first 4 KiB and `tail` the last 16 KiB of what came after them: when `total` is the sum
    of their lengths nothing is missing in between.
    """

    __slots__ = ("_tee", "kept")

    def __init__(self, tee: Tee = None) -> None:
        self.kept = Stderr(b"", b"", 0)
        self._tee = tee

    def feed(self, data: bytes) -> None:
        """Take what a read returned."""
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
