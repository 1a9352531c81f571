"""msgpack payloads that must be refused, assembled byte by byte; expectations are written by hand from the clauses."""

from collections.abc import Iterator

from generation.refusals import Refusal

NIL, TRUE, FALSE = b"\xc0", b"\xc3", b"\xc2"


def text(value: bytes) -> bytes:
    """A msgpack str of up to 255 bytes, whatever they are."""
    return bytes([0xA0 | len(value)]) + value if len(value) < 32 else b"\xd9" + bytes([len(value)]) + value


def uint(value: int) -> bytes:
    """A msgpack integer in its shortest form, 0..2^64-1."""
    if value < 128:
        return bytes([value])
    for head, size in ((0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8)):
        if value < 1 << 8 * size:
            return bytes([head]) + value.to_bytes(size, "big")
    raise ValueError(value)


def array(*items: bytes) -> bytes:
    """A msgpack array of up to 65535 items that are packed already."""
    head = bytes([0x90 | len(items)]) if len(items) < 16 else b"\xdc" + len(items).to_bytes(2, "big")
    return head + b"".join(items)


def table(*pairs: tuple[bytes, bytes]) -> bytes:
    """A msgpack map of up to 15 pairs; the keys are put into strs, the values are packed already."""
    return bytes([0x80 | len(pairs)]) + b"".join(text(key) + value for key, value in pairs)


T = (b"t", text(b"move"))
ID = (b"id", uint(732))
SQ = (b"sq", text(b"e1"))


def packed_refusals() -> Iterator[Refusal]:
    """All refusals in a fixed order."""
    for name, clause, payload in _UNDECODABLE:
        yield Refusal(name, clause, "msgpack", "bot", payload, "malformed", "protocol")
    for name, clause, payload in _ANSWERS:
        yield Refusal(name, clause, "msgpack", "bot", payload, "malformed", "noise")
    for name, clause, payload in _NOISE:
        yield Refusal(name, clause, "msgpack", "bot", payload, "noise", "noise")
    for name, payload in _INFOS:
        yield Refusal(name, "DBP-5.4", "msgpack", "bot", payload, "rate", "rate")
    for name, payload, turn in _OTHER_IDS:
        yield Refusal(name, "DBP-5.3", "msgpack", "bot", payload, turn, "noise")
    for name, payload in _HELLOS:
        yield Refusal(name, "DBP-10.4", "msgpack", "bot", payload, first="start")


_WHOLE = table(T, ID, SQ)

_UNDECODABLE = (
    ("nil", "DBP-4.5", NIL),
    ("an integer", "DBP-4.5", b"m"),
    ("a str", "DBP-4.5", text(b"move 732 e1")),
    ("an array", "DBP-4.5", array(text(b"move"), uint(732), text(b"e1"))),
    ("a line of text", "DBP-4.5", b"move 732 e1"),
    ("a reserved byte", "DBP-4.5", b"\xc1"),
    ("a reserved byte as a value", "DBP-4.5", table(T, ID, (b"sq", b"\xc1"))),
    ("a byte after the map", "DBP-4.5", _WHOLE + b"\x00"),
    ("two maps", "DBP-4.5", _WHOLE + _WHOLE),
    ("a map that is cut short", "DBP-4.5", _WHOLE[:-1]),
    ("a map that lacks a pair", "DBP-4.5", bytes([_WHOLE[0] + 1]) + _WHOLE[1:]),
    ("a map header that claims 2^32 - 1 pairs", "DBP-4.5", b"\xdf\xff\xff\xff\xff"),
    (
        "an array header that claims 2^32 - 1 items",
        "DBP-4.5",
        table(T, ID, SQ, (b"pv", b"\xdd\xff\xff\xff\xff")),
    ),
    ("a str header that claims 2^32 - 1 bytes", "DBP-4.5", table(T, ID, (b"sq", b"\xdb\xff\xff\xff\xff"))),
    ("a key twice", "DBP-4.5", table(T, ID, SQ, SQ)),
    ("the verb twice", "DBP-4.5", table(T, T, ID, SQ)),
    ("an unknown key twice", "DBP-4.5", table(T, ID, SQ, (b"x_a", uint(1)), (b"x_a", uint(2)))),
    ("a key that is an integer", "DBP-4.5", b"\x84" + _WHOLE[1:] + uint(1) + uint(1)),
    ("a key that is nil", "DBP-4.5", b"\x84" + _WHOLE[1:] + NIL + uint(1)),
    ("an array in an array in an array", "DBP-4.5", table(T, ID, SQ, (b"x_a", array(array(array(uint(1))))))),
    (
        "a map in a map in a map in the map",
        "DBP-4.5",
        table(T, ID, SQ, (b"x_a", table((b"a", table((b"b", table())))))),
    ),
    ("arrays a thousand deep", "DBP-4.5", table(T, ID, SQ, (b"x_a", b"\x91" * 1000 + b"\x90"))),
    ("arrays as deep as a payload is long", "DBP-4.5", b"\x91" * 4095 + b"\x90"),
)

