"""How the games of an encounter begin, as the first of them says."""

from typing import NamedTuple

__all__ = ["Start"]


class Start(NamedTuple):
    """Board, seed and first placements; both games of an encounter have the same."""

    line: int
    """on which its first game stands"""
    layout: str
    board: int | None
    rings: int
    seed: int
    opening: tuple[str, ...]
