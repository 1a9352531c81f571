"""Positions reached by random play, and the plain search that the solver is compared with."""

from random import Random

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play

Worth = tuple[int, int]
"""1, 0 or -1 for the side on turn, and the plies to the end."""


def random_layout(rng: Random) -> str:
    return "".join(rng.choices("HVDA", k=36))


def reached(rng: Random, rings: int, left: int) -> Position:
    """A position of a random board, not over, with this many rings to place."""
    while True:
        position = Position.start(Board(random_layout(rng)), rings)
        while position.result is None and 2 * rings - position.ply > left:
            position = play(position, rng.choice(position.legal))
        if position.result is None:
            return position


def exhaustive(position: Position, known: dict[Position, Worth]) -> Worth:
    """What every line of play together says: the winner hurries, the loser delays."""
    if position.result is not None:
        winner = position.result.winner
        return (0 if winner == "-" else 1 if winner == position.you else -1), 0
    worth = known.get(position)
    if worth is None:
        moves = [exhaustive(play(position, square), known) for square in position.legal]
        value, plies = max((-value, value * plies) for value, plies in moves)
        # -1 x the child's plies for a win (fewer are better), +1 x for a loss (more are better), 0 for a draw
        worth = known[position] = value, (abs(plies) if value else 2 * position.rings - position.ply - 1) + 1
    return worth