_ANSWERS = (
    ("no id", "DBP-4.1", table(T, SQ)),
    ("no square", "DBP-4.1", table(T, ID)),
    ("the id as a str", "DBP-4.2", table(T, (b"id", text(b"732")), SQ)),
    ("the id as nil", "DBP-4.4", table(T, (b"id", NIL), SQ)),
    ("the id as a float", "DBP-4.4", table(T, (b"id", b"\xca\x44\x37\x00\x00"), SQ)),
    ("the id as a double", "DBP-4.4", table(T, (b"id", b"\xcb\x40\x86\xe0\x00\x00\x00\x00\x00"), SQ)),
    ("the id as true", "DBP-4.4", table(T, (b"id", TRUE), SQ)),
    ("the id below 0", "DBP-4.2", table(T, (b"id", b"\xff"), SQ)),
    ("the id beyond 2^53 - 1", "DBP-4.2", table(T, (b"id", uint(2**53)), SQ)),
    ("the id of 2^64 - 1", "DBP-4.2", table(T, (b"id", uint(2**64 - 1)), SQ)),
    ("the square as bin", "DBP-4.4", table(T, ID, (b"sq", b"\xc4\x02e1"))),
    ("the square as ext", "DBP-4.4", table(T, ID, (b"sq", b"\xd5\x01e1"))),
    ("the square as nil", "DBP-4.4", table(T, ID, (b"sq", NIL))),
    ("the square as an array", "DBP-4.2", table(T, ID, (b"sq", array(text(b"e1"))))),
    ("the square as an integer", "DBP-4.2", table(T, ID, (b"sq", uint(4)))),
    ("the square with an LF", "DBP-3.10", table(T, ID, (b"sq", text(b"e1\n")))),
    ("the square in upper case", "DBP-3.8", table(T, ID, (b"sq", text(b"E1")))),
    ("z9", "DBP-3.8", table(T, ID, (b"sq", text(b"z9")))),
    ("eval as a double", "DBP-4.4", table(T, ID, SQ, (b"eval", b"\xcb\x3f\xe0\x00\x00\x00\x00\x00\x00"))),
    ("eval as a str", "DBP-4.2", table(T, ID, SQ, (b"eval", text(b"500")))),
    ("eval as true", "DBP-4.4", table(T, ID, SQ, (b"eval", TRUE))),
    ("eval as nil", "DBP-4.4", table(T, ID, SQ, (b"eval", NIL))),
    ("eval above 1000", "DBP-6.1", table(T, ID, SQ, (b"eval", uint(1001)))),
    ("eval below 0", "DBP-4.2", table(T, ID, SQ, (b"eval", b"\xff"))),
    ("proof of another word", "DBP-6.1", table(T, ID, SQ, (b"proof", text(b"maybe")))),
    ("pv as one str", "DBP-4.2", table(T, ID, SQ, (b"pv", text(b"a1,b2")))),
    ("pv with an integer", "DBP-4.2", table(T, ID, SQ, (b"pv", array(text(b"a1"), uint(2))))),
    ("pv with bin", "DBP-4.4", table(T, ID, SQ, (b"pv", array(b"\xc4\x02a1")))),
    ("pv as a map", "DBP-4.2", table(T, ID, SQ, (b"pv", table((b"a1", uint(1)))))),
    ("pv of 82 items", "DBP-6.1", table(T, ID, SQ, (b"pv", array(*[text(b"a1")] * 82)))),
    ("text with a control character", "DBP-3.10", table(T, ID, SQ, (b"text", text(b"\x1b[2J")))),
    ("text with a bidi control", "DBP-3.10", table(T, ID, SQ, (b"text", text(b"\xe2\x80\xae")))),
    ("text that is no UTF-8", "DBP-4.4", table(T, ID, SQ, (b"text", text(b"\xff")))),
    ("text with a surrogate", "DBP-4.4", table(T, ID, SQ, (b"text", text(b"\xed\xa0\x80")))),
    ("text of 201 characters", "DBP-6.1", table(T, ID, SQ, (b"text", text(b"a" * 201)))),
    ("an unknown key with nil", "DBP-4.4", table(T, ID, SQ, (b"x_a", NIL))),
    ("an unknown key with false", "DBP-4.4", table(T, ID, SQ, (b"x_a", FALSE))),
    ("an unknown key with a float", "DBP-4.4", table(T, ID, SQ, (b"x_a", b"\xca\x00\x00\x00\x00"))),
    ("an unknown key with bin", "DBP-4.4", table(T, ID, SQ, (b"x_a", b"\xc4\x00"))),
    ("an unknown key with ext", "DBP-4.4", table(T, ID, SQ, (b"x_a", b"\xc7\x00\x05"))),
    ("an unknown key with a timestamp", "DBP-4.4", table(T, ID, SQ, (b"x_a", b"\xd6\xff\x00\x00\x00\x00"))),
    ("an unknown key with a control character", "DBP-4.7", table(T, ID, SQ, (b"x_a", text(b"\x07")))),
    ("a key in upper case", "DBP-4.7", table(T, ID, SQ, (b"Eval", uint(1)))),
    ("an empty key", "DBP-4.7", table(T, ID, SQ, (b"", uint(1)))),
    ("resign without its id", "DBP-4.1", table((b"t", text(b"resign")))),
)

