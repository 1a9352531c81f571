"""The bot's end: what it may send, what it hears, and what it calls a fault of the referee."""

import pytest

from donuts_protocol.errors import InvalidMessage, LocalProtocolError, RemoteProtocolError
from donuts_protocol.messages import (
    Bye,
    Cancel,
    Error,
    Hello,
    Info,
    Leave,
    Move,
    Ping,
    Pong,
    Ready,
    Resign,
    Welcome,
)
from donuts_protocol.session import BotSession
from protocol.driving import ENCODINGS, GAME, HELLO, TRANSPORTS, WELCOME, bot, judged, turn, wire


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_game_in_every_framing(encoding, transport):
    session = BotSession(encoding, transport)
    said = [session.send(HELLO)]
    for message, answer in [
        (WELCOME, None),
        (Ping(id=5), Pong(id=5)),
        (GAME, Ready(id=731)),
        (turn(), Move(id=732, sq="e1")),
        (Cancel(id=732), None),
        (turn(733), Resign(id=733)),
        (Bye(why="done"), None),
    ]:
        session.receive(wire(message, encoding, transport))
        assert session.next_event() == message
        assert session.next_event() is None
        if answer:
            assert session.question == answer.id
            said.append(session.send(answer))
            assert session.question is None
    assert said[-1] == wire(Resign(id=733), encoding, transport)
    assert session.state == "closed"


@pytest.mark.parametrize(
    ("situation", "message", "says"),
    [
        ("welcomed", HELLO, "`hello` may not be sent while idle"),
        ("welcomed", Ready(id=731), "while idle"),
        ("preparing", Move(id=731, sq="e1"), "while preparing"),
        ("preparing", Ready(id=732), "731 is open"),
        ("thinking", Move(id=731, sq="e1"), "732 is open"),
        ("thinking", Info(id=731), "732 is open"),
        ("thinking", Pong(id=732), "while thinking"),
        ("waiting", Move(id=732, sq="e1"), "while playing"),
        ("waiting", Info(id=732), "while playing"),
        ("pinged", Pong(id=732), "733 is open"),
    ],
)
def test_what_a_referee_would_take_for_a_fault_is_not_sent(situation, message, says):
    session = bot(situation)
    state = session.state
    with pytest.raises(LocalProtocolError, match=says):
        session.send(message)
    assert session.state == state


def test_a_bot_says_hello_first():
    with pytest.raises(LocalProtocolError, match="while connected"):
        BotSession().send(Leave())
    assert BotSession().send(Hello(donuts="1-1", name="a")) == b"hello donuts=1-1 name=a\n"


def test_info_needs_the_capability():
    session = BotSession()
    session.send(Hello(donuts="1-1", name="a"))
    plain = Welcome(donuts="1-1", session="s", caps=(), maxline=4096, ref="r")
    for message in (plain, GAME):
        session.receive(wire(message))
        session.next_event()
    session.send(Ready(id=731))
    session.receive(wire(turn()))
    session.next_event()
    with pytest.raises(LocalProtocolError, match="caps=info"):
        session.send(Info(id=732))
    assert bot("thinking").send(Info(id=732, depth=1)) == b"info 732 depth=1\n"


def test_a_message_that_cannot_be_written_answers_nothing():
    session = bot("thinking")
    with pytest.raises(InvalidMessage):
        session.send(Move(id=732, sq="z9"))
    assert session.question == 732
    session.send(Move(id=732, sq="e1"))


def test_error_and_bye_may_be_sent_at_any_time():
    for situation in ("first", "welcomed", "preparing", "thinking", "waiting", "pinged"):
        session = bot(situation)
        assert session.send(Error(id=None)) == b"error -\n"
        assert session.send(Leave()) == b"bye\n"
        with pytest.raises(LocalProtocolError):
            session.send(Leave())


def test_unknown_verbs_and_fields_are_ignored():
    session = bot("welcomed")
    assert judged(session, [b"praise 5 x_a=1\n" + wire(GAME)[:-1] + b" mood=good\n"]) == [GAME]


@pytest.mark.parametrize(
    ("data", "why", "says"),
    [
        (b"turn 5\n", "protocol", "game is missing"),
        (b"\n", "protocol", "no verb"),
        (b"ping 733\r\n", "protocol", "printable ASCII"),
        (b"ping  733\n", "protocol", "exactly one space"),
        (wire(WELCOME), "protocol", "may not come while playing"),
        (b"x" * 4097, "flood", "4096"),
    ],
)
def test_a_referee_can_be_at_fault(data, why, says):
    session = bot("waiting")
    session.receive(data)
    with pytest.raises(RemoteProtocolError, match=says) as caught:
        session.next_event()
    assert caught.value.why == why and "of the referee" in caught.value.text
    session.receive(wire(Ping(id=733)))
    assert session.next_event() is None


def test_an_open_ping_is_closed_by_the_turn_after_it():
    session = bot("pinged")
    session.receive(wire(turn(734)))
    assert session.next_event() == turn(734)
    assert session.send(Move(id=734, sq="e1")) == b"move 734 e1\n"
