"""A bridge between two puppets: what it does is noted, time stands still unless a test moves it."""

from typing import Any

from donuts_protocol.messages import End, Game, Hello, Turn, Welcome
from donuts_protocol.session import Dropped, RefereeSession
from donuts_referee.channels.link import Exit, Shortage, StartFailure, Stderr
from donuts_referee.joining.bridge import SECOND, Bridge
from donuts_referee.joining.ends import Seating

A, B = "a" * 32, "b" * 32
HELLO = b"hello donuts=1-1 name=puppet caps=info"


def end(game: int) -> End:
    """The end of a game, won."""
    return End(id=game, result="win", winner="x", why="five", ply=0, cells="." * 36, moves=(), more=0)


class Scene:
    """Both ends of the bridge (see `joining.ends.Ends`) and the strings that move them."""

    def __init__(self, **seating: Any) -> None:
        self.now = 1_000 * SECOND
        self.done: list[str] = []
        """start, end, dial and drop, in order"""
        self.bot: list[bytes] = []
        """lines that the bot was told and that no test has looked at"""
        self.frames: list[bytes] = []
        """frames that the arena was sent and that no test has looked at"""
        self.told: list[str] = []
        self.refusal = ""
        self.kind: type[StartFailure | Shortage] = StartFailure
        """of the refusal"""
        self.status = 3
        self.arena = RefereeSession(transport="zmq")
        self.bridge = Bridge(Seating("tcp://127.0.0.1:7464", **seating), self)

    # --- the ends ------------------------------------------------------------------------------------------------

    def start(self) -> None:
        if self.refusal:
            raise self.kind(self.refusal)
        self.done.append("start")

    def to_bot(self, data: bytes) -> None:
        assert data.endswith(b"\n")
        self.bot.append(data[:-1])

    def end(self) -> Exit:
        self.done.append("end")
        return Exit(self.status, None)

    def stderr(self) -> Stderr:
        return Stderr(b"no weights\n", b"", 11)

    def dial(self) -> None:
        self.done.append("dial")

    def to_arena(self, frame: bytes) -> None:
        self.frames.append(frame)

    def drop(self) -> None:
        self.done.append("drop")

    def tell(self, text: str) -> None:
        self.told.append(text)

    # --- the strings ---------------------------------------------------------------------------------------------

    def writes(self, *lines: bytes) -> None:
        """The bot writes lines."""
        self.bridge.hear(b"".join(line + b"\n" for line in lines), self.now)

    def dies(self) -> None:
        self.bridge.gone(self.now)

    def hears(self) -> list[str]:
        """The verbs that the bot was told since the last look."""
        verbs = [line.split(b" ")[0].decode() for line in self.bot]
        self.bot.clear()
        return verbs

    def passes(self, seconds: float) -> None:
        """Time passes and what is due is done."""
        end = self.now + round(seconds * SECOND)
        while (due := self.bridge.due) is not None and due <= end and self.bridge.finish is None:
            self.now = max(self.now, due)
            self.bridge.tick(self.now)
        self.now = end

    def connects(self) -> Hello:
        """The fresh socket is connected; what the arena hears on it."""
        newcomer = RefereeSession(transport="zmq")
        self.bridge.connected(self.now)
        newcomer.receive(self.frames.pop(), self.now)
        self.newcomer = newcomer
        hello = newcomer.next_event()
        assert isinstance(hello, Hello)
        return hello

    def welcomes(self, token: str = A) -> None:
        """The arena knows the session of this token, or begins one."""
        if getattr(self, "token", None) == token:
            self.arena.rejoin(self.newcomer)
            self.arena.state = self.newcomer.state
        else:
            self.arena, self.token = self.newcomer, token
        self.says(Welcome(donuts="1-1", session=token, caps=("info",), maxline=4096, ref="scene/1"))

    def says(self, message: Any) -> None:
        """The arena says a message."""
        self.bridge.receive(self.arena.send(message), self.now)

    def answers(self) -> list[Any]:
        """What the arena understands of what it was sent since the last look."""
        heard = []
        for frame in self.frames:
            self.arena.receive(frame, self.now)
            while (event := self.arena.next_event()) is not None:
                heard.append(event.why if isinstance(event, Dropped) else event)
        self.frames.clear()
        return heard

    # --- scenes --------------------------------------------------------------------------------------------------

    def seated(self) -> "Scene":
        self.bridge.begin(self.now)
        self.writes(HELLO)
        self.connects()
        self.welcomes()
        assert self.hears() == ["welcome"]
        self.done.clear()
        return self

    def game(self) -> Game:
        """A game that the arena announces."""
        conditions = {"main": 1000, "inc": 0, "margin": 100, "prep": 1000, "seed": 1}
        return Game(id=self.arena.next_id(), you="x", size=6, rings=15, **conditions)  # type: ignore[arg-type]

    def turn(self, game: int) -> Turn:
        """A turn that the arena asks."""
        return Turn(
            id=self.arena.next_id(), game=game, ply=0, you="x", size=6, rings=15, layout="H" * 36, cells="." * 36,
            last=None, legal=("a1", "b1"), clock=1000, oclock=1000, inc=0, limit=1000, margin=100, spent=0,
        )  # fmt: skip

    def playing(self) -> int:
        """Seated and in a game, whose id is returned."""
        self.seated()
        game = self.game()
        self.says(game)
        self.writes(b"ready %d" % game.id)
        assert len(self.answers()) == 1 and self.hears() == ["game"]
        return game.id

    def back(self, token: str = A) -> None:
        """The connection is lost and made anew."""
        self.bridge.lost(self.now)
        self.connects()
        self.welcomes(token)
