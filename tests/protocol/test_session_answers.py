"""The referee's end: what every line of a bot means where the conversation stands."""

import pytest

from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.messages import (
    Bye,
    Error,
    Info,
    Leave,
    Move,
    Pong,
    Ready,
    Resign,
    Welcome,
)
from donuts_protocol.session import Counts, Dropped, Noise, RefereeSession
from protocol.driving import END, HELLO, WELCOME, fault, judged, one, referee, turn, wire


def test_hello_is_greeted_and_welcomed():
    session = RefereeSession(grants=("info",))
    assert session.encoding is None and session.state == "connected"
    hello = one(session, b"\xef\xbb\xbfhello donuts=0-3 name=a caps=fly,info\r\n")
    assert (hello.name, session.granted, session.version, session.encoding) == ("a", ("info",), 1, "text")
    assert session.state == "greeted"
    assert session.send(WELCOME).startswith(b"welcome donuts=1-1 ")
    assert session.state == "idle"


def test_nothing_is_granted_that_was_not_asked_for():
    session = RefereeSession()
    one(session, b"hello donuts=1-1 name=a\n")
    assert session.granted == ()


@pytest.mark.parametrize(
    "first", [b"hello donuts=1-1\n", b"hello\n", b"hello donuts=1-1 name=%\n", b"hello  name=a\n"]
)
def test_an_invalid_hello_is_judged_at_once(first):
    caught = fault(referee("first"), first)
    assert caught.why == "start" and "no valid `hello`" in caught.text and caught.clause == "DBP-9.11"


@pytest.mark.parametrize("donuts", [b"2-3", b"0-0", b"2-1"])
def test_no_common_version(donuts):
    session = referee("first")
    caught = fault(session, b"hello donuts=" + donuts + b" name=a\n")
    assert (caught.why, caught.clause) == ("version", "DBP-9.12")
    assert donuts.decode() in caught.text
    assert session.send(Bye(why="version", min=1, max=1)) == b"bye why=version min=1 max=1\n"


def test_every_fault_before_hello_is_start():
    assert fault(referee("first"), b"ready 5\n").why == "start"
    assert fault(referee("first"), b"x" * 4097).why == "start"
    assert fault(referee("first"), b"\n" * 2001).why == "start"
    assert fault(referee("first"), b"\x00\x00\x00\x01\x80\x00\x00\x00\x00").why == "start"
    assert fault(referee("first"), b"\x00\x00\x00\x01\xc1").why == "start"
    eleventh = fault(referee("first"), b"banner\n" * 11)
    assert eleventh.why == "start" and "stdout line 11" in eleventh.text


def test_what_else_comes_before_hello():
    session = referee("first")
    found = judged(session, [b"# a bot\n\nbanner\nbye\nerror -\ninfo 5\ninfo x\nhello donuts=1-1 name=a\n"])
    assert found[:-1] == [
        "noise",
        ("dropped", "state"),
        ("dropped", "state"),
        ("dropped", "rate"),
        ("dropped", "rate"),
    ]
    assert found[-1].verb == "hello"
    assert session.counts == Counts(noise=1, late=0, state=2, rate=2)


def test_a_second_hello_is_a_fault():
    for situation in ("welcomed", "preparing", "thinking", "waiting", "pinged"):
        assert fault(referee(situation), wire(HELLO)).why == "protocol"
    assert isinstance(one(referee("waiting"), b"hello again\n"), Noise)


@pytest.mark.parametrize(
    ("situation", "line", "answer", "state"),
    [
        ("preparing", b"ready 731\n", Ready(id=731), "playing"),
        ("thinking", b"move 732 e1\n", Move(id=732, sq="e1"), "playing"),
        ("thinking", b"move 732 i9\r\n", Move(id=732, sq="i9"), "playing"),
        ("thinking", b"resign 732\n", Resign(id=732), "playing"),
        ("pinged", b"pong 733\n", Pong(id=733), "playing"),
    ],
)
def test_an_answer_closes_its_question(situation, line, answer, state):
    session = referee(situation)
    assert session.question is not None
    assert one(session, line) == answer
    assert session.question is None and session.state == state
    assert one(session, line).why == "late"


@pytest.mark.parametrize("situation", ["preparing", "thinking", "waiting", "pinged"])
@pytest.mark.parametrize("line", [b"move %d e1", b"resign %d", b"ready %d", b"pong %d"])
@pytest.mark.parametrize("id", [0, 730, 734, 2**53 - 1])
def test_an_id_that_was_never_issued_is_a_fault(situation, line, id):
    caught = fault(referee(situation), line % id + b"\n")
    assert caught.why == "protocol" and str(id) in caught.text and caught.clause == "DBP-9.9"


def test_an_id_that_was_only_allotted_was_never_issued():
    session = referee("waiting")
    assert session.next_id() == 733
    assert fault(session, b"pong 733\n").why == "protocol"


