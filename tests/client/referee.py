"""The referee's end of a bot's conversation, step by step, whatever carries it."""

from typing import Any

from donuts_engine.position import Position
from donuts_protocol.messages import End, Game, Info, Move, Ready, Resign, Turn, Welcome
from donuts_protocol.session import RefereeSession


class Referee:
    """What a test asks of one bot; `say` and `hear` are for those who know how the bot is reached."""

    session: RefereeSession
    game = 0
    """id of the game"""

    def say(self, message: Any) -> None:
        """Send a message to the bot."""
        raise NotImplementedError

    def hear(self) -> Any:
        """What the bot says next."""
        raise NotImplementedError

    def welcome(self, token: str = "0" * 32) -> None:
        """Answer its hello."""
        granted = self.session.granted
        self.say(Welcome(donuts="1-1", session=token, caps=granted, maxline=4096, ref="test/1"))

    def begin(self, you: str = "x", *, size: int = 6, rings: int = 15, seed: int = 11) -> Ready:
        """Send `game` and hear `ready`."""
        self.game = self.session.next_id()
        clock = {"main": 60000, "inc": 0, "margin": 50, "prep": 10000}
        self.say(Game(id=self.game, you=you, size=size, rings=rings, seed=seed, **clock))
        ready = self.hear()
        assert isinstance(ready, Ready)
        assert ready.id == self.game
        return ready

    def turn(self, position: Position, **more: Any) -> Turn:
        """The turn of this position, under a fresh id."""
        usual = {"clock": 60000, "oclock": 50000, "inc": 0, "limit": 60000, "margin": 50, "spent": 0}
        return Turn(
            id=self.session.next_id(),
            game=self.game,
            ply=position.ply,
            you=position.you,
            size=position.board.size,
            rings=position.rings,
            layout=position.board.layout,
            cells=position.cells,
            last=position.last_name,
            legal=position.legal_names,
            **usual | more,
        )

    def ask(self, position: Position, **more: Any) -> int:
        """Send the turn of this position; returns its id."""
        turn = self.turn(position, **more)
        self.say(turn)
        return turn.id

    def answer(self, position: Position, **more: Any) -> Move | Resign | None:
        """Send a turn and hear the answer, past the reports that come before it."""
        self.ask(position, **more)
        while isinstance(said := self.hear(), Info):
            pass
        return said

    def end(self, position: Position, *, more: int = 0) -> None:
        """Tell that the game is over."""
        self.say(
            End(
                id=self.game,
                result="void",
                winner=None,
                why="abort",
                ply=position.ply,
                cells=position.cells,
                moves=(),
                more=more,
            )
        )
