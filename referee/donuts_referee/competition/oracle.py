"""The solver as the oracle of an event: it says who wins a 6 x 6 position where a little work finds it out.

What it says follows from the position alone: the same search, from nothing, with a bound on its positions and not on
its time, so that a game is adjudicated at the same ply on every machine. It takes about 40 ms and 2 MiB at most and
mostly less than one, between two turns, while no clock runs.

The first eight placements are played in any case. Before them the value says who would win a game of perfect players,
which on nearly every board is x; it says little of these two bots.
"""

from typing import Literal

from donuts_engine.numba_here import obstacle
from donuts_engine.position import Position
from donuts_referee.table.adjudication import Adjudication, Oracle

__all__ = ["FIRST_PLY", "installed", "known", "oracle_of", "proved"]

FIRST_PLY = 8
"""Placements on the board, forced ones too, before the solver is asked."""

NODES = 1 << 16
MEMORY = 2 << 20
"""Positions that are searched for one answer, and bytes for remembering them."""


def installed() -> bool:
    """Is there a solver here, and does it run?"""
    return obstacle() is None


def oracle_of(asked: Adjudication | None) -> Oracle | None:
    """The oracle of games with this adjudication; None where no solver was asked for.

    What it needs is imported here and not in the middle of a game. Raises ImportError where it cannot run.
    """
    if asked is None or not asked.solver:
        return None
    import donuts_engine.solver  # noqa: F401

    return known


def known(position: Position) -> Literal["x", "o", "-"] | None:
    """Who wins a 6 x 6 position that is not over under best play, `-`: a draw; None: not asked, or not found out."""
    if position.ply < FIRST_PLY:
        return None
    return proved(position, NODES)


def proved(position: Position, most: int | None = None) -> Literal["x", "o", "-"] | None:
    """The same at any ply, searching at most so many positions; without `most` it is found out."""
    from donuts_engine.solver import Solver

    solver = Solver(position.board, position.rings, MEMORY)
    value = solver.value(position, None if most is None else lambda nodes: nodes >= most)
    if value == "unknown":
        return None
    if value == "draw":
        return "-"
    return position.you if value == "win" else "o" if position.you == "x" else "x"