@pytest.mark.parametrize(
    ("situation", "line", "why"),
    [
        ("thinking", b"ready 731", "late"),
        ("thinking", b"ready 732", "state"),
        ("thinking", b"pong 732", "state"),
        ("thinking", b"move 731 e1", "state"),
        ("thinking", b"move 731 z9", "state"),
        ("thinking", b"resign 731 x", "state"),
        ("preparing", b"move 731 e1", "state"),
        ("waiting", b"move 732 e1", "late"),
        ("waiting", b"resign 732", "late"),
        ("pinged", b"move 733 e1", "state"),
        ("pinged", b"move 732 e1", "late"),
    ],
)
def test_a_known_id_that_is_not_the_open_one_is_dropped(situation, line, why):
    session = referee(situation)
    question = session.question
    event = one(session, line + b"\n")
    assert isinstance(event, Dropped)
    assert (event.why, event.shown) == (why, line.decode())
    assert event.number == session._heard.number and f"stdout line {event.number}" in event.text
    assert session.question == question
    assert getattr(session.counts, why) == 1


def test_a_late_invalid_answer_leaves_the_next_turn_open():
    session = referee("waiting")
    assert session.next_id() == 733
    session.send(turn(733))
    assert one(session, b"move 732 z9\n").why == "late"
    assert one(session, b"move 733 e1\n") == Move(id=733, sq="e1")


@pytest.mark.parametrize(
    "line",
    [
        b"move",
        b"resign",
        b"move x e1",
        b"move 732",
        b"move 732 z9",
        b"move 732  e1",
        b"move 732 e1 ",
        b"move 732 \xff",
    ],
)
def test_an_invalid_answer_to_the_open_turn_is_malformed(line):
    session = referee("thinking")
    session.receive(line + b"\nmove 732 e1\n", 0)
    with pytest.raises(RemoteProtocolError) as caught:
        session.next_event()
    assert (caught.value.why, caught.value.clause, caught.value.raw) == ("malformed", "DBP-9.4", line)
    assert "turn 732" in caught.value.text and caught.value.text.isprintable()
    assert session.question is None and session.state == "playing"
    assert session.next_event().why == "late"
    assert session.send(END).startswith(b"end 731")


def test_an_invalid_answer_with_an_id_never_issued_is_judged_by_its_id():
    assert fault(referee("thinking"), b"move 999 z9\n").why == "protocol"


@pytest.mark.parametrize("situation", ["preparing", "waiting", "pinged"])
def test_an_invalid_answer_without_a_turn_is_noise(situation):
    assert isinstance(one(referee(situation), b"move 732 z9\n"), Noise)
    assert isinstance(one(referee(situation), b"move 999\n"), Noise)


def test_an_undecodable_payload_is_malformed_or_a_fault():
    rubbish = b"\x00\x00\x00\x01\xc1"
    session = referee("thinking", "msgpack")
    assert fault(session, rubbish).why == "malformed"
    assert fault(session, rubbish).why == "protocol"
    assert fault(referee("preparing", "msgpack"), rubbish).why == "protocol"


def test_a_map_with_a_wrong_value_is_judged_as_in_text():
    payload = b"\x82\xa1t\xa5ready\xa2id\xc0"
    session = referee("thinking", "msgpack")
    noise = one(session, len(payload).to_bytes(4, "big") + payload)
    assert isinstance(noise, Noise) and noise.shown == payload.hex() and "`ready`" in noise.text


@pytest.mark.parametrize("situation", ["welcomed", "preparing", "thinking", "waiting", "pinged"])
def test_bye_and_error_are_heard_in_every_state(situation):
    session = referee(situation)
    question = session.question
    assert one(session, b"error - code=oops text=what%3F\n") == Error(id=None, code="oops", text="what?")
    assert session.question == question
    assert one(session, b"bye text=tired\n") == Leave(text="tired")
    assert session.state == "leaving" and session.question is None
    session.send(Bye(why="done"))
    assert session.state == "closed"


def test_info_is_heard_while_the_bot_thinks():
    session = referee("thinking")
    assert one(session, b"info 732 eval=500 depth=3\n") == Info(id=732, eval=500, depth=3)
    assert session.question == 732


def test_info_is_never_a_fault():
    session = referee("thinking")
    lines = [b"info 731", b"info 999", b"info", b"info x", b"info 732 eval=1001", b"info 732  "]
    assert judged(session, [line + b"\n" for line in lines]) == [("dropped", "rate")] * len(lines)
    assert session.counts == Counts(0, 0, 0, len(lines))
    one(session, b"move 732 e1\n")
    assert one(session, b"info 732\n").why == "rate"


def test_info_that_was_not_granted_is_dropped():
    session = RefereeSession(grants=(), first_id=731)
    one(session, wire(HELLO))
    session.send(Welcome(donuts="1-1", session="s", caps=session.granted, maxline=4096, ref="r"))
    assert one(session, b"info 731\n").why == "rate"


def test_twenty_info_in_any_second():
    session = referee("thinking")
    line, ms = b"info 732\n", 1_000_000
    assert all(isinstance(one(session, line, i * ms), Info) for i in range(20))
    assert one(session, line, 500 * ms).why == "rate"
    assert one(session, line, 1000 * ms - 1).why == "rate"
    assert isinstance(one(session, line, 1000 * ms), Info)
    assert one(session, line, 1000 * ms).why == "rate"
    assert isinstance(one(session, line, 1001 * ms), Info)
