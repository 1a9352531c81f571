"""A peer that speaks ZMTP 3.1 over a plain socket, and so can say what no ZeroMQ library would (ZeroMQ RFC 37)."""

import select
import socket
import struct
import time
from types import TracebackType
from typing import Self

__all__ = ["Raw", "frame", "greeting", "ready"]

MORE, LONG, COMMAND = 1, 2, 4
PING, PONG = b"\4PING", b"\4PONG"

PATIENCE = 60.0
"""seconds for one read or write, and for one message: heartbeats may come for ever where none does"""


def frame(body: bytes, flags: int = 0) -> bytes:
    """One frame as it goes over the wire."""
    if len(body) < 256:
        return bytes((flags, len(body))) + body
    return struct.pack("!BQ", flags | LONG, len(body)) + body


def greeting(mechanism: str = "NULL") -> bytes:
    """What each side says first."""
    return b"\xff" + bytes(8) + b"\x7f" + b"\3\1" + mechanism.encode().ljust(20, b"\0") + bytes(32)


def ready(identity: bytes = b"") -> bytes:
    """The command that ends a handshake without security."""
    told = ((b"Socket-Type", b"DEALER"), (b"Identity", identity))
    properties = (bytes((len(name),)) + name + struct.pack("!I", len(value)) + value for name, value in told)
    return frame(b"\5READY" + b"".join(properties), COMMAND)


class Raw:
    """One connection to a port of this machine; it says nothing by itself, but answers heartbeats while it reads."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._read = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connection."""
        self.line.close()

    def write(self, data: bytes) -> bool:
        """Send bytes; False when the other side has ended the connection."""
        try:
            self.line.sendall(data)
        except (ConnectionError, TimeoutError):
            return False
        return True

    def shake(self, identity: bytes = b"", mechanism: str = "NULL") -> Self:
        """Say all of the handshake at once, and wait for the other side's."""
        self.write(greeting(mechanism) + ready(identity))
        assert self._take(64) is not None
        assert self._frame() is not None
        return self

    def say(self, *parts: bytes) -> bool:
        """Send one message; False as for `write`."""
        *firsts, last = parts
        return self.write(b"".join(frame(part, MORE) for part in firsts) + frame(last))

    def pour(self, block: bytes, most: int) -> int:
        """Send the block again and again, as fast as it goes, until cut; returns the bytes, at most about `most`.

        A write alone would not tell: the system may let it wait for ever once the other side has ended.
        """
        self.line.setblocking(False)
        poll = select.poll()
        poll.register(self.line, select.POLLIN | select.POLLOUT | select.POLLRDHUP)
        view, poured = memoryview(block), 0
        while poured < most:
            told = poll.poll(PATIENCE * 1000)
            assert told, "neither cut nor read"
            if told[0][1] & (select.POLLRDHUP | select.POLLHUP | select.POLLERR):
                break
            try:
                if told[0][1] & select.POLLIN:
                    self.line.recv(65536)
                poured += self.line.send(view[poured % len(block) :])
            except BlockingIOError:
                pass
            except ConnectionError:
                break
        return poured

    def hear(self) -> list[bytes] | None:
        """The parts of the next message, heartbeats answered before it; None when the connection has ended."""
        parts: list[bytes] = []
        ends = time.monotonic() + PATIENCE
        while True:
            assert time.monotonic() < ends, f"neither cut nor told anything but heartbeats; parts: {parts}"
            found = self._frame()
            if found is None:
                return None
            flags, body = found
            if flags & COMMAND:
                if body.startswith(PING):
                    self.write(frame(PONG + body[len(PING) + 2 :], COMMAND))
                continue
            parts.append(body)
            if not flags & MORE:
                return parts

    def until_cut(self) -> list[bytes]:
        """Read until the other side ends the connection; the first part of each message that came before."""
        heard: list[bytes] = []
        ends = time.monotonic() + 2 * PATIENCE
        while (message := self.hear()) is not None:
            heard.append(message[0])
            assert time.monotonic() < ends, (
                f"waited in vain to be cut; {len(heard)} messages, last {heard[-1]!r}"
            )
        return heard

    def _frame(self) -> tuple[int, bytes] | None:
        head = self._take(2)
        if head is None:
            return None
        flags, size = head
        if flags & LONG:
            rest = self._take(7)
            if rest is None:
                return None
            size = int.from_bytes(head[1:] + rest, "big")
        body = self._take(size)
        return None if body is None else (flags, body)

    def _take(self, count: int) -> bytes | None:
        while len(self._read) < count:
            try:
                more = self.line.recv(65536)
            except ConnectionError:
                return None
            if not more:
                return None
            self._read += more
        taken, self._read = self._read[:count], self._read[count:]
        return taken
