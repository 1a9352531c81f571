"""One bot at the table: its link, its session, and what it was heard to say.

A player turns arrivals into what the game cares for (`Said`): messages that matter and faults. Warnings and noise are
counted in the session and told to the onlookers here. It knows no clock and no rule.
"""

import os
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from donuts_protocol.codes import WHY, Consequence
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.escape import shown
from donuts_protocol.events import Counts, Dropped, Noise
from donuts_protocol.messages import (
    Bye,
    Error,
    Hello,
    Info,
    Leave,
    Message,
    Move,
    Pong,
    Ready,
    RefereeMessage,
    Resign,
    Welcome,
)
from donuts_protocol.session import RefereeSession
from donuts_protocol.version import PROTOCOL_VERSION
from donuts_referee.channels.link import (
    Arrival,
    Back,
    Chunk,
    Exit,
    Gone,
    Link,
    Sent,
    Shut,
    StartFailure,
    Stderr,
)
from donuts_referee.table.entrant import Entrant
from donuts_referee.table.finished import Side
from donuts_referee.version import __version__

PATIENCE = 1_000_000_000
"""ns that a bot's stdin may stay full before it is `unread` (DBP-9.6)."""

BROKE = ("crash", "exception")
"""codes of an `error` by which a remote bot, or who carries it, tells that it has broken down"""

FULL_READ = 65536
"""A chunk of this size may have left more behind, which is read before the next turn goes out (DBP-5)."""

Tap: TypeAlias = Callable[[int, int, str, str, bytes], None]
"""Called with game number, ns, bot ("1" or "2"), direction (">" to the bot, "<" from it) and the bytes."""


class Fault(NamedTuple):
    """What a bot did wrong: a code and a sentence."""

    why: str
    text: str
    raw: str = ""


class Said(NamedTuple):
    """One thing that was heard from a player; `at` is the stamp of the read that delivered it."""

    player: "Player"
    what: Move | Resign | Hello | Ready | Pong | Leave | Fault | Back
    at: int


Warn: TypeAlias = Callable[["Player", str, Dropped | Noise], None]
"""Called with a player, a code (noise, late, state or rate) and the line."""


