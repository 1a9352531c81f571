"""Cuts what a bot writes into lines or payloads and says of each what it is, or was meant to be.

`message` is judged as the referee would. `meant` is a guess for lines that are wrong in their form, so that one fault
in the form of a line is found by the check of forms and not by all of them.
"""

from typing import Any, NamedTuple

import msgpack  # type: ignore[import-untyped]

from donuts_protocol import packed, text
from donuts_protocol.discretion import discreet
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.escape import shown
from donuts_protocol.framing import (
    Encoding,
    Flood,
    FrameFramer,
    Framer,
    Transport,
    encoding_of_stream,
    framer,
)
from donuts_protocol.messages import (
    FROM_BOT,
    BotMessage,
    Error,
    Hello,
    Info,
    Leave,
    Message,
    Move,
    Pong,
    Ready,
    Resign,
)

__all__ = ["QUOTE", "Ear", "Heard", "quoted"]

QUOTE = 300
"""Characters of a line that are shown."""

VERBS = frozenset(message.verb for message in FROM_BOT)
_SECRETS = {"seat", "session"}
_BOM = b"\xef\xbb\xbf"
_decode_text = text.decoder(FROM_BOT)


class Heard(NamedTuple):
    """One line or payload."""

    raw: bytes
    """without its LF or length"""
    at: int
    """ns, when the read that brought its end returned"""
    message: Message | None
    """what it is; None when it is not valid"""
    meant: BotMessage | None
    """what it is, or was probably meant to be"""
    fault: str
    """why it is not valid; empty when it is"""
    verb: str
    """the verb of a bot that it begins with, in whatever form; empty for anything else"""
    words: str
    """as a person can read it"""


class Ear:
    """The lines of one connection."""

    def __init__(self, transport: Transport) -> None:
        self.encoding: Encoding | None = None
        """what the first byte said; None before it"""
        self.flooded = False
        """nothing can be read any more"""
        self._transport: Transport = transport
        self._framer: Framer | None = FrameFramer() if transport == "zmq" else None
        self._number = 0

    def feed(self, data: bytes, at: int) -> list[Heard]:
        """The lines that are complete with what one read (in ZeroMQ: one frame) returned at `at`."""
        if not data or self.flooded:
            return []
        if self._framer is None:
            self.encoding = encoding_of_stream(data[0])
            self._framer = framer(self.encoding, self._transport)
        self._framer.feed(data)
        found: list[Heard] = []
        while (line := self._framer.next()) is not None:
            if isinstance(self._framer, FrameFramer):
                self.encoding = self._framer.encoding
            if isinstance(line, Flood):
                self.flooded = True
                found.append(Heard(line.start, at, None, None, line.text, "", quoted(line.start)))
                break
            self._number += 1
            if (one := self._judge(line, at)) is not None:
                found.append(one)
        return found

    def rest(self, at: int) -> Heard | None:
        """What is left at the end of the stream: a line without its LF."""
        rest = self._framer.rest() if self._framer is not None and not self.flooded else b""
        if not rest:
            return None
        missing = "it has no LF at its end" if self.encoding == "text" else "it is shorter than its length"
        return Heard(
            rest, at, None, None, f"the stream ended before it was whole: {missing}", "", quoted(rest)
        )

    def _judge(self, line: bytes, at: int) -> Heard | None:
        if self.encoding == "msgpack":
            return _payload(line, at) if line else None
        if self._number == 1 and line.startswith(_BOM):
            line = line[3:]
        line = line.removesuffix(b"\r")
        if not line or line[0] == 0x23:  # an empty line, or a comment (DBP-3.12)
            return None
        try:
            message = _decode_text(line)
        except InvalidMessage as fault:
            meant = _meant_by_line(line)
            verb = line.split()[0].decode("latin-1").lower() if line.split() else ""
            return Heard(line, at, None, meant, _reason(fault), verb if verb in VERBS else "", quoted(line))
        return Heard(line, at, message, message, "", message.verb, quoted(line))  # type: ignore[arg-type]


def quoted(data: bytes) -> str:
    """A line as safe text, cut, without the secrets of a seat (DBP-11.13)."""
    return shown(discreet(data), QUOTE)


def _reason(fault: InvalidMessage) -> str:
    """What is wrong; a bad secret is not quoted."""
    return f"{fault.key} is not well-formed" if fault.key in _SECRETS else fault.reason


def _payload(payload: bytes, at: int) -> Heard:
    try:
        message = packed.decode(payload, FROM_BOT)
    except InvalidMessage as fault:
        pairs = _pairs(payload)
        words = (
            quoted(payload)
            if pairs is None
            else shown(repr(pairs | dict.fromkeys(_SECRETS & pairs.keys(), "***")), QUOTE)
        )
        if pairs is None:
            return Heard(payload, at, None, None, _reason(fault), "", words)
        verb = pairs.get("t")
        known = verb if isinstance(verb, str) and verb in VERBS else ""
        return Heard(payload, at, None, _meant(known, pairs), _reason(fault), known, words)
    words = quoted(text.encode(message))
    return Heard(payload, at, message, message, "", message.verb, words)  # type: ignore[arg-type]


def _pairs(payload: bytes) -> dict[Any, Any] | None:
    try:
        found = msgpack.unpackb(payload, raw=False, strict_map_key=False, unicode_errors="replace")
    except msgpack.ExtraData as extra:
        found = extra.unpacked
    except (ValueError, msgpack.UnpackException):
        return None
    return found if isinstance(found, dict) else None


def _meant_by_line(line: bytes) -> BotMessage | None:
    words = line.decode("latin-1").split()
    if not words:
        return None
    fields: dict[Any, Any] = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    plain = [word for word in words[1:] if "=" not in word]
    fields.update(zip(("id", "sq"), plain, strict=False))
    fields["caps"] = str(fields.get("caps", "")).split(",")
    return _meant(words[0].lower(), fields)


def _meant(verb: str, fields: dict[Any, Any]) -> BotMessage | None:
    """The message that these values were probably meant to be."""
    id, sq, caps = _integer(fields.get("id")), fields.get("sq"), fields.get("caps")
    if verb == "hello":
        listed = tuple(map(str, caps)) if isinstance(caps, list) else ()
        session = fields.get("session")
        return Hello(
            donuts=str(fields.get("donuts", "")),
            name=str(fields.get("name", "")),
            caps=listed,
            session=None if session is None else str(session),
        )
    if verb == "bye":
        return Leave()
    if verb == "error":
        return Error(id=id)
    if id is None:
        return None
    if verb == "move":
        return Move(id=id, sq=str(sq).lower()) if sq is not None else None
    kinds: dict[str, type[Ready | Pong | Resign | Info]] = {
        "ready": Ready,
        "pong": Pong,
        "resign": Resign,
        "info": Info,
    }
    return kinds[verb](id=id) if verb in kinds else None


def _integer(value: object) -> int | None:
    if isinstance(value, str):
        digits = value.removeprefix("+")
        return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 20 else None
    return int(value) if isinstance(value, int | float) and 0 <= value < 2**64 else None
