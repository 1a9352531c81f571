"""The referee's end: what it may send, and which questions that opens and closes."""

import pytest

from donuts_protocol.errors import InvalidMessage, LocalProtocolError
from donuts_protocol.messages import (
    Bye,
    Cancel,
    End,
    Error,
    Move,
    Ping,
    Resign,
)
from protocol.driving import END, GAME, WELCOME, one, referee, turn, wire


def test_raw_is_the_last_line_as_safe_text():
    session = referee("thinking")
    session.receive(b"move 732 e1 text=\\n\r\nresign \xff\n", 0)
    session.next_event()
    assert session.raw == "move 732 e1 text=\\\\n"
    session.next_event()
    assert session.raw == "resign \\xff"
    session = referee("thinking", "msgpack")
    answer = wire(Resign(id=732), "msgpack")
    one(session, answer)
    assert session.raw == answer[4:].hex()


def test_an_open_ping_is_closed_by_the_turn_after_it():
    session = referee("pinged")
    session.next_id()
    session.send(turn(734))
    assert session.question == 734
    assert one(session, b"pong 733\n").why == "late"
    assert one(session, b"move 734 e1\n") == Move(id=734, sq="e1")


@pytest.mark.parametrize(("situation", "message"), [("thinking", turn()), ("preparing", GAME)])
def test_an_open_question_can_be_sent_again(situation, message):
    session = referee(situation)
    assert session.send(message) == wire(message)
    assert session.question == message.id


@pytest.mark.parametrize(
    ("situation", "message"),
    [
        ("first", WELCOME),
        ("first", GAME),
        ("welcomed", WELCOME),
        ("welcomed", turn()),
        ("welcomed", END),
        ("preparing", turn()),
        ("preparing", Ping(id=732)),
        ("thinking", Ping(id=733)),
        ("thinking", turn(733)),
        ("thinking", Cancel(id=731)),
        ("thinking", End(**{f: getattr(END, f) for f in END.__struct_fields__} | {"id": 732})),
        ("waiting", turn(732)),
        ("waiting", turn(734)),
        ("waiting", turn(733, game=700)),
        ("waiting", GAME),
    ],
)
def test_what_the_order_of_messages_forbids_is_not_sent(situation, message):
    session = referee(situation)
    if situation != "first":
        session.next_id()
    state, question = session.state, session.question
    with pytest.raises(LocalProtocolError):
        session.send(message)
    assert (session.state, session.question) == (state, question)


def test_a_message_that_cannot_be_written_opens_nothing():
    session = referee("waiting")
    with pytest.raises(InvalidMessage):
        session.send(Error(id=None, text="a\nb"))
    bad = turn(session.next_id())
    with pytest.raises(InvalidMessage):
        session.send(type(bad)(**{f: getattr(bad, f) for f in bad.__struct_fields__} | {"legal": ()}))
    assert session.question is None and session.state == "playing"
    session.send(bad)


def test_cancel_and_end_close_the_question():
    session = referee("thinking")
    assert session.send(Cancel(id=732, why="timeout")) == b"cancel 732 why=timeout\n"
    assert (session.question, session.state) == (None, "playing")
    assert one(session, b"move 732 e1\n").why == "late"
    assert session.send(END).startswith(b"end 731 ") and session.state == "idle"
    session = referee("thinking")
    session.send(END)
    assert session.question is None and one(session, b"move 732 e1\n").why == "late"


def test_messages_go_out_in_the_encoding_of_the_bot():
    for encoding in ("text", "msgpack"):
        for transport in ("stdio", "zmq"):
            session = referee("waiting", encoding, transport)
            assert session.send(Bye(why="done")) == wire(Bye(why="done"), encoding, transport)
