"""The text form: what is written, what is read, and the sentence for what is not."""

import pytest

from donuts_protocol import text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.keys import MAX_INT
from donuts_protocol.messages import (
    FROM_BOT,
    FROM_REFEREE,
    SERVICE_ANSWERS,
    SERVICE_ASKS,
    End,
    Error,
    Hello,
    Leave,
    Move,
    Query,
    State,
    Turn,
)
from protocol import driving

CELLS = "." * 36


def refusal(line, types=FROM_BOT):
    with pytest.raises(InvalidMessage) as caught:
        text.decode(line, types)
    return caught.value


def test_a_turn_is_written_in_the_order_of_the_class():
    assert text.encode(driving.turn()) == (
        b"turn 732 game=731 ply=1 you=o size=6 rings=15 layout=" + b"HVDA" * 9 + b" cells=..x" + b"." * 33
        + b" last=c1 legal=a1,b1,e1 clock=60100 oclock=59310 inc=100 limit=60100 margin=50 spent=0"
    )  # fmt: skip


def test_a_turn_of_the_published_board_stays_under_400_bytes():
    squares = tuple(c + r for r in "123456" for c in "abcdef")
    first = driving.turn(2**30 + 80, 2**30)
    widest = Turn(**{f: getattr(first, f) for f in first.__struct_fields__} | {"legal": squares, "resend": 1})
    assert len(text.encode(widest)) < 400


@pytest.mark.parametrize(
    ("message", "line"),
    [
        (Hello(donuts="1-1", name="my bot"), b"hello donuts=1-1 name=my%20bot"),
        (Hello(donuts="1-1", name="50%,=é", caps=()), b"hello donuts=1-1 name=50%25%2C%3D%C3%A9 caps="),
        (Move(id=1, sq="e4", text="", pv=("a1", "b2")), b"move 1 e4 pv=a1,b2 text="),
        (Leave(), b"bye"),
        (Error(id=None, code="hello"), b"error - code=hello"),
        (Error(id=MAX_INT), b"error 9007199254740991"),
        (
            End(id=1, result="draw", winner=None, why="group", ply=0, cells=CELLS, moves=(), more=0),
            b"end 1 result=draw winner=- why=group ply=0 cells=" + CELLS.encode() + b" moves= more=0",
        ),
        (
            State(id=1, ply=0, you="x", cells=CELLS, last=None, legal=(), flips=("-", "a1+b2"), why="group"),
            b"state 1 ply=0 you=x cells="
            + CELLS.encode()
            + b" last=- legal= flips=-,a1+b2 winner=- why=group",
        ),
        (
            State(id=1, ply=0, you="x", cells=CELLS, last=None, legal=("a1",), flips=()),
            b"state 1 ply=0 you=x cells=" + CELLS.encode() + b" last=- legal=a1 flips=",
        ),
    ],
)
def test_both_ways(message, line):
    assert text.encode(message) == line
    assert text.decode(line, (type(message),)) == message


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"hello name=a,b=c donuts=1-1", Hello(donuts="1-1", name="a,b=c")),
        (b"hello name=%6d%6D donuts=1-1", Hello(donuts="1-1", name="mm")),
        (b"move 0 a1 x_my=%41%2c t=5 seat=9", Move(id=0, sq="a1")),
        (b"move 5 i9 text=-", Move(id=5, sq="i9", text="-")),
        (b"error - id2=", Error(id=None)),
    ],
)
def test_what_else_is_read(line, message):
    assert text.decode(line, FROM_BOT) == message


def test_last_is_none_where_it_is_optional():
    line = b"query 1 layout=" + b"H" * 36 + b" cells=" + b"." * 36 + b" last=- you=x"
    assert text.decode(line, SERVICE_ASKS) == Query(id=1, layout="H" * 36, cells="." * 36, you="x")


