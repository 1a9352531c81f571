"""Chooses how this referee talks to its bots: a poll loop where pipes can be polled, else threads."""

import os
import time
from collections.abc import Callable
from typing import Protocol

from donuts_referee.channels.link import Exchange, Link
from donuts_referee.channels.program import Program
from donuts_referee.channels.shortage import shortage
from donuts_referee.channels.stderr import Tee
from donuts_referee.channels.terminal import Hosting

VARIABLE = "DONUTS_CHANNEL"


class UnknownChannel(ValueError):
    """DONUTS_CHANNEL asks for something there is not, or not on this system; the text says what would be
    right."""


class Channel(Exchange, Hosting, Protocol):
    """An exchange with everything that opens links on it."""

    def spawn(self, program: Program, tee: Tee = None) -> Link:
        """Start a bot, whose stderr `tee` is to see as it comes; raises StartFailure, or Shortage.

        To be called on the main thread (see `containment.binding`).
        """
        ...

    def parent(self, read_fd: int = 0, write_fd: int = 1) -> Link:
        """The program that started us, as a bot on our own stdin and stdout."""
        ...

    def close(self) -> None:
        """End every bot that is left and give back what the exchange holds."""
        ...


def exchange(now: Callable[[], int] = time.monotonic_ns) -> Channel:
    """The exchange for this system, or the one that DONUTS_CHANNEL=poll or =threads asks for.

    Raises UnknownChannel, or Shortage.
    """
    import select

    wanted = os.environ.get(VARIABLE, "")
    can_poll = os.name == "posix" and hasattr(select, "poll")
    if wanted not in ("", "poll", "threads"):
        raise UnknownChannel(
            f"{VARIABLE}={ascii(wanted)[1:-1]} is not a channel: say poll or threads, or nothing"
        )
    if wanted == "poll" and not can_poll:
        raise UnknownChannel(
            f"{VARIABLE}=poll is not possible on this system, which cannot poll pipes: say threads"
        )
    if wanted == "threads" or not can_poll:
        from donuts_referee.channels.threads import ThreadExchange

        return ThreadExchange(now)
    from donuts_referee.channels.stdio import PipeExchange

    try:
        return PipeExchange(now)
    except OSError as error:
        raise shortage("wait for bots", error) or error from error