_NOISE = (
    ("an empty map", "DBP-5.6", table()),
    ("no verb", "DBP-5.6", table(ID, SQ)),
    ("an unknown verb", "DBP-5.6", table((b"t", text(b"debug")), (b"n", uint(5)))),
    ("the verb as bin", "DBP-5.6", table((b"t", b"\xc4\x04move"), ID, SQ)),
    ("the verb as an integer", "DBP-5.6", table((b"t", uint(1)), ID, SQ)),
    ("the verb as nil", "DBP-5.6", table((b"t", NIL), ID, SQ)),
    ("the verb in upper case", "DBP-5.6", table((b"t", text(b"MOVE")), ID, SQ)),
    ("the verb under another key", "DBP-5.6", table((b"verb", text(b"move")), ID, SQ)),
    ("a message of the referee", "DBP-5.6", table((b"t", text(b"ping")), (b"id", uint(733)))),
    ("ready without its id", "DBP-5.6", table((b"t", text(b"ready")))),
    ("error with its id as -", "DBP-4.3", table((b"t", text(b"error")), (b"id", text(b"-")))),
    ("bye with a text of nil", "DBP-4.4", table((b"t", text(b"bye")), (b"text", NIL))),
)

_INFO = (b"t", text(b"info"))
_INFOS = (
    ("info without its id", table(_INFO)),
    ("info with a bad value", table(_INFO, ID, (b"eval", uint(2000)))),
    ("info with a bool", table(_INFO, ID, (b"x_a", TRUE))),
    ("info for a closed question", table(_INFO, (b"id", uint(731)))),
)

_OTHER_IDS = (
    ("a bad square for an id of another kind", table(T, (b"id", uint(731)), (b"sq", text(b"z9"))), "state"),
    ("a bad square for an id never issued", table(T, (b"id", uint(999)), (b"sq", text(b"z9"))), "protocol"),
)

_HELLO = (b"t", text(b"hello"))
_RANGE = (b"donuts", text(b"1-1"))
_NAME = (b"name", text(b"a"))
_HELLOS = (
    ("hello alone", table(_HELLO)),
    ("hello without version", table(_HELLO, _NAME)),
    ("hello with its range as an integer", table(_HELLO, (b"donuts", uint(1)), _NAME)),
    ("hello with a name of 41 characters", table(_HELLO, _RANGE, (b"name", text(b"a" * 41)))),
    ("hello with an empty name", table(_HELLO, _RANGE, (b"name", text(b"")))),
    ("hello with caps as one str", table(_HELLO, _RANGE, _NAME, (b"caps", text(b"info")))),
    ("hello and a byte after it", table(_HELLO, _RANGE, _NAME) + b"\x00"),
)
