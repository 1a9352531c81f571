"""Who speaks to a ROUTER, from which address, and what libzmq tells of it."""

from typing import TYPE_CHECKING, NamedTuple

import zmq

from donuts_referee.channels.connections import Connection

if TYPE_CHECKING:
    from donuts_referee.channels.router import RouterLink

__all__ = ["Peer", "Received", "is_heard", "later", "loopback", "told"]

AUTOMATIC = 5
"""bytes of an address that libzmq gave; it begins with a zero byte and is never given again"""


class Peer:
    """Whoever speaks from one address of the ROUTER."""

    __slots__ = ("address", "chosen", "connection", "ignored", "key", "link", "local", "refused")

    def __init__(self, address: bytes, connection: Connection, key: str | None, local: bool) -> None:
        self.address = address
        self.chosen = len(address) != AUTOMATIC or address[0] != 0
        """the peer chose its address, so that another may have it later"""
        self.connection = connection
        self.key = key
        """the CURVE key (Z85) that was admitted; None over a plain endpoint"""
        self.local = local
        """on this machine: ipc, or a loopback address"""
        self.link: RouterLink | None = None
        """what it speaks for, once it was greeted"""
        self.refused = 0
        """messages of it that were refused"""
        self.ignored = 0
        """messages of it that were empty"""


class Received(NamedTuple):
    """One message: its payload frames counted, the first of them, and when the read returned (ns)."""

    peer: Peer
    parts: int
    first: bytes
    envelope: bool
    """an empty frame came before the payload, as a REQ socket sends it"""
    at: int


def told(frame: zmq.Frame, what: str) -> str | None:
    """A property of a message, None where it has none."""
    try:
        return str(frame.get(what)) or None
    except (zmq.ZMQError, ValueError):
        return None


def later(address: bytes, other: bytes) -> bool:
    """Whether of two addresses of one descriptor this one is the later: libzmq counts those that it gives.

    One that was chosen is taken for the earlier; no bot chooses any.
    """
    if len(address) != AUTOMATIC or address[0] or len(other) != AUTOMATIC or other[0]:
        return len(address) == AUTOMATIC and not address[0]
    ahead = int.from_bytes(address[1:], "big") - int.from_bytes(other[1:], "big")
    return 0 < ahead % (1 << 32) < 1 << 31


def is_heard(peer: Peer) -> bool:
    """Not when its connection was cut, nor when it has gone and holds no seat."""
    connection = peer.connection
    return not connection.cut and (not connection.ended or peer.link is not None)


def loopback(ip: str) -> bool:
    """Whether an address of the internet is one of this machine."""
    return ip.startswith(("127.", "::ffff:127.")) or ip == "::1"
