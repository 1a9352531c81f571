"""What signals do to a command, the brake of a match above all: the first one pulls it, later ones wait for the end."""

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn, TypeAlias

from donuts_referee.channels.drive import Brake
from donuts_referee.cli.fault import Terminated

__all__ = ["Interruption", "caught", "interruptible", "terminable"]

Handler: TypeAlias = Callable[[int, FrameType | None], object]


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
    """While it lasts, signals end the match through `brake`; which they are, `caught` says."""
    interruption = Interruption(brake)
    with caught(interruption.catch):
        yield interruption


@contextmanager
def caught(handler: Handler) -> Iterator[None]:
    """While it lasts, `handler` is called for SIGINT, SIGTERM and SIGHUP, where they exist.

    SIGINT reaches it even in a background job, which a shell starts with SIGINT ignored; nohup's SIGHUP does not.
    """
    before: list[tuple[int, Handler | int | None]] = []
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is None or (name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN):
            continue
        before.append((number, signal.signal(number, handler)))
    try:
        yield
    finally:
        for number, previous in before:
            signal.signal(number, previous if previous is not None else signal.SIG_DFL)


@contextmanager
def terminable() -> Iterator[None]:
    """While it lasts, SIGTERM raises Terminated, so that it ends the command as Ctrl-C does."""
    before = signal.signal(signal.SIGTERM, _terminated)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminated(number: int, _: FrameType | None) -> NoReturn:
    raise Terminated(number)
