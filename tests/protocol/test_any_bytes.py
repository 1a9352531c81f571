"""Arbitrary bytes in any chunking give messages or one RemoteProtocolError: both ends, all framings."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol import packed, text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, Message
from protocol.driving import ENCODINGS, FINAL, SITUATIONS, TRANSPORTS, bot, judged, referee, wire
from protocol.strategies import chunked, messages

PIECES = [
    *(
        b"\n",
        b"\r\n",
        b" ",
        b"=",
        b"%",
        b"#",
        b"\x00\x00\x00",
        b"\xef\xbb\xbf",
        b"\x81",
        b"\xa1t",
        b"\xc4",
        b"\xdf",
    ),
    *(
        b"move 732 e1",
        b"resign 732",
        b"ready 731",
        b"pong 733",
        b"hello donuts=1-1 name=a",
        b"info 732",
        b"bye",
    ),
    *(b"move ", b"731", b"734", b"eval=1001", b"turn 732", b"x" * 4097),
]
streams = st.lists(st.one_of(st.sampled_from(PIECES), st.binary(max_size=20)), max_size=12).map(b"".join)


def faults(found: list[object]) -> list[str]:
    return [event[1] for event in found if isinstance(event, tuple) and event[0] == "fault"]


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data(), situation=st.sampled_from(SITUATIONS), stream=streams, eof=st.booleans())
def test_a_referee_reads_any_bytes(encoding, transport, data, situation, stream, eof):
    chunks = data.draw(chunked(stream))
    found = judged(referee(situation, encoding, transport), chunks, eof=eof)
    assert sum(why in FINAL for why in faults(found)) <= 1
    assert all(why not in FINAL for why in faults(found[:-1]))
    assert faults(found).count("malformed") <= (situation == "thinking")
    if transport == "stdio":
        assert judged(referee(situation, encoding, transport), [stream], eof=eof) == found


@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data(), situation=st.sampled_from(SITUATIONS), stream=streams)
def test_a_bot_reads_any_bytes(encoding, transport, data, situation, stream):
    chunks = data.draw(chunked(stream))
    found = judged(bot(situation, encoding, transport), chunks)
    assert faults(found[:-1]) == []
    assert all(isinstance(event, Message) for event in found[:-1])
    if transport == "stdio":
        assert judged(bot(situation, encoding, transport), [stream]) == found


@pytest.mark.parametrize("encoding", ENCODINGS)
@given(data=st.data(), message=messages(FROM_BOT), situation=st.sampled_from(SITUATIONS))
def test_a_valid_message_with_wounds_is_judged(encoding, data, message, situation):
    try:
        stream = bytearray(wire(message, encoding))
    except InvalidMessage:
        return
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(0, len(stream) - 1)))
        stream[at : at + data.draw(st.integers(0, 2))] = data.draw(st.binary(max_size=2))
    found = judged(referee(situation, encoding), data.draw(chunked(bytes(stream))), eof=True)
    assert sum(why in FINAL for why in faults(found)) <= 1


@pytest.mark.parametrize("types", [FROM_BOT, FROM_REFEREE], ids=["bot", "referee"])
@pytest.mark.parametrize("codec", [text, packed], ids=["text", "packed"])
@given(payload=streams)
def test_the_codecs_raise_nothing_but_invalid_message(codec, types, payload):
    try:
        message = codec.decode(payload, types)
    except InvalidMessage as fault:
        assert fault.reason and fault.reason.isprintable()
        assert fault.id is None or 0 <= fault.id < 2**53
    else:
        assert isinstance(message, types)
        assert codec.decode(codec.encode(message), types) == message
