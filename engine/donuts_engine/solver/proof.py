"""Depth-first proof-number search (df-pn), for all but the last rings of a game.

Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002, with the thresholds of Pawlewicz and
Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2006. The question is whether the side on turn at the root
gets a value or more. A new position has proof number 1, and as disproof number the number of answers: what decides in
this game is a forced line with few empty squares. On ten boards this took 29 million nodes, alpha-beta alone 66
million; and as it needs few findings at a time, a table of 2 MiB does, which is read five times as fast as 256 MiB.
"""

from .endgame import alpha_beta
from .expand import (
    ALPHA,
    BEST,
    BETA,
    COUNT,
    FRAME_BYTES,
    LEGAL,
    NAME,
    NEXT,
    NODES,
    PLY,
    PROVING,
    REFUTING,
    SINCE,
    UNFINISHED,
    WANT,
    WANTED,
    child_at,
    counters_at,
    frame_at,
    name_of,
    spread,
    step_into,
)
from .jit import compiled, part, peek, poke, popcount
from .table import INFINITE, find, keep, pack

LAST = 10
"""With this many rings to place or fewer alpha-beta takes over."""

# Words of a frame with another meaning here: the numbers at which it is left, and the child that is looked at.
_PROOF_LIMIT, _DISPROOF_LIMIT = ALPHA, BETA
_CHOSEN = NEXT
_PROVING_AT, _REFUTING_AT, _NUMBER = 16, 39, (1 << 23) - 1

_NEW, _OPEN, _WON, _LOST = range(4)


@part
def _keep_bounds(frame: int, table: int, nodes: int, horizon: int) -> None:
    """Keep that this frame's BEST is reached, or is the most that can be."""
    best = peek(frame, BEST)
    spent = nodes - peek(frame, SINCE)
    if best >= peek(frame, WANTED):
        keep(table, peek(frame, NAME), pack(best, 1, spent, horizon))
    else:
        keep(table, peek(frame, NAME), pack(-1, best, spent, horizon))


@part
def _look_up(frame: int, table: int, count: int, horizon: int) -> bool:
    """Give the children their numbers and drop those that are decided; True when one gives the value wanted."""
    wanted = peek(frame, WANTED)
    best = -1
    kept = 0
    for number in range(count):
        child = child_at(frame, number)
        finding = find(table, name_of(child), horizon)
        least = 1 - (finding >> 2 & 3)
        most = 1 - (finding & 3)
        if least >= wanted:
            poke(frame, BEST, least)
            return True
        if most < wanted:
            best = max(best, most)
            continue
        proving = finding >> _PROVING_AT & _NUMBER
        refuting = finding >> _REFUTING_AT
        if proving == 0 or refuting == 0:
            proving = 1
            refuting = popcount(peek(child, LEGAL))
        place = child_at(frame, kept)
        if kept < number:
            for word in range(PROVING):
                poke(place, word, peek(child, word))
        poke(place, PROVING, proving)
        poke(place, REFUTING, refuting)
        kept += 1
    poke(frame, BEST, best)
    poke(frame, COUNT, kept)
    return False


@part
def _enter(desk: int, grid: int, table: int, ply: int, horizon: int, groups: bool) -> int:
    """Set up a frame; _OPEN, or with BEST set _WON when the wanted value is reached and _LOST when it cannot be."""
    frame = frame_at(desk, ply)
    wanted = peek(frame, WANTED)
    nodes = peek(counters_at(desk), NODES) + 1
    poke(counters_at(desk), NODES, nodes)
    name = name_of(frame)
    finding = find(table, name, horizon)
    low = (finding & 3) - 1
    high = (finding >> 2 & 3) - 1
    if low >= wanted:
        poke(frame, BEST, low)
        return _WON
    if high < wanted:
        poke(frame, BEST, high)
        return _LOST
    if horizon - ply <= LAST:
        poke(frame, ALPHA, wanted - 1)
        poke(frame, BETA, wanted)
        value = alpha_beta(desk, grid, table, ply, horizon, groups)
        poke(frame, BEST, value)
        return _WON if value >= wanted else _LOST
    poke(frame, NAME, name)
    poke(frame, SINCE, nodes)
    if not _look_up(frame, table, spread(frame, grid, ply), horizon):
        return _OPEN
    _keep_bounds(frame, table, nodes, horizon)
    return _WON


