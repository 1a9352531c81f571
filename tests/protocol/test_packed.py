"""The msgpack form: one map, every bound held, and rubbish told from wrong values."""

import msgpack
import pytest

from donuts_protocol import packed
from donuts_protocol.errors import InvalidMessage, UndecodablePayload
from donuts_protocol.messages import (
    FROM_BOT,
    FROM_REFEREE,
    SERVICE_ANSWERS,
    End,
    Error,
    Hello,
    Move,
    State,
)
from protocol import driving

MOVE = {"t": "move", "id": 5, "sq": "e4"}


def pack(value):
    return msgpack.packb(value)


def refusal(payload, types=FROM_BOT):
    with pytest.raises(InvalidMessage) as caught:
        packed.decode(payload, types)
    assert caught.value.reason.isprintable()
    return caught.value


def test_a_map_has_the_verb_and_every_key():
    move = Move(id=732, sq="e1", eval=513, pv=("a1", "b2"))
    assert msgpack.unpackb(packed.encode(move)) == {
        "t": "move",
        "id": 732,
        "sq": "e1",
        "eval": 513,
        "pv": ["a1", "b2"],
    }


def test_what_text_writes_as_a_dash_is_left_out():
    assert msgpack.unpackb(packed.encode(Error(id=None))) == {"t": "error"}
    end = End(id=1, result="void", winner=None, why="abort", ply=0, cells="." * 36, moves=(), more=0)
    assert "winner" not in msgpack.unpackb(packed.encode(end))
    assert packed.decode(packed.encode(end), FROM_REFEREE) == end
    draw = State(id=1, ply=0, you="x", cells="." * 36, last=None, legal=(), flips=(), why="group")
    assert not {"winner", "last"} & msgpack.unpackb(packed.encode(draw)).keys()
    assert packed.decode(packed.encode(draw), SERVICE_ANSWERS) == draw


@pytest.mark.parametrize(
    "extra",
    [0, -5, 2**64 - 1, "", "é", ["a", ["b"]], {"b": [1]}, [{}]],
)
def test_unknown_keys_are_ignored(extra):
    assert packed.decode(pack(MOVE | {"x_a": extra, "turn": extra}), FROM_BOT) == Move(id=5, sq="e4")


def test_any_width_of_an_integer_and_any_order_is_read():
    payload = b"\x83\xa2sq\xa2e4\xa2id\xcf" + (5).to_bytes(8, "big") + b"\xd9\x01t\xd9\x04move"
    assert packed.decode(payload, FROM_BOT) == Move(id=5, sq="e4")


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"\xc1",
        b"\x01",
        b"debug",
        pack(None),
        pack([MOVE]),
        pack("move"),
        pack(MOVE) + b"\x00",
        pack(MOVE)[:-1],
        pack({5: 1}),
        pack({b"t": "bye"}),
        pack(MOVE | {"x": {1: 1}}),
        b"\x82\xa1t\xa3bye\xa1t\xa3bye",
        b"\x82\xa1t\xa3bye\xa1x\x82\xa1a\x00\xa1a\x00",
        pack(MOVE | {"x": [[[]]]}),
        pack(MOVE | {"x": [[{}]]}),
        b"\x81\xa1t" + b"\x91" * 4000,
        b"\x91" * 4096,
        b"\xdf\xff\xff\xff\xff",
        b"\x81\xa1t\xdd\xff\xff\xff\xff",
        b"\x81\xa1t\xdb\xff\xff\xff\xff",
        b"\x81\xa1t\xc6\xff\xff\xff\xff",
        pack(MOVE | {"x": [0] * 1025}),
        pack(MOVE | {"x": "a" * 4096}),
    ],
)
def test_rubbish_is_undecodable(payload):
    fault = refusal(payload)
    assert isinstance(fault, UndecodablePayload) and fault.verb == "" and fault.id is None


@pytest.mark.parametrize(
    "bad", [None, True, False, 1.5, b"", b"ab", msgpack.ExtType(5, b""), msgpack.ExtType(5, b"ab")]
)
@pytest.mark.parametrize("wrap", [lambda v: v, lambda v: [v], lambda v: ["a", v], lambda v: {"k": v}])
def test_a_value_of_a_type_that_dbp_has_not_is_a_wrong_value(bad, wrap):
    fault = refusal(pack(MOVE | {"x_a": wrap(bad)}))
    assert not isinstance(fault, UndecodablePayload)
    assert (fault.verb, fault.id, fault.key) == ("move", 5, "x_a")


