"""The referee's end: noise, floods, the end of a stream, and frames."""

import pytest

from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.messages import (
    Cancel,
    Game,
    Move,
    Ping,
    Pong,
)
from donuts_protocol.session import Counts, Noise, RefereeSession
from protocol.driving import GAME, HELLO, WELCOME, fault, judged, one, referee, turn, wire


def test_the_first_line_of_noise_is_quoted_with_the_remedy():
    session = referee("first")
    noise = one(session, b"debug 5\n")
    assert noise == Noise("debug 5", 1, "stdout line 1 is not a message: 'debug 5'; print to stderr")
    assert one(session, b"\x1b[2J\n").shown == "\\x1b[2J"
    assert session.first_noise == noise.text


def test_ten_lines_of_noise_are_forgiven_in_each_game():
    session = referee("welcomed")
    assert judged(session, [b"x\n" * 10]) == ["noise"] * 10
    session.send(Game(**{f: getattr(GAME, f) for f in GAME.__struct_fields__} | {"id": session.next_id()}))
    assert session.counts == Counts(0, 0, 0, 0) and session.first_noise is None
    assert judged(session, [b"ready\n" * 11]) == ["noise"] * 10 + [("fault", "protocol")]
    assert "no valid `ready`" in session.first_noise


def test_after_a_final_fault_nothing_is_read():
    session = referee("thinking")
    assert fault(session, b"x" * 5000).why == "flood"
    assert judged(session, [b"\nmove 732 e1\n"], eof=True) == []
    assert session.send(Cancel(id=732)) == b"cancel 732\n"


def test_the_longest_line_and_one_byte_more():
    line = b"move 732 e1 x_a="
    session = referee("thinking")
    assert one(session, line + b"a" * (4096 - len(line)) + b"\n") == Move(id=732, sq="e1")
    assert fault(referee("thinking"), line + b"a" * (4097 - len(line))).why == "flood"


def test_two_thousand_lines_since_the_last_question():
    session = referee("thinking")
    assert judged(session, [b"\n" * 1999 + b"move 732 e1\n"]) == [Move(id=732, sq="e1")]
    assert fault(session, b"#\n").why == "flood"
    session = referee("thinking")
    assert judged(session, [b"#\r\n" * 1999 + b"move 732 e1\n"])
    session.next_id()
    session.send(turn(733))
    assert judged(session, [b"\n" * 2000]) == []
    assert "2001 lines" in fault(session, b"\n").text


def test_a_quarter_of_a_mebibyte_since_the_last_question():
    comment = b"#" + b"a" * 1022 + b"\n"
    session = referee("thinking")
    assert judged(session, [comment * 256]) == []
    assert fault(session, b"\n").why == "flood"


def test_a_ping_is_a_question_too():
    session = referee("waiting")
    assert judged(session, [b"\n" * 1000]) == []
    session.send(Ping(id=session.next_id()))
    assert judged(session, [b"\n" * 1999 + b"pong 733\n"]) == [Pong(id=733)]


@pytest.mark.parametrize("encoding", ["text", "msgpack"])
def test_what_was_written_is_judged_before_the_end(encoding):
    session = referee("thinking", encoding)
    session.receive(wire(Move(id=732, sq="e1"), encoding), 0)
    session.receive_eof(0)
    assert session.next_event() == Move(id=732, sq="e1")
    assert session.next_event() is None


@pytest.mark.parametrize(
    "rest",
    [b"move 732 e1", b"move 732 e1\r", b"move 732", b"move 73", b"move ", b"move", b"m", b"resign 732", b"res",
     b"move x e1", b"resign 732 text=a"],
)  # fmt: skip
def test_an_answer_that_lacks_its_lf_is_malformed(rest):
    session = referee("thinking")
    session.receive(rest, 0)
    assert session.next_event() is None
    session.receive_eof(0)
    with pytest.raises(RemoteProtocolError, match="lacks its LF") as caught:
        session.next_event()
    assert caught.value.why == "malformed" and session.raw == rest.decode().replace("\r", "\\x0d")
    assert session.next_event() is None


@pytest.mark.parametrize(
    "rest",
    [
        b"",
        b"debug",
        b"moves",
        b"move 731 e1",
        b"move 74",
        b"info 732",
        b"#move 732 e1",
        b"bye",
        b" move 732 e1",
    ],
)
def test_any_other_rest_is_nothing(rest):
    assert judged(referee("thinking"), [rest], eof=True) == []


@pytest.mark.parametrize("situation", ["first", "preparing", "waiting", "pinged"])
def test_without_a_turn_a_rest_is_nothing(situation):
    assert judged(referee(situation), [b"move 732 e1"], eof=True) == []


def test_a_payload_that_is_cut_short_is_malformed():
    payload = wire(Move(id=732, sq="e1"), "msgpack")
    for length in (1, 4, len(payload) - 1):
        assert judged(referee("thinking", "msgpack"), [payload[:length]], eof=True) == [
            ("fault", "malformed")
        ]
        assert judged(referee("waiting", "msgpack"), [payload[:length]], eof=True) == []


def test_nothing_at_all():
    assert judged(referee("first"), [b""], eof=True) == []


def test_a_frame_is_a_message():
    session = referee("thinking", "text", "zmq")
    assert judged(session, [b"", b"move 732", b" e1"]) == [("fault", "malformed"), "noise"]
    session = referee("thinking", "text", "zmq")
    assert judged(session, [b"move 732 e1\r\n"]) == [Move(id=732, sq="e1")]
    assert judged(session, [b"move 732 e1\nmove 732 e1\n"]) == ["noise"]


def test_frames_before_the_encoding_is_known():
    for encoding in ("text", "msgpack"):
        session = RefereeSession(transport="zmq")
        for frame in (b"debug", b"", b"# comment\n", wire(HELLO, encoding, "zmq")):
            session.receive(frame, 0)
        noise = session.next_event()
        assert isinstance(noise, Noise) and "frame 1" in noise.text
        assert session.encoding is None
        assert session.next_event() == HELLO
        assert session.encoding == encoding


def test_a_byte_order_mark_before_hello_in_a_frame():
    session = RefereeSession(transport="zmq")
    session.receive(b"\xef\xbb\xbf" + wire(HELLO, "text", "zmq"), 0)
    assert session.next_event() == HELLO
    assert session.encoding == "text"
    assert session.send(WELCOME).startswith(b"welcome ")


def test_a_frame_too_long_is_a_flood():
    assert fault(referee("thinking", "text", "zmq"), b"#" * 4097).why == "flood"
    assert fault(referee("thinking", "msgpack", "zmq"), b"\x80" * 4097).why == "flood"
