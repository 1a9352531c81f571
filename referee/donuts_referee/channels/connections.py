"""The connections of a ROUTER: who came, who is a stranger still, and who sends more than it completes (DBP-11.6).

An unfinished multipart message grows a ROUTER without bound, and libzmq shows nothing of it. So the kernel is asked
how many bytes each tcp connection has brought. What has come since all of its messages were read is what it makes us
hold: an unfinished message, or messages faster than we read. A part takes 2 bytes on the wire and 64 or more here.
"""

import os
import select
import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress

import zmq

__all__ = ["Connection", "Connections"]

STRANGERS = 256
"""connections at most that have not said a valid `hello`; when one more comes, the oldest of them is cut"""

STRANGE_FOR = 30_000_000_000
"""ns within which a connection must have said a valid `hello` (DBP-10.4)"""

GRACE = 2_000_000_000
"""ns that a bot has to leave after `bye`"""

UNFINISHED = 98_304
"""bytes at most that a connection may bring beyond the messages that were read; the longest frame has 65536"""

UNFINISHED_IN_ALL = 524_288
"""bytes at most that all of them may; beyond, those that brought most are cut"""

SPARED = 16_384
"""bytes of a bot with a seat that do not count: while it thinks it sends nothing but heartbeats, 16 to 100 bytes a s"""

_TCP_INFO = 11
_RECEIVED_AT = 128
"""offset of tcpi_bytes_received in struct tcp_info, Linux 4.1 and later"""
_LINUX = sys.platform == "linux"
_PEER_ENDED = getattr(select, "POLLRDHUP", 0)

_FAILED = {
    int(zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL): "handshake",
    int(zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL): "protocol",
}
_CRYPTOGRAPHIC = 0x11000001
_MECHANISM = 0x11000002
_ACCEPTED, _DISCONNECTED = int(zmq.EVENT_ACCEPTED), int(zmq.EVENT_DISCONNECTED)
_FAILED_AUTH = int(zmq.EVENT_HANDSHAKE_FAILED_AUTH)


class Connection:
    """One accepted connection."""

    __slots__ = ("cut", "due", "ended", "fd", "ipc", "line", "mark")

    def __init__(self, fd: int, ipc: bool, now: int) -> None:
        self.fd = fd
        """libzmq's descriptor, by which it names the connection"""
        self.line = _share(fd)
        """a descriptor of our own for it: that of libzmq may be another connection's by now"""
        self.ipc = ipc
        self.due = now + STRANGE_FOR
        """when it is cut unless its bot holds a seat, in ns"""
        self.cut = self.ended = False
        self.mark: int | None = 0
        """bytes that it had brought when all of its messages had been read; None: that is so now, note them"""

    def close(self) -> None:
        """Give back our own descriptor."""
        if self.line is not None:
            self.line.close()
            self.line = None


