"""A bot that dials in and may have to dial again, sans-IO: its session over one fresh connection after the other.

    frame = dialling.greet(now)         # on a fresh socket: send this
    dialling.receive(frame, now)        # each frame that comes
    while (message := dialling.next_event()) is not None:
        ...                             # Error, Welcome, Ping and all others are returned too
    if dialling.stale(now):             # close the socket, open a fresh one, and greet again
        ...

Times are nanoseconds of any monotonic clock. No socket is known here.
"""

from donuts_protocol.bot_session import BotSession
from donuts_protocol.framing import Encoding
from donuts_protocol.messages import BotMessage, Bye, End, Error, Game, Hello, RefereeMessage, Turn, Welcome

__all__ = ["AGAIN", "SILENCE", "Dialling"]

SILENCE = 15_000_000_000
"""ns without a word after which a bot that owes no answer dials again (DBP-11.8)."""

AGAIN = frozenset(
    (
        "drain",
        "busy",
        "start",
        "timeout",
        "unread",
        "crash",
        "disconnect",
        "protocol",
        "flood",
        "abort",
        "referee",
    )
)
"""Words of a `bye` after which a bot may dial in again by itself (DBP-11.14)."""


class Dialling:
    """The bot's end over all connections of one life; `hello` is what it says first, its session token aside."""

    def __init__(self, hello: Hello, encoding: Encoding = "text", silence: int = SILENCE) -> None:
        self.session = BotSession(encoding, "zmq")
        """the conversation on the present connection"""
        self.token: str | None = None
        """the token of the session, once welcomed"""
        self.renewed = False
        """the last `welcome` began a new session, so that what was open before it is gone"""
        self.game: int | None = None
        """id of the game that is announced or played"""
        self._hello = hello
        self._encoding: Encoding = encoding
        self._silence = silence
        self._heard = 0
        self._unknown = False
        self._answers: tuple[int, bytes] | None = None

    def greet(self, now: int) -> bytes:
        """The frame that opens a fresh connection: `hello`, with the session if there is one."""
        self.session = BotSession(self._encoding, "zmq")
        self._heard, self._unknown = now, False
        hello = self._hello
        return self.session.send(
            Hello(
                donuts=hello.donuts,
                name=hello.name,
                ver=hello.ver,
                author=hello.author,
                caps=hello.caps,
                seat=hello.seat,
                session=self.token,
                tc=hello.tc,
            )
        )

    def send(self, message: BotMessage, now: int | None = None) -> bytes:
        """The frame of a message; errors as `BotSession.send`. An answer is kept, see `answered`.

        With `now` (ns) the silence is counted from here: an arena need not speak while a bot thinks.
        """
        if now is not None:
            self._heard = max(self._heard, now)
        question = self.session.question
        frame = self.session.send(message)
        if question is not None and self.session.question is None:
            self._answers = question, frame
        return frame

    def answered(self, turn: Turn) -> bytes | None:
        """The answer that was given to this turn already, when it is sent again; it need not be thought of twice."""
        if turn.resend and self._answers is not None and self._answers[0] == turn.id:
            return self.session.repeat(self._answers[1])
        return None

    def receive(self, frame: bytes, now: int) -> None:
        """Take one frame."""
        self._heard = now
        self.session.receive(frame)

    def next_event(self) -> RefereeMessage | None:
        """The next message; None when there is none left. Raises as `BotSession.next_event`."""
        message = self.session.next_event()
        match message:
            case Welcome():
                self.renewed = message.session != self.token
                if self.renewed:
                    self.game = None
                self.token = message.session
            case Error(code="hello"):
                self._unknown = True
            case Game():
                self.game = message.id
            case Turn():
                self.game = message.game
            case End() | Bye():
                self.game = None
            case _:
                pass
        return message

    @property
    def due(self) -> int | None:
        """When this connection becomes stale (ns) if nothing comes; None: not while an answer is owed."""
        if self._unknown:
            return self._heard
        return None if self.session.question is not None else self._heard + self._silence

    def stale(self, now: int) -> bool:
        """True when the bot has to dial again: the arena does not know this address, or was silent for too long."""
        due = self.due
        return due is not None and now >= due
