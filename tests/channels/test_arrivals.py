"""What a wait delivers, in which order, and when it ends without anything."""

import queue
import signal

import pytest

from channels.texts import ECHO
from donuts_referee.channels.link import Chunk, Exit, Gone, Sent, Shut
from donuts_referee.channels.threads import ThreadExchange

MS = 1_000_000


def test_bytes_come_back_with_a_stamp_between_sending_and_now(room, ear, bot) -> None:
    link = room.spawn(bot(ECHO))
    before = room.now()
    at = link.send(b"turn\n")
    assert ear.line(link) == b"turn"
    sent = at if at is not None else ear.sent(link)[0].at
    arrived = next(a.at for a in ear.arrivals if isinstance(a, Chunk))
    assert before <= sent
    assert before <= arrived <= room.now()


def test_a_wait_is_empty_only_past_its_deadline(room, bot, ear) -> None:
    link = room.spawn(bot("say('up')" + ECHO))
    ear.line(link)
    for length in (0, 1, 300_000, MS, 3 * MS + 1):
        deadline = room.now() + length
        assert list(room.wait(deadline)) == []
        assert room.now() >= deadline
    link.send(b"turn\n")
    assert ear.line(link) == b"turn"


def test_what_is_readable_past_the_deadline_is_read(room, bot, whistle) -> None:
    link = room.spawn(bot("say('late'); open(sys.argv[1], 'w').write('!'); sys.stdin.read()", whistle.path))
    whistle.hear()
    came = room.wait(room.now() - 5_000 * MS)
    assert [a.data for a in came if isinstance(a, Chunk) and a.link is link] == [b"late\n"]


def test_a_wait_without_deadline_waits_for_something(room, bot) -> None:
    link = room.spawn(bot("say('here')"))
    came = room.wait(None)
    assert came[0].link is link


def test_a_large_answer_comes_whole_and_in_order(room, ear, bot) -> None:
    link = room.spawn(bot("data = bytes(range(256)) * 4096\nwhile data: data = data[os.write(1, data):]"))
    assert ear.all_of(link) == bytes(range(256)) * 4096


def test_data_before_the_end_is_believed(room, ear, bot, unsettled) -> None:
    """A program that answers and exits at once."""
    for _ in range(20):
        link = room.spawn(bot("say('move'); os._exit(3)"))
        assert ear.all_of(link) == b"move\n"
        kinds = [type(a) for a in ear.arrivals if a.link is link]
        assert kinds[-1] is Gone and kinds.count(Gone) == 1
        assert link.reap() == Exit(3, None)


def test_gone_comes_once(room, ear, bot) -> None:
    link = room.spawn(bot(""))
    ear.all_of(link)
    assert list(room.wait(room.now() + 30 * MS)) == []
    link.reap()
    assert list(room.wait(room.now() + 30 * MS)) == []


def test_a_closed_stdout_is_gone_though_the_process_lives(room, ear, bot, unhurried) -> None:
    link = room.spawn(bot("say('bye'); os.close(1); sys.stdin.read(); os._exit(7)"))
    assert ear.all_of(link) == b"bye\n"
    assert link.reap() == Exit(7, None, closed=True)


def test_a_grandchild_with_the_stdout_does_not_keep_a_bot_alive(room, ear, bot, contained) -> None:
    text = """
    if os.fork() == 0:
        signal.pause()
    say('last'); os._exit(5)
    """
    link = room.spawn(bot(text))
    assert ear.all_of(link) == b"last\n"
    assert link.reap() == Exit(5, None, 1)


def test_a_grandchild_that_babbles_does_not_keep_a_bot_alive(room, ear, bot, contained) -> None:
    text = """
    if os.fork() == 0:
        while True: os.write(1, b'#' * 65536)
    say('last'); os._exit(5)
    """
    link = room.spawn(bot(text))
    assert b"last\n" in ear.all_of(link)
    assert link.reap().strays == 1


