"""The conversation with a bot as bytes and lines: sends what it is told, hears what comes, and judges nothing.

A `Switchboard` waits on one exchange for all conversations; each `Talk` is one connection.
"""

import re
from collections import deque
from typing import Protocol

from donuts_protocol import text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.escape import shown
from donuts_protocol.framing import Encoding, Transport, frame
from donuts_protocol.messages import Game, Hello, Info, Message, Ping, RefereeMessage, Turn
from donuts_protocol.tally import FLOOD_BYTES, FLOOD_LINES
from donuts_referee.channels.link import Arrival, Away, Chunk, Exchange, Exit, Gone, Link, Sent
from donuts_referee.check.forms import payload
from donuts_referee.check.hearing import QUOTE, Ear, Heard
from donuts_referee.check.verdicts import Failed, Finding
from donuts_referee.table.listening import LastLook
from donuts_referee.table.sentences import ending, last_words

__all__ = ["MS", "Gallery", "Newcomers", "Switchboard", "Talk"]

MS = 1_000_000
PATIENCE = 1000 * MS
"""ns that a bot may leave its stdin full (DBP-9.6)"""

_NUMBER = re.compile(r"\d+")

MOST_KEPT = 200
"""faulty lines that are kept"""

MOST_SHOWN = 4
"""lines that are quoted in one finding"""


class Gallery:
    """What was heard in all conversations and was not right, for the checks that look at all lines."""

    def __init__(self) -> None:
        self.lines = 0
        self.faulty: list[tuple[str, Heard]] = []
        """what was said before it, and the line"""
        self.ungranted: list[tuple[str, Heard]] = []
        """`info` that was not granted"""
        self.hellos: list[tuple[str, Heard]] = []
        """every `hello` after the first of a connection"""

    def take(self, talk: "Talk", heard: Heard) -> None:
        """Look at one line."""
        self.lines += 1
        if heard.fault and len(self.faulty) < MOST_KEPT:
            self.faulty.append((talk.told, heard))
        if isinstance(heard.meant, Info) and not talk.granted and len(self.ungranted) < MOST_KEPT:
            self.ungranted.append((talk.told, heard))
        if isinstance(heard.meant, Hello):
            if talk.greetings and len(self.hellos) < MOST_KEPT:
                self.hellos.append((talk.told, heard))
            talk.greetings += 1


class Newcomers(Protocol):
    """Takes what comes from a link that no conversation knows."""

    def __call__(self, arrival: Arrival) -> None: ...


class Switchboard:
    """The wait over all conversations."""

    def __init__(self, exchange: Exchange, newcomer: Newcomers | None = None) -> None:
        self.now = exchange.now
        self.newcomer = newcomer
        self._exchange = exchange
        self._talks: dict[int, Talk] = {}

    def join(self, talk: "Talk") -> None:
        """Hand what comes from the talk's link to it from now on."""
        self._talks[id(talk.link)] = talk

    def leave(self, talk: "Talk") -> None:
        """No more of that."""
        self._talks.pop(id(talk.link), None)

    def wait(self, deadline: int) -> bool:
        """Wait once; False when the deadline (ns) has passed and nothing came."""
        arrivals = self._exchange.wait(deadline)
        for arrival in arrivals:
            talk = self._talks.get(id(arrival.link))
            if talk is not None:
                talk.take(arrival)
            elif self.newcomer is not None:
                self.newcomer(arrival)
        return bool(arrivals)

    def pause(self, ns: int) -> None:
        """Let so much time pass, and hear what comes meanwhile."""
        until = self.now() + ns
        while self.now() < until:
            self.wait(until)


