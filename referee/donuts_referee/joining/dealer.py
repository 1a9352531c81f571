"""The DEALER with which a bot dials in to an arena: one fresh socket after the other, each connected once (DBP-11.1).

    dealer.dial()
    while (news := dealer.news()):
        ...                         # until there is nothing new: then it is safe to wait for `descriptors()`

libzmq's descriptors are edge-triggered: they stay silent until everything has been looked at, after each send too.
"""

from collections import deque
from enum import Enum
from typing import NamedTuple, TypeAlias

import zmq
from zmq.utils.monitor import parse_monitor_message

from donuts_protocol.invitation import Invitation

__all__ = ["Change", "Dealer", "Frame", "News", "NoWay"]

MAX_FRAME = 65_536
MOST_PENDING = 4096
"""frames that wait for a socket that takes none; who writes more is at fault anyway, and the arena will say so"""

FLUSH = 500
"""ms in which a last word may still go out"""

SILENT = 3000
"""ms without an answer to a heartbeat after which a connection is lost"""

HANDSHAKE = 5000
"""ms within which a connection must stand"""

_EVENTS = zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_HANDSHAKE_FAILED_AUTH


class NoWay(Exception):
    """There is no dialling such an endpoint; the text is one line."""


class Change(Enum):
    """What became of the connection."""

    CONNECTED = "connected"
    LOST = "lost"
    REFUSED = "refused"
    """the arena does not let our key in"""


class Frame(NamedTuple):
    """A message that came; only those of one frame have a meaning (DBP-11.2)."""

    data: bytes


News: TypeAlias = Change | Frame


class Dealer:
    """The socket and its monitor; `close` gives everything back."""

    def __init__(self, invitation: Invitation) -> None:
        self._invitation = invitation
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._context.set(zmq.MAX_SOCKETS, 16)
        self._socket: zmq.Socket[bytes] | None = None
        self._monitor: zmq.Socket[bytes] | None = None
        self._connected = False
        self._pending: deque[bytes] = deque()

    def dial(self) -> None:
        """Leave the present socket, if there is one, and open a fresh one. Raises NoWay."""
        self.drop()
        self._socket = socket = self._context.socket(zmq.DEALER)
        socket.linger = 0
        # Not IMMEDIATE: with it libzmq throws away what a connection brought and nobody had read when it ends, such
        # as the last `bye`. Nothing is sent before a connection stands, and none is used twice.
        socket.sndtimeo = 0
        socket.maxmsgsize = MAX_FRAME
        socket.heartbeat_ivl = 1000
        socket.heartbeat_timeout = SILENT
        socket.handshake_ivl = HANDSHAKE
        socket.reconnect_ivl = 100
        socket.reconnect_ivl_max = 2000
        socket.ipv6 = True
        self._monitor = socket.get_monitor_socket(_EVENTS)
        invitation = self._invitation
        try:
            if invitation.server_key and invitation.public_key and invitation.secret_key:
                socket.curve_serverkey = invitation.server_key.encode()
                socket.curve_publickey = invitation.public_key.encode()
                socket.curve_secretkey = invitation.secret_key.encode()
            socket.connect(invitation.endpoint)
        except zmq.ZMQError as error:
            self.drop()
            raise NoWay(f"there is no dialling {invitation.endpoint}: {error.strerror.lower()}") from None

    def drop(self) -> None:
        """Close the socket; what was sent has half a second to go out. Twice is harmless."""
        socket, monitor = self._socket, self._monitor
        self._socket = self._monitor = None
        if socket is not None and monitor is not None:
            if self._connected:
                self._flush(socket)
            socket.disable_monitor()
            monitor.close(linger=0)
            socket.close(linger=FLUSH if self._connected else 0)
        self._connected = False
        self._pending.clear()

    def close(self) -> None:
        """Close everything, when what was sent is out: within half a second."""
        self.drop()
        self._context.term()

    def descriptors(self) -> tuple[int, ...]:
        """Readable when there may be news; valid until the next `dial` or `drop`."""
        return tuple(int(s.getsockopt(zmq.FD)) for s in (self._socket, self._monitor) if s is not None)

    def send(self, frame: bytes) -> None:
        """Send a frame over the connection; without one it is lost."""
        if self._socket is not None and self._connected and len(self._pending) < MOST_PENDING:
            self._pending.append(frame)
            self._flush(self._socket)

    def news(self) -> list[News]:
        """What happened since the last call, in order."""
        socket, monitor = self._socket, self._monitor
        if socket is None or monitor is None:
            return []
        events = self._hear(monitor)
        news: list[News] = []
        if not self._connected and zmq.EVENT_HANDSHAKE_SUCCEEDED in events:
            del events[: events.index(zmq.EVENT_HANDSHAKE_SUCCEEDED)]
            self._connected = True
            news.append(Change.CONNECTED)
        if self._connected:
            self._flush(socket)
        self._read(socket, news)
        if zmq.EVENT_HANDSHAKE_FAILED_AUTH in events:
            news.append(Change.REFUSED)
        elif zmq.EVENT_DISCONNECTED in events and self._connected:
            # Before a connection stood, libzmq tries again by itself.
            self._connected = False
            self._pending.clear()
            news.append(Change.LOST)
        return news

    def _hear(self, monitor: "zmq.Socket[bytes]") -> list[int]:
        events: list[int] = []
        while True:
            try:
                events.append(int(parse_monitor_message(monitor.recv_multipart(zmq.NOBLOCK))["event"]))
            except zmq.Again:
                return events

    def _read(self, socket: "zmq.Socket[bytes]", news: list[News]) -> None:
        while True:
            try:
                parts = socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            if len(parts) == 1:
                news.append(Frame(parts[0]))

    def _flush(self, socket: "zmq.Socket[bytes]") -> None:
        while self._pending:
            try:
                socket.send(self._pending[0], zmq.NOBLOCK)
            except zmq.Again:
                return
            self._pending.popleft()
