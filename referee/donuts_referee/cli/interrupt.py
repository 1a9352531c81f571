"""Ctrl-C and its kin during a match: the first one pulls the brake, later ones wait for the end it brings."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from donuts_referee.channels.drive import Brake

__all__ = ["Interruption", "interruptible"]


class Interruption:
    """Which signal, if any, asked the match to end."""

    def __init__(self, brake: Brake) -> None:
        self.number: int | None = None
        self._brake = brake

    def catch(self, number: int, frame: FrameType | None) -> None:
        """The handler. A second signal changes nothing: the bots are being ended, which takes seconds at most."""
        if self.number is None:
            self.number = number
            self._brake.pull()


@contextmanager
def interruptible(brake: Brake) -> Iterator[Interruption]:
    """While it lasts, SIGINT, SIGTERM and SIGHUP (where they exist) end the match through `brake`.

    SIGINT does so even for a job in the background, which a shell starts with SIGINT ignored; nohup's SIGHUP does not.
    """
    interruption = Interruption(brake)
    before: list[tuple[int, Callable[[int, FrameType | None], object] | int | None]] = []
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
            continue
        before.append((number, signal.signal(number, interruption.catch)))
    try:
        yield interruption
    finally:
        for number, handler in before:
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
