"""How much of its clock a bot that thinks may use for one move, so that it never loses on time."""

from donuts_client.position import Clock

_UNLIMITED = 2_000_000_000
"""A limit of so many ms is none (DBP-8.5)."""

_PATIENCE = 3.0
"""Seconds for a move where no clock runs."""

_LONGEST = 30.0
"""Seconds for a move at most, however much there is: a sparring partner does not keep people waiting."""


def allowance(clock: Clock, moves: int) -> float:
    """The seconds that a move may take when about `moves` of them are still to be made on this clock.

    0.0 where there is no time to think at all. The margin is no time to think with (DBP-8.7): a fifth of the limit
    and 5 ms are left for the way, for the referee, and for a processor that others use as well.
    """
    if clock.limit >= _UNLIMITED:
        return _PATIENCE
    most = clock.limit * 0.8 - 5
    if clock.own > clock.limit or clock.inc < clock.own:
        # What is not used now is there for the next move; the increment is in `own` already (DBP-8.3).
        saved = clock.own - clock.inc
        most = min(most, saved / max(4, moves) + clock.inc * 0.8)
    return min(_LONGEST, max(0.0, most / 1000))
