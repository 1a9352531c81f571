"""Threads where no pipe can be polled, as on Windows: what holds however long a thread is not scheduled."""

import os

import pytest

from channels.conftest import join
from channels.test_terminal import Typist, shut
from channels.texts import ECHO, SHOUT
from donuts_referee.channels.inlet import BlindInlet
from donuts_referee.channels.link import Chunk, Exit, Gone

pytestmark = [pytest.mark.parametrize("kind", ["blind"]), pytest.mark.usefixtures("unhurried")]

SOON = 30_000_000_000
"""ns after which a wait has failed"""


def test_a_bot_is_heard_and_leaves(room, ear, bot) -> None:
    link = room.spawn(bot(ECHO))
    assert isinstance(link._inlet, BlindInlet) and isinstance(link._errors, BlindInlet)
    for number in range(20):
        link.send(b"%d\n" % number)
        assert ear.line(link) == b"%d" % number
    ear.until(lambda: not link.unwritten(None))  # the thread may tell of what it wrote after the answer
    assert list(room.wait(room.now())) == []
    assert link.reap() == Exit(0, None)


def test_the_end_of_a_bot_is_told_once(room, ear, bot, unsettled) -> None:
    link = room.spawn(bot("say('move'); os._exit(3)"))
    ear.until(lambda: ear.is_gone(link))
    assert [type(a) for a in ear.arrivals].count(Gone) == 1
    assert link.reap() == Exit(3, None)


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize("heir", ["signal.pause()", "while True: os.write(1, b'#' * 65536)"])
def test_an_heir_of_its_stdout_does_not_keep_a_bot_alive(room, ear, bot, heir) -> None:
    link = room.spawn(bot(f"if os.fork() == 0:\n    {heir}\nsay('last'); os._exit(5)"))
    ear.until(lambda: ear.is_gone(link))
    assert link.reap() == Exit(5, None, 1)


def test_stderr_is_whole_when_a_bot_was_seen_out(room, ear, bot) -> None:
    link = room.spawn(bot(SHOUT))
    link.send(b"200000\n")
    assert ear.line(link) == b"done"
    link.reap()
    assert link.stderr().total == 200_000


def test_a_bot_stuck_on_full_pipes_can_exit(room, bot) -> None:
    text = "for _ in range(32): os.write(2, b'e' * 65536); os.write(1, b'o' * 65536)\nos._exit(8)"
    assert room.spawn(bot(text)).reap() == Exit(8, None)


def test_a_person_is_heard(room) -> None:
    reads, types = os.pipe()
    person = Typist(reads)
    room.attach(person)
    os.write(types, b"a1\n")
    assert [a.data for a in room.wait(room.now() + SOON) if isinstance(a, Chunk)] == [b"move a1"]
    shut(types, reads)


def test_a_parent_is_heard_until_its_end(room, ear) -> None:
    ours_in, theirs_out = os.pipe()
    theirs_in, ours_out = os.pipe()
    link = room.parent(ours_in, ours_out)
    os.write(theirs_out, b"move 1 a1\n")
    os.close(theirs_out)
    assert ear.all_of(link) == b"move 1 a1\n"
    assert link.reap() == Exit(None, None)
    join(link._threads)
    for fd in (ours_in, ours_out, theirs_in):
        os.close(fd)
