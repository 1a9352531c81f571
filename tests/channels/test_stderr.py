"""What bots say on stderr is always drained, and its two ends are kept."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from channels.texts import ECHO, SHOUT
from donuts_referee.channels.link import LEGACY, Exit
from donuts_referee.channels.process import Process
from donuts_referee.channels.stderr import HEAD, TAIL, StderrKeeper


@given(st.lists(st.binary(max_size=30_000), max_size=6))
def test_head_and_tail_are_the_two_ends(parts) -> None:
    keeper = StderrKeeper()
    for part in parts:
        keeper.feed(part)
    whole = b"".join(parts)
    assert keeper.kept.total == len(whole)
    assert keeper.kept.head == whole[:HEAD]
    assert keeper.kept.tail == whole[HEAD:][-TAIL:]


@pytest.mark.parametrize("size", [1, 200 * 1024, 10 * 1024 * 1024])
def test_stderr_never_blocks_a_bot(room, ear, bot, size) -> None:
    link = room.spawn(bot(SHOUT))
    link.send(b"%d\n" % size)
    assert ear.line(link) == b"done"
    link.reap()
    kept = link.stderr()
    assert kept.total == size
    assert (len(kept.head), len(kept.tail)) == (min(size, HEAD), min(max(size - HEAD, 0), TAIL))


def test_the_stderr_of_one_is_drained_while_the_other_thinks(room, ear, bot) -> None:
    loud = room.spawn(bot(SHOUT))
    good = room.spawn(bot(ECHO))
    loud.send(b"1000000\n")
    good.send(b"hello\n")
    assert ear.line(good) == b"hello"
    assert ear.line(loud) == b"done"


def test_the_end_of_the_story_is_there_when_gone_is(room, ear, bot, unsettled) -> None:
    link = room.spawn(bot("os.write(2, b'fatal: no model'); os._exit(1)"))
    ear.all_of(link)
    assert link.stderr().head == b"fatal: no model"
    assert link.reap().status == 1


def test_stderr_is_drained_while_a_bot_is_ended(room, ear, bot, unhurried) -> None:
    """A bot that writes more than a pipe holds before it exits can exit."""
    text = "sys.stdin.read()\nfor _ in range(32): os.write(2, b'e' * 65536); os.write(1, b'o' * 65536)\nos._exit(4)"
    link = room.spawn(bot(text))
    assert link.reap() == Exit(4, None)
    assert link.stderr().total == 32 * 65536


FLOOD = """
os.write(2, b'mine')
bot = os.getpid()
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while os.getppid() == bot: pass
    for _ in range(64): os.write(2, b'#' * 65536)
    open(sys.argv[1], 'w').write('!')
    while True: os.write(2, b'#' * 65536)
os._exit(4)
"""
"""a bot that leaves a process which writes 4 MiB, says so, and goes on"""


@pytest.mark.usefixtures("contained")
def test_what_a_stray_floods_is_not_the_bots(room, ear, bot, whistle) -> None:
    link = room.spawn(bot(FLOOD, whistle.path))
    ear.all_of(link)
    assert link.reap().status == 4
    kept = link.stderr()
    assert kept.head.startswith(b"mine") and kept.total <= len(b"mine") + LEGACY


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize("kind", ["threads"])
def test_nor_is_what_it_floods_before_anybody_has_noticed_the_end(
    room, ear, bot, whistle, monkeypatch
) -> None:
    """The thread that waits for the end may be scheduled long after it."""
    outlast = Process.outlast

    def late(process: Process) -> None:
        outlast(process)
        whistle.hear()

    monkeypatch.setattr(Process, "outlast", late)
    link = room.spawn(bot(FLOOD, whistle.path))
    ear.all_of(link)
    link.reap()
    assert link.stderr().total <= len(b"mine") + LEGACY


@given(st.lists(st.tuples(st.integers(0, LEGACY), st.booleans()), max_size=6))
def test_after_the_end_no_more_is_taken_than_a_pipe_holds(parts) -> None:
    over = False
    teed: list[bytes] = []
    keeper = StderrKeeper(teed.append, lambda: over)
    before = after = 0
    for size, ends in parts:
        over = over or ends
        keeper.feed(bytes(size))
        if over:
            after += size
        else:
            before += size
    assert keeper.kept.total == sum(map(len, teed)) == before + min(after, LEGACY)


def test_a_closed_stderr_is_quiet(room, ear, bot) -> None:
    link = room.spawn(bot("os.close(2)\n" + ECHO))
    link.send(b"hello\n")
    assert ear.line(link) == b"hello"
    assert list(room.wait(room.now() + 5_000_000)) == []
    assert link.stderr() == (b"", b"", 0)


def test_who_asks_sees_stderr_as_it_comes(room, ear, bot) -> None:
    seen: list[bytes] = []
    link = room.spawn(bot(SHOUT), seen.append)
    link.send(b"100000\n")
    assert ear.line(link) == b"done"
    link.reap()
    assert link.stderr().total == sum(map(len, seen)) == 100_000
