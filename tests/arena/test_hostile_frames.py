"""Frames that no bot sends, on a plain endpoint where all are heard: each is refused at a bounded cost."""

import struct
from collections.abc import Iterator

import pytest
import zmq

from arena.siege import PEAK, PEAK_OF_CRUMBS, Puppet, Siege, besieged, hello
from arena.zmtp import MORE, Raw, frame
from donuts_protocol.messages import Bye, Error, Welcome

MIB = 1 << 20

FLOOD = 256 * MIB
"""bytes that are sent at most by whoever is to be cut long before"""


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged() as one:
        yield one


def test_a_second_hello_ends_the_session(siege: Siege) -> None:
    with siege.bounded("protocol"), Puppet(siege.port).sit() as peer:
        peer.until(Welcome)
        peer.say(hello())
        assert peer.until(Error).code == "protocol"
        assert peer.until(Bye).why == "protocol"


def test_sessions_without_end_on_one_connection_end_it(siege: Siege) -> None:
    with siege.bounded("protocol"), Puppet(siege.port).sit() as peer:
        peer.write(frame(hello()) * 100)
        heard = peer.until_cut()
    assert sum(line.startswith(b"welcome") for line in heard) <= 10


def test_a_req_socket_is_told_what_is_wrong_in_frames_that_it_can_read(siege: Siege) -> None:
    with siege.bounded("frames"), zmq.Context() as context, context.socket(zmq.REQ) as req:
        req.linger = 0
        req.connect(f"tcp://127.0.0.1:{siege.port}")
        req.send(hello())
        assert req.poll(30_000)
        told = req.recv()
    assert told.startswith(b"error - code=frames") and b"DEALER" in told


def test_two_payload_frames_are_an_error_before_hello_and_noise_after_it(siege: Siege) -> None:
    with siege.bounded("frames", "protocol"), Puppet(siege.port).shake() as peer:
        peer.say(hello(), b"more")
        assert peer.until(Error).code == "frames"
        peer.say(hello())
        peer.until(Welcome)
        for _ in range(11):
            peer.say(b"pong 1", b"more")
        fault = peer.until(Error)
        assert fault.code == "protocol" and "frames" in (fault.text or "")
        assert peer.until(Bye).why == "protocol"


@pytest.mark.parametrize("size", [4097, 65_536])
def test_an_oversize_frame_is_a_flood_each_time(siege: Siege, size: int) -> None:
    flood = siege.refused("flood")
    with siege.bounded("flood"), Puppet(siege.port).shake() as peer:
        for start in (b"hello 1-1 name=m", b"\x85", b"\0"):
            peer.say(start.ljust(size, b"x"))
            assert peer.until(Error).code == "flood"
        peer.say(hello())
        peer.until(Welcome)
        peer.say(b"#".ljust(size, b"x"))
        assert peer.until(Bye).why == "flood"
    assert siege.refused("flood") == flood + 4


@pytest.mark.parametrize("size", [65_537, 4 * MIB, 1 << 40])
def test_a_frame_over_the_bound_of_the_socket_ends_the_connection_each_time(siege: Siege, size: int) -> None:
    dropped = siege.refused("dropped")
    with siege.bounded("dropped"):
        for seated in (False, False, True):
            with Puppet(siege.port).shake() as peer:
                if seated:
                    peer.say(hello())
                    peer.until(Welcome)
                peer.write(struct.pack("!BQ", 2, size) + b"hello 1-1 name=m")
                peer.until_cut()
    siege.hall.until_status(lambda status: status.refused["dropped"] == dropped + 3)


@pytest.mark.parametrize("size", [65_536, 300, 1, 0])
def test_an_unfinished_message_is_cut_long_before_it_costs_much(siege: Siege, size: int) -> None:
    part = frame(b"x" * size, MORE)
    peak = PEAK_OF_CRUMBS if size < 2 else PEAK
    for _ in range(3):  # what was freed after one must not hide the next
        with siege.bounded("unfinished", games=1, peak=peak), Raw(siege.port).shake() as peer:
            assert siege.pour(peer, part * (MIB // len(part)), FLOOD) < FLOOD


def test_many_unfinished_messages_are_bounded_together(siege: Siege) -> None:
    part, before = frame(b"", MORE) * 32_000, siege.refused("unfinished")
    with siege.bounded("unfinished"):
        peers = [Raw(siege.port).shake() for _ in range(100)]
        for peer in peers:
            peer.write(part)
            siege.look()
        siege.hall.until_status(lambda now: siege.count("unfinished", now) >= before + 50)
        for peer in peers:
            peer.close()


def test_empty_messages_without_end_are_a_flood(siege: Siege) -> None:
    for peer in (Puppet(siege.port).shake(), Puppet(siege.port).sit()):
        with siege.bounded("flood|unfinished", peak=PEAK_OF_CRUMBS), peer:
            assert siege.pour(peer, frame(b"") * (MIB // 2), FLOOD) < FLOOD


def test_lines_without_end_are_cut_after_ten(siege: Siege) -> None:
    with siege.bounded("hello|unfinished", peak=PEAK_OF_CRUMBS), Raw(siege.port).shake() as peer:
        assert siege.pour(peer, frame(b"move 1 a1") * 65_536, FLOOD) < FLOOD


@pytest.mark.parametrize("seated", [False, True])
def test_a_finished_message_of_very_many_parts_delays_nobody(siege: Siege, seated: bool) -> None:
    with siege.bounded("frames|unfinished", peak=PEAK_OF_CRUMBS), Puppet(siege.port).shake() as peer:
        if seated:
            peer.say(hello())
        siege.pour(peer, (frame(b"", MORE) * 60_000 + frame(b"")) * 20, FLOOD)
