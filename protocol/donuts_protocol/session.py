"""The referee's end of a conversation, sans-IO: bytes in -> events out, message in -> bytes out.

A `RefereeSession` is the referee's end of its conversation with one bot over one connection; `BotSession`, from
`bot_session`, is the bot's end. Neither knows a socket, a process or a clock (`now` is passed in, in nanoseconds of
any monotonic clock).

    session.receive(data, now)
    while (event := session.next_event()) is not None:
        ...                       # a Message, a Dropped or a Noise; or RemoteProtocolError is raised

All that depends on the order of messages is in here: which question is open, what an id means, what is noise. The
question an answer belongs to is closed the moment the answer is returned by `next_event`.
"""

from collections import deque
from collections.abc import Callable
from typing import NoReturn

from donuts_protocol import text
from donuts_protocol.bot_session import BotSession
from donuts_protocol.codes import WHY
from donuts_protocol.errors import InvalidMessage, LocalProtocolError, RemoteProtocolError, UndecodablePayload
from donuts_protocol.events import Counts, Dropped, Noise
from donuts_protocol.framing import (
    MAX_BYTES,
    Encoding,
    Flood,
    FrameFramer,
    Framer,
    Transport,
    encoding_of_stream,
    frame,
    framer,
)
from donuts_protocol.heard import HeardLine
from donuts_protocol.messages import (
    FROM_BOT,
    BotMessage,
    Bye,
    Cancel,
    End,
    Error,
    Game,
    Hello,
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
)
from donuts_protocol.questions import Questions
from donuts_protocol.states import Sender, State, moves_of
from donuts_protocol.tally import FORGIVEN_NOISE, INFO_RATE, Tally
from donuts_protocol.values import begins_answer
from donuts_protocol.version import PROTOCOL_VERSION

__all__ = ["BotSession", "Counts", "Dropped", "Encoding", "Noise", "RefereeSession", "Transport"]

_BOM = b"\xef\xbb\xbf"
_BOT_MOVES = moves_of(Sender.BOT)
_REFEREE_MOVES = moves_of(Sender.REFEREE)
_BOT_VERBS = frozenset(message.verb for message in FROM_BOT)
_decode_text = text.decoder(FROM_BOT)


