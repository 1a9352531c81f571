"""Secrets of `hello` are shown nowhere: not in faults, noise, records or what the other side is told."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol import packed
from donuts_protocol.discretion import discreet
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.messages import Hello
from donuts_protocol.session import RefereeSession

SECRET = "5ecre7-t0ken"
HELLO = f"hello donuts=1-1 name=x seat={SECRET} session={SECRET} caps=".encode()


def greeted(encoding: str = "text") -> RefereeSession:
    session = RefereeSession(transport="zmq")
    hello = Hello(donuts="1-1", name="x", seat=SECRET, session=SECRET)
    session.receive(packed.encode(hello) if encoding == "msgpack" else HELLO, 0)
    assert isinstance(session.next_event(), Hello)
    assert SECRET not in session.raw and SECRET.encode().hex() not in session.raw
    return session


@pytest.mark.parametrize("encoding", ["text", "msgpack"])
def test_a_second_hello_is_quoted_without_them(encoding: str) -> None:
    session = greeted(encoding)
    hello = Hello(donuts="1-1", name="x", seat=SECRET)
    session.receive(packed.encode(hello) if encoding == "msgpack" else HELLO, 0)
    with pytest.raises(RemoteProtocolError) as fault:
        session.next_event()
    told = fault.value.text + fault.value.raw.decode("latin-1") + fault.value.raw.hex() + session.raw
    assert SECRET not in told and SECRET.encode().hex() not in told


@pytest.mark.parametrize(
    "line",
    [
        HELLO + b" name=y",
        HELLO[:-6] + b" x",
        b"hello seat=" + SECRET.encode(),
        b"xhello seat=" + SECRET.encode(),
    ],
)
def test_what_is_no_valid_hello_is_quoted_without_them(line: bytes) -> None:
    for session in (greeted(), RefereeSession(), RefereeSession(transport="zmq")):
        session.receive(line + (b"\n" if session.transport == "stdio" else b""), 0)
        try:
            event = session.next_event()
            told = repr(event)
        except RemoteProtocolError as fault:
            told = fault.text + repr(fault.raw)
        assert SECRET not in told + session.raw


@given(st.binary())
def test_other_lines_are_left_as_they_are(line: bytes) -> None:
    if b"seat" not in line and b"session" not in line:
        assert discreet(line) == line


def test_several_messages_of_several_frames_are_each_noise() -> None:
    session = greeted()
    for _ in range(3):
        session.receive_split(2, b"seat=" + SECRET.encode(), 0)
    events = [session.next_event() for _ in range(4)]
    assert [type(event).__name__ for event in events] == ["Noise", "Noise", "Noise", "NoneType"]
    assert session.counts.noise == 3 and SECRET not in repr(events)
