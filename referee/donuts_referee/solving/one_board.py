"""Solves one board of a tile set: the piece of work that a thread here or a task of a cluster does."""

from collections.abc import Callable
from hashlib import sha256

from donuts_engine.solved import LETTER_OF
from donuts_engine.tiles import Tile, TileSet

__all__ = ["in_order", "solve"]


def solve(
    number: int,
    tiles: tuple[tuple[str, str], ...],
    rings: int,
    memory: int,
    limit: Callable[[int], bool] | None = None,
) -> str | None:
    """What the 36 first moves of board `number` are worth, as letters W, D, L; None when `limit` ended the search.

    Arguments are plain values, since they cross a network. ImportError without numba; SolverFault on too little memory
    (bytes).
    """
    from donuts_engine.solver import Solver

    board = TileSet(tuple(Tile(*faces) for faces in tiles)).board(number)
    choices = Solver(board, rings, memory).openings(limit=limit)
    values = [choice.verdict.value for choice in choices]
    return None if "unknown" in values else "".join(LETTER_OF[value] for value in values)


def in_order(first: int, last: int) -> list[int]:
    """The boards `first` to `last` in the order in which they are solved, mixed, so that those done are a fair sample.

    They stand in the order of the SHA-256 of the texts "donuts solve N".
    """
    return sorted(
        range(first, last + 1), key=lambda number: sha256(f"donuts solve {number}".encode()).digest()
    )