class Talk:
    """One connection with a bot; `pid` is its process where that is known."""

    def __init__(
        self, board: Switchboard, link: Link, transport: Transport, gallery: Gallery, pid: int | None = None
    ) -> None:
        self.link = link
        self.transport: Transport = transport
        self.pid = pid
        self.ear = Ear(transport)
        self.gone = False
        """nothing comes any more"""
        self.away = False
        """a remote bot has closed the connection"""
        self.greetings = 0
        self.granted: tuple[str, ...] = ()
        self.session = ""
        self.game: int | None = None
        """id of the game that is played"""
        self.issued: dict[int, str] = {}
        """what was asked under an id"""
        self.next_id = 1
        self.began = board.now()
        self.told = "(the process was started)" if transport == "stdio" else "(the connection was made)"
        """what was sent last, as a person can read it"""
        self.since: list[Heard] = []
        """what came after that"""
        self.exit: Exit | None = None
        self.process: Link | None = None
        """the process of a bot that dialled in, where it was started here"""
        self._brought = 0
        """bytes that came after that"""
        self._occasion = ""
        """the verb that was sent last, apart from `ping`, which often only asks whether the bot is there"""
        self._board = board
        self._gallery = gallery
        self._heard: deque[Heard] = deque()
        self._sent_at: int | None = None
        self._looked: int | None = None
        """the deadline beyond which the last look was taken"""
        board.join(self)

    @property
    def encoding(self) -> Encoding:
        """What the bot chose; text before it has."""
        return self.ear.encoding or "text"

    def now(self) -> int:
        """ns."""
        return self._board.now()

    def pause(self, ns: int) -> None:
        """Let so much time pass, and hear what comes meanwhile."""
        self._board.pause(ns)

    # --- speaking ------------------------------------------------------------------------------------------------

    def issue(self, verb: str) -> int:
        """A fresh id for a question."""
        id, self.next_id = self.next_id, self.next_id + 1
        self.issued[id] = verb
        return id

    def skip_to(self, id: int) -> None:
        """Let the next id be this one."""
        self.next_id = id

    def send(self, *messages: RefereeMessage) -> int:
        """Send messages, in one write where that is possible; returns when the last was handed over (ns)."""
        return self.send_payloads(
            *(payload(message, self.encoding) for message in messages), told=" | ".join(map(_told, messages))
        )

    def send_payloads(self, *payloads: bytes, told: str) -> int:
        """Send lines or payloads as they are; `told` is what a person is told of them. Raises Failed."""
        self.tell(told)
        frames = [frame(each, self.encoding, self.transport) for each in payloads]
        at = self.now()
        for data in frames if self.transport == "zmq" else [b"".join(frames)]:
            at = self.hand(data)
        return at

    def tell(self, told: str) -> None:
        """Something else is sent from now on."""
        self.told, self.since, self._brought = told, [], 0
        if not told.startswith("ping"):
            self._occasion = told.split(" ")[0]

    def hand(self, data: bytes) -> int:
        """Hand bytes to the bot as they are; returns when that was done (ns). Raises Failed when it does not read."""
        at = self.link.send(data)
        if at is not None:
            return at
        self._sent_at = None
        deadline = self.now() + PATIENCE
        while self._sent_at is None and not self.gone:
            if not self._board.wait(deadline):
                raise self.failed(
                    "stdin is read all the time: it was full for 1000 ms (DBP-9.6)",
                    "nothing was read",
                    cause="unread",
                )
        return self.now() if self._sent_at is None else self._sent_at

    def part(self, message: RefereeMessage) -> None:
        """Say a last word, which may be read or not."""
        if not self.gone and self.exit is None and self.ear.encoding is not None:
            self.link.send(frame(payload(message, self.encoding), self.encoding, self.transport))

    # --- hearing -------------------------------------------------------------------------------------------------

    def take(self, arrival: Arrival) -> None:
        """What the exchange delivers."""
        if isinstance(arrival, Chunk):
            self._brought += len(arrival.data)
            for heard in self.ear.feed(arrival.data, arrival.at):
                self._enter(heard)
        elif isinstance(arrival, Sent):
            self._sent_at = arrival.at
        elif isinstance(arrival, Gone):
            if (rest := self.ear.rest(arrival.at)) is not None:
                self._enter(rest)
            self.gone = True
        elif isinstance(arrival, Away):
            self.gone = self.away = True

    def _enter(self, heard: Heard) -> None:
        self._gallery.take(self, heard)
        self._heard.append(heard)

    def hear(self, deadline: int) -> Heard | None:
        """The next line; None when there is none by then (ns), or nothing comes any more. Raises Failed at a flood.

        Beyond a deadline there is one look, for what could be read when it passed (DBP-8.9), and no other (DBP-8.2).
        """
        while not self._heard and not self.gone and self._brought <= FLOOD_BYTES and self._looked != deadline:
            if self.now() > deadline:
                self._looked = deadline
            if not self._board.wait(deadline):
                break
        heard = self._heard.popleft() if self._heard else None
        if heard is not None:
            self.since.append(heard)
        if self._brought > FLOOD_BYTES or len(self.since) > FLOOD_LINES:
            came = " | ".join([f"({self._brought} bytes)", *(each.words for each in self.since[:2])])
            right = f"at most {FLOOD_BYTES} bytes and {FLOOD_LINES} lines after a question (DBP-2.6)"
            raise self.failed(right, came, cause="flood")
        return heard

    @property
    def has_more(self) -> bool:
        """Whether a line has come that `hear` has not returned."""
        return bool(self._heard)

    def outlives(self, deadline: int) -> bool:
        """Whether the connection is still there then (ns), at a last look."""
        look = LastLook()
        while not self.gone:
            if not self._board.wait(deadline) or look.over(self.now() >= deadline):
                return not self.gone
        return False

    # --- the end -------------------------------------------------------------------------------------------------

    def end(self) -> Exit:
        """Close stdin, and see the process out (DBP-10.7)."""
        if self.exit is None:
            self.exit = self.link.reap()
            self._board.leave(self)
        return self.exit

    # --- what a person is told -----------------------------------------------------------------------------------

    def failed(self, right: str, came: str | None = None, sent: str | None = None, cause: str = "") -> Failed:
        """The finding that this would have been right; what was sent and came is known. `cause`: see Failed."""
        finding = Finding(
            sent=self.told if sent is None else sent,
            came=self.account() if came is None else came,
            right=right,
        )
        return Failed(finding, self._end_of_process() or cause)

    def _end_of_process(self) -> str:
        """A cause: how the process ended, and upon what where its last words do not tell; empty while it lives."""
        if not self.gone or self.transport != "stdio":
            return ""
        exit = self.end()  # only then all its words are there
        words = last_words(self.link.stderr())
        return _NUMBER.sub("#", f"{ending(exit)} {words or self._occasion}")

    def account(self, silence: str = "nothing") -> str:
        """What came since something was sent last; of a dead process, how it ended."""
        said = [heard.words for heard in self.since[-MOST_SHOWN:]]
        if len(self.since) > MOST_SHOWN:
            said.insert(0, f"({len(self.since) - MOST_SHOWN} lines)")
        if self.gone and self.transport == "stdio":
            exit = self.end()
            said.append(f"then the end: {ending(exit)}{last_words(self.link.stderr())}")
        elif self.gone:
            words = last_words(self.process.stderr()) if self.process is not None else ""
            said.append(f"then the connection was closed{words}")
        return " | ".join(said) or silence


def _told(message: Message) -> str:
    """A message as a person can read it."""
    if isinstance(message, Game | Turn | Ping):
        return shown(text.encode(message), 2 * QUOTE)
    try:
        return shown(text.encode(message), QUOTE)
    except InvalidMessage:
        return message.verb
