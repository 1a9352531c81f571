"""The bot that plays any legal square, by the dice of the game's seed."""

from donuts_client.bot import Bot
from donuts_client.bots.dice import dice
from donuts_client.bots.options import options, start
from donuts_client.position import Position


class RandomBot(Bot):
    """Plays any legal square."""

    name = "random"
    version = "1"
    caps = ()

    def __init__(self, seed: int | None = None) -> None:
        self._seed = seed

    def move(self, position: Position) -> str:
        """A square by dice."""
        return dice(self.name, self.game, position.ply, self._seed).choice(position.legal)


def main() -> None:
    """Read the command line and play."""
    chosen = options("random", "Plays any legal square.")
    start(RandomBot(chosen.seed), chosen)


if __name__ == "__main__":
    main()