class RefereeSession:
    """The referee's end of one connection.

    `grants` are the capabilities that may be granted; `first_id` is where the ids begin (None: at random below 2^30);
    `maxline` bounds a line or payload in bytes. After a RemoteProtocolError other than `malformed` the session reads
    nothing more: `next_event` returns None. What the table of `states` allows can still be sent.
    """

    def __init__(
        self,
        *,
        transport: Transport = "stdio",
        grants: tuple[str, ...] = ("info",),
        first_id: int | None = None,
        maxline: int = MAX_BYTES,
    ) -> None:
        self.transport: Transport = transport
        self.maxline = maxline
        self.granted: tuple[str, ...] = ()
        """capabilities the bot asked for and gets; known after its `hello`"""
        self.version: int | None = None
        """version of DBP that both ends speak; known after `hello`"""
        self.state: State = State.CONNECTED
        self._grants = grants
        self._questions = Questions(first_id)
        self._encoding: Encoding | None = None
        self._framer: Framer | None = FrameFramer(maxline) if transport == "zmq" else None
        self._decode: Callable[[bytes], Message] = _decode_text
        self._now = 0
        self._ended = False  # the bot's stream is at its end and its rest has been judged or is due
        self._final = False
        self._heard = HeardLine(transport)
        self._tally = Tally()
        self._splits: deque[tuple[int, bytes]] = deque()

    # --- what the referee sends ----------------------------------------------------------------------------------

    def next_id(self) -> int:
        """A fresh id for the next `game`, `turn` or `ping`."""
        return self._questions.allot()

    def send(self, message: RefereeMessage) -> bytes:
        """The bytes of `message`, framed; opens or closes its question.

        LocalProtocolError where the order of messages or an id forbids it, InvalidMessage where a value does; nothing
        has changed then.
        """
        then = _REFEREE_MOVES[self.state].get(message.verb)
        if then is None:
            raise LocalProtocolError(f"`{message.verb}` may not be sent while {self.state}")
        payload = self._encode(message)
        if isinstance(message, (Turn, Game, Ping)):
            if self._questions.ask(message):
                self._tally.begin_question()
                if isinstance(message, Game):
                    self._tally.begin_game()
        elif isinstance(message, (End, Cancel)):
            self._questions.withdraw(message)
        elif isinstance(message, Bye):
            self._questions.close()  # nothing is owed any more; what crosses it is late
        self.state = then
        return frame(payload, self._encoding or "text", self.transport)

    def _encode(self, message: Message) -> bytes:
        if self._encoding != "msgpack":
            return text.encode(message)
        from donuts_protocol import packed

        return packed.encode(message)

    # --- what the bot sends --------------------------------------------------------------------------------------

    @property
    def asked(self) -> str:
        """Verb of the open question: game, turn or ping; "" when none is open."""
        return self._questions.kind

    @property
    def question(self) -> int | None:
        """Id of the open question."""
        return self._questions.open

    @property
    def encoding(self) -> Encoding | None:
        """text or msgpack, as the bot's first byte said; None before it."""
        return self._encoding

    @property
    def counts(self) -> Counts:
        """Warnings and noise since the last `game` was sent."""
        return self._tally.counts

    @property
    def first_noise(self) -> str | None:
        """Sentence about the first line of noise since the last `game` was sent."""
        return self._tally.first_noise

    @property
    def raw(self) -> str:
        """The line that was judged last, whole, as safe text; a msgpack payload as hexadecimal digits."""
        return self._heard.raw

    def receive(self, data: bytes, now: int) -> None:
        """Take the bytes of one read (in ZeroMQ: of exactly one frame), which returned at `now`."""
        self._now = now
        if self._ended or self._final:
            return
        if self._framer is None:
            if not data:
                return
            self._speak(encoding_of_stream(data[0]))
            self._framer = framer(encoding_of_stream(data[0]), self.transport, self.maxline)
        self._framer.feed(data)

    def receive_split(self, parts: int, start: bytes, now: int) -> None:
        """Take a ZeroMQ message of `parts` payload frames, which is noise (DBP-11.2); `start` is the first of them."""
        self._now = now
        self._splits.append((parts, start[: self.maxline]))

    def rejoin(self, newcomer: "RefereeSession") -> None:
        """Go on over the connection on which `newcomer` was greeted: its encoding and caps, our ids and questions.

        An open ping is closed: nobody will answer it. An open `game` or `turn` is to be sent again (DBP-11.11).
        """
        self._encoding, self._framer, self._decode = newcomer._encoding, newcomer._framer, newcomer._decode
        self._heard = newcomer._heard
        self.granted = newcomer.granted
        self.state = newcomer.state
        if self._questions.kind == "ping":
            self._questions.close()

    def receive_eof(self, now: int) -> None:
        """The bot's stream is at its end."""
        self._now = now
        self._ended = True

    def next_event(self) -> BotMessage | Dropped | Noise | None:
        """What the next line means; None when no complete line is left.

        Raises RemoteProtocolError where a line is a fault (DBP-9).
        """
        if self._splits and not self._final:
            parts, start = self._splits.popleft()
            self._heard.line = start
            self._heard.number += 1
            return self._forgive(InvalidMessage(f"it has {parts} payload frames; send one frame a message"))
        while not self._final and self._framer is not None:
            line = self._framer.next()
            if line is None:
                if self._ended:
                    self._judge_rest(self._framer.rest())
                return None
            if isinstance(line, Flood):
                self._heard.number += 1
                self._heard.line = line.start
                self._fail("flood", f"{line.text}: {self._heard.quoted}")
            self._heard.number += 1
            around = 0 if self.transport == "zmq" else 4 if self._encoding == "msgpack" else 1
            if flood := self._tally.add(len(line) + around):
                self._heard.line = line
                self._fail("flood", flood)
            if isinstance(self._framer, FrameFramer) and self._encoding != self._framer.encoding:
                assert self._framer.encoding is not None
                self._speak(self._framer.encoding)
            if self._encoding != "msgpack":
                if self._heard.number == 1 and line.startswith(_BOM):
                    line = line[3:]
                if line.endswith(b"\r"):
                    line = line[:-1]
                if not line or line[0] == 0x23:  # an empty line, or a comment
                    continue
            elif not line:
                continue
            self._heard.line = line
            try:
                message = self._decode(line)
            except InvalidMessage as fault:
                return self._judge_invalid(fault)
            if (
                type(message) is Move
                and message.id == self._questions.open
                and self._questions.kind == "turn"
            ):
                self._questions.close()
                self.state = State.PLAYING
                return message
            return self._judge(message)
        return None

    # --- what a line means (DBP-5) -------------------------------------------------------------------------------

    def _judge(self, message: Message) -> BotMessage | Dropped:
        """What a valid message means where the conversation stands."""
        if isinstance(message, Info):
            return self._judge_info(message)
        if self.state is State.CONNECTED:
            if isinstance(message, Hello):
                return self._greet(message)
            if isinstance(message, (Leave, Error)):
                return self._drop("state", f"`{message.verb}` before `hello`")
        match message:
            case Leave():
                self._questions.close()
                self.state = _BOT_MOVES[self.state].get("bye", self.state)
                return message
            case Error():
                return message
            case Move() | Resign():
                return self._answer(message, "turn")
            case Ready():
                return self._answer(message, "game")
            case Pong():
                return self._answer(message, "ping")
            case _:
                self._fail("protocol", f"a second `hello` in one connection: {self._heard.quoted}")

    def _greet(self, hello: Hello) -> Hello:
        low, high = map(int, hello.donuts.split("-"))
        if self._encoding is None and isinstance(self._framer, FrameFramer):
            self._framer.encoding = "text"
            self._speak("text")
        self.state = State.GREETED
        if not low <= PROTOCOL_VERSION <= high:
            ours = f"{PROTOCOL_VERSION}-{PROTOCOL_VERSION}"
            self._fail(
                "version", f"the bot speaks DBP {hello.donuts} and this referee {ours}: none in common"
            )
        self.version = PROTOCOL_VERSION
        self.granted = tuple(cap for cap in self._grants if cap in (hello.caps or ()))
        return hello

    def _answer(self, message: Move | Resign | Ready | Pong, kind: str) -> BotMessage | Dropped:
        """The rule of ids (DBP-7.5), the same for every answer."""
        if message.id == self._questions.open and kind == self._questions.kind:
            self._questions.close()
            self.state = _BOT_MOVES[self.state].get(message.verb, State.PLAYING)
            return message
        return self._judge_id(message.verb, message.id, kind)

    def _judge_id(self, verb: str, id: int, kind: str) -> Dropped:
        """A `verb`, which answers a `kind` of question, came for another id than that of the open one."""
        issued = self._questions.kind_of(id)
        if not issued:
            self._fail("protocol", f"`{verb}` answers id {id}, which was never issued: {self._heard.quoted}")
        if issued != kind:
            return self._drop("state", f"`{verb}` does not answer {id}, which is a `{issued}`")
        pong = id if verb == "pong" else None
        return self._drop("late", f"`{verb}` came for {issued} {id}, which is closed", pong)

    def _judge_info(self, info: Info) -> Info | Dropped:
        if "info" not in self.granted:
            return self._drop("rate", "`info` was not granted")
        if self._questions.kind != "turn" or info.id != self._questions.open:
            return self._drop("rate", f"`info` is not for the open turn but for {info.id}")
        if not self._tally.report(self._now):
            return self._drop("rate", f"more than {INFO_RATE} `info` in a second")
        return info

    def _judge_invalid(self, fault: InvalidMessage) -> Dropped | Noise:
        if self._questions.kind == "turn":
            if fault.verb in ("move", "resign"):
                if fault.id is not None and fault.id != self._questions.open:
                    return self._judge_id(fault.verb, fault.id, "turn")
                self._malformed(fault.reason)
            if isinstance(fault, UndecodablePayload):
                self._malformed(fault.reason)
        elif isinstance(fault, UndecodablePayload):
            self._fail(
                "protocol", f"{self._heard.where} cannot be decoded: {fault.reason}: {self._heard.quoted}"
            )
        if fault.verb == "info":
            return self._drop("rate", f"`info` is not valid: {fault.reason}")
        if self.state is State.CONNECTED and fault.verb == "hello":
            self._fail(
                "start", f"{self._heard.where} is no valid `hello`: {fault.reason}: {self._heard.quoted}"
            )
        return self._forgive(fault)

    def _forgive(self, fault: InvalidMessage) -> Noise:
        if fault.verb in _BOT_VERBS:
            sentence = f"{self._heard.where} is no valid `{fault.verb}`: {fault.reason}: {self._heard.quoted}"
        elif self.transport == "stdio":
            sentence = f"{self._heard.where} is not a message: {self._heard.quoted}; print to stderr"
        else:
            sentence = f"{self._heard.where} is not a message: {fault.reason}: {self._heard.quoted}"
        count = self._tally.hear_noise(sentence)
        if count > FORGIVEN_NOISE:
            self._fail("protocol", f"{sentence} (line {count} of noise, {FORGIVEN_NOISE} are forgiven)")
        return Noise(self._heard.shown, self._heard.number, sentence)

    def _judge_rest(self, rest: bytes) -> None:
        """The stream ended in the middle of a line: an answer to the open turn lacks its LF, all else is nothing."""
        self._final = True
        if self._questions.kind != "turn" or self._questions.open is None or not rest:
            return
        if self._encoding == "msgpack":
            self._heard.number, self._heard.line = self._heard.number + 1, rest
            self._malformed("the payload is cut short by the end of stdout")
        if begins_answer(rest, self._questions.open):
            self._heard.number, self._heard.line = self._heard.number + 1, rest
            self._malformed("it lacks its LF at the end of stdout; end every line with LF and flush")

    def _malformed(self, reason: str) -> NoReturn:
        heard = self._heard
        answer = f"the answer to turn {self._questions.open}, {heard.where}, is malformed: {reason}: {heard.quoted}"
        self._questions.close()
        self.state = State.PLAYING
        raise RemoteProtocolError("malformed", answer, raw=self._heard.line, clause=WHY["malformed"].clause)

    def _fail(self, why: str, sentence: str) -> NoReturn:
        """A fault after which nothing is read; before a valid `hello` it is `start` (DBP-9.11)."""
        self._final = True
        if self.state is State.CONNECTED:
            why = "start"
        raise RemoteProtocolError(why, sentence, raw=self._heard.line, clause=WHY[why].clause)

    def _drop(self, why: str, sentence: str, pong: int | None = None) -> Dropped:
        if pong is None:
            self._tally.drop(why)
        text = f"{self._heard.where}: {sentence}: {self._heard.quoted}"
        return Dropped(why, self._heard.shown, self._heard.number, text, pong)

    def _speak(self, encoding: Encoding) -> None:
        self._encoding = self._heard.encoding = encoding
        if encoding == "msgpack":
            from donuts_protocol import packed  # costs start-up time that text bots need not pay

            self._decode = lambda payload: packed.decode(payload, FROM_BOT)