class Connections:
    """All connections of one ROUTER, told by its monitor."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.refused: Counter[str] = Counter()
        """peers that were turned away, by reason"""
        self._now = now
        self._open: dict[int, Connection] = {}
        self._strangers: dict[int, Connection] = {}
        """those whose bots hold no seat, the oldest first"""
        self._ended: list[Connection] = []
        self.alarm = False
        """a connection was cut for what it made us hold, since somebody last set this back"""
        self._failed = ""
        """why the handshake of the connection failed whose end is told next"""

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._open.values()))

    @property
    def strangers(self) -> int:
        """Connections whose bots hold no seat."""
        return len(self._strangers)

    def at(self, fd: int) -> Connection | None:
        """The connection that has this descriptor now."""
        return self._open.get(fd)

    # --- what the monitor tells ------------------------------------------------------------------------------------

    def hear(self, event: int, value: int, endpoint: bytes) -> None:
        """Take one event of the monitor."""
        if event == _ACCEPTED:
            self._end(value)
            connection = Connection(value, endpoint.startswith(b"ipc:"), self._now())
            self._open[value] = self._strangers[value] = connection
            if len(self._strangers) > STRANGERS:
                self.refuse(next(iter(self._strangers.values())), "crowd")
        elif event == _DISCONNECTED:
            self._end(value)
        elif event == _FAILED_AUTH:
            self.refused["key"] += 1
        elif event in _FAILED:
            self._failed = _FAILED[event]
            if self._failed == "protocol" and value in (_CRYPTOGRAPHIC, _MECHANISM):
                self._failed = "key" if value == _CRYPTOGRAPHIC else "mechanism"

    def _end(self, fd: int) -> None:
        """A connection is no more; counts why, where libzmq ended it and not the peer."""
        reason, self._failed = self._failed, ""
        connection = self._open.pop(fd, None)
        if connection is None:
            return
        self._strangers.pop(fd, None)
        if not connection.cut and (reason or not _peer_ended(connection)):
            self.refused[reason or "dropped"] += 1
        connection.ended = True
        connection.close()
        self._ended.append(connection)

    def take_ended(self) -> list[Connection]:
        """The connections that ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    def close(self) -> None:
        """Forget all of them."""
        for connection in self:
            connection.close()

    # --- who may stay ----------------------------------------------------------------------------------------------

    def seat(self, connection: Connection) -> None:
        """Its bot holds a seat."""
        self._strangers.pop(connection.fd, None)

    def expel(self, connection: Connection) -> None:
        """Its bot was sent away: it leaves by itself, or is cut a little later."""
        if self._open.get(connection.fd) is connection and not connection.cut:
            connection.due = self._now() + GRACE
            self._strangers[connection.fd] = connection

    def refuse(self, connection: Connection, reason: str) -> None:
        """Cut a connection and count why."""
        self.refused[reason] += 1
        self.cut(connection)

    def cut(self, connection: Connection) -> None:
        """End a connection under libzmq, which takes it for one that the peer ended."""
        if self._strangers.get(connection.fd) is connection:
            del self._strangers[connection.fd]
        connection.cut = True
        if connection.line is not None:
            with suppress(OSError):
                connection.line.shutdown(socket.SHUT_RDWR)
                while connection.line.recv(65_536, socket.MSG_DONTWAIT):
                    pass  # what the kernel holds already libzmq would still read

    def inspect(self) -> None:
        """Cut whoever has been a stranger for too long, or brings more than is read: that is an alarm."""
        now = self._now()
        for connection in tuple(self._strangers.values()):
            if now > connection.due:
                self.refuse(connection, "silent")
        held: list[tuple[int, Connection]] = []
        for connection in self._open.values():
            if connection.ipc or connection.cut or (brought := _brought(connection)) is None:
                continue
            if connection.mark is None:
                connection.mark = brought
            else:
                spared = 0 if connection.fd in self._strangers else SPARED
                held.append((max(0, brought - connection.mark - spared), connection))
        held.sort(key=lambda pair: pair[0])
        in_all = sum(unfinished for unfinished, _ in held)
        while held and (held[-1][0] > UNFINISHED or in_all > UNFINISHED_IN_ALL):
            unfinished, connection = held.pop()
            in_all -= unfinished
            self.refuse(connection, "unfinished")
            self.alarm = True


def _share(fd: int) -> socket.socket | None:
    """Another descriptor for the same connection; None where it has ended already, or no descriptor is left."""
    try:
        ours = os.dup(fd)
    except OSError:
        return None
    try:
        return socket.socket(fileno=ours)
    except OSError:
        os.close(ours)
        return None


def _peer_ended(connection: Connection) -> bool:
    """Whether the peer has ended the connection, so that libzmq did not do it by itself; True where nobody can tell.

    One that ended before we heard that it had begun is taken for one that libzmq ended.
    """
    if connection.line is None or not _PEER_ENDED:
        return not _PEER_ENDED
    poll = select.poll()
    poll.register(connection.line, _PEER_ENDED)
    return bool(poll.poll(0))


def _brought(connection: Connection) -> int | None:
    """Bytes that a tcp connection has brought so far; None where the system does not tell."""
    if not _LINUX or connection.line is None:
        return None
    try:
        info = connection.line.getsockopt(socket.IPPROTO_TCP, _TCP_INFO, _RECEIVED_AT + 8)
    except OSError:
        return None
    if len(info) < _RECEIVED_AT + 8:
        return None
    received: int = struct.unpack_from("=Q", info, _RECEIVED_AT)[0]
    return received
