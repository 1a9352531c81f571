"""Perfect play on the 6 x 6 board: exact values by a compiled search; needs the extra `solver`.

solver = Solver(board)
solver.value(position)                   "win", "draw" or "loss" for the side on turn
solver.moves(position)                   each legal move with its value
solver.openings()                        the same for the 36 first moves
known_choices(position)                  the same without a search, where the board comes solved with the package
"""

from ..numba_here import obstacle

if _lack := obstacle():
    raise ImportError(_lack)

from ..solved import Value
from .known import known_choices
from .solver import DEFAULT_MEMORY, LEAST_MEMORY, Limit, Solver
from .verdict import Choice, SolverFault, Verdict

__all__ = [
    "DEFAULT_MEMORY",
    "LEAST_MEMORY",
    "Choice",
    "Limit",
    "Solver",
    "SolverFault",
    "Value",
    "Verdict",
    "known_choices",
]
