"""How the bot chooses a square: it looks ahead ever deeper until its time is over (negamax with alpha-beta).

This is the place to begin when you want it to play better: `evaluate` first.
"""

import math
import time

from rules import other

WIN = 100_000
"""The value of a game that is won. A win is worth a little less the later it comes."""

WORTH = (0, 1, 4, 12, 30, 0)
"""What a row of five squares is worth to the only side that has rings in it, by how many they are."""


class TimeOver(Exception):
    """The search has to end."""


class Found:
    """What a search has found."""

    def __init__(self, square):
        self.square = square
        self.value = 0
        self.depth = 0
        self.nodes = 0

    @property
    def eval(self):
        """The bot's own chances in permille."""
        return round(500 + 500 * math.tanh(self.value / 100))


def evaluate(position):
    """How good a position is for its mover, without looking ahead."""
    cells, mover = position.cells, position.mover
    score = 3 * (position.largest_group(mover) - position.largest_group(other(mover)))
    for row in position.board.fives:
        held = [cells[at] for at in row]
        mine, empty = held.count(mover), held.count(".")
        theirs = 5 - mine - empty
        if theirs == 0:
            score += WORTH[mine]
        elif mine == 0:
            score -= WORTH[theirs]
    return score


class Search:
    """One search of one position."""

    def __init__(self, position, deadline, unwanted):
        self.position = position
        self.deadline = deadline
        self.unwanted = unwanted
        self.nodes = 0

    def value(self, square, depth, alpha, beta):
        """What it is worth to the mover to place a ring here, looking `depth` rings ahead."""
        before, five = self.position.play(square)
        try:
            return WIN - self.position.ply if five else -self.best(depth - 1, -beta, -alpha)
        finally:
            self.position.undo(before)

    def best(self, depth, alpha, beta):
        """What the position is worth to its mover: exact between alpha and beta, else a bound."""
        self.nodes += 1
        if time.monotonic() >= self.deadline or self.unwanted():
            raise TimeOver
        position = self.position
        if position.is_full():
            difference = position.largest_group(position.mover) - position.largest_group(other(position.mover))
            return (difference > 0) * (WIN - position.ply) - (difference < 0) * (WIN - position.ply)
        if depth == 0:
            return evaluate(position)
        for square in position.legal():
            alpha = max(alpha, self.value(square, depth, alpha, beta))
            if alpha >= beta:  # the other side will not let it come to this
                break
        return alpha


def choose(position, seconds, unwanted):
    """The best square that is found in so many seconds; earlier where `unwanted()` is true."""
    search = Search(position, time.monotonic() + seconds, unwanted)
    squares = position.legal()
    found = Found(squares[0])
    left = 2 * position.board.rings - position.ply
    try:
        for depth in range(1, left + 1):
            values = {}
            for square in squares:
                values[square] = search.value(square, depth, max(values.values(), default=-math.inf), math.inf)
            squares.sort(key=values.get, reverse=True)  # the best one is looked at first from now on
            found.square, found.value, found.depth = squares[0], values[squares[0]], depth
            if abs(found.value) > WIN - 100:
                break
    except TimeOver:
        pass
    found.nodes = search.nodes
    return found
