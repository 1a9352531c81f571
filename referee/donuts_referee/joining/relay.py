"""What passes between the bot and its seat, in order and once, whatever becomes of connections; sans-IO.

The bot never learns of a lost connection: `welcome` comes to it once, a question once, and of a game that is gone it
is told the `end`. Its answers are sent again where the arena asks again.
"""

from contextlib import suppress

from donuts_protocol.dialling import Dialling
from donuts_protocol.errors import InvalidMessage, LocalProtocolError
from donuts_protocol.messages import (
    FROM_BOT,
    End,
    Game,
    Message,
    Ping,
    Pong,
    RefereeMessage,
    Turn,
    Welcome,
)
from donuts_referee.joining.child import Child, Line, Offer
from donuts_referee.joining.ends import Ends

__all__ = ["Relay"]

EARLY = 20
"""Lines between `hello` and `welcome` that are kept for the arena."""


class Relay:
    """The conversation of one seat with one process of the bot after the other."""

    def __init__(self, ends: Ends) -> None:
        self.child: Child | None = None
        self.dialling: Dialling | None = None
        self.seated = False
        """`welcome` came over the present connection"""
        self._ends = ends
        self._waiting: list[Offer] = []
        """what the bot cannot be told yet"""
        self._early: list[bytes] = []
        self._answered: int | None = None
        """the question whose answer went out over this connection"""
        self._pinged: int | None = None
        """the ping that came over this connection"""

    # --- beginnings and ends -------------------------------------------------------------------------------------

    def begin(self) -> Child:
        """A new process of the bot is being started."""
        self.child = Child()
        self._early.clear()
        return self.child

    def forsake(self) -> None:
        """Nothing that the bot has not been told yet is worth telling any more."""
        self._waiting.clear()

    def restore(self, dead: Child) -> None:
        """What a process was asked and did not answer is for the next one."""
        if dead.open is not None and self.seated:
            self._waiting.insert(0, dead.open)

    def reconnected(self) -> None:
        """Nothing has passed over the connection yet."""
        self._answered = self._pinged = None

    def renew(self) -> bool:
        """The arena began a new session; True when a game of the bot's is gone with the old one."""
        self._waiting.clear()
        if self.child is None:
            return False
        self.child.renew()
        if self.child.playing is None:
            return False
        self._void(self.child)
        return True

    def welcome(self, welcome: Welcome, payload: bytes | None = None) -> None:
        """Greet the bot, unless it was greeted before, and send what waited for that: by the arena's own frame, or in
        our own words."""
        child = self.child
        if child is None or child.hello is None:
            return
        if not child.greeted:
            child.told(welcome)
            self._ends.to_bot(child.written(welcome) if payload is None else child.wrapped(payload))
        for line in self._early:
            self._ends.to_arena(line)
        self._early.clear()
        if child.flood is not None:
            self._ends.to_arena(child.flood)
            child.flood = None
        self._deliver()

    # --- from the bot --------------------------------------------------------------------------------------------

    def say(self, line: Line, child: Child) -> None:
        """Pass a line of the bot on, unless it belongs to what is gone."""
        if child.outdated(line):
            pass
        elif self.seated:
            self._send(line, child)
        elif not child.greeted and len(self._early) < EARLY and child.flood is None:
            self._early.append(line.frame)
        self._deliver()

    def _send(self, line: Line, child: Child) -> None:
        if line.answers and isinstance(line.message, Pong) and line.message.id != self._pinged:
            return  # asked over a connection that is lost: nobody waits for it
        self._ends.to_arena(line.frame)
        if line.answers and child.kept is not None:
            self._answered = child.kept[0]
        if line.frame is child.flood:
            child.flood = None
        self._mirror(line.message)

    def _mirror(self, message: Message | None) -> None:
        """Keep the session in step with what the bot said; what it may not say, the arena will judge."""
        if self.dialling is None or not isinstance(message, FROM_BOT):
            return
        with suppress(LocalProtocolError, InvalidMessage):
            self.dialling.send(message)  # type: ignore[arg-type]

    # --- to the bot ----------------------------------------------------------------------------------------------

    def offer(self, message: RefereeMessage, payload: bytes) -> None:
        """Let the bot hear a message as soon as the order of its messages allows, and no question twice."""
        if isinstance(message, Ping):
            self._pinged = message.id
        else:
            self._waiting = [offer for offer in self._waiting if not isinstance(offer[0], Ping)]
        if isinstance(message, Game | Turn):
            if self.child is not None and self.child.knows(message.id):
                self._again(self.child, message.id)
                return
            self._waiting = [offer for offer in self._waiting if _question(offer[0]) != message.id]
        self._waiting.append((message, payload))
        self._deliver()

    def ended(self, end: End, payload: bytes) -> bool:
        """The game is over; True when the bot was in it, and is told so."""
        self._waiting.clear()
        child = self.child
        if child is None or not child.greeted or child.playing != end.id:
            return False
        child.told(end)
        self._ends.to_bot(child.wrapped(payload))
        return True

    def pass_on(self, payload: bytes) -> None:
        """What has no place in the order of messages: an `error`, or a verb of a later edition that is one line."""
        child = self.child
        if not self.seated or child is None or not child.greeted:
            return
        if child.encoding == "msgpack" or _one_line(payload):
            self._ends.to_bot(child.wrapped(payload))

    def _again(self, child: Child, question: int) -> None:
        """The bot was asked this before: its answer goes out over this connection too, if it has given one."""
        if child.kept is None or child.kept[0] != question:
            return
        assert self.dialling is not None
        answer = self.dialling.session.repeat(child.kept[1])
        if self._answered != question:
            self._answered = question
            self._ends.to_arena(answer)

    def _deliver(self) -> None:
        child = self.child
        while child is not None and child.greeted and self._waiting:
            message, payload = self._waiting[0]
            if child.elsewhere(message):
                self._void(child)
            if not child.takes(message):
                return
            del self._waiting[0]
            child.told(message, payload)
            self._ends.to_bot(child.wrapped(payload))

    def _void(self, child: Child) -> None:
        end = child.void()
        child.told(end)
        self._ends.to_bot(child.written(end))


def _question(message: RefereeMessage) -> int | None:
    return message.id if isinstance(message, Game | Turn | Ping) else None


def _one_line(payload: bytes) -> bool:
    return payload.isascii() and payload.decode("ascii").isprintable()
