"""One process of the bot as the bridge sees it, sans-IO: its lines, its `hello`, and where its conversation stands.

    child.hear(data)
    while (line := child.next_line()) is not None:
        ...                              # the first one is `child.hello`

What the bot is told is noted by `told`; the table of `donuts_protocol.states` then says what it may be told next.
"""

from collections import deque
from typing import NamedTuple, TypeAlias

from donuts_protocol import packed, text
from donuts_protocol.errors import InvalidMessage, RemoteProtocolError, UndecodablePayload
from donuts_protocol.events import Dropped, Noise
from donuts_protocol.framing import MAX_BYTES, Encoding, Flood, Framer, encoding_of_stream, frame, framer
from donuts_protocol.messages import (
    FROM_BOT,
    Cancel,
    End,
    Game,
    Hello,
    Info,
    Message,
    Move,
    Ping,
    Pong,
    Ready,
    RefereeMessage,
    Resign,
    Turn,
    Welcome,
)
from donuts_protocol.session import RefereeSession
from donuts_protocol.states import TABLE, Sender, State

__all__ = ["Child", "Line", "Offer", "Unfit"]

REMEMBERED = 64
"""Ids of the last questions that are remembered: a bot owes an answer to few of them."""

_INSIDE = (State.PLAYING, State.THINKING, State.PLAYING_PINGED)
_PINGED = (State.IDLE_PINGED, State.PLAYING_PINGED)

Offer: TypeAlias = tuple[RefereeMessage, bytes]
"""A message of the arena and the frame it came in."""


class Unfit(Exception):
    """What the bot says instead of a valid `hello`; the text is a sentence."""


class Line(NamedTuple):
    """One line or payload of the bot that is to go on to the arena."""

    frame: bytes
    """as it came, without its LF or length"""
    message: Message | None
    """None where it is no valid message"""
    id: int | None
    """the id it names, as far as that can be read"""
    answers: bool
    """it is the answer to the open question, good or malformed"""


