"""Any message, in any encoding and any chunking, comes out as it went in."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from donuts_protocol import packed, text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.messages import FROM_REFEREE, Ping, Welcome
from protocol.driving import ENCODINGS, bot, judged, referee, wire
from protocol.strategies import ALL, chunked, messages, messages_of


@pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("codec", [text, packed], ids=["text", "packed"])
@given(data=st.data())
def test_a_message_survives(codec, kind, data):
    message = data.draw(messages_of(kind))
    try:
        payload = codec.encode(message)
    except InvalidMessage as fault:
        assert "bytes" in fault.reason  # a valid message can only be too long
        assume(False)
    assert len(payload) <= 4096
    assert codec.decode(payload, (kind,)) == message


@given(message=messages())
def test_text_is_printable_ascii_with_single_spaces(message):
    try:
        line = text.encode(message)
    except InvalidMessage:
        assume(False)
    assert all(0x20 <= byte <= 0x7E for byte in line)
    assert b"  " not in line and line == line.strip()
    assert line.split(b" ")[0].decode() == message.verb


@given(message=messages(), order=st.randoms(use_true_random=False))
def test_fields_stand_in_any_order(message, order):
    try:
        verb, *rest = text.encode(message).split(b" ")
    except InvalidMessage:
        assume(False)
    arguments, fields = rest[: len(message.args)], rest[len(message.args) :]
    order.shuffle(fields)
    assert text.decode(b" ".join([verb, *arguments, *fields, b"x_mine=%41,="]), (type(message),)) == message


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data())
def test_chunking_means_nothing_to_a_bot(encoding, data):
    said = data.draw(st.lists(messages(tuple(t for t in FROM_REFEREE if t is not Ping)), max_size=5))
    stream = wire(Welcome(donuts="1-1", session="s", caps=(), maxline=4096, ref="r"), encoding)
    for message in said:
        try:
            stream += wire(message, encoding)
        except InvalidMessage:
            assume(False)
    whole = judged(bot("first", encoding), [stream])
    assert whole[0].verb == "welcome"
    assert judged(bot("first", encoding), data.draw(chunked(stream))) == whole


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data())
def test_chunking_means_nothing_to_a_referee(encoding, data):
    said = data.draw(st.lists(messages(), max_size=6))
    stream = b""
    for message in said:
        try:
            stream += wire(message, encoding)
        except InvalidMessage:
            assume(False)
    whole = judged(referee("thinking", encoding), [stream], eof=True)
    assert judged(referee("thinking", encoding), data.draw(chunked(stream)), eof=True) == whole
