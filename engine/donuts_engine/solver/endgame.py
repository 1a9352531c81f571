"""Alpha-beta search, for the last rings of a game: less to remember than a proof search, and no slower there.

Fail-soft, with the finding of every child looked up before any is searched (enhanced transposition cut-off), the child
that leaves the opponent the fewest answers first, and the history heuristic between equals.
"""

from .expand import (
    ALPHA,
    BEST,
    BETA,
    BIT_OF,
    COUNT,
    FLOOR,
    FRAME_BYTES,
    GRID_BYTES,
    LEGAL,
    MINE,
    NAME,
    NEXT,
    NODES,
    RANK,
    SHOWING,
    SINCE,
    THEIRS,
    child_at,
    counters_at,
    frame_at,
    history_at,
    name_of,
    order_at,
    spread,
    step_into,
)
from .jit import compiled, part, peek, poke, popcount, trailing
from .table import find, keep, pack
from .turn import FULL, by_groups, completing, flipping, inserting

_KEPT = 5
"""Positions with fewer rings to place than this are not worth a place in the table."""
_ASKED = 7
"""Children of positions with fewer rings to place than this are not looked up in advance."""

_ENTER, _NEXT, _LEAVE = range(3)


@part
def _last_ring(frame: int) -> int:
    """The value for the side that places the last ring of the game, which cannot make five."""
    mine = peek(frame, MINE)
    theirs = peek(frame, THEIRS)
    legal = peek(frame, LEGAL)
    inserts = inserting(mine, theirs)
    best = -1
    while legal and best < peek(frame, BETA):
        ring = legal & -legal
        legal ^= ring
        flipped = flipping(mine, theirs, trailing(ring)) if inserts & ring else 0
        best = max(best, by_groups(mine | ring | flipped, theirs & ~flipped))
    return best


@part
def _safe_answers(child: int, grid: int) -> int:
    """About how many answers the opponent has that do not let us make five without flips."""
    rings = peek(child, THEIRS)
    threats = completing(rings) & FULL & ~(rings | peek(child, MINE))
    answers = peek(child, LEGAL)
    while threats:
        answers &= ~peek(grid + trailing(threats) * GRID_BYTES, SHOWING)
        threats &= threats - 1
    return popcount(answers)


@part
def _sort(frame: int, grid: int, table: int, history: int, count: int, left: int, horizon: int) -> int:
    """Order the children that are worth a search; return how many, 0 also when a finding decides the position.

    Raises the frame's BEST by what the findings say.
    """
    alpha = peek(frame, ALPHA)
    beta = peek(frame, BETA)
    order = order_at(frame)
    kept = 0
    for number in range(count):
        child = child_at(frame, number)
        if left >= _ASKED:
            finding = find(table, name_of(child), horizon)
            least = 1 - (finding >> 2 & 3)
            most = 1 - (finding & 3)
            if least >= beta:
                poke(frame, BEST, least)
                return 0
            if most <= alpha:
                poke(frame, BEST, max(peek(frame, BEST), most))
                continue
        rank = _safe_answers(child, grid) << 50 | popcount(peek(child, LEGAL)) << 40
        rank -= peek(history, peek(child, BIT_OF))
        poke(child, RANK, rank)
        at = kept
        while at > 0 and peek(peek(order, at - 1), RANK) > rank:
            poke(order, at, peek(order, at - 1))
            at -= 1
        poke(order, at, child)
        kept += 1
    return kept


@part
def _settle(frame: int, table: int, nodes: int, left: int, horizon: int) -> int:
    """Keep what the search of this frame found; return it."""
    best = peek(frame, BEST)
    if left >= _KEPT:
        low = best if best > peek(frame, FLOOR) else -1
        high = best if best < peek(frame, BETA) else 1
        keep(table, peek(frame, NAME), pack(low, high, nodes - peek(frame, SINCE), horizon))
    return best


@part
def _enter(desk: int, grid: int, table: int, ply: int, horizon: int, groups: bool) -> bool:
    """Set up a frame; True when it has children to search, else its value is in BEST."""
    frame = frame_at(desk, ply)
    left = horizon - ply
    nodes = peek(counters_at(desk), NODES) + 1
    poke(counters_at(desk), NODES, nodes)
    if left == 1:
        poke(frame, BEST, _last_ring(frame) if groups else 0)
        return False
    best = -1
    if left >= _KEPT:
        name = name_of(frame)
        poke(frame, NAME, name)
        finding = find(table, name, horizon)
        low = (finding & 3) - 1
        high = (finding >> 2 & 3) - 1
        if low >= peek(frame, BETA) or low == high:
            poke(frame, BEST, low)
            return False
        if high <= peek(frame, ALPHA):
            poke(frame, BEST, high)
            return False
        poke(frame, ALPHA, max(peek(frame, ALPHA), low))
        poke(frame, BETA, min(peek(frame, BETA), high))
        best = low
    poke(frame, BEST, best)
    poke(frame, FLOOR, peek(frame, ALPHA))
    poke(frame, SINCE, nodes)
    count = _sort(frame, grid, table, history_at(desk, ply), spread(frame, grid, ply), left, horizon)
    poke(frame, COUNT, count)
    poke(frame, NEXT, 0)
    if count > 0:
        return True
    _settle(frame, table, nodes, left, horizon)
    return False


@compiled
def alpha_beta(desk: int, grid: int, table: int, root: int, horizon: int, groups: bool) -> int:
    """Return the value of the position on frame `root`, exact inside the frame's ALPHA and BETA, else a bound.

    `groups` says whether the game ends at `horizon`; otherwise what is not won by then counts as drawn.
    """
    ply = root
    value = 0
    mode = _ENTER
    while True:
        frame = frame_at(desk, ply)
        if mode == _ENTER:
            mode = _NEXT
            if not _enter(desk, grid, table, ply, horizon, groups):
                value = peek(frame, BEST)
                mode = _LEAVE
        elif mode == _NEXT:
            at = peek(frame, NEXT)
            if at == peek(frame, COUNT):
                value = _settle(frame, table, peek(counters_at(desk), NODES), horizon - ply, horizon)
                mode = _LEAVE
            else:
                poke(frame, NEXT, at + 1)
                step_into(frame, peek(order_at(frame), at))
                poke(frame + FRAME_BYTES, ALPHA, -peek(frame, BETA))
                poke(frame + FRAME_BYTES, BETA, -max(peek(frame, ALPHA), peek(frame, BEST)))
                ply += 1
                mode = _ENTER
        elif ply == root:
            return value
        else:
            ply -= 1
            frame -= FRAME_BYTES
            value = -value
            mode = _NEXT
            if value > peek(frame, BEST):
                poke(frame, BEST, value)
                if value >= peek(frame, BETA):
                    best = peek(order_at(frame), peek(frame, NEXT) - 1)
                    cuts = history_at(desk, ply)
                    poke(cuts, peek(best, BIT_OF), peek(cuts, peek(best, BIT_OF)) + horizon - ply)
                    poke(frame, COUNT, peek(frame, NEXT))
