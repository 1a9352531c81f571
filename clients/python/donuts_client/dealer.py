"""One connection to an arena: a DEALER that connects once, and a monitor that tells what becomes of it (DBP-11.1).

The only module of the client that imports pyzmq.
"""

import struct
from collections.abc import Iterator
from enum import Enum

import zmq

from donuts_protocol.invitation import Invitation

__all__ = ["Dealer", "DealerFault", "News"]

_OPTIONS = {
    # not IMMEDIATE: with it a lost connection takes along what came over it and was not read yet, a last `bye` too
    zmq.SNDTIMEO: 0,
    zmq.HEARTBEAT_IVL: 1000,
    zmq.HEARTBEAT_TIMEOUT: 3000,
    zmq.HANDSHAKE_IVL: 5000,
    zmq.RECONNECT_IVL: 100,
    zmq.RECONNECT_IVL_MAX: 2000,
    zmq.MAXMSGSIZE: 65_536,
    zmq.LINGER: 0,
}

_REFUSED = 400
"""status of an arena that does not let a key in (ZeroMQ RFC 27)"""


class News(Enum):
    """What becomes of a connection."""

    MADE = "made"
    """the handshake is done: words can be sent"""
    MISSED = "missed"
    """nobody is there; it is tried again without our doing"""
    BOTCHED = "botched"
    """the handshake failed: no arena, or the wrong keys, or one end with keys and one without"""
    REFUSED = "refused"
    """the arena does not let this key in"""
    LOST = "lost"
    """the connection is gone"""


_NEWS = {
    zmq.EVENT_HANDSHAKE_SUCCEEDED: News.MADE,
    zmq.EVENT_CONNECT_RETRIED: News.MISSED,
    zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL: News.BOTCHED,
    zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL: News.BOTCHED,
    zmq.EVENT_HANDSHAKE_FAILED_AUTH: News.BOTCHED,
    zmq.EVENT_DISCONNECTED: News.LOST,
}


class DealerFault(Exception):
    """There is no dialling there; the exception's text says why."""


class Dealer:
    """A socket that has begun to connect; none of its methods waits but `wait` and, for `linger` ms, `close`."""

    def __init__(self, invitation: Invitation) -> None:
        """Raises DealerFault where the endpoint or the keys are none."""
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._monitor: zmq.Socket[bytes] | None = None
        try:
            self._connect(invitation)
        except zmq.ZMQError as fault:
            self.close()
            raise DealerFault(fault.strerror or str(fault)) from fault

    def _connect(self, invitation: Invitation) -> None:
        for option, value in _OPTIONS.items():
            self._socket.setsockopt(option, value)
        if "[" in invitation.endpoint:
            self._socket.setsockopt(zmq.IPV6, 1)
        if invitation.server_key and invitation.public_key and invitation.secret_key:
            self._socket.setsockopt(zmq.CURVE_SERVERKEY, invitation.server_key.encode())
            self._socket.setsockopt(zmq.CURVE_PUBLICKEY, invitation.public_key.encode())
            self._socket.setsockopt(zmq.CURVE_SECRETKEY, invitation.secret_key.encode())
        events = 0
        for event in _NEWS:
            events |= event
        self._monitor = self._socket.get_monitor_socket(events)
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        self._socket.connect(invitation.endpoint)

    def wait(self, timeout: int | None) -> None:
        """Until there are frames or news, at most `timeout` ms (None: for ever)."""
        self._poller.poll(timeout)

    def frames(self) -> Iterator[bytes]:
        """The messages that have come in; one of several frames is none (DBP-11.2)."""
        while (parts := _received(self._socket)) is not None:
            if len(parts) == 1:
                yield parts[0]

    def news(self) -> Iterator[News]:
        """What has become of the connection since."""
        while self._monitor is not None and (parts := _received(self._monitor)) is not None:
            event, value = struct.unpack("=HI", parts[0])
            if event == zmq.EVENT_HANDSHAKE_FAILED_AUTH and value == _REFUSED:
                yield News.REFUSED
            else:
                yield _NEWS[zmq.Event(event)]

    def send(self, frame: bytes) -> bool:
        """Hand a frame to ZeroMQ; False where there is no connection, or one that takes no more."""
        if not self._socket.poll(0, zmq.POLLOUT):  # which also lets it see a connection that is new
            return False
        try:
            self._socket.send(frame, zmq.DONTWAIT)
        except zmq.Again:
            return False
        return True

    def close(self, linger: int = 0) -> None:
        """Close the connection; what was sent has `linger` ms to leave."""
        if self._monitor is not None:
            self._socket.disable_monitor()
            self._monitor.close(0)
            self._monitor = None
        self._socket.close(linger)
        self._context.term()


def _received(socket: "zmq.Socket[bytes]") -> list[bytes] | None:
    try:
        return socket.recv_multipart(zmq.DONTWAIT)
    except zmq.Again:
        return None
