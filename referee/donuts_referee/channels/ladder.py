"""The shutdown of a child, step by step: stdin closed, 1 s, SIGTERM, 1 s, SIGKILL, strays."""

import signal
from collections.abc import Callable

from donuts_referee.channels import containment
from donuts_referee.channels.link import Exit
from donuts_referee.channels.process import SECOND, Process

SETTLED = SECOND // 4
"""ns within which a process has ended whose stdout was closed because it is ending"""


def lives_on(ended_by: Callable[[int], bool], now: Callable[[], int]) -> bool:
    """Does a process live on whose stdout is at its end? To be asked before anything is done to end it."""
    return not ended_by(now() + SETTLED)


def see_out(process: Process, hung_up: int, ended_by: Callable[[int], bool], now: Callable[[], int]) -> Exit:
    """End a process whose stdin was closed at `hung_up` (ns) and reap it with all it left behind (DBP-10.7).

    `ended_by(deadline)` waits, keeping the bot's pipes drained, and says whether the process has ended. The
    first second counts from `hung_up`, so that several bots can spend it together.
    """
    remembered = set(process.family)
    killed: set[containment.Known] = set()
    sent: int | None = None
    if not ended_by(hung_up + SECOND):
        sent = int(signal.SIGTERM)
        process.terminate()
        if not ended_by(now() + SECOND):
            left = containment.kin(process.bot, remembered)
            killed = {known for known, seen in left.items() if seen.state not in "ZX"}
            remembered |= left.keys()
            sent = int(getattr(signal, "SIGKILL", sent))
            process.kill()
            ended_by(now() + SECOND)
    grace = 0.0 if killed else max(0, hung_up + 2 * SECOND - now()) / SECOND
    strays = killed | containment.sweep(process.bot, remembered, grace)
    process.kill()  # where no sweep is possible, the group at least
    return process.collect()._replace(strays=len(strays), sent=sent)