@pytest.mark.parametrize(
    ("line", "verb", "id", "key", "says"),
    [
        (b"", "", None, "", "'' is no verb"),
        (b"debug 5", "debug", None, "", "hello, ready, move"),
        (b"MOVE 5 e4", "", None, "", "no verb"),
        (b"move", "move", None, "id", "id is missing"),
        (b"move 5", "move", 5, "sq", "sq is missing"),
        (b"move 5 ", "move", 5, "sq", "exactly one space"),
        (b" move 5 e4", "", None, "", "no verb"),
        (b"move  5 e4", "move", None, "id", "exactly one space"),
        (b"move 5  e4", "move", 5, "sq", "exactly one space"),
        (b"move 5 e4 ", "move", 5, "", "exactly one space"),
        (b"move 5 e4  eval=1", "move", 5, "", "exactly one space"),
        (b"move +5 e4", "move", None, "id", "without sign or leading zero, not '+5'"),
        (b"move 05 e4", "move", None, "id", "not '05'"),
        (b"move 9007199254740992 e4", "move", None, "id", "2^53-1"),
        (b"move " + b"9" * 4000 + b" e4", "move", None, "id", "2^53-1"),
        (b"move - e4", "move", None, "id", "not '-'"),
        (b"move id=5 e4", "move", None, "id", "not 'id=5'"),
        (b"move 5 z9", "move", 5, "sq", "a square such as e4, not 'z9'"),
        (b"move 5 e0", "move", 5, "sq", "not 'e0'"),
        (b"move 5 e%34", "move", 5, "sq", "not 'e%34'"),
        (b"move 5 e4 eval", "move", 5, "", "'eval' has no ="),
        (b"move 5 e4 eval=", "move", 5, "eval", "0 to 1000"),
        (b"move 5 e4 eval=1001", "move", 5, "eval", "not '1001'"),
        (b"move 5 e4 eval=5.0", "move", 5, "eval", "not '5.0'"),
        (b"move 5 e4 eval=1 eval=1", "move", 5, "eval", "given twice"),
        (b"move 5 e4 x_a=1 x_a=1", "move", 5, "x_a", "given twice"),
        (b"move 5 e4 id=5", "move", 5, "id", "given twice"),
        (b"move 5 e4 =5", "move", 5, "", "'' is no key"),
        (b"move 5 e4 Eval=5", "move", 5, "Eval", "lower-case"),
        (b"move 5 e4 x_a=%4", "move", 5, "x_a", "two hex digits"),
        (b"move 5 e4 x_a=%+1", "move", 5, "x_a", "two hex digits"),
        (b"move 5 e4 x_a=%", "move", 5, "x_a", "%25"),
        (b"move 5 e4 x_a=%FF", "move", 5, "x_a", "UTF-8"),
        (b"move 5 e4 x_a=%ED%A0%80", "move", 5, "x_a", "UTF-8"),
        (b"move 5 e4 x_a=%0A", "move", 5, "x_a", "control"),
        (b"move 5 e4 text=%E2%80%AE", "move", 5, "text", "bidi"),
        (b"move 5 e4 text=" + b"a" * 201, "move", 5, "text", "0 to 200 characters"),
        (b"move 5 e4 proof=Win", "move", 5, "proof", "draw, loss, win"),
        (b"move 5 e4 pv=a1,,b2", "move", 5, "pv", "each a square"),
        (b"move 5 e4 pv=" + b",".join([b"a1"] * 82), "move", 5, "pv", "81"),
        (b"move 5 \xe9", "move", 5, "", "printable ASCII"),
        (b"move 5 e4\r", "move", 5, "", "printable ASCII"),
        (b"move 5\ne4", "move", 5, "", "printable ASCII"),
        (b"move\t5 e4", "", None, "", "printable ASCII"),
        (b"\xff", "", None, "", "printable ASCII"),
        (b"hello donuts=1-1", "hello", None, "name", "name is missing"),
        (b"hello donuts=1 name=a", "hello", None, "donuts", "such as 1-1"),
        (b"hello donuts=1-1 name=", "hello", None, "name", "1 to 40"),
        (b"hello donuts=1-1 name=" + b"%C3%A9" * 41, "hello", None, "name", "1 to 40"),
        (b"hello 5 donuts=1-1 name=a", "hello", None, "", "'5' has no ="),
        (b"hello donuts=1-1 name=a caps=Info", "hello", None, "caps", "a word"),
        (b"error -5", "error", None, "id", "(or - for none)"),
        (b"turn 5", "turn", None, "", "no verb that may come here"),
    ],
)
def test_what_is_not_read(line, verb, id, key, says):
    fault = refusal(line)
    assert (fault.verb, fault.id, fault.key) == (verb, id, key)
    assert says in fault.reason
    assert fault.reason.isprintable() and len(fault.reason) < 400


def test_a_name_of_forty_characters_in_any_script_is_read():
    assert text.decode(b"hello donuts=1-1 name=" + b"%F0%9F%8D%A9" * 40, FROM_BOT).name == "\U0001f369" * 40


def test_a_turn_has_legal_squares():
    line = text.encode(driving.turn()).replace(b"legal=a1,b1,e1", b"legal=")
    assert refusal(line, FROM_REFEREE).key == "legal"
    assert text.decode(b"state 1 ply=0 you=x cells=" + b"." * 36 + b" last=- legal= flips=", SERVICE_ANSWERS)


@pytest.mark.parametrize(
    ("message", "key"),
    [
        (Move(id=-1, sq="e4"), "id"),
        (Move(id=True, sq="e4"), "id"),
        (Move(id=2**53, sq="e4"), "id"),
        (Move(id=1, sq="e44"), "sq"),
        (Move(id=1, sq=None), "sq"),
        (Move(id=1, sq="e4", text="a\nb"), "text"),
        (Move(id=1, sq="e4", text="\ud800"), "text"),
        (Move(id=1, sq="e4", text="a" * 201), "text"),
        (Move(id=1, sq="e4", pv=("a1", "zz")), "pv"),
        (Move(id=1, sq="e4", proof="maybe"), "proof"),
        (Hello(donuts="1", name="a"), "donuts"),
    ],
)
def test_nothing_is_written_that_could_not_be_read(message, key):
    with pytest.raises(InvalidMessage) as caught:
        text.encode(message)
    assert caught.value.key == key and key in caught.value.reason


def test_a_line_that_is_too_long_is_not_written():
    wide = "\U0001f369"
    most = {"name": wide * 40, "ver": wide * 40, "author": wide * 40, "seat": wide * 128}
    assert len(text.encode(Hello(donuts="1-1", **most))) <= 4096
    with pytest.raises(InvalidMessage, match="at most 4096"):
        text.encode(Hello(donuts="1-1", **most, session=wide * 64, caps=("a" * 32,) * 32))
