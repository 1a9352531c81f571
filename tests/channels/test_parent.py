"""The program that started us, as a bot on two descriptors that may be shared."""

import fcntl
import os
import resource
import select
import threading
from collections.abc import Iterator

import pytest

from channels.conftest import join
from donuts_referee.channels.link import Chunk, Exit, Gone, Sent, Shut

MS = 1_000_000


class Parent:
    """Both pipes of a process that was spawned by a program, seen from both ends."""

    def __init__(self) -> None:
        self.ours_in, self.theirs_out = os.pipe()
        self.theirs_in, self.ours_out = os.pipe()
        self.held = {self.ours_in, self.theirs_out, self.theirs_in, self.ours_out}

    def drop(self, fd: int) -> None:
        self.held.discard(fd)
        os.close(fd)


@pytest.fixture
def parent() -> Iterator[Parent]:
    running = set(threading.enumerate())
    pipes = Parent()
    yield pipes
    for fd in pipes.held & {pipes.theirs_in, pipes.theirs_out}:
        pipes.drop(fd)
    join(set(threading.enumerate()) - running)  # the numbers of ours may come again
    for fd in pipes.held:
        os.close(fd)


def test_it_hears_and_is_heard(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    os.write(parent.theirs_out, b"hello donuts=1-1 name=p\n")
    assert ear.line(link) == b"hello donuts=1-1 name=p"
    link.send(b"welcome\n")
    assert os.read(parent.theirs_in, 100) == b"welcome\n"
    assert link.stderr() == (b"", b"", 0)
    parent.drop(parent.theirs_out)
    assert link.reap() == Exit(None, None)


def test_its_end_is_gone_after_what_it_said(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    os.write(parent.theirs_out, b"move 1 a1\n")
    parent.drop(parent.theirs_out)
    assert ear.all_of(link) == b"move 1 a1\n"
    assert list(room.wait(room.now() + 5 * MS)) == []
    link.reap()


def test_a_parent_that_does_not_read_blocks_nobody(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    size = 1 << 20
    assert link.send(b"x" * size) is None
    assert link.send(b"y\n") is None
    os.write(parent.theirs_out, b"still here\n")
    assert ear.line(link) == b"still here"
    assert ear.sent(link) == []
    # now it reads: half of it here, the rest while we wait
    got = 0
    while not ear.sent(link):
        came = room.wait(room.now() + 5 * MS)
        ear.arrivals += came
        if not came and select.select([parent.theirs_in], [], [], 0)[0]:
            got += len(os.read(parent.theirs_in, 65536))
    while got < size + 2:
        got += len(os.read(parent.theirs_in, 65536))
    assert got == size + 2
    assert len(ear.sent(link)) == 1
    parent.drop(parent.theirs_out)
    link.reap()


def test_nothing_is_made_non_blocking(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    link.send(b"x" * (1 << 20))
    for fd in (parent.ours_in, parent.ours_out):
        assert not fcntl.fcntl(fd, fcntl.F_GETFL) & os.O_NONBLOCK
    parent.drop(parent.theirs_out)
    parent.drop(parent.theirs_in)
    link.reap()


def test_hanging_up_shows_the_parent_an_end_after_the_farewell(room, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    link.send(b"bye why=done\n")
    link.hang_up()
    link.hang_up()
    got = b""
    while data := os.read(parent.theirs_in, 100):
        got += data
    assert got == b"bye why=done\n"
    assert os.write(parent.ours_out, b"a late print") == 12  # goes nowhere, harms nobody
    parent.drop(parent.theirs_out)
    assert link.reap() == link.reap() == Exit(None, None)


def test_a_parent_that_never_closes_is_left_after_a_second(room, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    os.write(parent.theirs_out, b"#\n" * 1000)
    assert link.reap() == Exit(None, None)


def test_a_descriptor_may_have_a_high_number(room, parent) -> None:
    """Higher than select can count."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard != resource.RLIM_INFINITY and hard < 1100:
        pytest.skip("no descriptor may have such a number here")
    resource.setrlimit(resource.RLIMIT_NOFILE, (1100, hard))
    try:
        high = fcntl.fcntl(parent.ours_in, fcntl.F_DUPFD_CLOEXEC, 1024)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    parent.held.add(high)
    link = room.parent(high, parent.ours_out)
    os.write(parent.theirs_out, b"move 1 a1\n")
    came = room.wait(room.now() - 5_000 * MS)
    assert [a.data for a in came if isinstance(a, Chunk)] == [b"move 1 a1\n"]
    parent.drop(parent.theirs_out)
    link.reap()


def test_sending_to_a_parent_that_is_gone_harms_nothing(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    parent.drop(parent.theirs_in)
    assert link.send(b"welcome\n") is None
    assert link.send(b"game\n") is None
    ear.until(lambda: any(isinstance(a, Shut) for a in ear.arrivals))
    assert not any(isinstance(a, Gone | Sent) for a in ear.arrivals)
    parent.drop(parent.theirs_out)
    ear.until(lambda: ear.is_gone(link))
    link.reap()


def test_a_parent_that_reads_no_more_while_bytes_are_pending_is_told(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    assert link.send(b"x" * (1 << 20)) is None
    parent.drop(parent.theirs_in)
    ear.until(lambda: any(isinstance(a, Shut) for a in ear.arrivals))
    assert not any(isinstance(a, Gone | Sent) for a in ear.arrivals)
    parent.drop(parent.theirs_out)
    link.reap()


def test_a_parent_that_goes_while_bytes_are_pending_is_gone(room, ear, parent) -> None:
    link = room.parent(parent.ours_in, parent.ours_out)
    assert link.send(b"x" * (1 << 20)) is None
    parent.drop(parent.theirs_in)
    parent.drop(parent.theirs_out)
    ear.until(lambda: ear.is_gone(link))
    assert ear.sent(link) == []
    link.reap()


@pytest.mark.parametrize("text", [b"", b"hello donuts=1-1 name=file\n"])
def test_a_file_may_stand_in_for_a_parent(room, parent, tmp_path, text) -> None:
    """`donuts referee < answers`: a file is always ready, where some systems cannot wait for one."""
    (tmp_path / "answers").write_bytes(text)
    with (tmp_path / "answers").open("rb") as file:
        link = room.parent(file.fileno(), parent.ours_out)
        came = []
        while not any(isinstance(a, Gone) for a in came):
            came += room.wait(room.now() + 30_000 * MS)
        assert b"".join(a.data for a in came if isinstance(a, Chunk)) == text
        assert link.reap() == Exit(None, None)
        join(getattr(link, "_threads", ()))
