"""The bot that makes no mistake: exact values of every move on 6 x 6, as far as its time allows; needs numba."""

import sys
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

from donuts_client.answer import Answer, Placement
from donuts_client.bots.alphabeta import AlphaBetaBot
from donuts_client.bots.dice import dice
from donuts_client.bots.options import options, start
from donuts_client.position import Position

if TYPE_CHECKING:
    from donuts_engine.position import Position as Node
    from donuts_engine.solver import Choice, Solver, Value

__all__ = ["PerfectBot", "Proving", "best", "main"]

_CHANCES = {"win": 1000, "draw": 500, "loss": 0}

_STEP = 1 << 10
"""Positions that are searched between two looks at the clock, in less than 1 ms."""

_AT_ONCE = 1 << 12
"""Positions that are searched however short the time is; all moves share them."""

_KEPT = 0.3
"""Seconds that are left, where so many are there, to choose between moves of which nothing is proved."""


class PerfectBot(AlphaBetaBot):
    """Wins what is won, and soon; delays what is lost; on 9 x 9, which nobody solves, it plays as `alphabeta` does."""

    name = "perfect"

    _solver: "Solver | None" = None

    def load(self) -> None:
        """Load what is compiled before the first game, or compile it; SystemExit with a line where it does not run."""
        super().load()
        from donuts_engine.numba_here import obstacle

        reason = obstacle()  # found out now and not before `hello`, since it takes tenths of a second
        if reason:
            sys.exit(f"donuts:perfect cannot play: {reason}")
        from donuts_engine.board import Board
        from donuts_engine.solved import known_openings
        from donuts_engine.solver import Solver

        known_openings(Board("H" * 36))
        Solver(Board("H" * 36), 4).openings(plies=True)

    def move(self, position: Position) -> Placement:
        """A move that keeps the value; where time is short, of those not proved worse the one `alphabeta` prefers."""
        if position.size != 6:
            return super().move(position)
        from donuts_client.search.rows import chances

        node = position.node
        search = self._searching(self.ground(position))
        throw = dice(self.name, self.game, position.ply, self._seed)
        proving = Proving(self._solving(node), node, search.order(node, throw))
        proving.values(self.stopper(position, None, _KEPT))
        value = proving.value
        if value != "unknown":
            # What time is left goes into the length of the game.
            proving.lengths(self.stopper(position, None))
            return Answer(proving.best()[0], eval=_CHANCES[value], proof=value, nodes=proving.nodes)
        squares = proving.best()
        found = search.search(node, 99, throw, self.stopper(position, None), among=squares)
        won = found.exact and chances(found.value) == 1000
        return Answer(
            found.square,
            eval=chances(found.value),
            proof="win" if won else None,
            nodes=proving.nodes + found.nodes,
        )

    def _solving(self, node: "Node") -> "Solver":
        """The solver of this game's board, which remembers from move to move."""
        from donuts_engine.solver import Solver

        solver = self._solver
        if solver is None or solver.board != node.board or solver.rings != node.rings:
            solver = self._solver = Solver(node.board, node.rings, step=_STEP)
        return solver


class Proving:
    """What is proved of the moves of a position: each is searched for a while, round after round, ever longer.

    So no hard move takes the time of those behind it, and what one finds serves the others.
    """

    def __init__(self, solver: "Solver", node: "Node", order: tuple[int, ...]) -> None:
        """Set up for the legal squares `order`, to be searched in this order; what comes solved is known at once."""
        from donuts_engine.solver import Choice, Verdict, known_choices

        self._solver = solver
        self._node = node
        self._before = solver.nodes
        known = {choice.square: choice for choice in known_choices(node)}
        self._choices = {
            square: known.get(square) or Choice(square, Verdict("loss", "win")) for square in order
        }

    @property
    def nodes(self) -> int:
        """Positions searched so far."""
        return self._solver.nodes - self._before

    @property
    def value(self) -> "Value | Literal['unknown']":
        """The value of the position, as far as it is proved."""
        values = {choice.verdict.value for choice in self._choices.values()}
        if "win" in values:
            return "win"
        if "unknown" in values:
            return "unknown"
        return "draw" if "draw" in values else "loss"

    def values(self, stop: Callable[[int], bool]) -> None:
        """Search until a win or all values are known, or `stop`, asked with the positions searched, ends it."""
        most = max(64, _AT_ONCE // len(self._choices))
        first = True
        while self.value == "unknown":
            for square, choice in self._choices.items():
                if choice.verdict.value != "unknown":
                    continue
                if not first and stop(self.nodes):
                    return
                found = self._search(square, most, None if first else stop, plies=False)
                if found.verdict.value == "win":
                    return
            most, first = 2 * most, False

    def lengths(self, stop: Callable[[int], bool]) -> None:
        """Search for the plies to the end of the moves that keep the value, as `values` does for the values.

        Moves that are open while another wins come last.
        """
        value = self.value
        most = _AT_ONCE
        while not stop(self.nodes):
            keeping = [
                one for one in self._choices.values() if one.verdict.value == value and one.plies is None
            ]
            rest = [one for one in self._choices.values() if one.verdict.value == "unknown"]
            if not keeping and not rest:
                return
            for choice in (*keeping, *rest):
                if stop(self.nodes) or self._search(choice.square, most, stop, plies=True).plies == 1:
                    return
            most *= 2

    def best(self) -> tuple[int, ...]:
        """The squares between which nothing proved speaks, in order."""
        return best(tuple(self._choices.values()))

    def _search(self, square: int, most: int, stop: Callable[[int], bool] | None, *, plies: bool) -> "Choice":
        """Search a move for `most` positions and keep what is proved of it."""

        def limit(nodes: int) -> bool:
            return nodes >= most or (stop is not None and stop(self.nodes))

        known = self._choices[square].verdict
        found = self._solver.choice(self._node, square, limit=limit, plies=plies)
        if found.verdict.value == "unknown" and known != ("loss", "win"):
            found = found._replace(
                verdict=known
            )  # its table forgets, and the time was too short to find it again
        self._choices[square] = found
        return found


def best(choices: "tuple[Choice, ...]") -> tuple[int, ...]:
    """Return the squares between which nothing speaks: the highest value, or else the most that may still be had.

    Between wins the shortest known, between losses the longest; one whose length was not found in time is long.
    """
    rank = {"loss": 0, "draw": 1, "win": 2}

    def worth(choice: "Choice") -> tuple[int, int, int]:
        low, high = choice.verdict
        if low != high:
            return rank[low], rank[high], 0
        if choice.plies is None:
            return rank[low], rank[high], -99 if low == "win" else 99
        return rank[low], rank[high], -choice.plies if low == "win" else choice.plies

    most = max(map(worth, choices))
    return tuple(choice.square for choice in choices if worth(choice) == most)


def main() -> None:
    """Read the command line and play."""
    chosen = options("perfect", "Makes no mistake on 6 x 6, as far as its time allows.")
    if find_spec("numba") is None:
        sys.exit("donuts:perfect needs numba: pip install 'donuts-arena[solver]'")
    start(PerfectBot(seed=chosen.seed), chosen)


if __name__ == "__main__":
    main()
