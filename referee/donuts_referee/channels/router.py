"""The ROUTER that bots dial in to: frames with the facts about who sent them, and links to single peers (DBP-11.1).

One socket serves all endpoints. Plain ones are bound before CURVE is switched on, so a peer that came in over a CURVE
endpoint was admitted by `zap`. What happens to connections is learnt from the socket's monitor; a frame's own
connection from libzmq's property of it, once for each new address.
"""

import os
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import NamedTuple

import zmq
from zmq.utils.monitor import parse_monitor_message

from donuts_referee.channels.connections import Connection, Connections
from donuts_referee.channels.link import Arrival, Away, Back, Exit, Sent, Stderr
from donuts_referee.channels.peer import Peer, Received, is_heard, later, loopback, told

__all__ = ["BindFault", "Keys", "Router", "RouterLink"]

HIGH_WATER = 64
"""messages that wait for a peer which does not read

What waits for us has no such mark: libzmq 4.3.5 ends the process (`!_io_error`) when a peer goes away while its
messages are at the mark and a heartbeat is due. It is bounded in bytes, by `Connections.inspect`.
"""

MAX_FRAME = 65_536
"""bytes that libzmq lets through; 4096 are judged by the session, so that `flood` has a name"""

BACKLOG = 1024
"""connections that may wait until libzmq takes them: in a crowd a bot would else have to try again after a second"""

RECEIVE_BUFFER = 16_384
"""bytes that the kernel is to hold for us of each connection: what is in there when one is cut is still read"""

BEGIN = zmq.NOBLOCK | zmq.SNDMORE
"""sends a frame that others follow"""

MONITOR = "inproc://donuts.monitor"

READABLE = int(zmq.POLLIN)
"""a bare number: the arithmetic of zmq's flags costs more than the question"""

BATCH = 512
"""messages that are read at most before games are looked after"""

BATCH_PARTS = 1024
"""frames after the first of a message that are read at most before that"""

INSPECT_AT = 4096
"""frames of one message after which all connections are inspected: to read them takes its time"""

REMEMBERED = 1_000_000_000
"""ns for which a peer that has gone is known: messages of it may still come, and its descriptor be another's"""


class BindFault(Exception):
    """An endpoint cannot be opened; the text is one line."""


class Keys(NamedTuple):
    """The referee's own CURVE keys, Z85."""

    public: str
    secret: str


