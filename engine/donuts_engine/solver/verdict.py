"""What the solver says of a position, and how it refuses."""

from typing import Literal, NamedTuple

from ..solved import Value

VALUES: dict[int, Value] = {1: "win", 0: "draw", -1: "loss"}


class SolverFault(ValueError):
    """The solver cannot answer; one line that says why and what would do."""


class Verdict(NamedTuple):
    """The value of a position, or as much of it as is known: at least `low` and at most `high`."""

    low: Value
    high: Value

    @property
    def value(self) -> Value | Literal["unknown"]:
        """The value; `unknown` while the bounds differ."""
        return self.low if self.low == self.high else "unknown"


class Choice(NamedTuple):
    """One move: its square, what it is worth for the side that makes it, and the plies to the end after it.

    `plies` counts the placements from here to the end of the game, this one included, where the winner hurries and
    the loser delays; None where nobody asked or the search was stopped.
    """

    square: int
    verdict: Verdict
    plies: int | None = None
