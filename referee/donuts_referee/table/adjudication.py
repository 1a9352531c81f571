"""When a referee ends a game before its rules do, where the operator asked for it."""

from dataclasses import dataclass

__all__ = ["Adjudication", "Resignation"]


@dataclass(frozen=True, slots=True)
class Resignation:
    """The game is given to the side of which both bots say that it wins, each in its own last `plies` answers.

    A bot says so by the `eval` of its moves: its own chances in permille, 0 to 1000 (SPEC, `move`).
    """

    eval: int = 900
    """the winner reports at least this, the loser at most 1000 less this; 501 to 1000"""
    plies: int = 3
    """answers of each side in a row"""


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Off in all its parts unless asked for."""

    resignation: Resignation | None = None
    max_plies: int | None = None
    """a game that has this many placements is a draw"""
    solver: bool = False
    """a 6 x 6 position whose exact value is known ends the game; needs the solver"""