def test_a_signal_is_told_from_a_status(room, ear, bot, unsettled) -> None:
    link = room.spawn(bot("os.kill(os.getpid(), signal.SIGSEGV)"))
    ear.all_of(link)
    assert link.reap() == Exit(None, signal.SIGSEGV)


def test_sending_to_a_bot_that_does_not_read_is_pending_and_comes_through_later(
    room, ear, bot, whistle
) -> None:
    """Sent comes once, after the last byte."""
    size = 4 << 20
    text = """
    open(sys.argv[1], 'w').write('up')
    os.read(0, 1)
    left = int(sys.argv[2])
    while left: left -= len(os.read(0, 65536))
    say('all')
    signal.pause()
    """
    link = room.spawn(bot(text, whistle.path, str(size)))
    whistle.hear()
    assert link.send(b"x" * size) is None
    assert link.send(b"y") is None
    assert ear.line(link) == b"all"
    ear.until(lambda: bool(ear.sent(link)))
    assert len(ear.sent(link)) == 1
    assert not ear.is_gone(link)


def test_a_bot_that_takes_back_what_it_wrote_blocks_nobody(room, bot, ear) -> None:
    """What a wait has seen in its stdout may be gone when it is read."""
    text = """
    back = os.open('/proc/self/fd/1', os.O_RDONLY | os.O_NONBLOCK)
    for _ in range(3000):
        os.write(1, b'#')
        try: os.read(back, 65536)
        except BlockingIOError: pass
    say('done'); sys.stdin.read()
    """
    link = room.spawn(bot(text))
    end = room.now() + 30_000 * MS
    while b"done" not in ear.data(link):
        assert room.now() < end
        ear.arrivals += room.wait(room.now())
    assert set(ear.data(link)) <= set(b"#done\n")


def test_a_bot_that_never_reads_blocks_nobody(room, ear, bot) -> None:
    deaf = room.spawn(bot("say('up'); signal.pause()"))
    good = room.spawn(bot(ECHO))
    ear.line(deaf)
    assert deaf.send(b"x" * (1 << 20)) is None
    for number in range(20):
        good.send(b"%d\n" % number)
        assert ear.line(good) == b"%d" % number
    assert ear.sent(deaf) == []
    deaf.hang_up()
    assert deaf.reap().signal == signal.SIGTERM


def test_sending_to_a_bot_that_is_gone_harms_nothing(room, ear, bot, watch, unhurried, unsettled) -> None:
    link = room.spawn(bot("say(str(os.getpid())); sys.stdin.readline()"))
    process = watch(ear.number(link))
    link.send(b"go\n")
    process.ends()
    ear.until(lambda: ear.is_gone(link))
    for _ in range(3):
        assert link.send(b"end\n") is None
    link.hang_up()
    assert link.send(b"end\n") is not None
    assert list(room.wait(room.now())) == []
    assert link.reap() == Exit(0, None)


def test_a_closed_stdin_is_not_read_and_not_gone(room, ear, bot) -> None:
    """DBP-10.10: the write is never through, and that is known."""
    link = room.spawn(bot("os.close(0); say('deaf'); signal.pause()"))
    assert ear.line(link) == b"deaf"
    assert link.send(b"turn\n") is None
    (shut,) = room.wait(room.now() + 30_000 * MS)
    assert isinstance(shut, Shut) and shut.link is link and shut.at <= room.now()
    assert list(room.wait(room.now() + 30 * MS)) == []


def test_a_stdin_that_is_closed_while_bytes_are_pending_is_told(room, ear, bot) -> None:
    link = room.spawn(bot("say('up'); os.read(0, 1); os.close(0); signal.pause()"))
    ear.line(link)
    assert link.send(b"x" * (1 << 20)) is None
    ear.until(lambda: any(isinstance(a, Shut) for a in ear.arrivals))
    assert not ear.is_gone(link) and ear.sent(link) == []