class Router:
    """The socket, its monitor, and the peers behind it."""

    def __init__(
        self, context: zmq.Context[zmq.Socket[bytes]], now: Callable[[], int] = time.monotonic_ns
    ) -> None:
        self.now = now
        self.socket = socket = context.socket(zmq.ROUTER)
        socket.router_mandatory = True
        socket.sndtimeo = 0
        socket.sndhwm = HIGH_WATER
        socket.rcvhwm = 0
        socket.backlog = BACKLOG
        socket.maxmsgsize = MAX_FRAME
        socket.heartbeat_ivl = 1000
        socket.heartbeat_timeout = 3000
        socket.handshake_ivl = 5000
        socket.linger = 500
        socket.rcvbuf = RECEIVE_BUFFER
        self.monitor = context.socket(zmq.PAIR)
        self.monitor.rcvhwm = 0  # with a bound, libzmq's own thread would wait for us, and `close` for it
        socket.monitor(MONITOR, zmq.EVENT_ALL)
        self.monitor.connect(MONITOR)
        self.connections = Connections(now)
        self.drained = True
        """the last `receive` left nothing behind"""
        self._peers: dict[bytes, Peer] = {}
        self._heard: set[Connection] = set()
        """of whom messages were read since the last time that nothing was left"""
        self._speakers: dict[Connection, Peer] = {}
        """who was heard over each connection"""
        self._away: list[Arrival] = []
        self._behind = now() - REMEMBERED
        """when messages were left unread last"""
        self._gone: deque[tuple[int, Peer]] = deque()
        """who has gone, and until when it is remembered"""
        self._pending: list[RouterLink] = []

    # --- endpoints -----------------------------------------------------------------------------------------------

    def bind(self, endpoint: str, keys: Keys | None = None) -> str:
        """Open an endpoint; returns it with the port that was taken. Plain ones first. Raises BindFault."""
        socket = self.socket
        if keys is not None:
            socket.curve_secretkey = keys.secret.encode()
            socket.curve_publickey = keys.public.encode()
            socket.curve_server = True
            socket.zap_domain = b"donuts"
        socket.ipv6 = "[" in endpoint
        try:
            socket.bind(endpoint)
        except zmq.ZMQError as error:
            remedy = (
                "is another arena running? name another port"
                if error.errno == zmq.EADDRINUSE
                else "name another"
            )
            reason = os.strerror(error.errno or 0).lower()
            raise BindFault(f"cannot listen at {endpoint}: {reason}; {remedy}") from None
        return socket.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0")

    def close(self) -> None:
        """Close the socket; what is still to be sent has half a second."""
        self.socket.disable_monitor()
        self.monitor.close(linger=0)
        self.socket.close()
        self.connections.close()

    # --- what comes ----------------------------------------------------------------------------------------------

    def receive(self) -> Iterator[Received]:
        """The messages that are there, at most BATCH; `drained` says afterwards whether that was all."""
        recv, now, peers, heard = self.socket.recv, self.now, self._peers, self._heard
        self.drained = False
        spare = BATCH_PARTS
        for number in range(BATCH):
            if number == 1 and not self.readable:
                break  # after most wake-ups there is one message, and to ask costs half of a vain attempt
            try:
                address = recv(zmq.NOBLOCK)
            except zmq.Again:
                break
            peer = peers.get(address)
            if peer is not None and not peer.chosen:
                first = recv(zmq.NOBLOCK)
            else:
                frame = self.socket.recv(zmq.NOBLOCK, copy=False)
                peer, first = self._find(address, int(frame.get(zmq.SRCFD)), frame), frame.bytes
            at = now()
            parts, envelope = 1, False
            more = self.socket.getsockopt(zmq.RCVMORE)
            while more:
                part = recv(zmq.NOBLOCK)
                more = self.socket.getsockopt(zmq.RCVMORE)
                if parts == 1 and not first and not envelope:
                    first, envelope = part, True
                else:
                    parts += 1
                    if parts % INSPECT_AT == 0:
                        self.connections.inspect()
            if peer is not None and is_heard(peer):
                heard.add(peer.connection)
                yield Received(peer, parts, first, envelope, at)
            spare -= parts - 1
            if spare < 0:
                self._fall_behind()
                return
        else:
            self._fall_behind()
            return
        self.drained = True
        for connection in heard:
            connection.mark = None
        heard.clear()

    def _fall_behind(self) -> None:
        """More came than is read in one go: see at once who sends so much, and forget nobody for now."""
        self.connections.inspect()
        self._behind = self.now()

    @property
    def readable(self) -> bool:
        """Whether a message waits; to be asked before a wait on the descriptor, which sending may have silenced."""
        return bool(int(self.socket.get(zmq.EVENTS)) & READABLE)

    def _find(self, address: bytes, fd: int, frame: zmq.Frame) -> Peer | None:
        """Who sent a message, by what libzmq tells of it; None when it has gone before it was known.

        The monitor is heard first, as it tells of the end of a connection before its address and descriptor can be
        another's. What is left of one that has gone is never taken for a message of whoever has its descriptor now.
        """
        self._hear_monitor()
        connection, peer = self.connections.at(fd), self._peers.get(address)
        if peer is not None and not peer.connection.ended:
            return peer
        if connection is None or (peer is not None and peer.connection.fd == fd):
            return None
        speaker = self._speakers.get(connection)
        if speaker is not None:
            if not later(address, speaker.address):
                return None
            self._part(speaker)
        local = connection.ipc or loopback(told(frame, "Peer-Address") or "")
        peer = Peer(address, connection, told(frame, "User-Id"), local)
        self._peers[address] = self._speakers[connection] = peer
        return peer

    def _part(self, peer: Peer) -> None:
        """The peer has gone."""
        now = self.now()
        self._gone.append((now + REMEMBERED, peer))
        link = peer.link
        if link is not None and link.peer is peer and link.lost is None:
            link.lost = now
            self._away.append(Away(link, now))

    def events(self, *, told: bool = True) -> list[Arrival]:
        """What became of connections since the last call: links whose peer is away; `told`: the monitor spoke."""
        if told:
            self._hear_monitor()
        for connection in self.connections.take_ended():
            peer = self._speakers.pop(connection, None)
            if peer is not None:
                self._part(peer)
        while self._gone and max(self._gone[0][0], self._behind + REMEMBERED) < self.now():
            self.forget(self._gone.popleft()[1])
        arrivals, self._away = self._away, []
        return arrivals

    def _hear_monitor(self) -> None:
        monitor, hear = self.monitor, self.connections.hear
        while True:
            try:
                message = monitor.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            event = parse_monitor_message(message)
            hear(int(event["event"]), int(event["value"]), event["endpoint"])

    def forget(self, peer: Peer) -> None:
        """Take the peer for a stranger from now on."""
        if self._peers.get(peer.address) is peer:
            del self._peers[peer.address]

    # --- what goes -----------------------------------------------------------------------------------------------

    def send(self, peer: Peer, data: bytes, *, envelope: bool = False) -> bool | None:
        """Send one message: True when libzmq took it, False when the peer does not read, None when it is away."""
        send = self.socket.send
        try:
            send(peer.address, BEGIN)
            if envelope:
                send(b"", BEGIN)
            send(data, zmq.NOBLOCK)
        except zmq.Again:
            return False
        except zmq.ZMQError as error:
            if error.errno == zmq.EHOSTUNREACH:
                return None
            raise
        return True

    def cut(self, peer: Peer) -> None:
        """End the peer's connection."""
        self.connections.cut(peer.connection)

    def await_sending(self, link: "RouterLink") -> None:
        """Try again, at each `flush`, to send what is pending on a link."""
        if link not in self._pending:
            self._pending.append(link)

    def flush(self) -> list[Arrival]:
        """Go on with what is pending; a `Sent` for each link that has nothing more."""
        arrivals: list[Arrival] = []
        for link in tuple(self._pending):
            if link.flush():
                self._pending.remove(link)
                arrivals.append(Sent(link, self.now()))
        return arrivals

    @property
    def pending(self) -> bool:
        """True while a peer does not read: look again soon, since nothing tells when it does."""
        return bool(self._pending)


