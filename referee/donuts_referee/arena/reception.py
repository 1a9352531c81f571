"""Where whoever dials in is greeted: seated, taken back, or sent away, and heard while it plays no game (DBP-11).

What bots say within a match is handed on as arrivals; all else ends here. Every peer that is refused is counted with
the reason.
"""

import os
from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Protocol

from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.events import Dropped
from donuts_protocol.framing import MAX_BYTES
from donuts_protocol.messages import Bye, Error, Hello, Leave, Pong, RefereeMessage, Welcome
from donuts_protocol.session import RefereeSession
from donuts_protocol.version import PROTOCOL_VERSION
from donuts_referee.arena.seating import Refusal, Seating
from donuts_referee.channels.link import Arrival, Chunk, Gone
from donuts_referee.channels.peer import Peer, Received
from donuts_referee.channels.router import Router, RouterLink
from donuts_referee.table.guest import Guest
from donuts_referee.version import __version__

__all__ = ["Host", "Reception", "Seated"]

STAYS_AWAY = 60_000_000_000
"""ns that a session lives between games while its bot is away (DBP-11.10)"""

PING_EVERY = 5_000_000_000
"""ns between two pings of one session (DBP-11.7)"""

PATIENCE = 10
"""messages of a stranger that are refused, and sessions that end, before a connection is cut"""

MOST_PARTS = 64
"""payload frames of one message that are taken for a mistake; whoever sends more is cut at once"""

SENT_AWAY = frozenset(("benched", "fault", "kicked", "seat", "timeout"))
"""why sessions end that count as refused; the whys of DBP-9 are counted where they are found"""

IGNORED = 1000
"""empty messages that are ignored before a connection is cut; a guest's are counted anew with each ping"""


class Seated(Guest):
    """A guest of the arena."""

    def __init__(
        self, name: str, link: RouterLink, session: RefereeSession, hello: Hello, token: str, now: int
    ) -> None:
        super().__init__(name, link, session, hello)
        self.remote: RouterLink = link
        self.token = token
        self.claim: object = None
        """what its seat was claimed by (see `Seating.claim`)"""
        self.playing = False
        """a match has it: what it says is handed on"""
        self.free_since = now
        """when it last came free, in ns"""
        self.beat = now
        """when it is to be pinged next, in ns"""

    def ping(self, now: int) -> bool:
        """See `Guest.ping`; the next one is due a while after the last that was sent."""
        sent = super().ping(now)
        if sent:
            self.beat = now + PING_EVERY
        return sent


class Host(Protocol):
    """Who owns the seats: is told who comes and goes, and may turn anyone away."""

    def welcomes(self, seat: str, hello: Hello) -> None:
        """Raises Refusal when nobody, or not this one, can sit down now."""
        ...

    def came(self, guest: Seated) -> None:
        """A bot sat down; a session began."""
        ...

    def went(self, guest: Seated, why: str) -> None:
        """A bot's session ended: a word of `bye`, "left" (it said `bye`), or "away"."""
        ...


