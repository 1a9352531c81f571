"""The bot's end of a conversation, sans-IO: bytes in -> messages out, message in -> bytes out.

    session.receive(data)
    while (message := session.next_event()) is not None:
        ...

What the table of `states` does not let a bot send is a LocalProtocolError, before the referee can take it for a fault.
"""

from donuts_protocol import text
from donuts_protocol.codes import WHY
from donuts_protocol.discretion import discreet
from donuts_protocol.errors import InvalidMessage, LocalProtocolError, RemoteProtocolError
from donuts_protocol.escape import shown
from donuts_protocol.framing import MAX_BYTES, Encoding, Flood, Transport, frame, framer
from donuts_protocol.messages import (
    FROM_REFEREE,
    BotMessage,
    Bye,
    Cancel,
    End,
    Game,
    Info,
    Leave,
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
from donuts_protocol.states import Sender, State, moves_of

_BOT_MOVES = moves_of(Sender.BOT)
_REFEREE_MOVES = moves_of(Sender.REFEREE)
_VERBS = frozenset(message.verb for message in FROM_REFEREE)


class BotSession:
    """The bot's end of one connection; the bot speaks first, with `hello`.

    After a RemoteProtocolError, `next_event` returns None and nothing is read any more.
    """

    def __init__(self, encoding: Encoding = "text", transport: Transport = "stdio") -> None:
        self.encoding: Encoding = encoding
        self.transport: Transport = transport
        self.state: State = State.CONNECTED
        self.question: int | None = None
        """id of the open question"""
        self.granted: tuple[str, ...] = ()
        """capabilities, as `welcome` grants them"""
        self._framer = framer(encoding, transport, MAX_BYTES)
        self._final = False
        self._number = 0

    def send(self, message: BotMessage) -> bytes:
        """The bytes of `message`, framed.

        LocalProtocolError where it may not be sent now or answers another id than the open one, InvalidMessage where a
        value is out of its bounds; nothing has changed then.
        """
        then = _BOT_MOVES[self.state].get(message.verb)
        if then is None:
            raise LocalProtocolError(f"`{message.verb}` may not be sent while {self.state}")
        if isinstance(message, Info) and "info" not in self.granted:
            raise LocalProtocolError("`info` was not granted; ask for it with caps=info in `hello`")
        if isinstance(message, Move | Resign | Ready | Pong | Info) and message.id != self.question:
            raise LocalProtocolError(f"`{message.verb}` for {message.id} while {self.question} is open")
        payload = self._encode(message)
        if isinstance(message, Move | Resign | Ready | Pong | Leave):
            self.question = None
        self.state = then
        return frame(payload, self.encoding, self.transport)

    def repeat(self, answer: bytes) -> bytes:
        """Give an answer that was sent before, over a lost connection, to the turn that is open again; returns it."""
        self.question = None
        self.state = State.PLAYING
        return answer

    def _encode(self, message: Message) -> bytes:
        if self.encoding == "text":
            return text.encode(message)
        from donuts_protocol import packed

        return packed.encode(message)

    def receive(self, data: bytes) -> None:
        """Take the bytes of one read (in ZeroMQ: of exactly one frame)."""
        if not self._final:
            self._framer.feed(data)

    def next_event(self) -> RefereeMessage | None:
        """The next message; None when no complete one is left.

        Messages with a verb that is not known are skipped, so that a later edition can add some. RemoteProtocolError
        where the referee broke the protocol.
        """
        while not self._final:
            line = self._framer.next()
            if line is None:
                return None
            self._number += 1
            if isinstance(line, Flood):
                raise self._fault("flood", line.text, line.start)
            if not line and self.transport == "zmq":
                continue
            try:
                message = self._decode(line)
            except InvalidMessage as fault:
                if fault.verb and fault.verb not in _VERBS:
                    continue
                raise self._fault("protocol", fault.reason, line) from None
            then = _REFEREE_MOVES[self.state].get(message.verb)
            if then is None:
                raise self._fault("protocol", f"`{message.verb}` may not come while {self.state}", line)
            self._follow(message)
            self.state = then
            return message
        return None

    def _decode(self, line: bytes) -> RefereeMessage:
        if self.encoding == "text":
            return text.decode(line, FROM_REFEREE)  # type: ignore[return-value]
        from donuts_protocol import packed

        return packed.decode(line, FROM_REFEREE)  # type: ignore[return-value]

    def _follow(self, message: RefereeMessage) -> None:
        match message:
            case Turn() | Game() | Ping():
                self.question = message.id
            case Cancel() | End() | Bye():
                self.question = None
            case Welcome():
                self.granted = message.caps
            case _:
                pass

    def _fault(self, why: str, reason: str, line: bytes) -> RemoteProtocolError:
        self._final = True
        line = discreet(line)
        quoted = shown(line if self.encoding == "text" else line.hex())
        sentence = f"message {self._number} of the referee breaks the protocol: {reason}: '{quoted}'"
        return RemoteProtocolError(why, sentence, raw=line, clause=WHY[why].clause)
