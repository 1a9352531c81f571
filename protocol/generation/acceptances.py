"""What must be read although it is not what a writer would write, and what streams of bytes mean; by hand."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from generation.refusals_packed import ID, SQ, T, array, table, text, uint

Map = dict[str, Any]
MOVE: Map = {"t": "move", "id": 732, "sq": "e1"}


class Acceptance(NamedTuple):
    """One line or payload and the message it stands for."""

    name: str
    clause: str
    encoding: str
    sender: str
    data: bytes
    message: Map


class Stream(NamedTuple):
    """Bytes as they come from a bot in one of the situations, and what they mean, in order."""

    name: str
    clause: str
    encoding: str
    situation: str
    parts: tuple[tuple[bytes, int], ...]
    """byte strings, each with how often it stands"""
    expected: tuple[str | Map, ...]
    """messages as maps; noise, late, state, rate; a fault ends it"""
    eof: bool = False


def acceptances() -> Iterator[Acceptance]:
    """All acceptances in a fixed order."""
    for name, clause, line, message in _LINES:
        yield Acceptance(name, clause, "text", "bot", line, message)
    for name, clause, line, message in _QUERIES:
        yield Acceptance(name, clause, "text", "asker", line, message)
    for name, clause, line, message in _FROM_REFEREE:
        yield Acceptance(name, clause, "text", "referee", line, message)
    for name, clause, payload, message in _PAYLOADS:
        yield Acceptance(name, clause, "msgpack", "bot", payload, message)


_FULL = MOVE | {"eval": 513, "nodes": 9, "text": "a b"}
_HELLO: Map = {"t": "hello", "donuts": "1-1", "name": "a"}

_LINES: tuple[tuple[str, str, bytes, Map], ...] = (
    ("fields in any order", "DBP-3.3", b"move 732 e1 text=a%20b nodes=9 eval=513", _FULL),
    ("an unknown field", "DBP-3.11", b"move 732 e1 score=-0.5", MOVE),
    ("a private field", "DBP-3.11", b"move 732 e1 x_why=gut%20feeling", MOVE),
    ("an unknown field without value", "DBP-3.11", b"move 732 e1 x_a=", MOVE),
    ("an unknown field of signs", "DBP-3.11", b'move 732 e1 x_a=,=,-+"\\', MOVE),
    ("a field of another verb", "DBP-3.11", b"move 732 e1 seat=9 legal=zz", MOVE),
    ("a field t", "DBP-3.11", b"move 732 e1 t=resign", MOVE),
    ("a long unknown key", "DBP-3.4", b"move 732 e1 x_" + b"a" * 60 + b"=1", MOVE),
    ("escapes in lower case", "DBP-3.6", b"move 732 e1 text=%c3%a9", MOVE | {"text": "é"}),
    ("an escape of a byte that needs none", "DBP-3.6", b"move 732 e1 text=%61", MOVE | {"text": "a"}),
    ("a raw comma", "DBP-3.6", b"move 732 e1 text=a,b", MOVE | {"text": "a,b"}),
    ("a raw equals sign", "DBP-3.6", b"move 732 e1 text=a=b==", MOVE | {"text": "a=b=="}),
    ("a text that is empty", "DBP-3.3", b"move 732 e1 text=", MOVE | {"text": ""}),
    ("a list that is empty", "DBP-3.8", b"move 732 e1 pv=", MOVE | {"pv": []}),
    ("a text of one dash", "DBP-3.9", b"move 732 e1 text=-", MOVE | {"text": "-"}),
    (
        "200 characters in 1800 bytes",
        "DBP-3.13",
        b"move 732 e1 text=" + b"%E3%83%89" * 200,
        MOVE | {"text": "ド" * 200},
    ),
    ("a square off a small board", "DBP-3.8", b"move 732 i9", MOVE | {"sq": "i9"}),
    ("an id of 0", "DBP-3.7", b"ready 0", {"t": "ready", "id": 0}),
    ("ready with an unknown field", "DBP-3.11", b"ready 731 ms=4", {"t": "ready", "id": 731}),
    ("hello, fields in any order", "DBP-3.3", b"hello name=a x_b=1 donuts=1-1", _HELLO),
    ("hello with an empty list of caps", "DBP-3.8", b"hello donuts=1-1 name=a caps=", _HELLO | {"caps": []}),
    (
        "hello with unknown caps",
        "DBP-12.4",
        b"hello donuts=1-1 name=a caps=ponder",
        _HELLO | {"caps": ["ponder"]},
    ),
    ("hello with an id field, which it has not", "DBP-3.11", b"hello id=x donuts=1-1 name=a", _HELLO),
    ("an error without id", "DBP-3.9", b"error - text=what?", {"t": "error", "text": "what?"}),
)

_LAYOUT = "H" * 36
_EMPTY = "." * 36
_QUERIES: tuple[tuple[str, str, bytes, Map], ...] = (
    (
        "last=- in a query",
        "DBP-3.9",
        f"query 5 layout={_LAYOUT} cells={_EMPTY} last=- you=x".encode(),
        {"t": "query", "id": 5, "layout": _LAYOUT, "cells": _EMPTY, "you": "x"},
    ),
)

_FROM_REFEREE: tuple[tuple[str, str, bytes, Map], ...] = (
    ("a ping with a field of a later edition", "DBP-12.4", b"ping 733 sent=17", {"t": "ping", "id": 733}),
)

_PAYLOADS: tuple[tuple[str, str, bytes, Map], ...] = (
    ("keys in any order", "DBP-4.1", table(SQ, ID, T), MOVE),
    ("an id of 32 bits", "DBP-4.2", table(T, (b"id", b"\xce\x00\x00\x02\xdc"), SQ), MOVE),
    ("an id of 64 bits", "DBP-4.2", table(T, (b"id", b"\xcf" + (732).to_bytes(8, "big")), SQ), MOVE),
    ("an id as a signed integer", "DBP-4.2", table(T, (b"id", b"\xd1\x02\xdc"), SQ), MOVE),
    ("a square as str 8", "DBP-4.2", table(T, ID, (b"sq", b"\xd9\x02e1")), MOVE),
    ("a square as str 32", "DBP-4.2", table(T, ID, (b"sq", b"\xdb\x00\x00\x00\x02e1")), MOVE),
    ("the map as map 16", "DBP-4.2", b"\xde\x00\x03" + table(T, ID, SQ)[1:], MOVE),
    ("the map as map 32", "DBP-4.2", b"\xdf\x00\x00\x00\x03" + table(T, ID, SQ)[1:], MOVE),
    (
        "pv as array 32",
        "DBP-4.2",
        table(T, ID, SQ, (b"pv", b"\xdd\x00\x00\x00\x01\xa2a1")),
        MOVE | {"pv": ["a1"]},
    ),
    ("an unknown key", "DBP-3.11", table(T, ID, SQ, (b"x_a", uint(1))), MOVE),
    ("an unknown key below 0", "DBP-3.11", table(T, ID, SQ, (b"x_a", b"\xff")), MOVE),
    ("an unknown key with an array", "DBP-3.11", table(T, ID, SQ, (b"x_a", array(text(b"a")))), MOVE),
    (
        "an unknown key with a map of depth 3",
        "DBP-4.5",
        table(T, ID, SQ, (b"x_a", table((b"a", array())))),
        MOVE,
    ),
    (
        "signs that text escapes",
        "DBP-4.2",
        table(T, ID, SQ, (b"text", text(b"100%, a=b"))),
        MOVE | {"text": "100%, a=b"},
    ),
    ("an error without id", "DBP-4.3", table((b"t", text(b"error"))), {"t": "error"}),
)


def streams() -> Iterator[Stream]:
    """All streams in a fixed order."""
    for name, clause, situation, parts, expected in _TEXT:
        yield Stream(name, clause, "text", situation, parts, expected)
    for name, clause, situation, parts, expected in _TEXT_EOF:
        yield Stream(name, clause, "text", situation, parts, expected, eof=True)
    for name, clause, situation, parts, expected in _PACKED:
        yield Stream(name, clause, "msgpack", situation, parts, expected)


_Row = tuple[str, str, str, tuple[tuple[bytes, int], ...], tuple[str | Map, ...]]

_LINE = b"move 732 e1\n"
_TEXT: tuple[_Row, ...] = (
    ("a line", "DBP-2.1", "turn", ((_LINE, 1),), (MOVE,)),
    ("one CR before the LF", "DBP-3.12", "turn", ((b"move 732 e1\r\n", 1),), (MOVE,)),
    ("two CR before the LF", "DBP-3.12", "turn", ((b"move 732 e1\r\r\n", 1),), ("malformed",)),
    ("a CR instead of the LF", "DBP-2.1", "turn", ((b"move 732 e1\r", 1),), ()),
    ("empty lines", "DBP-3.12", "turn", ((b"\n\r\n\n", 1), (_LINE, 1)), (MOVE,)),
    ("a comment", "DBP-3.12", "turn", ((b"# I like e1\n#\n#\xff\x00\x1b\n", 1), (_LINE, 1)), (MOVE,)),
    ("a comment of 4096 bytes", "DBP-2.4", "turn", ((b"#", 4096), (b"\n", 1), (_LINE, 1)), (MOVE,)),
    ("a comment of 4097 bytes", "DBP-2.4", "turn", ((b"#", 4097), (b"\n", 1), (_LINE, 1)), ("flood",)),
    ("a line of 4097 bytes without its LF", "DBP-2.4", "turn", ((b"a", 4097),), ("flood",)),
    ("a line of 4096 bytes without its LF", "DBP-2.4", "turn", ((b"a", 4096),), ()),
    (
        "a line of 4096 bytes",
        "DBP-2.4",
        "turn",
        ((b"move 732 e1 x_a=", 1), (b"b", 4080), (b"\n", 1)),
        (MOVE,),
    ),
    ("1 MiB without an LF", "DBP-2.4", "idle", ((b"z", 1 << 20),), ("flood",)),
    ("2000 empty lines, then an answer too many", "DBP-2.6", "turn", ((b"\n", 2000), (_LINE, 1)), ("flood",)),
    ("1999 empty lines and an answer", "DBP-2.6", "turn", ((b"\n", 1999), (_LINE, 1)), (MOVE,)),
    ("262,144 bytes of comments", "DBP-2.6", "turn", ((b"#" + b"c" * 4094 + b"\n", 64),), ()),
    (
        "262,145 bytes of comments",
        "DBP-2.6",
        "turn",
        ((b"#" + b"c" * 4094 + b"\n", 64), (b"\n", 1)),
        ("flood",),
    ),
    (
        "ten lines of noise and an answer",
        "DBP-5.6",
        "turn",
        ((b"z\n", 10), (_LINE, 1)),
        ("noise",) * 10 + (MOVE,),
    ),
    ("eleven lines of noise", "DBP-5.6", "turn", ((b"z\n", 11), (_LINE, 1)), ("noise",) * 10 + ("protocol",)),
    ("a byte order mark in mid-session", "DBP-3.12", "turn", ((b"\xef\xbb\xbf" + _LINE, 1),), ("noise",)),
    ("a second answer", "DBP-7.5", "turn", ((_LINE, 2),), (MOVE, "late")),
    ("a late answer", "DBP-7.5", "idle", ((_LINE, 1),), ("late",)),
    (
        "an answer to a game that is ready",
        "DBP-7.5",
        "turn",
        ((b"ready 731\n", 1), (_LINE, 1)),
        ("late", MOVE),
    ),
    ("an answer of the wrong kind", "DBP-7.5", "turn", ((b"pong 732\n", 1), (_LINE, 1)), ("state", MOVE)),
    ("a move for the id of a game", "DBP-7.5", "turn", ((b"move 731 e1\n", 1), (_LINE, 1)), ("state", MOVE)),
    ("an id never issued", "DBP-7.5", "turn", ((b"move 733 e1\n", 1),), ("protocol",)),
    ("an id never issued, nothing open", "DBP-7.5", "idle", ((b"pong 734\n", 1),), ("protocol",)),
    ("a second hello", "DBP-9.9", "turn", ((b"hello donuts=1-1 name=a\n", 1),), ("protocol",)),
    ("a second hello, nothing open", "DBP-9.9", "idle", ((b"hello donuts=1-1 name=a\n", 1),), ("protocol",)),
    ("hello", "DBP-10.4", "first", ((b"hello donuts=1-1 name=a\n", 1),), (_HELLO,)),
    (
        "a byte order mark before hello",
        "DBP-3.12",
        "first",
        ((b"\xef\xbb\xbfhello donuts=1-1 name=a\n", 1),),
        (_HELLO,),
    ),
    (
        "a byte order mark twice",
        "DBP-3.12",
        "first",
        ((b"\xef\xbb\xbf" * 2 + b"hello donuts=1-1 name=a\n", 1),),
        ("noise",),
    ),
    (
        "a comment before hello",
        "DBP-10.4",
        "first",
        ((b"# a bot\n\nhello donuts=1-1 name=a\n", 1),),
        (_HELLO,),
    ),
    (
        "ranges that hold version 1",
        "DBP-12.1",
        "first",
        ((b"hello donuts=0-7 name=a\n", 1),),
        (_HELLO | {"donuts": "0-7"},),
    ),
    ("a version to come", "DBP-9.12", "first", ((b"hello donuts=2-3 name=a\n", 1),), ("version",)),
    ("a version that is gone", "DBP-9.12", "first", ((b"hello donuts=0-0 name=a\n", 1),), ("version",)),
    (
        "a range that holds no version",
        "DBP-12.1",
        "first",
        ((b"hello donuts=2-1 name=a\n", 1),),
        ("version",),
    ),
    ("an answer before hello", "DBP-9.11", "first", ((b"ready 1\n", 1),), ("start",)),
)

_TEXT_EOF: tuple[_Row, ...] = (
    ("a whole answer, then the end", "DBP-5.7", "turn", ((_LINE, 1),), (MOVE, "crash")),
    ("an answer without its LF", "DBP-5.7", "turn", ((b"move 732 e1", 1),), ("malformed",)),
    ("half an answer", "DBP-5.7", "turn", ((b"move 7", 1),), ("malformed",)),
    ("noise without its LF", "DBP-5.7", "turn", ((b"bye now", 1),), ("crash",)),
    ("the end", "DBP-9.7", "turn", (), ("crash",)),
    ("the end, nothing open", "DBP-9.7", "idle", (), ("crash",)),
    ("an answer without its LF, nothing open", "DBP-5.7", "idle", ((b"move 732 e1", 1),), ("crash",)),
    ("the end before hello", "DBP-9.11", "first", (), ("start",)),
    ("a hello without its LF", "DBP-9.11", "first", ((b"hello donuts=1-1 name=a", 1),), ("start",)),
)

_PAYLOAD = table(T, ID, SQ)
_FRAME = len(_PAYLOAD).to_bytes(4, "big") + _PAYLOAD
_PACKED_HELLO = table((b"t", text(b"hello")), (b"donuts", text(b"1-1")), (b"name", text(b"a")))
_PACKED: tuple[_Row, ...] = (
    ("a payload", "DBP-2.1", "turn", ((_FRAME, 1),), (MOVE,)),
    ("hello", "DBP-10.4", "first", ((len(_PACKED_HELLO).to_bytes(4, "big") + _PACKED_HELLO, 1),), (_HELLO,)),
    ("a length of 0", "DBP-2.5", "turn", ((b"\0\0\0\0", 1),), ("flood",)),
    ("a length of 4097", "DBP-2.5", "turn", ((b"\0\0\x10\x01", 1),), ("flood",)),
    ("a length of 2^32 - 1", "DBP-2.5", "turn", ((b"\xff\xff\xff\xff", 1),), ("flood",)),
    ("text in a msgpack session", "DBP-2.11", "turn", ((b"nodes 17\n", 1),), ("flood",)),
    ("half a length", "DBP-2.5", "turn", ((b"\0\0\x10", 1),), ()),
    ("half a payload", "DBP-2.5", "turn", ((_FRAME[:-1], 1),), ()),
    ("a second answer", "DBP-7.5", "turn", ((_FRAME, 2),), (MOVE, "late")),
    ("a length of 0 before hello", "DBP-9.11", "first", ((b"\0\0\0\0", 1),), ("start",)),
)
