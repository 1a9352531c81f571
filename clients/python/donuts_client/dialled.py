"""The `Wire` of a bot that dials in: dials again whenever it must, so that a player does not notice (DBP-11)."""

import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Protocol

from donuts_client.dealer import News
from donuts_protocol import text
from donuts_protocol.dialling import AGAIN, SILENCE, Dialling
from donuts_protocol.messages import (
    BotMessage,
    Bye,
    Cancel,
    End,
    Error,
    Game,
    Info,
    Leave,
    Move,
    Ping,
    Pong,
    Ready,
    RefereeMessage,
    Resign,
    Turn,
    Welcome,
)
from donuts_protocol.states import State

__all__ = ["Clock", "Connection", "DialledWire", "Pauses"]

MS = 1_000_000
SECOND = 1000 * MS

PATIENCE = 3 * SECOND
"""ns without `welcome` after which people are told that the arena is away"""
FLUSH = 500
"""ms that a last `bye` has to leave"""
_SPEECHLESS = frozenset((State.CONNECTED, State.LEAVING, State.CLOSED))


class Connection(Protocol):
    """What is needed of a `Dealer`."""

    def wait(self, timeout: int | None) -> None: ...

    def frames(self) -> Iterator[bytes]: ...

    def news(self) -> Iterator[News]: ...

    def send(self, frame: bytes) -> bool: ...

    def close(self, linger: int = 0) -> None: ...


class Pauses:
    """How long to wait before dialling again, in ns: `first`, then twice as long each time up to `most`."""

    def __init__(self, first: int, most: int) -> None:
        self._first, self._most, self._pause = first, most, first

    def next(self) -> int:
        """The pause that is due now."""
        pause, self._pause = self._pause, min(2 * self._pause, self._most)
        return pause

    def reset(self) -> None:
        """Begin with `first` again."""
        self._pause = self._first


class Clock(Protocol):
    """Tells a `DialledWire` the time and lets it pass; tests have one of their own."""

    def now(self) -> int:
        """ns, monotonic."""
        ...

    def sleep(self, duration: int) -> None:
        """Wait for so many ns."""
        ...


class _Monotonic:
    def now(self) -> int:
        return time.monotonic_ns()

    def sleep(self, duration: int) -> None:
        time.sleep(duration / SECOND)