class Player:
    """A bot over all games of a match; `start` makes it anew as often as needed."""

    def __init__(
        self, entrant: Entrant, label: str, tap: Tap | None, warn: Warn, now: Callable[[], int]
    ) -> None:
        self.entrant = entrant
        self.label = label
        self.side = ""
        self.game = 0
        self.link: Link | None = None
        self.session = RefereeSession()
        self.hello: Hello | None = None
        self.ready = False
        self.playing = False
        """`game` was sent to this process, so that `end` is due"""
        self.pending: Fault | None = None
        """a fault between games, charged to the next one"""
        self.failures = 0
        """starts that failed in a row"""
        self.failed: Fault | None = None
        """the last of them"""
        self.parting = ""
        """the code with which this process is sent away, where it earned one"""
        self.announced = 0
        """number of the last game that this process was sent `game` for; 0: none yet"""
        self.broken = False
        """the process is not to be used again: it is ended after the game"""
        self.game_id = 0
        """the id of the last `game` it was sent"""
        self.sent_at = 0
        """when the last pending bytes were through, in ns"""
        self.exit: Exit | None = None
        self.stuck: int | None = None
        """when bytes began to be pending on the link, in ns"""
        self.shut = False
        """this process has closed its stdin"""
        self.heard = False
        """this process has written something to its stdout"""
        self.more = False
        """a read was full: there may be more to read before a turn is sent"""
        self._now = now
        self._tap = tap
        self._warn = warn
        self._warned: set[str] = set()
        self._untapped: list[bytes] = []
        self._last_stderr = Stderr(b"", b"", 0)
        self._raw = ""
        self._complaint: str | None = None
        self._broke: str | None = None
        """what a remote bot said of its own end; with the `bye` after it, it is a crash (DBP-11.18)"""

    # --- life ----------------------------------------------------------------------------------------------------

    @property
    def alive(self) -> bool:
        """True while there is a process or a peer to talk to."""
        return self.link is not None

    def start(self) -> Fault | None:
        """Start the bot; a fault when it cannot be started at all. Raises Shortage, which is no fault of the bot."""
        self.session = RefereeSession()
        self.hello = None
        self.ready = self.playing = self.broken = False
        self.parting = ""
        self.announced = 0
        self.pending = None
        self.stuck = None
        self.more = self.heard = self.shut = False
        self.exit = None
        self._untapped.clear()
        self._last_stderr = Stderr(b"", b"", 0)
        try:
            self.link = self.entrant.open()
        except StartFailure as failure:
            self.exit = Exit(failure.status, None)
            return Fault("start", f"{failure} (exit {failure.status})")
        if (guest := self.entrant.guest) is not None:
            self.session, self.hello = guest.session, guest.hello
            self.announced = (
                -1
            )  # the session's counts are those of an earlier game until this one is announced
        return None

    def new_game(self, number: int, side: str) -> None:
        """Note which game is next and on which side the bot plays it."""
        self.game = number
        self.side = side
        self.ready = False
        self._complaint = self._broke = None
        self._warned.clear()

    @property
    def lost(self) -> int | None:
        """Since when (ns) a remote bot cannot be reached; None: it can, as far as is known."""
        return None if self.link is None else self.link.lost

    @property
    def remains(self) -> bool:
        """True when the bot keeps its seat after the match."""
        return self.entrant.stays and self.alive and not self.broken

    def leave(self) -> None:
        """Let go of a bot that remains; nothing is said to it."""
        self.link = None

    def dismiss(self, why: str) -> None:
        """Say `bye` and hang up; `bury` must follow."""
        if self.link is not None:
            if self.session.encoding is not None:
                version = PROTOCOL_VERSION if why == "version" else None
                self.send(Bye(why=why, min=version, max=version))
            self.link.hang_up()

    def bury(self) -> None:
        """End the process, however long it resists (two seconds at most), and keep how it ended."""
        if self.link is not None:
            link, self.link = self.link, None
            self.exit = link.reap()
            self._tap_pending(self._now())
            self._last_stderr = link.stderr()
        self.ready = self.playing = self.broken = False
        self.stuck = None

    def note(self, fault: Fault) -> None:
        """Remember that after this fault the process is not to be used again, where the code says so."""
        if fault.why == "crash" or WHY[fault.why].consequence is Consequence.REPLACED:
            self.broken = True
            self.parting = self.parting or fault.why

    def postpone(self, fault: Fault | None) -> None:
        """Keep a fault for the next game; None: the bot said `bye`, which is no fault, and is started again."""
        if not self.broken:  # what follows a `bye`, such as the end of the process, belongs to it
            self.pending = fault
            self.parting = "done" if fault is None else fault.why
        self.broken = True

    @property
    def rtt(self) -> int | None:
        """The last round trip to a remote bot, in ns."""
        return None if self.entrant.guest is None else self.entrant.guest.rtt

    @property
    def raw(self) -> str:
        """The line or payload of the event heard last, as safe text."""
        return self._raw

    # --- words ---------------------------------------------------------------------------------------------------

    def send(self, message: RefereeMessage) -> int | None:
        """Send a message; the stamp at which it was handed over, or None while a part is pending."""
        link = self.link
        if link is None:
            return None
        data = self.session.send(message)
        at = link.send(data)
        if at is None:
            if self.stuck is None:
                self.stuck = self._now()
            if self._tap is not None:
                self._untapped.append(data)
        elif self._tap is not None:
            self._tap(self.game, at, self.label, ">", data)
        return at

    def hear(self, arrival: Arrival, said: list[Said]) -> None:
        """Read one arrival of this player's link and add what it means to `said`."""
        kind = type(arrival)
        if kind is Chunk:
            data = arrival.data  # type: ignore[union-attr]
            if self._tap is not None:
                self._tap(self.game, arrival.at, self.label, "<", data)
            self.heard = True
            if len(data) >= FULL_READ:
                self.more = True
            self.session.receive(data, arrival.at)
            self._listen(arrival.at, said)
        elif kind is Sent:
            self.stuck = None
            self.sent_at = arrival.at
            self._tap_pending(arrival.at)
        elif kind is Gone:
            self.session.receive_eof(arrival.at)
            self._listen(arrival.at, said)
            said.append(Said(self, self._ended(), arrival.at))
        elif kind is Shut:
            self.shut = True
        elif kind is Back:
            self.stuck = None
            self.sent_at = arrival.at
            self._untapped.clear()
            said.append(Said(self, Back(arrival.link, arrival.at), arrival.at))

    def _ended(self) -> Fault:
        if self.entrant.guest is None:
            return Fault("crash", "")
        return Fault("disconnect", "its session ended, a new one was begun on its seat")

    def _tap_pending(self, at: int) -> None:
        """Log what was pending: it is through, or never will be."""
        if self._tap is not None:
            for data in self._untapped:
                self._tap(self.game, at, self.label, ">", data)
            self._untapped.clear()

    def _listen(self, at: int, said: list[Said]) -> None:
        session = self.session
        while True:
            try:
                event = session.next_event()
            except RemoteProtocolError as fault:
                said.append(Said(self, Fault(fault.why, fault.text, session.raw), at))
                continue
            if event is None:
                return
            self._sort(event, at, said)

    def _sort(self, event: Message | Dropped | Noise, at: int, said: list[Said]) -> None:
        match event:
            case Move() | Resign() | Ready() | Pong() | Leave():
                if type(event) is Ready:
                    self.ready = True
                elif type(event) is Pong:
                    self._pong(event.id, at)
                elif type(event) is Leave:
                    if self.entrant.guest is not None:
                        self.entrant.guest.left = True
                    if self._broke is not None:
                        said.append(Said(self, Fault("crash", self._broke), at))
                        return
                    self._complaint = f"bye: {shown(event.text or '')}"
                else:
                    self._raw = self.session.raw
                said.append(Said(self, event, at))
            case Hello():
                self.hello = event
                self.send(
                    Welcome(
                        donuts=f"{PROTOCOL_VERSION}-{PROTOCOL_VERSION}",
                        session=os.urandom(16).hex(),
                        caps=self.session.granted,
                        maxline=self.session.maxline,
                        ref=f"donuts-arena/{__version__}",
                    )
                )
                said.append(Said(self, event, at))
            case Dropped(pong=int(id)):
                self._pong(id, at)
            case Dropped():
                self._warn_once(event.why, event)
            case Noise():
                self._warn_once("noise", event)
            case Error():  # recorded, nothing follows from it (DBP-5.9)
                self._complaint = f"error {event.code or '-'}: {shown(event.text or '')}"
                if self.entrant.guest is not None and event.code in BROKE:
                    self._broke = f"{shown(event.text or '')} (told by the bot, {event.code})"
            case Info():
                pass  # kept on the wire log (DBP-6.10)
            case _:  # pragma: no cover - the session returns nothing else
                raise AssertionError(event)

    def _pong(self, id: int, at: int) -> None:
        if self.entrant.guest is not None:
            self.entrant.guest.pong(id, at)

    def _warn_once(self, why: str, what: Dropped | Noise) -> None:
        if why not in self._warned:
            self._warned.add(why)
            self._warn(self, why, what)

    # --- for the record ------------------------------------------------------------------------------------------

    def stderr(self) -> Stderr:
        """What came on stderr of the process that plays or has just ended."""
        return self._last_stderr if self.link is None else self.link.stderr()

    def as_side(self) -> Side:
        """This player as the record of the game keeps it."""
        hello = self.hello
        # Counts begin anew with `game`: a process that was not sent it for this game has only those of the last one.
        stale = self.announced not in (0, self.game)
        counts = Counts(0, 0, 0, 0) if stale else self.session.counts
        stderr = self.stderr()
        cut = max(0, stderr.total - len(stderr.head) - len(stderr.tail))
        told = shown(stderr.head, 8192)
        if cut:
            told += f" [... {cut} bytes ...] "
        told += shown(stderr.tail, 32768)
        return Side(
            bot=self.entrant.bot,
            name=hello.name if hello else None,
            ver=hello.ver if hello else None,
            author=hello.author if hello else None,
            argv=self.entrant.argv,
            digest=self.entrant.digest,
            encoding=self.session.encoding,
            exit_status=self.exit.status if self.exit else None,
            exit_signal=self.exit.signal if self.exit and self.exit.signal != self.exit.sent else None,
            sent_signal=self.exit.sent if self.exit else None,
            stderr=told,
            stderr_bytes=stderr.total,
            said=self._complaint,
            noise=counts.noise,
            first_noise=None if stale else self.session.first_noise,
            late=counts.late,
            state=counts.state,
            rate=counts.rate,
        )
