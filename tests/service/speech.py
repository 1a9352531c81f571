"""Queries as bytes, and bytes as answers, in both encodings."""

from donuts_protocol import packed, text
from donuts_protocol.framing import PrefixFramer
from donuts_protocol.messages import SERVICE_ANSWERS, SERVICE_ASKS, Message


def in_text(queries: list[str]) -> bytes:
    return "".join(f"{query}\n" for query in queries).encode("latin-1")


def in_msgpack(queries: list[str]) -> bytes:
    """The same queries as `in_text`, which must be readable as text."""
    payloads = [packed.encode(text.decode(query.encode(), SERVICE_ASKS)) for query in queries]
    return b"".join(len(payload).to_bytes(4, "big") + payload for payload in payloads)


def answers_in_text(data: bytes) -> list[Message]:
    """Every answer; fails where the service wrote anything else."""
    assert not data or data.endswith(b"\n")
    return [text.decode(line, SERVICE_ANSWERS) for line in data.split(b"\n")[:-1]]


def answers_in_msgpack(data: bytes) -> list[Message]:
    framer = PrefixFramer()
    framer.feed(data)
    found = []
    while (payload := framer.next()) is not None:
        assert isinstance(payload, bytes)
        found.append(packed.decode(payload, SERVICE_ANSWERS))
    assert framer.rest() == b""
    return found
