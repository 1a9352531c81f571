"""Answers the question that libzmq asks about each peer of a CURVE endpoint: may it come in (ZAP, ZeroMQ RFC 27)."""

from collections.abc import Callable

import zmq
from zmq.utils.z85 import encode

__all__ = ["Zap"]

VERSION = b"1.0"
KEY_BYTES = 32


class Zap:
    """The handler of a context; it must be there before the first CURVE endpoint is bound."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], admits: Callable[[str], bool]) -> None:
        """`admits` says of a CURVE key (Z85) whether its holder may come in."""
        self.socket = context.socket(zmq.ROUTER)
        self.socket.linger = 0
        self.socket.bind("inproc://zeromq.zap.01")
        self._admits = admits

    def serve(self) -> None:
        """Answer everything that was asked."""
        while True:
            try:
                frames = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            cut = frames.index(b"") + 1
            envelope, request = frames[:cut], frames[cut:]
            status, text, user = self._judge(request)
            request_id = request[1] if len(request) > 1 else b""
            self.socket.send_multipart([*envelope, VERSION, request_id, status, text, user, b""])

    def _judge(self, request: list[bytes]) -> tuple[bytes, bytes, bytes]:
        """Status, its text, and the user id: the key by which the peer is known from now on."""
        if len(request) != 7 or request[0] != VERSION:
            return b"500", b"not a request of ZAP 1.0", b""
        mechanism, key = request[5], request[6]
        if mechanism != b"CURVE" or len(key) != KEY_BYTES:
            return b"400", b"CURVE is required", b""
        name = encode(key)
        if not self._admits(name.decode()):
            return b"400", b"no seat has this key", b""
        return b"200", b"OK", name

    def close(self) -> None:
        """Close the handler."""
        self.socket.close()