@pytest.mark.parametrize(
    ("pairs", "verb", "id", "key", "says"),
    [
        ({}, "", None, "", 'no verb under "t"'),
        ({"t": 5}, "", None, "", "'5' is no verb"),
        ({"t": "debug"}, "debug", None, "", "'debug' is no verb"),
        ({"t": "turn", "id": 5}, "turn", None, "", "no verb that may come here"),
        ({"t": "move", "id": 5}, "move", 5, "sq", "sq is missing"),
        ({"t": "move", "sq": "e4"}, "move", None, "id", "id is missing"),
        (MOVE | {"sq": "z9"}, "move", 5, "sq", "a square such as e4, not 'z9'"),
        (MOVE | {"sq": "e4\n"}, "move", 5, "sq", "control"),
        (MOVE | {"id": "5"}, "move", None, "id", "not '5'"),
        (MOVE | {"id": -1}, "move", None, "id", "2^53-1"),
        (MOVE | {"id": 2**53}, "move", None, "id", "2^53-1"),
        (MOVE | {"id": True}, "move", None, "id", "boolean"),
        (MOVE | {"eval": 1001}, "move", 5, "eval", "0 to 1000"),
        (MOVE | {"eval": "500"}, "move", 5, "eval", "not '500'"),
        (MOVE | {"pv": "a1"}, "move", 5, "pv", "each a square"),
        (MOVE | {"pv": ["a1", 5]}, "move", 5, "pv", "each a square"),
        (MOVE | {"pv": ["a1"] * 82}, "move", 5, "pv", "81"),
        (MOVE | {"proof": "maybe"}, "move", 5, "proof", "draw, loss, win"),
        (MOVE | {"text": "a\u202eb"}, "move", 5, "text", "bidi"),
        (MOVE | {"x_a": "\x1b"}, "move", 5, "x_a", "control"),
        (MOVE | {"x_a": {"\x1b": 1}}, "move", 5, "x_a", "control"),
        (MOVE | {"Eval": 5}, "move", 5, "Eval", "lower-case"),
        (MOVE | {"": 5}, "move", 5, "", "'' is no key"),
        ({"t": "hello", "donuts": "1-1", "name": ""}, "hello", None, "name", "1 to 40"),
        ({"t": "hello", "donuts": 1, "name": "a"}, "hello", None, "donuts", "such as 1-1"),
    ],
)
def test_a_map_with_a_wrong_value_names_it(pairs, verb, id, key, says):
    fault = refusal(pack(pairs))
    assert not isinstance(fault, UndecodablePayload)
    assert (fault.verb, fault.id, fault.key) == (verb, id, key)
    assert says in fault.reason


def test_a_string_that_is_no_utf_8_is_a_wrong_value():
    payload = pack(MOVE | {"text": "ab"}).replace(b"ab", b"\xffb")
    fault = refusal(payload)
    assert not isinstance(fault, UndecodablePayload)
    assert (fault.verb, fault.id, fault.key) == ("move", 5, "text")


def test_a_payload_is_bounded_before_it_is_decoded(monkeypatch):
    monkeypatch.setattr(packed.msgpack, "unpackb", lambda *_, **__: pytest.fail("it was decoded"))
    assert "4097" in refusal(b"\x80" * 4097).reason


def test_a_turn_has_legal_squares():
    pairs = msgpack.unpackb(packed.encode(driving.turn()))
    assert refusal(pack(pairs | {"legal": []}), FROM_REFEREE).key == "legal"


@pytest.mark.parametrize(
    "message",
    [
        Move(id=-1, sq="e4"),
        Move(id=True, sq="e4"),
        Move(id=1, sq="zz"),
        Move(id=1, sq="e4", text="\x1b"),
        Move(id=1, sq="e4", text=object()),
        Move(id=1, sq="e4", pv=("a1",) * 82),
        Move(id=1, sq=None),
        Hello(donuts="x", name="a"),
    ],
)
def test_nothing_is_written_that_could_not_be_read(message):
    with pytest.raises(InvalidMessage) as caught:
        packed.encode(message)
    assert caught.value.verb == message.verb