class Reception:
    """Greets strangers and keeps the sessions of those who were seated."""

    def __init__(self, router: Router, seating: Seating, host: Host, now: Callable[[], int]) -> None:
        self.router = router
        self.seating = seating
        self.guests: dict[str, Seated] = {}
        """who holds a seat, by its name"""
        self.stirred = False
        """a bot that plays no game has given a sign of life since this was last looked at"""
        self._host = host
        self._now = now
        self._sessions: dict[bytes, Seated] = {}
        self._holders: dict[RouterLink, Seated] = {}

    # --- what comes ----------------------------------------------------------------------------------------------

    def hear(self, received: Received) -> Iterator[Arrival]:
        """Take one message; what concerns a match comes out."""
        peer = received.peer
        if not received.first and received.parts == 1 and not received.envelope:
            self._ignore(peer)  # DBP-11.2
            return
        if received.parts > MOST_PARTS:
            self.router.connections.refuse(peer.connection, "frames")
            return
        if peer.link is None:
            yield from self._stranger(received)
            return
        guest = self._holders[peer.link]
        data = received.first
        if received.parts > 1 or received.envelope:
            guest.session.receive_split(received.parts + received.envelope, data, received.at)
            data = b""
        if guest.playing:
            yield Chunk(peer.link, data, received.at)
        else:
            guest.session.receive(data, received.at)
            self._listen(guest, received.at)

    def _ignore(self, peer: Peer) -> None:
        peer.ignored += 1
        if peer.ignored == IGNORED:
            self.router.connections.refuse(peer.connection, "flood")

    def _listen(self, guest: Seated, at: int) -> None:
        """What a bot says that plays no game: only signs of life and farewells mean anything (DBP-11.17)."""
        while True:
            try:
                event = guest.session.next_event()
            except RemoteProtocolError as fault:
                self.router.connections.refused[fault.why] += 1
                self._tell(guest, Error(id=None, code=fault.why, text=fault.text[:200]))
                self.end(guest, fault.why)
                return
            match event:
                case None:
                    return
                case Pong(id=int(id)) | Dropped(pong=int(id)):
                    guest.pong(id, at)
                    self.stirred = True
                case Leave():
                    self.end(guest, "left", bye="done")
                    return
                case _:
                    pass  # noise and warnings are of no game

    # --- strangers -----------------------------------------------------------------------------------------------

    def _stranger(self, received: Received) -> Iterator[Arrival]:
        peer, data = received.peer, received.first
        newcomer = RefereeSession(transport="zmq")
        newcomer.receive(data[: MAX_BYTES + 1], received.at)
        if received.envelope:
            text = "an empty frame came first, as REQ sockets send it; connect a DEALER and send one frame a message"
            self._refuse(peer, newcomer, "frames", text, envelope=True)
        elif received.parts > 1:
            text = f"a message is one frame, not {received.parts}"
            self._refuse(peer, newcomer, "frames", text)
        elif len(data) > MAX_BYTES:
            self._refuse(peer, newcomer, "flood", f"a frame has {MAX_BYTES} bytes at most, not {len(data)}")
        else:
            yield from self._first_word(peer, newcomer, data)

    def _first_word(self, peer: Peer, newcomer: RefereeSession, data: bytes) -> Iterator[Arrival]:
        try:
            event = newcomer.next_event()
        except RemoteProtocolError as fault:
            if fault.why == "version":
                bye = Bye(why="version", min=PROTOCOL_VERSION, max=PROTOCOL_VERSION)
                self._refuse(peer, newcomer, "version", fault.text, bye)
            elif _is_hello(data):
                self._refuse(peer, newcomer, "start", fault.text, Bye(why="start"))
            else:
                self._refuse(
                    peer, newcomer, "hello", "who are you? say hello, with your session if you have one"
                )
            return
        if isinstance(event, Hello):
            try:
                yield from self._greet(peer, newcomer, event)
            except Refusal as refusal:
                self._refuse(peer, newcomer, refusal.code, refusal.text, Bye(why=refusal.code))
        else:
            self._refuse(peer, newcomer, "hello", "say hello first, with your session if you have one")

    def _refuse(
        self,
        peer: Peer,
        newcomer: RefereeSession,
        code: str,
        text: str,
        bye: Bye | None = None,
        *,
        envelope: bool = False,
    ) -> None:
        """Tell a stranger why it cannot be seated, and count it; one that goes on and on is cut."""
        router = self.router
        router.connections.refused[code] += 1
        router.send(peer, newcomer.send(Error(id=None, code=code, text=text[:200])), envelope=envelope)
        if bye is not None:
            router.send(peer, newcomer.send(bye), envelope=envelope)
        self._lose_patience(peer)

    def _lose_patience(self, peer: Peer) -> None:
        peer.refused += 1
        if peer.refused >= PATIENCE:
            self.router.cut(peer)

    # --- seats ---------------------------------------------------------------------------------------------------

    def _greet(self, peer: Peer, newcomer: RefereeSession, hello: Hello) -> Iterator[Arrival]:
        known = None if hello.session is None else self._sessions.get(_digest(hello.session))
        seat = self.seating.seat_of(hello, peer.key, None if known is None else known.name)
        if (
            known is not None
            and not known.remote.ended
            and (known.name, known.hello.ver) == (seat, hello.ver)
        ):
            yield from self._take_back(known, peer, newcomer)
            return
        self._host.welcomes(seat, hello)
        holder = self.guests.get(seat)
        if holder is not None:
            if holder.playing:
                yield Gone(holder.remote, self._now())
            self.end(holder, "replaced")
        token = os.urandom(16).hex()
        link = RouterLink(self.router, peer)
        link.send(newcomer.send(_welcome(newcomer, token, seat)))
        guest = Seated(seat, link, newcomer, hello, token, self._now())
        self.guests[seat] = self._sessions[_digest(token)] = self._holders[link] = guest
        guest.claim = self.seating.claim(seat)
        self._seat(peer)
        guest.ping(self._now())
        self._host.came(guest)

    def _take_back(self, guest: Seated, peer: Peer, newcomer: RefereeSession) -> Iterator[Arrival]:
        """The bot of a session is back; the newest connection wins (DBP-11.10)."""
        back = guest.remote.rejoin(peer)
        guest.remote.send(newcomer.send(_welcome(newcomer, guest.token, guest.name)))
        guest.session.rejoin(newcomer)
        guest.pinged = None
        guest.beat = self._now()
        self._seat(peer)
        if guest.playing:
            yield back

    def _seat(self, peer: Peer) -> None:
        self.router.connections.seat(peer.connection)

    def end(self, guest: Seated, why: str, *, bye: str | None = None, text: str | None = None) -> None:
        """End a session: the bot is told `bye` (after an `error` with `text`), unless it was, and its seat is free.

        A match that it plays goes on with a dead link; a `Gone` tells it so.
        """
        if self.guests.get(guest.name) is not guest:
            return
        del self.guests[guest.name], self._sessions[_digest(guest.token)], self._holders[guest.remote]
        if why in SENT_AWAY:
            self.router.connections.refused[why] += 1
        peer = guest.remote.peer
        if not guest.remote.ended:
            last = RefereeSession(transport="zmq")
            last.rejoin(guest.session)  # the session itself is still the match's, if there is one
            if text is not None:
                self.router.send(peer, last.send(Error(id=None, code=bye or why, text=text[:200])))
            self.router.send(peer, last.send(Bye(why=bye or why)))
            guest.link.hang_up()
        if peer.link is guest.remote:
            peer.link = None
        self.router.connections.expel(peer.connection)
        self._lose_patience(peer)
        self._host.went(guest, why)

    def _tell(self, guest: Seated, message: RefereeMessage) -> None:
        guest.link.send(guest.session.send(message))

    # --- the passing of time ---------------------------------------------------------------------------------------

    def attend(self, now: int) -> None:
        """Ping whom nothing is asked of, and give up those who stay away between games."""
        for guest in tuple(self.guests.values()):
            lost = guest.link.lost
            if lost is not None:
                if not guest.playing and now - lost > STAYS_AWAY:
                    self.end(guest, "away")
            elif now >= guest.beat:
                guest.ping(now)
                guest.remote.peer.ignored = 0


def _welcome(newcomer: RefereeSession, token: str, seat: str) -> Welcome:
    return Welcome(
        donuts=f"{PROTOCOL_VERSION}-{PROTOCOL_VERSION}",
        session=token,
        caps=newcomer.granted,
        maxline=newcomer.maxline,
        ref=f"donuts-arena/{__version__}",
        name=seat[:40],
    )


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()


def _is_hello(data: bytes) -> bool:
    """Whether a message that cannot be used was meant as `hello`, in either encoding."""
    return data.startswith(b"hello") or b"\xa1t\xa5hello" in data[:64]