class DialledWire:
    """Reads and writes over one connection after the other; `dial` makes a fresh one.

    A connection that is lost, whose arena does not know it, or that is silent for too long is replaced at once, and
    `hello` shows the session. Until the arena says what it still waits for, an open turn stays open: its answer is
    kept, and given when the turn is sent again. After a `bye` that bids so the bot dials in again, after a pause.
    """

    def __init__(
        self, dialling: Dialling, dial: Callable[[], Connection], where: str, clock: Clock | None = None
    ) -> None:
        self.farewell: str | None = None
        """why of the `bye` that ended it for good, `""` where it said none, `key` where the CURVE key was refused"""
        self.complaint: Error | None = None
        """the last `error` of the arena, if nothing was asked since"""
        self._dialling = dialling
        self._dial = dial
        self._where = where
        self._clock: Clock = clock or _Monotonic()
        self._connection: Connection | None = None
        self._inbox: deque[RefereeMessage] = deque()
        self._greeted = False
        """`hello` was said on this connection"""
        self._alive = False
        """something was asked on this connection, so that dialling anew at once cannot go round in circles"""
        self._again = 0
        """when to dial (ns)"""
        self._spoke = 0
        """when something was said last (ns)"""
        self._suspended: int | None = None
        """id of the question that was open when the connection was lost, until the arena says what became of it"""
        self._kept: Move | Resign | None = None
        """its answer"""
        self._told: set[str] = set()
        """what people were told since the last `welcome`"""
        self._patient: int | None = self._clock.now() + PATIENCE
        """when people are to be told that nobody answers (ns)"""
        self._cut = False
        """something could not be sent: the connection is of no use"""
        self._met = False
        """the arena has said `welcome` once"""
        self._after_loss = Pauses(100 * MS, 2 * SECOND)
        self._after_bye = Pauses(SECOND, 30 * SECOND)

    # --- Wire ----------------------------------------------------------------------------------------------------

    @property
    def ended(self) -> bool:
        """Whether the arena sent the bot away for good."""
        return self.farewell is not None

    def read(self) -> RefereeMessage | None:
        """The next message that is the player's business; None when there will be none."""
        while not self._inbox and not self.ended:
            self._step(wait=True)
        return self._inbox.popleft() if self._inbox else None

    def readable(self) -> bool:
        """Whether there is one; a lost connection is noticed and replaced here too."""
        if not self._inbox and not self.ended:
            self._step(wait=False)
        return bool(self._inbox)

    def write(self, message: BotMessage) -> None:
        """Send a message; what nobody waits for is dropped, and the answer to a turn is kept where that is cut off."""
        match message:
            case Move() | Resign() if not self._open(message.id):
                text.encode(message)  # so that a value out of its bounds is refused now
                self._kept = message if message.id == self._suspended else None
            case Ready() | Pong() | Info() if not self._open(message.id):
                pass
            case _ if self._greeted and self._dialling.session.state not in _SPEECHLESS:
                sent = self._send(self._dialling.send(message))
                self._cut = self._cut or not (sent or isinstance(message, Info))
            case _:
                pass

    def awaits(self, question: int) -> bool:
        """Whether this question is open, or was when the connection was lost."""
        return self._open(question) or self._suspended == question

    def reportable(self, turn: int) -> bool:
        """Whether this turn is open and `info` was granted."""
        return self._open(turn) and "info" in self._dialling.session.granted

    def leave(self) -> None:
        """Say `bye` where somebody listens, and close."""
        self.write(Leave())
        if self._connection is not None:
            self._connection.close(FLUSH)
            self._connection = None

    # --- one connection after the other --------------------------------------------------------------------------

    def _open(self, question: int) -> bool:
        return self._greeted and self._dialling.session.question == question

    def _step(self, wait: bool) -> None:
        """Look at the connection once, after waiting for it, if `wait`, until something is due."""
        now = self._clock.now()
        if self._connection is None:
            if now < self._again:
                if not wait:
                    return
                self._clock.sleep(self._again - now)
            self._connection = self._dial()
        self._connection.wait(self._timeout() if wait and not self._cut else 0)
        self._hear()
        for news in self._connection.news() if self._connection is not None else ():
            self._follow(news)
            if self._connection is None:
                return
        now = self._clock.now()
        if self._cut or ((due := self._due()) is not None and now >= due):
            self._lose()
        if self._patient is not None and now >= self._patient:
            self._patient = None
            if not self._told:
                self._tell(f"the arena at {self._where} does not answer, or wants (other) keys")

    def _due(self) -> int | None:
        """When this connection has been silent for too long (ns); what the bot said itself counts as a sound."""
        due = self._dialling.due if self._greeted else None
        return None if due is None else max(due, self._spoke + SILENCE)

    def _timeout(self) -> int | None:
        """ms until something is due, rounded up."""
        due = [at for at in (self._due(), self._patient) if at is not None]
        return max(0, -(-(min(due) - self._clock.now()) // MS)) if due else None

    def _follow(self, news: News) -> None:
        match news:
            case News.MADE:
                self._greeted = True
                if not self._send(self._dialling.greet(self._clock.now())):
                    self._lose()
            case News.MISSED:
                self._tell(f"nobody answers at {self._where}")
            case News.BOTCHED:
                self._tell(
                    f"what answers at {self._where} breaks off the handshake: it is no arena, or wants keys where "
                    "the join file has none, or other keys"
                )
                self._lose()
            case News.REFUSED:
                self.farewell = "key"
                self._lose()
            case News.LOST:
                self._lose()

    def _lose(self) -> None:
        """This connection is of no use any more; what came over it still counts."""
        connection = self._connection
        self._hear()
        if self._connection is connection:
            self._hang_up(0 if self._alive else self._after_loss.next())

    def _hang_up(self, pause: int) -> None:
        """Close the connection, and dial again after `pause` ns."""
        if self._greeted and self._dialling.session.question is not None:
            self._suspended = self._dialling.session.question
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._greeted = self._alive = self._cut = False
        now = self._clock.now()
        self._again = now + pause
        if self._patient is None:
            self._patient = self._again + PATIENCE

    def _send(self, frame: bytes) -> bool:
        self._spoke = self._clock.now()
        return self._connection is not None and self._connection.send(frame)

    # --- what comes in -------------------------------------------------------------------------------------------

    def _hear(self) -> None:
        """Take all that has come in."""
        if (connection := self._connection) is None:
            return
        for frame in connection.frames():
            self._dialling.receive(frame, self._clock.now())
            while (message := self._dialling.next_event()) is not None:
                self._judge(message)
                if self._connection is not connection:
                    return

    def _judge(self, message: RefereeMessage) -> None:
        """Keep what is the player's business; the rest is dealt with here."""
        match message:
            case Welcome():
                self._arrive(message)
            case Error(code="hello"):  # it does not know this connection (DBP-11.9)
                self._hang_up(0 if self._alive else self._after_loss.next())
                return
            case Error():
                self.complaint = message
            case Bye(why=str(why)) if why in AGAIN:
                pause = self._after_bye.next()
                self._tell(f"the arena at {self._where} says bye: {why}")
                self._hang_up(pause)
                return
            case Bye():
                self.farewell = message.why or ""
            case Turn() if self._resumed(message):
                return
            case Turn() | Game() | Ping() | Cancel() | End():
                self._alive = True
                self._suspended = self._kept = self.complaint = None
                self._after_loss.reset()
                if isinstance(message, End):
                    self._after_bye.reset()
        self._inbox.append(message)

    def _arrive(self, welcome: Welcome) -> None:
        if self._dialling.renewed:
            self._suspended = self._kept = None
        if self._told or not self._met:
            sys.stderr.write(f"welcome at {self._where}, says {welcome.ref}\n")
        self._met = True
        self._told.clear()
        self._patient = None

    def _resumed(self, turn: Turn) -> bool:
        """Whether this turn is sent again and was answered or thought over already; it gets that answer."""
        frame = self._dialling.answered(turn)
        if frame is None and self._kept is not None and self._kept.id == turn.id:
            frame = self._dialling.send(self._kept)
        if frame is None:
            return False
        self._alive = True
        self._suspended = self._kept = None
        if not self._send(frame):
            self._lose()
        return True

    def _tell(self, line: str) -> None:
        """Tell people, once until the next `welcome`, why it takes longer."""
        self._patient = None
        if line not in self._told:
            self._told.add(line)
            sys.stderr.write(f"{line}; dialling again, Ctrl-C ends it\n")
            sys.stderr.flush()
