"""A person at a terminal, heard in the same wait as the bots."""

import os
import threading
from collections.abc import Iterator, Sequence

import pytest

from channels.conftest import join
from channels.texts import ECHO
from donuts_referee.channels.link import Arrival, Chunk, Exit, Gone, Stderr


class Typist:
    """A local link that gives on what it is fed, whole lines at a time."""

    def __init__(self, fd: int) -> None:
        self.fd = fd
        self.fed: list[bytes] = []
        self.begun = b""

    def fileno(self) -> int:
        return self.fd

    def heard(self, data: bytes, at: int) -> Sequence[Arrival]:
        self.fed.append(data)
        if not data:
            return [Gone(self, at)]
        *lines, self.begun = (self.begun + data).split(b"\n")
        return [Chunk(self, b"move " + line, at) for line in lines]

    def send(self, data: bytes) -> int | None:
        return 0

    def hang_up(self) -> None: ...

    def reap(self) -> Exit:
        return Exit(None, None)

    def stderr(self) -> Stderr:
        return Stderr(b"", b"", 0)


SOON = 30_000_000_000
"""ns after which a wait has failed"""


def shut(types: int, reads: int) -> None:
    """Close both ends of a keyboard, the one that is read once nobody reads it: its number may come again."""
    os.close(types)
    unread()
    os.close(reads)


def unread() -> None:
    """Wait until no thread reads a keyboard whose other end is closed."""
    join(thread for thread in threading.enumerate() if thread.name == "person")


@pytest.fixture(params=["pipe", "pty"])
def keyboard(request: pytest.FixtureRequest) -> Iterator[tuple[int, int]]:
    """What is typed into, and what a local link reads."""
    if request.param == "pipe":
        reads, types = os.pipe()
    else:
        types, reads = os.openpty()
    yield types, reads
    shut(types, reads)


def test_a_line_typed_arrives(room, keyboard) -> None:
    types, reads = keyboard
    person = Typist(reads)
    room.attach(person)
    os.write(types, b"a1\n")
    came = room.wait(room.now() + SOON)
    assert [(a.link, a.data) for a in came if isinstance(a, Chunk)] == [(person, b"move a1")]


def test_what_amounts_to_nothing_ends_no_wait(room) -> None:
    """Half a line is heard and kept; the wait goes on."""
    reads, types = os.pipe()
    person = Typist(reads)
    room.attach(person)
    os.write(types, b"a")
    assert list(room.wait(room.now() + 20_000_000)) == []
    assert person.fed == [b"a"]
    os.write(types, b"1\n")
    assert [a.data for a in room.wait(room.now() + SOON) if isinstance(a, Chunk)] == [b"move a1"]
    shut(types, reads)


def test_a_person_and_a_bot_are_heard_in_one_wait(room, keyboard, bot, ear) -> None:
    types, reads = keyboard
    person, link = Typist(reads), room.spawn(bot(ECHO))
    room.attach(person)
    for number in range(5):
        os.write(types, b"b%d\n" % number)
        link.send(b"%d\n" % number)
        assert ear.line(link) == b"%d" % number
    ear.until(lambda: ear.data(person) == b"move b0move b1move b2move b3move b4")


def test_what_is_posted_arrives_with_the_next_wait(room, keyboard) -> None:
    person = Typist(keyboard[1])
    ready = Chunk(person, b"ready 1\n", 5)
    room.post(ready)
    assert list(room.wait(room.now())) == [ready]
    assert list(room.wait(room.now())) == []


def test_the_end_of_the_typing_is_told(room, ear) -> None:
    reads, types = os.pipe()
    person = Typist(reads)
    room.attach(person)
    os.write(types, b"a1\n")
    os.close(types)
    ear.until(lambda: ear.is_gone(person))
    assert ear.data(person) == b"move a1"
    assert person.fed[-1] == b""
    assert list(room.wait(room.now() + 5_000_000)) == []
    room.detach(person)
    unread()
    os.close(reads)


def test_a_file_can_be_typed_from(room, ear, tmp_path) -> None:
    (tmp_path / "moves").write_bytes(b"a1\nb2\n")
    with (tmp_path / "moves").open("rb") as file:
        person = Typist(file.fileno())
        room.attach(person)
        ear.until(lambda: ear.is_gone(person))
        assert ear.data(person) == b"move a1move b2"
        unread()


def test_two_share_a_keyboard_one_after_the_other(room, ear, keyboard) -> None:
    """What is typed while nobody listens is for the next."""
    types, reads = keyboard
    first, second = Typist(reads), Typist(reads)
    room.attach(first)
    os.write(types, b"a1\n")
    ear.until(lambda: ear.data(first) == b"move a1")
    room.detach(first)
    room.detach(first)
    os.write(types, b"b2\n")
    assert list(room.wait(room.now() + 5_000_000)) == []
    room.attach(second)
    ear.until(lambda: ear.data(second) == b"move b2")
    assert ear.data(first) == b"move a1"