class Child:
    """One process of the bot, from its first byte to its end."""

    def __init__(self) -> None:
        self.hello: Hello | None = None
        self.encoding: Encoding = "text"
        self.state = State.CONNECTED
        self.heard = False
        """it has written something to its stdout"""
        self.game: Game | None = None
        """the game it was last told of"""
        self.playing: int | None = None
        """id of the game it believes to be in"""
        self.open: Offer | None = None
        """the `game`, `turn` or `ping` it owes an answer to"""
        self.kept: tuple[int, bytes] | None = None
        """its last answer to a `game` or `turn`, and the id of that"""
        self.flood: bytes | None = None
        """what stands for a line that was too long, until it has been sent"""
        self._turn: Turn | None = None
        self._deaf = False
        self._framer: Framer | None = None
        self._listener = (
            RefereeSession()
        )  # hears `hello` as a referee would, noise and comments before it included
        self._ids: deque[int] = deque(maxlen=REMEMBERED)
        self._past: deque[int] = deque(maxlen=REMEMBERED)

    # --- what it says --------------------------------------------------------------------------------------------

    def hear(self, data: bytes) -> None:
        """Take the bytes of one read."""
        if not data or self._deaf:
            return
        self.heard = True
        if self._framer is None:
            self.encoding = encoding_of_stream(data[0])
            self._framer = framer(self.encoding, "stdio")
        self._framer.feed(data)

    def next_line(self) -> Line | None:
        """The next line that is meant for the arena; None when no whole one is left. Raises Unfit before `hello`."""
        while self._framer is not None and not self._deaf:
            line = self._framer.next()
            if line is None:
                return None
            if isinstance(line, Flood):
                return self._flooded(line)
            if self.hello is None:
                self._introduce(line)
                if self.hello is not None:
                    return Line(line, self.hello, None, False)
            elif not self._idle(line):
                return self._read(line)
        return None

    def _introduce(self, line: bytes) -> None:
        self._listener.receive(frame(line, self.encoding, "stdio"), 0)
        try:
            while (event := self._listener.next_event()) is not None:
                if isinstance(event, Hello):
                    self.hello = event
                    self.state = State.GREETED
                else:
                    assert isinstance(event, Dropped | Noise), event
        except RemoteProtocolError as fault:
            self._deaf = True
            raise Unfit(f"{fault.why}: {fault.text}") from None

    def _idle(self, line: bytes) -> bool:
        """An empty line or a comment, which has no meaning (DBP-3.12)."""
        return self.encoding == "text" and (line in (b"", b"\r") or line.startswith(b"#"))

    def _flooded(self, flood: Flood) -> Line:
        """A frame of 4097 bytes in the place of what is too long, so that the arena can name it (DBP-2.4)."""
        self._deaf = True
        if self.hello is None:
            raise Unfit(f"start: {flood.text}")
        pad = b"." if self.encoding == "text" else b"\0"
        self.flood = flood.start[:MAX_BYTES].ljust(MAX_BYTES + 1, pad)
        return Line(self.flood, None, None, False)

    def _read(self, line: bytes) -> Line:
        thinking = self.state is State.THINKING
        try:
            message = self._decode(line)
        except InvalidMessage as fault:
            about = fault.verb in ("move", "resign") and fault.id in (None, self.question)
            malformed = thinking and (about or isinstance(fault, UndecodablePayload))
            if malformed:
                self._answered(line, State.PLAYING)
            return Line(line, None, fault.id, malformed)
        if not isinstance(message, Move | Resign | Ready | Pong | Info):
            return Line(line, message, None, False)
        then = TABLE.get((self.state, Sender.BOT, message.verb))
        answers = then is not None and message.id == self.question and not isinstance(message, Info)
        if answers and then is not None:
            self._answered(line, then)
        return Line(line, message, message.id, answers)

    def _decode(self, line: bytes) -> Message:
        if self.encoding == "text":
            return text.decode(line.removesuffix(b"\r"), FROM_BOT)
        return packed.decode(line, FROM_BOT)

    def _answered(self, line: bytes, then: State) -> None:
        if self.question is not None and self.state not in _PINGED:
            self.kept = self.question, line
        self.open = None
        self.state = then

    # --- where it stands -----------------------------------------------------------------------------------------

    @property
    def question(self) -> int | None:
        """Id of the question it owes an answer to."""
        message = None if self.open is None else self.open[0]
        return message.id if isinstance(message, Game | Turn | Ping) else None

    @property
    def greeted(self) -> bool:
        """It was told `welcome`."""
        return self.state not in (State.CONNECTED, State.GREETED)

    @property
    def inside(self) -> bool:
        """A game is being played: it was ready, and has not been told the `end`."""
        return self.state in _INSIDE

    def knows(self, question: int) -> bool:
        """It was asked this in the present session."""
        return question in self._ids

    def outdated(self, line: Line) -> bool:
        """The line answers a question of a session that is gone."""
        return line.id is not None and line.id in self._past and line.id not in self._ids

    def takes(self, message: RefereeMessage) -> bool:
        """The order of messages lets it be told this now (DBP-7.1)."""
        return (self.state, Sender.REFEREE, message.verb) in TABLE

    def elsewhere(self, message: RefereeMessage) -> bool:
        """The message belongs to another game than the one it believes to be in."""
        if self.playing is None:
            return False
        match message:
            case Game():
                return message.id != self.playing
            case Turn():
                return message.game != self.playing
            case _:
                return False

    def told(self, message: RefereeMessage, payload: bytes = b"") -> None:
        """Note what it is told, which it must be one that it `takes`."""
        self.state = TABLE[self.state, Sender.REFEREE, message.verb]
        match message:
            case Game():
                self.game, self._turn, self.playing = message, None, message.id
            case Turn():
                self._turn, self.playing = message, message.game
            case End():
                self.playing = None
            case _:
                pass
        if isinstance(message, Game | Turn | Ping):
            self.open = message, payload
            self._ids.append(message.id)
        elif isinstance(message, Cancel | End | Welcome):
            self.open = None

    def renew(self) -> None:
        """The arena began a new session: what was asked before means nothing there."""
        self._past.extend(self._ids)
        self._ids.clear()
        self.kept = None

    def void(self) -> End:
        """The `end` of the game it believes to be in, which the arena can no longer tell it of."""
        assert self.playing is not None
        turn, game = self._turn, self.game
        size = turn.size if turn is not None else game.size if game is not None else 6
        return End(
            id=self.playing,
            result="void",
            winner=None,
            why="referee",
            text="the connection was lost and the game with it",
            ply=0 if turn is None else turn.ply,
            cells="." * size**2 if turn is None else turn.cells,
            moves=(),
            more=0,
        )

    # --- what it is told -----------------------------------------------------------------------------------------

    def wrapped(self, payload: bytes) -> bytes:
        """A frame of the arena as it goes down the pipe."""
        return frame(payload, self.encoding, "stdio")

    def written(self, message: RefereeMessage) -> bytes:
        """A message of our own as it goes down the pipe."""
        encode = text.encode if self.encoding == "text" else packed.encode
        return self.wrapped(encode(message))
