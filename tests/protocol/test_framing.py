"""Lines, payloads and frames, wherever the stream is cut, and floods as soon as they are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol.framing import Flood, FrameFramer, LineFramer, PrefixFramer, frame, framer
from protocol.strategies import chunked


def pieces(framer, chunks):
    found = []
    for chunk in chunks:
        framer.feed(chunk)
        while (piece := framer.next()) is not None:
            found.append(piece)
            if isinstance(piece, Flood):
                return found
    return found


lines = st.lists(st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")), max_size=8)


@given(st.data(), lines, st.binary(max_size=9).map(lambda line: line.replace(b"\n", b"")))
def test_lines_come_out_as_they_went_in(data, lines, rest):
    framer = LineFramer(30)
    assert pieces(framer, data.draw(chunked(b"".join(line + b"\n" for line in lines) + rest))) == lines
    assert framer.rest() == rest


@given(st.data(), st.lists(st.binary(min_size=1, max_size=300), max_size=8), st.binary(max_size=3))
def test_payloads_come_out_as_they_went_in(data, payloads, rest):
    framer = PrefixFramer(300)
    stream = b"".join(frame(payload, "msgpack", "stdio") for payload in payloads) + rest
    assert pieces(framer, data.draw(chunked(stream))) == payloads
    assert framer.rest() == rest


def test_the_longest_line_is_read_and_a_byte_more_is_a_flood():
    assert pieces(LineFramer(), [b"a" * 4096, b"\n"]) == [b"a" * 4096]
    assert pieces(LineFramer(), [b"a" * 4096]) == []
    [flood] = pieces(LineFramer(), [b"a" * 4096, b"a"])
    assert isinstance(flood, Flood) and "4096" in flood.text and flood.start == b"a" * 4096
    assert pieces(LineFramer(), [b"a" * 4097 + b"\n"]) == [flood]


def test_what_came_before_a_flood_comes_out_first():
    found = pieces(LineFramer(5), [b"ab\n123456", b"\ncd\n"])
    assert found[0] == b"ab" and isinstance(found[1], Flood) and len(found) == 2


def test_a_line_that_is_too_long_can_be_skipped():
    framer = LineFramer(5)
    framer.feed(b"123456")
    assert isinstance(framer.next(), Flood)
    framer.skip()
    assert framer.next() is None
    framer.feed(b"7890")
    assert framer.next() is None
    framer.feed(b"1\nab\ncd")
    assert [framer.next(), framer.next(), framer.rest()] == [b"ab", None, b"cd"]


@pytest.mark.parametrize("prefix", ["00000000", "00001001", "64656275", "ffffffff"])
def test_a_length_out_of_bounds_is_a_flood_at_once(prefix):
    framer = PrefixFramer()
    framer.feed(bytes.fromhex(prefix)[:3])
    assert framer.next() is None
    framer.feed(bytes.fromhex(prefix)[3:])
    flood = framer.next()
    assert isinstance(flood, Flood) and prefix in flood.text


def test_the_longest_payload_is_read():
    assert pieces(PrefixFramer(), [b"\x00\x00\x10\x00" + b"a" * 4096]) == [b"a" * 4096]


@pytest.mark.parametrize(
    ("first", "encoding"),
    [(b"h", "text"), (b"\x80", "msgpack"), (b"\x8f", "msgpack"), (b"\xde", "msgpack")],
)
def test_the_first_byte_of_a_frame_shows_the_encoding(first, encoding):
    framer = FrameFramer()
    assert pieces(framer, [first + b"a\r\n"]) == [first + (b"a" if encoding == "text" else b"a\r\n")]
    assert framer.encoding == encoding
    pieces(framer, [b"\x80" if encoding == "text" else b"h"])
    assert framer.encoding == encoding


@pytest.mark.parametrize("first", [b"\x90", b"\xdf", b"#", b"H", b"\x00", b"\xef\xbb\xbfh", b"m"])
def test_a_frame_that_shows_no_encoding_is_read_as_text(first):
    framer = FrameFramer()
    assert pieces(framer, [first + b"\n", b"", b"h"]) == [first, b"", b"h"]
    assert framer.encoding == "text"


def test_one_end_of_line_is_taken_off_a_text_frame():
    read = pieces(
        FrameFramer(encoding="text"), [b"a\n", b"a\r\n", b"a\r", b"a\n\n", b"\n", b"a" * 4096 + b"\r\n"]
    )
    assert read == [b"a", b"a", b"a\r", b"a\n", b"", b"a" * 4096]
    [flood] = pieces(FrameFramer(encoding="text"), [b"a" * 4097])
    assert isinstance(flood, Flood)


def test_frame_and_framer_fit_each_other():
    for encoding in ("text", "msgpack"):
        for transport in ("stdio", "zmq"):
            reader = framer(encoding, transport)
            assert pieces(reader, [frame(b"bye", encoding, transport)]) == [b"bye"]
            assert reader.rest() == b""
