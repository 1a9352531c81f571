"""Alpha-beta: looks ahead ever deeper, remembers what it has seen, and stops when it is told to."""

from collections.abc import Callable, Sequence
from operator import itemgetter
from random import Random
from typing import NamedTuple

from donuts_client.search.rows import SURE, WIN, Ground
from donuts_engine.bitboard import has_five, insertion
from donuts_engine.position import Position

TABLE_BOUND = 200_000
"""The table is emptied when it holds so many positions, about 60 MB."""

_EXACT, _LOWER, _UPPER = 0, 1, 2

Seen = tuple[int, int, int, int]
"""Depth, kind of bound, value, best square."""

Table = dict[tuple[int, int, int], Seen]
"""Rings of the side on turn, rings of the other side, legal squares -> what was found there."""

_order = itemgetter(0)

Child = tuple[int, int, int, int, int, bool]
"""Order (the lowest comes first), square, their rings, mine, their legal squares, whether the value is final."""


class StopSearch(Exception):
    """The search has to end now."""


class Found(NamedTuple):
    """What a search knows when it ends."""

    square: int
    value: int
    """from the side of the mover, in the units of `rows`"""
    depth: int
    """plies that were searched to the end"""
    nodes: int
    pv: tuple[int, ...]
    exact: bool
    """whether the value is that of the rules, not an opinion"""


class AlphaBeta:
    """A search on one board; what it has seen stays for the next position of the same game."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground
        self._table: Table = {}
        self.nodes = 0
        self._stop: Callable[[int], bool] = lambda nodes: False

    def search(
        self,
        position: Position,
        depth: int,
        dice: Random,
        stop: Callable[[int], bool],
        tell: Callable[[Found], object] = lambda found: None,
        among: Sequence[int] = (),
    ) -> Found:
        """The best square of a position that is not over, looking at most `depth` rings ahead.

        Of equal squares the `dice` choose. `stop(nodes)` is asked now and then and ends the search; `tell` hears what
        is known after each depth. Only the legal squares `among` are looked at, where any are given.
        """
        self.nodes = 0
        self._stop = stop
        mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
        squares = list(among or position.legal)
        dice.shuffle(squares)
        found = Found(squares[0], 0, 0, 0, (squares[0],), False)
        left = self.ground.last_ply - position.ply
        roots = self._children(mine, theirs, self.ground.full ^ (mine | theirs), squares)
        try:
            for level in range(1, min(depth, left) + 1):
                value = self._root(roots, level)
                square = roots[0][1]
                exact = abs(value) >= SURE or level >= left
                pv = (square, *self._line(roots[0]))
                found = Found(square, value, level, self.nodes, pv, exact)
                tell(found)
                if exact or len(squares) == 1:
                    break
        except StopSearch:
            # What is at the front is at least as good: it was the best of a depth, or has beaten that one.
            found = found._replace(square=roots[0][1], nodes=self.nodes)
            if found.pv[0] != found.square:
                found = found._replace(pv=(found.square,))
        return found

    def order(self, position: Position, dice: Random) -> tuple[int, ...]:
        """The squares of a position that is not over by what they promise at rest, the best first; a win alone."""
        mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
        squares = list(position.legal)
        dice.shuffle(squares)
        return tuple(
            child[1] for child in self._children(mine, theirs, self.ground.full ^ (mine | theirs), squares)
        )

    def _root(self, roots: list[Child], depth: int) -> int:
        """Search all of `roots` to one depth; the best comes to the front at once."""
        best = -WIN
        for at in range(len(roots)):
            child = roots[at]
            value = self._value(child, depth, best, WIN, at)
            if value > best or not at:
                best = value
                roots.insert(0, roots.pop(at))
        return best

    def _value(self, child: Child, depth: int, alpha: int, beta: int, at: int) -> int:
        """What a child is worth to the one who moves there; the first with an open window, the rest with none."""
        order, _, mine, theirs, legal, final = child
        if final or depth <= 1:
            return -order
        if at:
            value = -self._best(mine, theirs, legal, depth - 1, -alpha - 1, -alpha)
            if not alpha < value < beta:
                return value
        return -self._best(mine, theirs, legal, depth - 1, -beta, -alpha)

    def _children(
        self, mine: int, theirs: int, free: int, squares: "list[int] | tuple[int, ...]"
    ) -> list[Child]:
        """The positions after each of `squares`, the worst for the other side first; a win alone."""
        ground = self.ground
        places, size = ground.places, ground.size
        children: list[Child] = []
        over = (mine | theirs).bit_count() + 1
        last = over == ground.last_ply
        for square in squares:
            bit, rays, line = places[square]
            flipped = insertion(mine, theirs, rays)
            now = mine | bit
            other = theirs
            if flipped:
                if flipped < 0:
                    return [(over - WIN, square, theirs, now, 0, True)]
                now |= flipped
                other ^= flipped
                if has_five(now, size):
                    return [(over - WIN, square, other, now, 0, True)]
            rest = free ^ bit
            legal = line & rest or rest
            if last:
                children.append((ground.settled(other, now), square, other, now, 0, True))
            else:
                value = ground.judge(other, now, legal)
                children.append((value, square, other, now, legal, value >= SURE))
        self.nodes += len(children)
        children.sort(key=_order)
        return children

    def _best(self, mine: int, theirs: int, legal: int, depth: int, alpha: int, beta: int) -> int:
        """What a position is worth to the side on turn: exact between alpha and beta, else a bound."""
        key = (mine, theirs, legal)
        seen = self._table.get(key)
        favourite = -1
        if seen is not None:
            known, kind, value, favourite = seen
            # A game that is proved won or lost is so at any depth.
            if (known >= depth or abs(value) >= SURE) and (
                kind == _EXACT or (kind == _LOWER and value >= beta) or (kind == _UPPER and value <= alpha)
            ):
                return value
        if self._stop(self.nodes):
            raise StopSearch
        ground = self.ground
        children = self._children(mine, theirs, ground.full ^ (mine | theirs), ground.listed[legal])
        if depth <= 1 or children[0][5]:
            # Wins are sorted first and losses last: the first one is the best of all that were judged.
            self._keep(key, (depth, _EXACT, -children[0][0], children[0][1]))
            return -children[0][0]
        if favourite >= 0 and children[0][1] != favourite:
            for at, child in enumerate(children):
                if child[1] == favourite:
                    children.insert(0, children.pop(at))
                    break
        best, bestsquare, floor = -WIN, children[0][1], alpha
        for at, child in enumerate(children):
            value = self._value(child, depth, alpha, beta, at)
            if value > best:
                best, bestsquare = value, child[1]
                if value > alpha:
                    alpha = value
                    if value >= beta:
                        break
        kind = _LOWER if best >= beta else _UPPER if best <= floor else _EXACT
        self._keep(key, (depth, kind, best, bestsquare))
        return best

    def _keep(self, key: tuple[int, int, int], seen: Seen) -> None:
        if len(self._table) >= TABLE_BOUND:
            self._table.clear()
        self._table[key] = seen

    def _line(self, child: Child) -> list[int]:
        """The placements expected after a child, as far as the table knows them."""
        line: list[int] = []
        ground = self.ground
        _, _, mine, theirs, legal, final = child
        while not final and len(line) < ground.squares:
            seen = self._table.get((mine, theirs, legal))
            squares = (seen[3],) if seen is not None else ground.listed[legal]
            following = self._children(mine, theirs, ground.full ^ (mine | theirs), squares)
            _, square, mine, theirs, legal, final = following[0]
            line.append(square)
            if seen is None:
                break
        return line
