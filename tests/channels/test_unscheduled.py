"""Nothing a bot said is lost or late because a thread of ours, with what it read in its hands, is not scheduled."""

import os
import select
import threading
from collections.abc import Callable, Iterator

import pytest

from channels.conftest import FOREVER
from channels.test_terminal import Typist, shut
from donuts_referee.channels import threaded
from donuts_referee.channels.inlet import Inlet
from donuts_referee.channels.link import Chunk, Exit, Gone, Sent
from donuts_referee.channels.process import Process

pytestmark = pytest.mark.parametrize("kind", ["threads"])

PAUSE = 0.3
"""seconds for which such a thread does not run, or until the test is over; no test hangs on how long that is"""

LONG_AGO = -5_000_000_000
"""ns from now to a deadline that has passed"""


class Stalled:
    """Stops every thread but that of the test where its read has just returned certain bytes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.words = b""
        self.has_read = threading.Event()
        self.over = threading.Event()
        self._read = os.read
        monkeypatch.setattr(os, "read", self._slowly)

    def _slowly(self, fd: int, most: int) -> bytes:
        data = self._read(fd, most)
        if self.words and self.words in data and threading.current_thread() is not threading.main_thread():
            self.has_read.set()
            self.over.wait(PAUSE)
        return data


@pytest.fixture
def stalled(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], threading.Event]]:
    """Says with which bytes in its hands a thread stops, and gives the event that one has come there."""
    stall = Stalled(monkeypatch)

    def upon(words: bytes) -> threading.Event:
        stall.words = words
        return stall.has_read

    yield upon
    stall.over.set()


def test_stderr_is_counted_up_to_the_line_that_followed_it(room, ear, bot, stalled) -> None:
    stalled(b"complaint")
    link = room.spawn(bot("os.write(2, b'complaint'); say('move 1 a1'); sys.stdin.read()"))
    assert ear.line(link) == b"move 1 a1"
    assert link.stderr().total == len(b"complaint")


@pytest.mark.usefixtures("contained")
def test_last_words_come_before_the_end_though_another_process_holds_the_pipe(
    room, ear, bot, stalled
) -> None:
    stalled(b"move")
    text = """
    if os.fork() == 0:
        while True: signal.pause()
    say('move 1 a1'); os._exit(5)
    """
    link = room.spawn(bot(text))
    assert ear.all_of(link) == b"move 1 a1\n"
    kinds = [type(a) for a in ear.arrivals if a.link is link]
    assert kinds[-1] is Gone and kinds.count(Gone) == 1


@pytest.mark.usefixtures("contained")
@pytest.mark.parametrize("heir", ["", "if os.fork() == 0: signal.pause()\n"], ids=["alone", "with an heir"])
def test_the_end_comes_with_its_story(room, ear, bot, stalled, heir) -> None:
    stalled(b"fatal")
    link = room.spawn(bot(heir + "os.write(2, b'fatal: no model'); os._exit(1)"))
    assert ear.all_of(link) == b""
    assert link.stderr().head == b"fatal: no model"


def test_an_answer_in_the_hands_of_a_thread_is_in_time(room, bot, stalled) -> None:
    """DBP-8.9: when a wait ends past its deadline and an answer can be read, it is in time."""
    has_read = stalled(b"late")
    link = room.spawn(bot("say('late'); sys.stdin.read()"))
    assert has_read.wait(FOREVER / 1e9)
    came = room.wait(room.now() + LONG_AGO)
    assert [a.data for a in came if isinstance(a, Chunk) and a.link is link] == [b"late\n"]


def test_what_a_person_typed_is_in_time(room, stalled) -> None:
    has_read = stalled(b"a1")
    reads, types = os.pipe()
    person = Typist(reads)
    room.attach(person)
    os.write(types, b"a1\n")
    assert has_read.wait(FOREVER / 1e9)
    came = room.wait(room.now() + LONG_AGO)
    assert [a.data for a in came if isinstance(a, Chunk) and a.link is person] == [b"move a1"]
    room.detach(person)
    shut(types, reads)


@pytest.fixture
def asleep(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """No thread of ours gets to read anything before the test is over."""
    awake = threading.Event()
    listen = Inlet.listen

    def oversleep(inlet: Inlet) -> None:
        awake.wait()
        listen(inlet)

    monkeypatch.setattr(Inlet, "listen", oversleep)
    yield awake
    awake.set()


def test_who_waits_reads_in_the_place_of_a_thread_that_never_runs(room, bot, whistle, asleep) -> None:
    reads, types = os.pipe()
    person = Typist(reads)
    room.attach(person)
    for _ in range(10):  # however often there was nothing
        assert list(room.wait(room.now())) == []
    os.write(types, b"a1\n")
    text = "os.write(2, b'complaint'); say('move'); open(sys.argv[1], 'w').write('!'); sys.stdin.read()"
    link = room.spawn(bot(text, whistle.path))
    whistle.hear()
    came = room.wait(room.now() + LONG_AGO)
    assert {(a.link, a.data) for a in came} == {(link, b"move\n"), (person, b"move a1")}
    assert link.stderr().head == b"complaint"
    assert list(room.wait(room.now())) == []
    room.detach(person)
    asleep.set()
    shut(types, reads)


def test_how_a_bot_ended_is_known_though_the_thread_that_waits_for_it_never_runs(
    room, ear, bot, watch, monkeypatch
) -> None:
    """It is told neither as having lived on nor as ended by us."""
    over = threading.Event()
    monkeypatch.setattr(Process, "outlast", lambda process: over.wait())
    monkeypatch.setattr(threaded, "LEFT_BEHIND", 0.0)
    link = room.spawn(bot("say(str(os.getpid())); sys.stdin.readline(); os._exit(3)"))
    process = watch(ear.number(link))
    link.send(b"go\n")
    process.ends()
    ear.until(lambda: ear.is_gone(link))
    exit_ = link.reap()
    over.set()
    assert exit_ == Exit(3, None)


@pytest.mark.parametrize("heir", ["", "if os.fork() == 0: signal.pause()\n"], ids=["alone", "with an heir"])
def test_who_waits_hears_the_end_of_a_bot_too(room, bot, watch, whistle, contained, asleep, heir) -> None:
    text = heir + "say('move'); open(sys.argv[1], 'w').write(str(os.getpid()))"
    link = room.spawn(bot(text, whistle.path))
    watch(int(whistle.hear())).ends()
    assert link._ended.wait(FOREVER / 1e9)
    came = [a for _ in range(2) for a in room.wait(room.now() + LONG_AGO)]
    assert [type(a) for a in came] == [Chunk, Gone]
    asleep.set()


def test_a_wait_that_one_bot_ends_looks_at_the_other(room, bot, asleep) -> None:
    """What somebody else said does not make up for a look that is owed (DBP-5.1, DBP-8.9)."""
    noisy, quick = (room.spawn(bot(f"say('{word}'); sys.stdin.read()")) for word in ("noise", "move"))
    for link in (noisy, quick):
        assert select.select([link._process.stdout], [], [], FOREVER / 1e9)[0]
    noisy.look()  # as its reader would have done
    came = room.wait(room.now() + LONG_AGO)
    assert {a.link: a.data for a in came if isinstance(a, Chunk)} == {noisy: b"noise\n", quick: b"move\n"}


def test_a_question_is_known_to_be_through_before_its_answer(room, bot, monkeypatch) -> None:
    """The writer is not scheduled when it has just written the last of it."""
    over = threading.Event()
    write = os.write

    def slowly(fd: int, data: bytes) -> int:
        written = write(fd, data)
        if written == len(data) and threading.current_thread() is not threading.main_thread():
            over.wait(PAUSE)
        return written

    monkeypatch.setattr(os, "write", slowly)
    link = room.spawn(bot("sys.stdin.readline(); say('answer'); sys.stdin.read()"))
    assert link.send(b"x" * (1 << 20) + b"\n") is None
    came: list[object] = []
    while not any(isinstance(a, Chunk) for a in came):
        came += (a for a in room.wait(room.now() + FOREVER) if a.link is link)
    over.set()
    assert [type(a) for a in came] == [Sent, Chunk]


def test_a_question_that_the_pipe_takes_is_through_at_once(room, ear, bot) -> None:
    link = room.spawn(bot("for line in sys.stdin: say(line.strip())"))
    for number in range(3):
        assert link.send(b"%d\n" % number) is not None
        assert ear.line(link) == b"%d" % number
    assert not any(isinstance(a, Sent) for a in ear.arrivals)
