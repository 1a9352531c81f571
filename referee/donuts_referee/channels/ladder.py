"""The shutdown of a child, step by step: stdin closed, 1 s, SIGTERM, 1 s, SIGKILL, strays."""

import signal
from collections.abc import Callable

from donuts_referee.channels import containment
from donuts_referee.channels.link import Exit
from donuts_referee.channels.process import SECOND, Process

SIGKILL: int | None = getattr(signal, "SIGKILL", None)
"""None where there is no such signal, as on Windows"""

SETTLED = SECOND // 4
"""ns within which a process has ended whose stdout was closed because it is ending"""

OBEYING = SECOND
"""ns that a process has to end when it was told SIGTERM"""


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
        if not ended_by(now() + OBEYING):
            left = containment.kin(process.bot, remembered)
            killed = {known for known, seen in left.items() if seen.state not in "ZX"}
            remembered |= left.keys()
            sent = SIGKILL or sent
            process.kill()
            ended_by(now() + int(containment.DYING * SECOND))
    grace = 0.0 if killed else max(0, hung_up + 2 * SECOND - now()) / SECOND
    strays = killed | containment.sweep(process.bot, remembered, grace)
    process.kill()  # where no sweep is possible, the group at least
    exit_ = process.collect()
    obeyed = exit_[:2] not in ((None, None), (None, SIGKILL))
    if obeyed and sent is not None and sent == SIGKILL:
        sent = int(signal.SIGTERM)  # however late: SIGKILL found it ended
    return exit_._replace(strays=len(strays), sent=sent)
