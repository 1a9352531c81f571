"""The bot that makes no mistake: exact values of every move on 6 x 6, as far as its time allows; needs numba."""

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from donuts_client.answer import Answer, Placement
from donuts_client.bots.alphabeta import AlphaBetaBot
from donuts_client.bots.dice import dice
from donuts_client.bots.options import options, start
from donuts_client.position import Position

if TYPE_CHECKING:
    from donuts_engine.position import Position as Node
    from donuts_engine.solver import Choice, Solver

__all__ = ["PerfectBot", "best", "main"]

_CHANCES = {"win": 1000, "draw": 500, "loss": 0}


class PerfectBot(AlphaBetaBot):
    """Wins what is won, and soon; delays what is lost; on 9 x 9, which nobody solves, it plays as `alphabeta` does."""

    name = "perfect"

    _solver: "Solver | None" = None

    def load(self) -> None:
        """Load what is compiled before the first game, or compile it."""
        super().load()
        from donuts_engine.board import Board
        from donuts_engine.solved import known_openings
        from donuts_engine.solver import Solver

        known_openings(Board("H" * 36))
        Solver(Board("H" * 36), 4).openings(plies=True)

    def move(self, position: Position) -> Placement:
        """A move that keeps the value; where time is short, one of which the best is known."""
        if position.size != 6:
            return super().move(position)
        node = position.node
        from donuts_engine.solver import known_choices

        solver = self._solving(node)
        stop = self.stopper(position, None)
        before = solver.nodes
        choices = known_choices(node) or solver.moves(node, limit=stop)
        if any(choice.verdict.value == "win" for choice in choices) or not _open(choices):
            # The value is known; what time is left goes into the length of the game.
            keeping = best(node, choices)
            timed = [
                choice for choice in solver.moves(node, limit=stop, plies=True) if choice.square in keeping
            ]
            squares = best(node, tuple(timed))
        else:
            squares = best(node, choices)
        square = dice(self.name, self.game, position.ply, self._seed).choice(squares)
        chosen = next(choice for choice in choices if choice.square == square)
        value = chosen.verdict.value
        proof = None if value == "unknown" or (value != "win" and _open(choices)) else value
        return Answer(
            square,
            eval=_CHANCES[proof] if proof else 500,
            proof=proof,
            nodes=solver.nodes - before,
        )

    def _solving(self, node: "Node") -> "Solver":
        """The solver of this game's board, which remembers from move to move."""
        from donuts_engine.solver import Solver

        solver = self._solver
        if solver is None or solver.board != node.board or solver.rings != node.rings:
            solver = self._solver = Solver(node.board, node.rings)
        return solver


def best(node: "Node", choices: "tuple[Choice, ...]") -> tuple[int, ...]:
    """Return the squares between which nothing speaks: the highest value, or else the most that may still be had.

    Between wins the shortest known, between losses the longest; between open moves those that leave the opponent the
    fewest answers.
    """
    from donuts_engine.rules import play

    rank = {"loss": 0, "draw": 1, "win": 2}

    def worth(choice: "Choice") -> tuple[int, int, int]:
        low, high = choice.verdict
        if low != high:
            return rank[low], rank[high], -len(play(node, choice.square).legal)
        if choice.plies is None:
            return rank[low], rank[high], -99 if low == "win" else 0
        return rank[low], rank[high], -choice.plies if low == "win" else choice.plies

    most = max(map(worth, choices))
    return tuple(choice.square for choice in choices if worth(choice) == most)


def _open(choices: "tuple[Choice, ...]") -> bool:
    return any(choice.verdict.value == "unknown" for choice in choices)


def main() -> None:
    """Read the command line and play."""
    chosen = options("perfect", "Makes no mistake on 6 x 6, as far as its time allows.")
    if find_spec("numba") is None:
        sys.exit("donuts:perfect needs numba: pip install 'donuts-arena[solver]'")
    start(PerfectBot(seed=chosen.seed), chosen)


if __name__ == "__main__":
    main()
