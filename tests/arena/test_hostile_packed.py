"""msgpack made to blow up in a reader: before `hello` and from a seat, each is refused at a bounded cost."""

import struct
from collections.abc import Iterator

import pytest

from arena.siege import Puppet, Siege, besieged
from arena.zmtp import Raw

HELLO = b"\x83\xa1t\xa5hello\xa6donuts\xa31-1\xa4name\xa7mallory"
EMPTY_MAPS = b"\xdf" + struct.pack("!I", 1000) + b"".join(b"\xa3%03d\x80" % n for n in range(815))

BOMBS = {
    "arrays in arrays": b"\x81\xa1t" + b"\x91" * 4000,
    "maps in maps": b"\x81\xa1t" * 1300,
    "a map of 2^32 items": b"\xdf\xff\xff\xff\xff",
    "an array of 2^32 items": b"\x81\xa1t\xdd\xff\xff\xff\xff",
    "a string of 4 GiB": b"\x81\xa1t\xdb\xff\xff\xff\xff",
    "bytes of 4 GiB": b"\x81\xa1t\xc6\xff\xff\xff\xff",
    "an ext of 4 GiB": b"\x81\xa1t\xc9\xff\xff\xff\xff\x01",
    "many arrays that claim 1024 items": b"\x8f" + b"\xa1t\xdc\x04\x00" * 600,
    "empty maps, just under 4096 bytes": EMPTY_MAPS,
    "a key twice": b"\x83\xa1t\xa5hello\xa1t\xa5hello\xa4name\xa1x",
    "a key that is no string": b"\x81\x01\x01",
    "an ext": b"\x82\xa1t\xa5hello\xa4name\xd4\x05\x00",
    "a timestamp": b"\x82\xa1t\xa5hello\xa4name\xd6\xff\x00\x00\x00\x00",
    "a float": b"\x82\xa1t\xa5hello\xa4name\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
    "a float for an id": b"\x82\xa1t\xa4pong\xa2id\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00",
    "an id of 2^64 - 1": b"\x82\xa1t\xa4pong\xa2id\xcf" + b"\xff" * 8,
    "half a map": HELLO[:-1],
    "two maps": HELLO + HELLO,
}
"""payloads of 4096 bytes at most, by what is bad about them"""

LARGE = {
    "64 KiB of empty maps": b"\xdf" + struct.pack("!I", 65_000) + b"\xa1a\x80" * 16_300,
    "64 KiB of nested arrays": b"\x81\xa1t" + b"\x91" * 65_500,
}


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged() as one:
        yield one


@pytest.mark.parametrize("what", BOMBS)
def test_a_stranger_with_a_bomb_is_told_so_ten_times_and_cut(siege: Siege, what: str) -> None:
    assert len(BOMBS[what]) <= 4096
    reason = "start" if b"hello" in BOMBS[what] else "hello"
    with siege.bounded(f"{reason}|start", games=1), Raw(siege.port).shake() as peer:
        for _ in range(20):
            peer.say(BOMBS[what])
        heard = [line for line in peer.until_cut() if b"error" in line]
    assert len(heard) <= 10


@pytest.mark.parametrize("what", BOMBS)
def test_a_guest_with_a_bomb_loses_its_seat_or_is_forgiven_ten_times(siege: Siege, what: str) -> None:
    with siege.bounded("protocol", games=1), Raw(siege.port).shake() as peer:
        peer.say(HELLO)
        for _ in range(11):
            peer.say(BOMBS[what])
        while (told := peer.hear()) is not None and b"\xa3bye" not in told[0]:
            pass
        assert told is None or b"protocol" in told[0]  # it is cut when it goes on as a stranger


@pytest.mark.parametrize("what", LARGE)
def test_a_bomb_of_64_kib_is_a_flood_before_it_is_read(siege: Siege, what: str) -> None:
    assert 48_000 < len(LARGE[what]) <= 65_536
    with (
        siege.bounded("flood", games=1),
        Raw(siege.port).shake() as stranger,
        Raw(siege.port).shake() as guest,
    ):
        guest.say(HELLO)
        for peer in (stranger, guest):
            peer.say(LARGE[what])
            while (told := peer.hear()) is not None and b"flood" not in told[0]:
                pass
            assert told is not None


def test_a_hello_in_msgpack_is_welcome_after_all(siege: Siege) -> None:
    with siege.bounded(), Puppet(siege.port).shake() as peer:
        peer.say(HELLO)
        told = peer.hear()
        assert told is not None and b"welcome" in told[0]
