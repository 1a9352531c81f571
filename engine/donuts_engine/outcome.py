"""Judges a position: who won, by what, and with which rings (RULES 4)."""

from .bitboard import five_squares, largest_group, squares_of
from .position import Outcome, Position

__all__ = ["Outcome", "fives", "groups", "outcome"]


def outcome(position: Position) -> Outcome | None:
    """Return how the game ended in this position, or None while it goes on."""
    return position.result


def groups(position: Position) -> tuple[int, int]:
    """Return the sizes, in rings, of the largest orthogonally connected group of x and of o."""
    size = position.board.size
    return largest_group(position.x, size), largest_group(position.o, size)


def fives(position: Position) -> tuple[int, ...]:
    """Return every square of every row of five or more, in index order; () when there is none."""
    size = position.board.size
    return squares_of(five_squares(position.x, size) | five_squares(position.o, size))
