"""What a Python bot needs to play DONUTS under DBP: a class with one method, and `run`.

    from donuts_client import Bot, Position, run

    class First(Bot):
        name = "first legal"

        def move(self, position: Position) -> str:
            return position.legal[0]

    if __name__ == "__main__":
        run(First)

Importing this package is cheap; the rules (`donuts_engine`) are imported when `Position.node` is first asked for.
"""

from donuts_client.answer import RESIGN, Answer, Placement, Resignation
from donuts_client.bot import Bot
from donuts_client.position import Clock, Position
from donuts_client.running import run
from donuts_protocol.messages import End, Game, Turn

__all__ = [
    "RESIGN",
    "Answer",
    "Bot",
    "Clock",
    "End",
    "Game",
    "Placement",
    "Position",
    "Resignation",
    "Turn",
    "run",
]