class RouterLink:
    """A link to a bot that dialled in; over one connection after the other (see `link.Link`)."""

    def __init__(self, router: Router, peer: Peer) -> None:
        self.lost: int | None = None
        self.peer = peer
        self.ended = False
        """hung up: the bot was sent away"""
        self._router = router
        self._pending: deque[bytes] = deque()
        peer.link = self

    def send(self, data: bytes) -> int | None:
        """See `Link.send`. What cannot be delivered starts its clock at the attempt, and is not kept (DBP-11.11)."""
        if self.ended:
            return self._router.now()
        if self._pending:
            self._pending.append(data)
            return None
        taken = self._router.send(self.peer, data)
        if taken is False:
            self._pending.append(data)
            self._router.await_sending(self)
            return None
        at = self._router.now()
        if taken is None and self.lost is None:
            self.lost = at
        return at

    def flush(self) -> bool:
        """Send what is pending; True when nothing is left of it."""
        while self._pending and not self.ended:
            taken = self._router.send(self.peer, self._pending[0])
            if taken is False:
                return False
            if taken is None:
                self.lost = self._router.now() if self.lost is None else self.lost
                self._pending.clear()
                return True
            self._pending.popleft()
        return True

    def rejoin(self, peer: Peer) -> Back:
        """Go on with the bot at another address; the old one is a stranger's, and its connection is ended."""
        old, self.peer = self.peer, peer
        if old is not peer:
            old.link = None
            self._router.forget(old)
            self._router.cut(old)
        peer.link = self
        self.lost = None
        self._pending.clear()
        return Back(self, self._router.now())

    def hang_up(self) -> None:
        """See `Link.hang_up`: the peer is a stranger again."""
        if not self.ended:
            self.ended = True
            self._pending.clear()
            self.peer.link = None

    def reap(self) -> Exit:
        """See `Link.reap`; there is no process of ours."""
        self.hang_up()
        return Exit(None, None)

    def stderr(self) -> Stderr:
        """See `Link.stderr`; a remote bot has none that we could read."""
        return Stderr(b"", b"", 0)
