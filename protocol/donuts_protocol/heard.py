"""The line of a bot that is being judged: which one it is, and how it is quoted to people (DBP-5.6)."""

from donuts_protocol.discretion import discreet
from donuts_protocol.escape import shown
from donuts_protocol.framing import Encoding, Transport

__all__ = ["HeardLine"]


class HeardLine:
    """The line or payload judged last; secrets are not in it (see `discretion`)."""

    __slots__ = ("_line", "encoding", "number", "transport")

    def __init__(self, transport: Transport) -> None:
        self.transport = transport
        self.encoding: Encoding | None = None
        self.number = 0
        """which line of the connection it is, from 1"""
        self._line = b""

    @property
    def line(self) -> bytes:
        """The bytes."""
        return self._line

    @line.setter
    def line(self, line: bytes) -> None:
        self._line = discreet(line)

    @property
    def raw(self) -> str:
        """The whole line as safe text; a msgpack payload as hexadecimal digits."""
        return self._line.hex() if self.encoding == "msgpack" else shown(self._line, None)

    @property
    def where(self) -> str:
        """Which line it is, in words."""
        if self.transport == "zmq":
            return f"frame {self.number}"
        return f"stdout {'payload' if self.encoding == 'msgpack' else 'line'} {self.number}"

    @property
    def shown(self) -> str:
        """The line as text fit for a terminal, cut."""
        return shown(self._line.hex() if self.encoding == "msgpack" else self._line)

    @property
    def quoted(self) -> str:
        """The same in quotes."""
        return f"'{self.shown}'"