@part
def _choose(frame: int, table: int, nodes: int, horizon: int) -> tuple[int, int, int]:
    """Add up the children of a frame and set the limits of the one to look at next.

    Returns (state, proof number, disproof number); the state is _NEW when there is a child on the frame below, _OPEN
    when the limits of this frame are passed, _LOST when no child is left.
    """
    least = INFINITE
    second = INFINITE
    total = 0
    chosen = 0
    for number in range(peek(frame, COUNT)):
        child = child_at(frame, number)
        refuting = peek(child, REFUTING)
        if refuting < least:
            second = least
            least = refuting
            chosen = child
        elif refuting < second:
            second = refuting
        total += peek(child, PROVING)
    if chosen == 0:
        _keep_bounds(frame, table, nodes, horizon)
        return _LOST, INFINITE, 0
    total = min(total, INFINITE - 1)
    if least >= peek(frame, _PROOF_LIMIT) or total >= peek(frame, _DISPROOF_LIMIT):
        finding = pack(-1, 1, nodes - peek(frame, SINCE), horizon)
        keep(table, peek(frame, NAME), finding | least << _PROVING_AT | total << _REFUTING_AT)
        return _OPEN, least, total
    step_into(frame, chosen)
    poke(frame, _CHOSEN, chosen)
    below = frame + FRAME_BYTES
    poke(below, WANTED, 1 - peek(frame, WANTED))
    room = peek(frame, _DISPROOF_LIMIT) - total + peek(chosen, PROVING)
    poke(below, _PROOF_LIMIT, min(room, INFINITE))
    poke(below, _DISPROOF_LIMIT, min(peek(frame, _PROOF_LIMIT), second + second // 2 + 1))
    return _NEW, least, total


@compiled
def prove(desk: int, grid: int, table: int, root: int, horizon: int, groups: bool, nodes: int) -> int:
    """Search for about this many nodes; return a bound that answers the question, or UNFINISHED.

    The position is on frame `root`, and the side on turn cannot make five at once; the desk's counters hold the ply to
    go on from (`root` to begin) and the value wanted, 0 or 1. An answer at or above that value is a lower bound, one
    below it an upper bound. Called again after UNFINISHED, it goes on. `groups` as for `alpha_beta`.
    """
    counters = counters_at(desk)
    stop = peek(counters, NODES) + nodes
    ply = peek(counters, PLY)
    if ply == root:
        frame = frame_at(desk, root)
        poke(frame, WANTED, peek(counters, WANT))
        poke(frame, _PROOF_LIMIT, INFINITE)
        poke(frame, _DISPROOF_LIMIT, INFINITE)
    state = _NEW
    proving = 0
    refuting = 0
    while True:
        frame = frame_at(desk, ply)
        if state == _NEW:
            if peek(counters, NODES) >= stop:
                poke(counters, PLY, ply)
                return UNFINISHED
            state = _enter(desk, grid, table, ply, horizon, groups)
        if state == _OPEN:
            state, proving, refuting = _choose(frame, table, peek(counters, NODES), horizon)
            if state == _NEW:
                ply += 1
                continue
        # The frame is done with, for good (_WON, _LOST) or for now (_OPEN).
        best = peek(frame, BEST)
        if ply == root:
            return best
        ply -= 1
        frame -= FRAME_BYTES
        child = peek(frame, _CHOSEN)
        if state == _LOST:
            poke(frame, BEST, -best)
            _keep_bounds(frame, table, peek(counters, NODES), horizon)
            state = _WON
        elif state == _WON:
            poke(frame, BEST, max(peek(frame, BEST), -best))
            poke(child, REFUTING, INFINITE)
            poke(child, PROVING, 0)
            state = _OPEN
        else:
            poke(child, PROVING, proving)
            poke(child, REFUTING, refuting)
