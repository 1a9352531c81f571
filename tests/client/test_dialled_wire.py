"""When a bot dials again: silence, pauses and notices, on a clock that stands still unless it is told to run."""

from collections.abc import Iterator
from typing import Any

import pytest

from donuts_client.dealer import News
from donuts_client.dialled import PATIENCE, DialledWire
from donuts_protocol.dialling import SILENCE, Dialling
from donuts_protocol.messages import Bye, Error, Game, Hello, Leave, Move, Ping, Pong, Ready, Turn, Welcome
from donuts_protocol.session import RefereeSession

SECOND = 1_000_000_000
WHERE = "tcp://arena"


class VirtualClock:
    """Time that passes only when somebody waits."""

    def __init__(self) -> None:
        self.time = 0
        self.slept: list[float] = []

    def now(self) -> int:
        return self.time

    def sleep(self, duration: int) -> None:
        self.time += duration
        self.slept.append(duration / SECOND)


class Line:
    """A connection whose other end is the test: `coming` holds what will be read, `said` what was sent."""

    def __init__(self, clock: VirtualClock, *coming: Any) -> None:
        self._clock = clock
        self.coming: list[News | bytes] = list(coming)
        self.said: list[bytes] = []
        self.open = True
        self.takes = True

    def wait(self, timeout: int | None) -> None:
        if not self.coming:
            assert timeout is not None, "it would wait for ever"
            self._clock.time += timeout * 1_000_000

    def frames(self) -> Iterator[bytes]:
        while self.coming and isinstance(self.coming[0], bytes):
            yield self.coming.pop(0)

    def news(self) -> Iterator[News]:
        while self.coming and isinstance(self.coming[0], News):
            yield self.coming.pop(0)

    def send(self, frame: bytes) -> bool:
        if self.takes:
            self.said.append(frame)
        return self.takes

    def close(self, linger: int = 0) -> None:
        self.open = False


