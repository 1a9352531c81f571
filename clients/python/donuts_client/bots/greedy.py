"""The bot that looks one ring ahead: it wins where it can, hands over no win, and else wants the most rings."""

from typing import TYPE_CHECKING

from donuts_client.answer import Answer, Placement
from donuts_client.bot import Bot
from donuts_client.bots.dice import dice
from donuts_client.bots.options import options, start
from donuts_client.position import Position

if TYPE_CHECKING:
    from donuts_engine.position import Position as Node


class GreedyBot(Bot):
    """Wins if it can; else avoids what lets the opponent win at once; else takes most rings; ties by dice."""

    name = "greedy"
    version = "1"
    caps = ()

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def load(self) -> None:
        """Import the rules before the first game, outside of any clock."""
        import donuts_engine.outcome
        import donuts_engine.rules  # noqa: F401

    def move(self, position: Position) -> Placement:
        """The best square by this bot's lights."""
        from donuts_engine.outcome import outcome
        from donuts_engine.rules import play

        node = position.node
        best: list[int] = []
        most = (-1, -1)
        for square in node.legal:
            after = play(node, square)
            result = outcome(after)
            if result is not None and result.winner == position.you:
                return Answer(square, eval=1000, proof="win")
            safe = not can_win(after) if result is None else result.winner == "-"
            worth = (int(safe), rings(after, position.you))
            if worth > most:
                best, most = [], worth
            if worth == most:
                best.append(square)
        return dice(self.name, self.game, position.ply, self._seed).choice(best)


def can_win(node: "Node") -> bool:
    """Whether the side to move can win with its next ring."""
    from donuts_engine.outcome import outcome
    from donuts_engine.rules import play

    for square in node.legal:
        result = outcome(play(node, square))
        if result is not None and result.winner == node.you:
            return True
    return False


def rings(node: "Node", side: str) -> int:
    """How many rings a side has on the board."""
    return (node.x if side == "x" else node.o).bit_count()


def main() -> None:
    """Read the command line and play."""
    chosen = options("greedy", "Wins if it can, hands over no win, else wants the most rings.")
    start(GreedyBot(chosen.seed), chosen)


if __name__ == "__main__":
    main()
