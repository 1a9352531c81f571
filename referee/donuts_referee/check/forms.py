"""Writes one message in all the forms that a bot must be able to read: other order, unknown fields, other widths."""

import struct
from typing import Any

import msgpack  # type: ignore[import-untyped]

from donuts_protocol import packed, text
from donuts_protocol.framing import Encoding
from donuts_protocol.messages import Message

__all__ = ["payload", "reversed_payload", "unknown_verb", "wide_payload", "with_unknown_fields"]


def payload(message: Message, encoding: Encoding) -> bytes:
    """The message as a line without its LF, or as a payload without its length."""
    return packed.encode(message) if encoding == "msgpack" else text.encode(message)


def reversed_payload(message: Message, encoding: Encoding) -> bytes:
    """The message with its fields (in msgpack: all keys, the verb last) in the opposite order."""
    if encoding == "msgpack":
        return bytes(msgpack.packb(dict(reversed(_pairs(message).items()))) or b"")
    words = text.encode(message).split(b" ")
    at = 1 + len(type(message).args)
    return b" ".join(words[:at] + words[at:][::-1])


def with_unknown_fields(message: Message, encoding: Encoding) -> bytes:
    """The message with fields that no edition of version 1 has, before and after those that it has."""
    if encoding == "msgpack":
        pairs = {"x_mood": "good mood", "aims": [], **_pairs(message), "zeal": 12, "x_list": ["a", "b"]}
        return bytes(msgpack.packb(pairs) or b"")
    words = text.encode(message).split(b" ")
    at = 1 + len(type(message).args)
    return b" ".join(
        [*words[:at], b"x_mood=good%20mood", b"aims=", *words[at:], b"zeal=12", b"x_list=a,b", b"idle=move"]
    )


def unknown_verb(encoding: Encoding) -> bytes:
    """A message with a verb that version 1 does not have."""
    if encoding == "msgpack":
        return bytes(msgpack.packb({"t": "hint", "id": 5, "legal": ["a1"], "why": "future"}) or b"")
    return b"hint 5 legal=a1 why=future"


def wide_payload(message: Message) -> bytes:
    """A payload with all integers as wide as msgpack has them."""
    pairs = _pairs(message)
    parts = [bytes(msgpack.Packer().pack_map_header(len(pairs)))]
    for key, value in pairs.items():
        parts.append(bytes(msgpack.packb(key) or b""))
        if isinstance(value, int):
            parts.append(b"\xcf" + struct.pack(">Q", value))
        else:
            parts.append(bytes(msgpack.packb(value) or b""))
    return b"".join(parts)


def _pairs(message: Message) -> dict[str, Any]:
    pairs: dict[str, Any] = msgpack.unpackb(packed.encode(message))
    return pairs