def test_a_stdin_that_is_full_is_not_taken_for_a_closed_one(room, ear, bot) -> None:
    link = room.spawn(bot("say('up'); signal.pause()"))
    ear.line(link)
    assert link.send(b"x" * (1 << 20)) is None
    assert list(room.wait(room.now() + 30 * MS)) == []


def test_a_closed_stdin_is_not_told_of_a_link_that_was_hung_up(room, ear, bot) -> None:
    link = room.spawn(bot("os.close(0); say('deaf'); signal.pause()"))
    ear.line(link)
    link.hang_up()
    link.send(b"turn\n")
    assert list(room.wait(room.now() + 30 * MS)) == []


def test_bytes_pending_when_the_bot_dies_end_in_gone(room, ear, bot) -> None:
    link = room.spawn(bot("say('up'); os.read(0, 1); os._exit(0)"))
    ear.line(link)
    assert link.send(b"x" * (1 << 20)) is None
    ear.all_of(link)
    assert not any(isinstance(a, Sent) for a in ear.arrivals)


def test_a_flood_starves_neither_the_other_nor_the_deadline(room, ear, bot) -> None:
    flood = room.spawn(bot("while True: os.write(1, b'#\\n' * 32768)"))
    good = room.spawn(bot(ECHO))
    for number in range(50):
        good.send(b"%d\n" % number)
        assert ear.line(good) == b"%d" % number
    for _ in range(20):
        came = room.wait(room.now() + 30_000 * MS)
        assert 0 < sum(len(a.data) for a in came if isinstance(a, Chunk) and a.link is flood) <= 4 * 65536


def test_a_flood_on_stderr_does_not_put_off_the_deadline(room, ear, bot) -> None:
    link = room.spawn(bot("say('up')\nwhile True: os.write(2, b'#' * 65536)"))
    ear.line(link)
    assert list(room.wait(room.now() + 20 * MS)) == []


def test_both_of_two_are_heard(room, ear, bot) -> None:
    pair = [room.spawn(bot(ECHO)) for _ in range(2)]
    for number in range(100):
        for link in pair:
            link.send(b"%d\n" % number)
        assert [ear.line(link) for link in pair] == [b"%d" % number] * 2


def test_nothing_of_a_link_arrives_after_its_reap(room, ear, bot) -> None:
    talker = room.spawn(bot("while True: say('noise')"))
    good = room.spawn(bot(ECHO))
    ear.line(talker)
    talker.reap()
    good.send(b"hello\n")
    seen = len(ear.arrivals)
    assert ear.line(good) == b"hello"
    assert {id(a.link) for a in ear.arrivals[seen:]} == {id(good)}


@pytest.mark.parametrize("first", [0, 1])
def test_reaping_one_keeps_what_the_other_said(room, ear, bot, whistle, unhurried, first) -> None:
    texts = ["say('mine'); open(sys.argv[1], 'w').write('!'); sys.stdin.read()", "sys.stdin.read()"]
    links = [room.spawn(bot(text, whistle.path)) for text in (texts if first else texts[::-1])]
    speaker, other = links if first else links[::-1]
    whistle.hear()
    assert other.reap() == Exit(0, None)
    assert ear.line(speaker) == b"mine"


@pytest.mark.parametrize("hour", [None, 3_600_000 * MS], ids=["without end", "an hour"])
def test_no_sleep_is_longer_than_a_second(room, hour) -> None:
    """A signal that comes just before a sleep begins does not end it: its handler runs when the sleep is over."""
    asked: list[float] = []

    def sleep(seconds: float) -> None:
        asked.append(seconds)
        if len(asked) == 3:
            raise KeyboardInterrupt

    class Sleeper:
        def get(self, timeout: float) -> None:
            sleep(timeout)
            raise queue.Empty

    if isinstance(room, ThreadExchange):
        room.arrived = Sleeper()
    else:
        room.poller.poll = lambda seconds, most: sleep(seconds) or []
    with pytest.raises(KeyboardInterrupt):
        room.wait(None if hour is None else room.now() + hour)
    assert all(0 <= seconds <= 1 for seconds in asked)
