"""The bot that looks ahead ring by ring, ever deeper: alpha-beta with an eye for rows, threats and groups."""

from typing import TYPE_CHECKING

from donuts_client.answer import Answer, Placement, Proof
from donuts_client.bots.dice import dice
from donuts_client.bots.options import options, start
from donuts_client.bots.thinking import LEVELS, Thinker
from donuts_client.position import Position

if TYPE_CHECKING:
    from donuts_client.search.alphabeta import AlphaBeta, Found
    from donuts_client.search.rows import Ground

_LEVELS = ((1, 200), (2, 1_000), (3, 3_000), (5, 10_000), (99, 30_000))
"""For levels 1 to 5: rings looked ahead at most, positions judged at most."""


class AlphaBetaBot(Thinker):
    """Searches as deep as its time or its level allows; what it has proved it says."""

    name = "alphabeta"
    version = "1"
    caps = ("info",)

    _search: "AlphaBeta | None" = None

    def move(self, position: Position) -> Placement:
        """The best square as far as it can see."""
        ground = self.ground(position)
        depth, most = (99, None) if self._level is None else _LEVELS[self._level - 1]

        def tell(found: "Found") -> None:
            told = _answer(found, ground)
            self.report(eval=told.eval, proof=told.proof, nodes=told.nodes, depth=told.depth, pv=told.pv)

        search = self._searching(ground)
        throw = dice(self.name, self.game, position.ply, self._seed)
        found = search.search(position.node, depth, throw, self.stopper(position, most), tell)
        return _answer(found, ground)

    def _searching(self, ground: "Ground") -> "AlphaBeta":
        """At a level a new search for every turn, so that a turn is answered alike whatever came before (DBP-8)."""
        from donuts_client.search.alphabeta import AlphaBeta

        search = self._search
        if search is None or search.ground is not ground or self._level is not None:
            search = self._search = AlphaBeta(ground)
        return search


def _answer(found: "Found", ground: "Ground") -> Answer:
    """What was found, in the words of the protocol."""
    from donuts_client.search.rows import SURE, chances

    proof: Proof | None = None
    if found.exact:
        proof = "win" if found.value >= SURE else "loss" if found.value <= -SURE else "draw"
    return Answer(
        found.square,
        eval=chances(found.value),
        proof=proof,
        nodes=found.nodes,
        depth=found.depth,
        pv=tuple(ground.names[square] for square in found.pv),
    )


def main() -> None:
    """Read the command line and play."""
    chosen = options("alphabeta", "Looks ahead as far as its time or its level allows.", levels=LEVELS)
    start(AlphaBetaBot(chosen.level, chosen.seed), chosen)


if __name__ == "__main__":
    main()
