"""Cuts a stream into lines or payloads, and puts them together again; knows nothing of what is in them (DBP-2).

A framer is fed bytes as they come, in any chunking, and hands out what is complete, one at a time, so that each line
can be judged before the next one is looked at. It holds at most one unfinished line and what was fed since.
"""

from collections import deque
from typing import Literal, NamedTuple, Protocol, TypeAlias

MAX_BYTES = 4096
"""Bytes of the longest line before its LF, and of the longest payload after its prefix."""

Encoding: TypeAlias = Literal["text", "msgpack"]
Transport: TypeAlias = Literal["stdio", "zmq"]

_PREFIX = 4


class Flood(NamedTuple):
    """A line or payload that is too long, or too short; nothing after it can be read."""

    text: str
    """a sentence with the numbers"""
    start: bytes
    """the first bytes of it"""


class Framer(Protocol):
    """What the three framers have in common."""

    def feed(self, data: bytes) -> None:
        """Take the bytes that one read (in ZeroMQ: one frame) returned."""
        ...

    def next(self) -> bytes | Flood | None:
        """The next complete line or payload, without its LF or prefix; None when there is none yet."""
        ...

    def rest(self) -> bytes:
        """The unfinished bytes at the end."""
        ...


class LineFramer:
    """Lines that end with LF."""

    def __init__(self, maximum: int = MAX_BYTES) -> None:
        self._maximum = maximum
        self._data = b""
        self._at = 0
        self._skipping = False

    def feed(self, data: bytes) -> None:
        """Take the bytes that one read returned."""
        self._data = self._data[self._at :] + data if self._at < len(self._data) else data
        self._at = 0

    def next(self) -> bytes | Flood | None:
        """The next line without its LF, if it is complete; Flood as soon as a line is too long."""
        at = self._at
        if at >= len(self._data):
            return None
        if self._skipping:
            self._skip()
            at = self._at
        end = self._data.find(b"\n", at, at + self._maximum + 1)
        if end >= 0:
            self._at = end + 1
            return self._data[at:end]
        if len(self._data) - at > self._maximum:
            return Flood(f"a line is longer than {self._maximum} bytes", self._data[at : at + self._maximum])
        return None

    def skip(self) -> None:
        """After a Flood: drop that line, the bytes of it that are still to come included."""
        self._skipping = True

    def _skip(self) -> None:
        end = self._data.find(b"\n", self._at)
        self._skipping = end < 0
        self._at = len(self._data) if end < 0 else end + 1

    def rest(self) -> bytes:
        """The line without an LF at the end."""
        return self._data[self._at :]


class PrefixFramer:
    """Payloads behind a length: u32, big-endian."""

    def __init__(self, maximum: int = MAX_BYTES) -> None:
        self._maximum = maximum
        self._data = b""
        self._at = 0

    def feed(self, data: bytes) -> None:
        """Take the bytes that one read returned."""
        self._data = self._data[self._at :] + data if self._at < len(self._data) else data
        self._at = 0

    def next(self) -> bytes | Flood | None:
        """The next payload without its prefix, if it is complete; Flood as soon as a length is out of bounds."""
        start = self._at + _PREFIX
        if len(self._data) < start:
            return None
        prefix = self._data[self._at : start]
        length = int.from_bytes(prefix, "big")
        if not 1 <= length <= self._maximum:
            text = f"a payload has 1 to {self._maximum} bytes, not {length} as its prefix {prefix.hex()} says"
            return Flood(text, self._data[self._at : self._at + self._maximum])
        end = start + length
        if len(self._data) < end:
            return None
        self._at = end
        return self._data[start:end]

    def rest(self) -> bytes:
        """The unfinished payload at the end, with its prefix."""
        return self._data[self._at :]


class FrameFramer:
    """ZeroMQ, where a frame is whole; from a text frame one LF or CRLF is taken off its end (DBP-2.10)."""

    def __init__(self, maximum: int = MAX_BYTES, encoding: Encoding | None = None) -> None:
        self.encoding: Encoding | None = encoding
        """None until a frame has shown it by its first byte; a frame that shows nothing is read as text"""
        self._maximum = maximum
        self._frames: deque[bytes] = deque()

    def feed(self, data: bytes) -> None:
        """Take one frame."""
        self._frames.append(data)

    def next(self) -> bytes | Flood | None:
        """The next frame; Flood if it is too long."""
        if not self._frames:
            return None
        frame = self._frames.popleft()
        if self.encoding is None and frame:
            self.encoding = _encoding_of_frame(frame[0])
        if self.encoding != "msgpack" and frame.endswith(b"\n"):
            frame = frame[:-1].removesuffix(b"\r")
        if len(frame) > self._maximum:
            return Flood(f"a frame is longer than {self._maximum} bytes", frame[: self._maximum])
        return frame

    def rest(self) -> bytes:
        """Nothing: a frame is whole or it is not there."""
        return b""


def _encoding_of_frame(first: int) -> Encoding | None:
    if first == ord("h"):
        return "text"
    return "msgpack" if 0x80 <= first <= 0x8F or first == 0xDE else None


def encoding_of_stream(first: int) -> Encoding:
    """What the first byte of a bot's stdout says of all the others (DBP-2.2)."""
    return "msgpack" if first == 0 else "text"


def framer(encoding: Encoding, transport: Transport, maximum: int = MAX_BYTES) -> Framer:
    """The framer for what a peer writes."""
    if transport == "zmq":
        return FrameFramer(maximum, encoding)
    return LineFramer(maximum) if encoding == "text" else PrefixFramer(maximum)


def frame(payload: bytes, encoding: Encoding, transport: Transport) -> bytes:
    """One line or payload as it goes out: with its LF, behind its length, or as it is for ZeroMQ."""
    if transport == "zmq":
        return payload
    return payload + b"\n" if encoding == "text" else len(payload).to_bytes(_PREFIX, "big") + payload
