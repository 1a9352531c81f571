"""Checks of time: moves within their limits, a low clock, and no work while it is not asked."""

from collections.abc import Callable

from donuts_referee.check.asking import Answer, Asking, per_move
from donuts_referee.check.positions import Study, quiet
from donuts_referee.check.processes import cpu_seconds
from donuts_referee.check.rounds import dice, further
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check, Skipped
from donuts_referee.table.finished import Conditions

LOW = (60, 20, 5, 0)
"""ms on a clock that runs out"""

SETTLE = 200 * MS
LOOK = 1000 * MS
"""ns over which the CPU time of a bot that waits is measured"""

NEAR_ZERO = 0.04
"""part of that time in which a bot that waits may be busy"""


def _in_time(asking: Asking, study: Study, limit: int, clock: int) -> Answer:
    """An answer within limit and margin; a late one is asked for once more, since a machine may be busy."""
    answer = asking.turn(study, limit=limit, clock=clock)
    if answer.late:
        answer = asking.turn(study, limit=limit, clock=clock)
    if not answer.late:
        return answer
    raise asking.talk.failed(
        f"an answer within limit={limit}; the margin of {asking.margin} ms is for the way and no time to think",
        f"{answer.heard.words} after {answer.used / MS:.0f} ms, and late as well when it was asked before",
    )


def _keeps(limit: int, turns: int) -> Callable[[Stand], str]:
    """A check that asks turns of so many ms each."""

    def run(stand: Stand) -> str:
        asking, rng = stand.shared(), dice(f"time {limit}")
        slowest = 0
        for turn in range(turns):
            study = quiet(rng, 9 if turn % 3 == 1 else 6)
            asking.game(study, conditions=per_move(limit, asking.margin))
            slowest = max(slowest, _in_time(asking, study, limit, limit).used)
        asking.over()
        return f"{slowest / MS:.1f} ms at most, of {limit} and {asking.margin} of margin"

    return run


def low_clock(stand: Stand) -> str:
    """The clock of a game is nearly used up, and there is no increment."""
    asking, rng = stand.shared(), dice("low clock")
    slowest = 0
    study = quiet(rng, 6)
    conditions = Conditions(main=10_000, inc=0, movemax=None, margin=asking.margin, prep=10_000)
    asking.game(study, conditions=conditions)
    for clock in LOW:
        answer = _in_time(asking, study, clock, clock)
        slowest, study = max(slowest, answer.used), further(study, answer.sq, rng)
    asking.over()
    return f"{slowest / MS:.1f} ms at most"


def idle(stand: Stand) -> str:
    """No CPU time is used between the answer and the next turn."""
    asking = stand.shared()
    talk = asking.talk
    if talk.pid is None or cpu_seconds(talk.pid) is None:
        raise Skipped(
            "only Linux tells how much CPU time a process has used, and only of one that was started here"
        )
    study = quiet(dice("idle"), 6)
    asking.game(study)
    asking.turn(study)
    part = 0.0
    for _ in range(2):
        talk.pause(SETTLE)
        before, began = cpu_seconds(talk.pid), talk.now()
        talk.pause(LOOK)
        after = cpu_seconds(talk.pid)
        if before is None or after is None:
            raise talk.failed("the process lives on and waits for the next message")
        part = (after - before) / ((talk.now() - began) / 1e9)
        if part <= NEAR_ZERO:
            asking.over()
            return f"{part:.0%} of a processor"
    raise talk.failed(
        "a bot that waits is asleep in its read: no polling, and no thinking in the opponent's time",
        f"it used {part:.0%} of a processor while it was not asked anything",
    )


CHECKS = (
    Check("time-1000", "keeps to 1000 ms", ("DBP-8.1", "DBP-8.6", "DBP-9.5"), _keeps(1000, 2)),
    Check("time-200", "keeps to 200 ms", ("DBP-8.1", "DBP-8.6", "DBP-9.5"), _keeps(200, 5)),
    Check("time-50", "keeps to 50 ms", ("DBP-8.1", "DBP-8.6", "DBP-9.5"), _keeps(50, 10)),
    Check("low-clock", "answers with a clock that is nearly used up", ("DBP-8.3", "DBP-8.6"), low_clock),
    Check("idle", "is at rest while it is not asked", ("DBP-1.7", "DBP-8.10"), idle),
)