class Arena:
    """The lines a bot gets one after the other, and the arena's end of the present one."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.lines: list[Line] = []
        self.next: list[Line] = []
        dialling = Dialling(Hello(donuts="1-1", name="mine"), "text")
        self.wire = DialledWire(dialling, self._dial, WHERE, self.clock)
        self.session = RefereeSession(transport="zmq")

    def _dial(self) -> Line:
        assert len(self.lines) < 50, "it dials in circles"
        self.lines.append(self.next.pop(0) if self.next else Line(self.clock, News.MADE))
        return self.lines[-1]

    @property
    def line(self) -> Line:
        return self.lines[-1]

    def look(self) -> None:
        assert not self.wire.readable()

    def welcome(self, token: str = "a" * 32) -> None:
        """Take the hello that was said on the present line, say welcome."""
        newcomer = RefereeSession(transport="zmq")
        newcomer.receive(self.line.said[0], 0)
        assert isinstance(newcomer.next_event(), Hello)
        self.session = newcomer
        self.gives(Welcome(donuts="1-1", session=token, caps=(), maxline=4096, ref="test/1"))

    def gives(self, message: Any) -> None:
        """Say a message, which the bot reads."""
        self.line.coming.append(self.session.send(message))
        assert self.wire.read() == message

    def says(self, message: Any) -> None:
        """Say a message."""
        self.line.coming.append(self.session.send(message))

    def game(self) -> int:
        id = self.session.next_id()
        self.gives(Game(id=id, you="x", size=6, rings=15, main=1, inc=0, margin=1, prep=1, seed=1))
        self.hears(Ready(id=id))
        return id

    def turn(self, game: int) -> int:
        id = self.session.next_id()
        self.gives(
            Turn(
                id=id, game=game, ply=0, you="x", size=6, rings=15, layout="H" * 36, cells="." * 36, last=None,
                legal=("a1", "b1"), clock=1000, oclock=1000, inc=0, limit=1000, margin=100, spent=0,
            )
        )  # fmt: skip
        return id

    def hears(self, message: Any) -> None:
        """The bot says this, and the arena takes it in."""
        self.wire.write(message)
        self.session.receive(self.line.said[-1], 0)
        assert self.session.next_event() == message


@pytest.fixture
def arena() -> Arena:
    """A bot that has been welcomed."""
    arena = Arena()
    arena.look()
    arena.welcome()
    return arena


def test_silence_makes_it_dial_again(arena: Arena) -> None:
    arena.clock.time = SILENCE - 1
    arena.look()
    assert len(arena.lines) == 1
    arena.clock.time = SILENCE
    arena.look()
    assert not arena.lines[0].open
    arena.clock.time += SECOND
    arena.look()
    assert b"session=" + b"a" * 32 in arena.line.said[0]


def test_the_silence_after_a_long_thought_begins_with_the_answer(arena: Arena) -> None:
    game = arena.game()
    turn = arena.turn(game)
    arena.clock.time = 100 * SECOND
    arena.look()
    arena.hears(Move(id=turn, sq="a1"))
    arena.look()
    arena.clock.time += SILENCE - 1
    arena.look()
    assert len(arena.lines) == 1
    arena.clock.time += 1
    arena.look()
    assert not arena.lines[0].open


def test_no_welcome_for_fifteen_seconds_is_silence_too() -> None:
    arena = Arena()
    arena.look()
    arena.clock.time = SILENCE
    arena.look()
    arena.clock.time += SECOND
    arena.look()
    assert len(arena.lines) == 2


def test_it_dials_at_once_when_something_was_asked_and_pauses_when_it_goes_in_circles(arena: Arena) -> None:
    arena.game()
    arena.line.coming.append(News.LOST)
    arena.look()
    arena.look()
    assert len(arena.lines) == 2 and arena.clock.slept == []
    arena.next = [Line(arena.clock, News.MADE, News.LOST) for _ in range(6)]
    arena.next.append(Line(arena.clock, News.MADE, b"welcome donuts=1-1 session=b caps= maxline=4096 ref=r"))
    arena.line.coming.append(News.LOST)
    assert isinstance(arena.wire.read(), Welcome)
    assert arena.clock.slept == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0]


def test_an_arena_that_never_knows_it_is_not_dialled_without_a_pause() -> None:
    arena = Arena()
    arena.next = [Line(arena.clock, News.MADE, b"error - code=hello") for _ in range(3)]
    arena.next.append(Line(arena.clock, News.MADE, b"welcome donuts=1-1 session=b caps= maxline=4096 ref=r"))
    assert isinstance(arena.wire.read(), Welcome)
    assert arena.clock.slept == [0.1, 0.2, 0.4]


def test_the_pauses_after_bye_double_up_to_thirty_seconds() -> None:
    arena = Arena()
    arena.next = [Line(arena.clock, News.MADE, b"bye why=busy") for _ in range(7)]
    arena.next.append(Line(arena.clock, News.MADE, b"bye why=done"))
    assert arena.wire.read() == Bye(why="done")
    assert arena.wire.read() is None and arena.wire.ended and arena.wire.farewell == "done"
    assert arena.clock.slept == [1, 2, 4, 8, 16, 30, 30]


def test_a_pause_holds_up_nobody_who_only_looks() -> None:
    arena = Arena()
    arena.next = [Line(arena.clock, News.MADE, b"bye why=busy")]
    arena.look()
    arena.look()
    arena.look()
    assert len(arena.lines) == 1 and arena.clock.slept == []


def test_what_came_before_the_connection_broke_still_counts(arena: Arena) -> None:
    arena.line.coming += [News.LOST, b"bye why=kicked"]
    assert arena.wire.read() == Bye(why="kicked")
    assert arena.wire.read() is None
    assert len(arena.lines) == 1


def test_a_line_that_takes_nothing_is_replaced_and_the_answer_given_again(arena: Arena) -> None:
    game = arena.game()
    turn = arena.turn(game)
    arena.line.takes = False
    arena.wire.write(Move(id=turn, sq="b1"))
    arena.look()
    assert not arena.lines[0].open
    arena.look()
    arena.welcome()
    arena.line.coming.append(
        b"turn %d game=%d ply=0 you=x size=6 rings=15 layout=%s cells=%s last=- legal=a1 clock=1 "
        b"oclock=1 inc=0 limit=1 margin=1 spent=0 resend=1" % (turn, game, b"H" * 36, b"." * 36)
    )
    arena.look()
    assert arena.line.said[-1] == b"move %d b1" % turn


def test_what_nobody_waits_for_is_not_said(arena: Arena) -> None:
    ping = arena.session.next_id()
    arena.gives(Ping(id=ping))
    said = len(arena.line.said)
    arena.wire.write(Pong(id=ping + 1))
    arena.wire.write(Ready(id=ping + 5))
    arena.wire.write(Move(id=ping + 5, sq="a1"))
    assert len(arena.line.said) == said
    arena.hears(Pong(id=ping))


def test_a_connection_that_is_not_made_is_not_spoken_over() -> None:
    arena = Arena()
    arena.next = [Line(arena.clock)]
    arena.look()
    arena.wire.write(Error(id=None, code="exception"))
    arena.wire.leave()
    assert arena.line.said == [] and not arena.line.open


def test_the_last_word_is_bye(arena: Arena) -> None:
    arena.wire.leave()
    arena.session.receive(arena.line.said[-1], 0)
    assert arena.session.next_event() == Leave()
    assert not arena.line.open


def test_people_are_told_once_while_the_arena_does_not_answer(capsys) -> None:
    arena = Arena()
    arena.next = [Line(arena.clock), Line(arena.clock)]
    arena.look()
    assert capsys.readouterr().err == ""
    arena.clock.time = PATIENCE
    for _ in range(3):
        arena.look()
        arena.clock.time += SECOND
    line = f"the arena at {WHERE} does not answer, or wants (other) keys; dialling again, Ctrl-C ends it\n"
    assert capsys.readouterr().err == line
    arena.line.coming.append(News.MADE)
    arena.look()
    arena.welcome()
    assert capsys.readouterr().err == f"welcome at {WHERE}, says test/1\n"


def test_nobody_is_told_of_a_connection_that_is_back_at_once(arena: Arena, capsys) -> None:
    arena.game()
    capsys.readouterr()
    arena.line.coming.append(News.LOST)
    arena.look()
    arena.look()
    arena.welcome()
    arena.clock.time += PATIENCE
    arena.look()
    assert capsys.readouterr().err == ""


def test_the_reason_is_told_rather_than_that_nobody_answers(capsys) -> None:
    arena = Arena()
    arena.next = [Line(arena.clock, News.MISSED, News.MISSED)]
    arena.look()
    arena.clock.time = 2 * PATIENCE
    arena.look()
    assert capsys.readouterr().err == f"nobody answers at {WHERE}; dialling again, Ctrl-C ends it\n"


def test_the_next_absence_is_told_again(arena: Arena, capsys) -> None:
    capsys.readouterr()
    for token in ("b", "c"):
        arena.next = [Line(arena.clock, News.MISSED, News.MADE)]
        arena.line.coming.append(News.LOST)
        arena.look()
        arena.clock.time += SECOND
        arena.look()
        arena.welcome(token)
        told = capsys.readouterr().err.splitlines()
        assert [line.split(" at ")[0] for line in told] == ["nobody answers", "welcome"]
