"""The connections of a ROUTER: who came, who is a stranger still, and who sends more than it completes (DBP-11.6).

An unfinished multipart message grows a ROUTER without bound, and libzmq shows nothing of it. So the kernel is asked
how many bytes each tcp connection has brought: as parts of one message come in a row, whatever has come since the last
complete message of a connection is what it makes us hold.
"""

import socket
import struct
import sys
from collections import Counter
from collections.abc import Callable, Iterator

import zmq

__all__ = ["Connection", "Connections"]

STRANGERS = 256
"""connections at most that have not said a valid `hello`; more are cut at once"""

STRANGE_FOR = 30_000_000_000
"""ns within which a connection must have said a valid `hello` (DBP-10.4)"""

GRACE = 2_000_000_000
"""ns that a bot has to leave after `bye`"""

UNFINISHED = 1_048_576
"""bytes at most that a connection may bring without completing a message"""

_TCP_INFO = 11
_RECEIVED_AT = 128
"""offset of tcpi_bytes_received in struct tcp_info, Linux 4.1 and later"""
_SO_COOKIE = 57
_LINUX = sys.platform == "linux"

_FAILED = {
    int(zmq.EVENT_HANDSHAKE_FAILED_NO_DETAIL): "handshake",
    int(zmq.EVENT_HANDSHAKE_FAILED_PROTOCOL): "protocol",
    int(zmq.EVENT_HANDSHAKE_FAILED_AUTH): "key",
}
_CRYPTOGRAPHIC = 0x11000001
_MECHANISM = 0x11000002
_ACCEPTED, _DISCONNECTED = int(zmq.EVENT_ACCEPTED), int(zmq.EVENT_DISCONNECTED)


class Connection:
    """One accepted connection."""

    __slots__ = ("address", "cookie", "due", "fd", "greeted", "ipc", "mark")

    def __init__(self, fd: int, ipc: bool, now: int) -> None:
        self.fd = fd
        self.ipc = ipc
        self.greeted = False
        """its bot holds a seat"""
        self.due: int | None = now + STRANGE_FOR
        """when it is cut unless it is greeted, in ns; None: it has been cut for that"""
        self.address: bytes | None = None
        """its address at the ROUTER, once it has sent a message"""
        self.cookie = _cookie(fd)
        """what tells this socket from another that has the same descriptor later"""
        self.mark: int | None = 0
        """bytes that it had brought when its last complete message was read; None: to be noted"""

    def spoke(self, at: int) -> None:
        """A complete message was read."""
        self.mark = None

    def expel(self, now: int) -> None:
        """Its bot was sent away: it leaves by itself, or is cut a little later."""
        self.greeted = False
        self.due = now + GRACE


class Connections:
    """All connections of one ROUTER, told by its monitor."""

    def __init__(self, now: Callable[[], int]) -> None:
        self.refused: Counter[str] = Counter()
        """peers that were turned away, by reason"""
        self._now = now
        self._open: dict[int, Connection] = {}
        self._ended: list[Connection] = []

    def __len__(self) -> int:
        return len(self._open)

    def __iter__(self) -> Iterator[Connection]:
        return iter(tuple(self._open.values()))

    @property
    def strangers(self) -> int:
        """Connections whose bots hold no seat."""
        return sum(not connection.greeted for connection in self._open.values())

    def at(self, fd: int) -> Connection | None:
        """The connection that has this descriptor now."""
        return self._open.get(fd)

    def hear(self, event: int, value: int, endpoint: bytes) -> None:
        """Take one event of the monitor."""
        if event == _ACCEPTED:
            self._end(value)
            self._open[value] = connection = Connection(value, endpoint.startswith(b"ipc:"), self._now())
            if self.strangers > STRANGERS:
                self.refuse(connection, "crowd")
        elif event == _DISCONNECTED:
            self._end(value)
        elif event in _FAILED:
            reason = _FAILED[event]
            if reason == "protocol" and value in (_CRYPTOGRAPHIC, _MECHANISM):
                reason = "key" if value == _CRYPTOGRAPHIC else "mechanism"
            self.refused[reason] += 1

    def take_ended(self) -> list[Connection]:
        """The connections that ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    def _end(self, fd: int) -> None:
        connection = self._open.pop(fd, None)
        if connection is not None:
            self._ended.append(connection)

    def refuse(self, connection: Connection, reason: str) -> None:
        """Cut a connection and count why."""
        self.refused[reason] += 1
        self.cut(connection)

    def cut(self, connection: Connection) -> None:
        """End a connection under libzmq, which takes it for one that the peer ended."""
        if self._open.get(connection.fd) is not connection or _cookie(connection.fd) != connection.cookie:
            return
        held = _socket(connection.fd)
        if held is not None:
            try:
                held.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            finally:
                held.detach()

    def inspect(self) -> None:
        """Cut whoever has been a stranger for too long or brings more than it completes."""
        now = self._now()
        for connection in self:
            if not connection.greeted and connection.due is not None and now > connection.due:
                self.refuse(connection, "silent")
                connection.due = None
            elif not connection.ipc and (brought := _brought(connection.fd)) is not None:
                if connection.mark is None or connection.mark > brought:
                    connection.mark = brought
                elif brought - connection.mark > UNFINISHED:
                    self.refuse(connection, "unfinished")
                    connection.mark = brought


def _socket(fd: int) -> socket.socket | None:
    try:
        return socket.socket(fileno=fd)
    except OSError:
        return None


def _cookie(fd: int) -> bytes:
    return _option(fd, socket.SOL_SOCKET, _SO_COOKIE, 8) or b""


def _brought(fd: int) -> int | None:
    """Bytes that a tcp connection has brought so far; None where the system does not tell."""
    info = _option(fd, socket.IPPROTO_TCP, _TCP_INFO, _RECEIVED_AT + 8)
    if info is None or len(info) < _RECEIVED_AT + 8:
        return None
    received: int = struct.unpack_from("=Q", info, _RECEIVED_AT)[0]
    return received


def _option(fd: int, level: int, option: int, size: int) -> bytes | None:
    if not _LINUX:
        return None
    held = _socket(fd)
    if held is None:
        return None
    try:
        return held.getsockopt(level, option, size)
    except OSError:
        return None
    finally:
        held.detach()
