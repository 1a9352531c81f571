"""The bot that plays random games in its mind and prefers what they favour: Monte Carlo tree search."""

from typing import TYPE_CHECKING

from donuts_client.answer import Answer, Placement, Proof
from donuts_client.bots.dice import dice
from donuts_client.bots.options import options, start
from donuts_client.bots.thinking import LEVELS, Thinker
from donuts_client.position import Position

if TYPE_CHECKING:
    from donuts_client.search.rows import Ground
    from donuts_client.search.tree import Tree

_LEVELS = (10, 40, 150, 600, 2_400)
"""For levels 1 to 5: random games a move."""


class MctsBot(Thinker):
    """Grows a tree of random games as long as its time or its level allows; what it has proved it says."""

    name = "mcts"
    version = "1"
    caps = ("info",)

    def move(self, position: Position) -> Placement:
        """The square that was tried most, or one that was proved."""
        from donuts_client.search.tree import Tree

        ground = self.ground(position)
        tree = Tree(ground, position.node, dice(self.name, self.game, position.ply, self._seed))

        def tell() -> None:
            told = _answer(tree, ground)
            self.report(eval=told.eval, proof=told.proof, nodes=told.nodes, depth=told.depth, pv=told.pv)

        most = None if self._level is None else _LEVELS[self._level - 1]
        tree.grow(self.stopper(position, most), tell)
        return _answer(tree, ground)


def _answer(tree: "Tree", ground: "Ground") -> Answer:
    """What the tree shows, in the words of the protocol."""
    best = tree.best()
    proved = tree.root.proof
    """from the side of the one who has just moved, which is the opponent"""
    proof: Proof | None = None
    if proved is not None:
        proof = "draw" if proved == 0 else "loss" if proved > 0 else "win"
        chances = {"win": 1000, "draw": 500, "loss": 0}[proof]
    else:
        chances = min(999, max(1, round(1000 * best.points / best.visits))) if best.visits else 500
    return Answer(
        best.square,
        eval=chances,
        proof=proof,
        nodes=tree.nodes,
        depth=tree.deepest,
        pv=tuple(ground.names[square] for square in tree.line()),
    )


def main() -> None:
    """Read the command line and play."""
    chosen = options("mcts", "Plays random games in its mind and prefers what they favour.", levels=LEVELS)
    start(MctsBot(chosen.level, chosen.seed), chosen)


if __name__ == "__main__":
    main()
