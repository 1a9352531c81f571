"""Monte Carlo tree search: random games from ever more promising positions; what is proved goes up the tree."""

from collections.abc import Callable
from math import log, sqrt
from random import Random
from typing import Final

from donuts_client.search.rows import SURE, Ground, chances
from donuts_engine.bitboard import has_five, insertion
from donuts_engine.position import Position

NODES_BOUND: Final = 150_000
"""A tree grows no larger; about 60 MB."""

_CURIOSITY = 0.7
"""How much a square that was seldom tried is preferred to one that did well."""

_OPINION = 3
"""So many random games does a judgement at rest count for."""


class Node:
    """A position in the tree, from the side of the one who has just moved."""

    __slots__ = ("children", "legal", "mine", "points", "proof", "square", "theirs", "visits")

    def __init__(self, square: int, mine: int, theirs: int, legal: int, proof: int | None) -> None:
        self.square = square
        """the square that leads here"""
        self.mine = mine
        """rings of the side on turn"""
        self.theirs = theirs
        self.legal = legal
        self.proof = proof
        """1, 0, -1: won, drawn, lost for the one who has just moved; None while it is not known"""
        self.visits = 0
        self.points = 0.0
        """1 for a random game won by the one who has just moved, 0.5 for a draw"""
        self.children: list[Node] | None = None


class Tree:
    """A search of one position that is not over."""

    def __init__(self, ground: Ground, position: Position, dice: Random) -> None:
        self._ground = ground
        self._dice = dice
        mine, theirs = (position.o, position.x) if position.ply & 1 else (position.x, position.o)
        legal = sum(1 << square for square in position.legal)
        self.root = Node(-1, mine, theirs, legal, None)
        self.nodes = 1
        self.deepest = 0
        self._expand(self.root)

    def grow(self, stop: Callable[[int], bool], tell: Callable[[], object] = lambda: None) -> int:
        """Play random games until `stop(games)`, a proof or the bound of the tree; returns how many.

        `tell` is called now and then.
        """
        games = 0
        while self.root.proof is None and self.nodes < NODES_BOUND and not stop(games):
            self._visit()
            games += 1
            if not games & 63:
                tell()
        return games

    def best(self) -> Node:
        """The child of the root to play."""
        return _chosen(self.root)

    def line(self) -> list[int]:
        """The placements the tree expects."""
        line: list[int] = []
        node = self.root
        while node.children and (node is self.root or node.visits > 1):
            node = _chosen(node)
            line.append(node.square)
        return line

    def _visit(self) -> None:
        node = self.root
        path = [node]
        while node.children and node.proof is None:
            node = _preferred(node)
            path.append(node)
        if node.proof is None and node is not self.root:
            self._expand(node)
            if node.children and node.proof is None:
                node = _preferred(node)
                path.append(node)
        self.deepest = max(self.deepest, len(path) - 1)
        points = self._playout(node) if node.proof is None else (node.proof + 1) / 2
        for passed in reversed(path):
            passed.visits += 1
            passed.points += points
            points = 1 - points
        for passed in reversed(path[:-1]):
            if not _proved(passed):
                break

    def _expand(self, node: Node) -> None:
        """Make the children; a win among them settles the node."""
        ground = self._ground
        places, size = ground.places, ground.size
        mine, theirs = node.mine, node.theirs
        free = ground.full ^ (mine | theirs)
        last = (mine | theirs).bit_count() + 1 == ground.last_ply
        children: list[Node] = []
        squares = list(ground.listed[node.legal])
        self._dice.shuffle(squares)
        for square in squares:
            bit, rays, line = places[square]
            flipped = insertion(mine, theirs, rays)
            five = flipped < 0
            now = mine | bit
            other = theirs
            if flipped:
                flipped = ~flipped if five else flipped
                now |= flipped
                other ^= flipped
                five = five or has_five(now, size)
            rest = free ^ bit
            legal = line & rest or rest
            proof: int | None = None
            if five:
                proof = 1
            elif last:
                value = ground.settled(other, now)
                proof = (value < 0) - (value > 0)
            child = Node(square, other, now, legal, proof)
            if proof is None:
                value = ground.judge(other, now, legal)
                if value >= SURE:
                    child.proof = -1
                else:
                    # Some games' worth of opinion, so that the first ones are not spent on what looks hopeless.
                    child.visits = _OPINION
                    child.points = _OPINION * (1 - chances(value) / 1000)
            children.append(child)
        node.children = children
        self.nodes += len(children)
        _proved(node)

    def _playout(self, node: Node) -> float:
        """A random game in which a row of five that can be made is made; points for who has just moved at `node`."""
        ground = self._ground
        places, full, size, listed = ground.places, ground.full, ground.size, ground.listed
        throw = self._dice.random
        mine, theirs, legal = node.mine, node.theirs, node.legal
        free = full ^ (mine | theirs)
        left = ground.last_ply - (mine | theirs).bit_count()
        turn = False
        """whether the one who has just moved at `node` is on turn"""
        while left:
            squares = listed[legal]
            for square in squares:
                for line, table in places[square][1]:
                    if table[mine & line] < 0:
                        return float(turn)
            square = squares[int(throw() * len(squares))]
            bit, rays, line = places[square]
            flipped = insertion(mine, theirs, rays)
            mine |= bit
            if flipped:
                mine |= flipped
                theirs ^= flipped
                if has_five(mine, size):
                    return float(turn)
            free ^= bit
            legal = line & free or free
            mine, theirs = theirs, mine
            turn = not turn
            left -= 1
        value = ground.settled(mine, theirs)
        if not value:
            return 0.5
        return float((value > 0) == turn)


def _preferred(node: Node) -> Node:
    """The child to look at next: upper confidence bounds over those of which nothing is proved."""
    scale = _CURIOSITY * sqrt(log(node.visits + 2))
    best, most = None, -1.0
    for child in node.children or ():
        if child.proof is None:
            worth = child.points / child.visits + scale / sqrt(child.visits)
            if worth > most:
                best, most = child, worth
    assert best is not None, "a node all of whose children are proved is proved, and never looked into"
    return best


def _proved(node: Node) -> bool:
    """Settle a node by its children where they do; returns whether it is settled."""
    known = [child.proof for child in node.children or ()]
    if 1 in known:
        node.proof = -1
    elif None not in known:
        node.proof = 0 if 0 in known else 1
    return node.proof is not None


def _chosen(node: Node) -> Node:
    """The child to play: what is won for sure, what was tried most, a sure draw if that does badly, a sure loss."""
    open_or_won = [child for child in node.children or () if child.proof is None or child.proof > 0]
    drawn = [child for child in node.children or () if child.proof == 0]
    best = max(
        open_or_won or drawn or node.children or (),
        key=lambda child: (child.proof or 0, child.visits, child.points),
    )
    if drawn and best.proof is None and best.points < best.visits / 2:
        return drawn[0]
    return best
