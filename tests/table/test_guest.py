"""A bot that was greeted elsewhere: it goes away and comes back, keeps its seat, and is never started (DBP-11)."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from donuts_engine.board import Board
from donuts_protocol.keys import NO_LIMIT
from donuts_protocol.messages import FROM_REFEREE, Cancel, End, Game, Hello, Message, Turn, Welcome
from donuts_protocol.session import RefereeSession
from donuts_protocol.text import decode
from donuts_referee.channels.drive import drive
from donuts_referee.channels.link import Arrival, Away, Back, Chunk, Exit, Gone, Stderr
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import Event, GameOver
from donuts_referee.table.finished import FinishedGame
from donuts_referee.table.guest import Guest
from donuts_referee.table.match import match
from table.scripted import LAYOUT, MS, ScriptedBot, VirtualExchange

CONTROL = TimeControl(10_000, 0, None, 100, 1000, 1000)


class RemoteLink:
    """The link to a bot that dialled in; what it is sent is kept, and answered as `react` says."""

    def __init__(self, exchange: VirtualExchange, *, react: bool = True) -> None:
        self.exchange = exchange
        self.react = react
        self.lost: int | None = None
        self.deaf = False
        """nothing can be delivered any more"""
        self.ended = False
        self.heard: list[Message] = []

    def send(self, data: bytes) -> int | None:
        if self.deaf:
            self.lost = self.exchange.now() if self.lost is None else self.lost
        elif not self.ended:
            message = decode(data, FROM_REFEREE)
            self.heard.append(message)
            if self.react:
                self.answer(message)
        return self.exchange.now()

    def answer(self, message: Message, delay: float = 1) -> None:
        match message:
            case Game():
                self.say(f"ready {message.id}", delay)
            case Turn():
                self.say(f"move {message.id} {message.legal[0]}", delay)
            case _:
                pass

    def say(self, line: str, delay: float = 1) -> None:
        self.exchange.post(delay, Chunk(self, line.encode(), 0))

    def hang_up(self) -> None:
        self.ended = True

    def reap(self) -> Exit:
        return Exit(None, None)

    def stderr(self) -> Stderr:
        return Stderr(b"", b"", 0)

    def of(self, kind: type[Message]) -> list[Message]:
        return [message for message in self.heard if type(message) is kind]


def guest(name: str, link: RemoteLink) -> Guest:
    session = RefereeSession(transport="zmq")
    session.receive(f"hello donuts=1-1 name={name} ver=7".encode(), 0)
    hello = session.next_event()
    assert isinstance(hello, Hello)
    session.send(Welcome(donuts="1-1", session="s" * 32, caps=(), maxline=4096, ref="test/1"))
    return Guest(name, link, session, hello)


class Meeting:
    """A remote bot as x in the first game against a scripted child."""

    def __init__(self, *, control: TimeControl = CONTROL, games: int = 1, stays: bool = True) -> None:
        self.exchange = VirtualExchange()
        self.link = RemoteLink(self.exchange)
        self.guest = guest("remote", self.link)
        self.child = ScriptedBot("child")
        self.games: list[FinishedGame] = []
        self.control = control
        self.count = games
        self.stays = stays

    def play(self) -> list[FinishedGame]:
        """Play it; returns the finished games."""

        def observe(event: Event) -> None:
            if isinstance(event, GameOver):
                self.games.append(event.game)

        remote = Entrant("remote", lambda: self.link, again=False, guest=self.guest, stays=self.stays)
        rules = MatchRules(self.control)
        steps = match(
            remote,
            self.child.entrant(self.exchange),
            [Setting(Board(LAYOUT), 15, 7)] * self.count,
            rules,
            self.exchange.now,
            observe,
        )
        drive(steps, self.exchange)
        return self.games


def test_it_is_asked_at_once_and_stays_when_the_match_is_over() -> None:
    meeting = Meeting(games=2)
    first, second = meeting.play()
    assert {first.verdict.why, second.verdict.why} <= {"five", "group"}
    assert first.x.bot == "remote" and first.x.ver == "7" and second.o.bot == "remote"
    assert not meeting.link.ended and meeting.guest.session.state == "idle"
    assert [message.more for message in meeting.link.of(End)] == [1, 1]  # type: ignore[attr-defined]
    assert [type(message).__name__ for message in meeting.link.heard[:2]] == ["Game", "Turn"]


def test_it_is_sent_away_where_it_does_not_stay() -> None:
    meeting = Meeting(stays=False)
    meeting.play()
    assert meeting.link.ended and type(meeting.link.heard[-1]).__name__ == "Bye"
    assert [message.more for message in meeting.link.of(End)] == [0]  # type: ignore[attr-defined]


class Loses(RemoteLink):
    """Is away from the nth turn on: what it is sent is lost; comes back after `back` ms, if that is a number."""

    def __init__(self, exchange: VirtualExchange, number: int, back: float | None) -> None:
        super().__init__(exchange)
        self.left = number
        self.back = back
        self.turns: list[Turn] = []

    def answer(self, message: Message, delay: float = 1) -> None:
        if isinstance(message, Turn):
            self.turns.append(message)
            self.left -= 1
            if self.left == 0:
                self.deaf, self.lost = True, self.exchange.now()
                self.exchange.post(0, Away(self, 0))
                if self.back is not None:
                    self.exchange.post(self.back, Back(self, 0))
                return
        super().answer(message, delay)


class Wakes(VirtualExchange):
    """Lets a link hear again at the moment its `Back` is delivered, as `RouterLink.rejoin` does."""

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        arrivals = super().wait(deadline)
        for arrival in arrivals:
            if isinstance(arrival, Back):
                arrival.link.deaf, arrival.link.lost = False, None  # type: ignore[attr-defined]
        return arrivals


def away(number: int, back: float | None, control: TimeControl = CONTROL) -> tuple[Meeting, Loses]:
    meeting = Meeting(control=control)
    meeting.exchange = Wakes()
    link = Loses(meeting.exchange, number, back)
    meeting.link, meeting.guest = link, guest("remote", link)
    return meeting, link


def test_back_before_the_flag_falls_the_turn_is_sent_again_with_what_is_left() -> None:
    meeting, link = away(2, 3000)
    [game] = meeting.play()
    assert game.verdict.why in ("five", "group")
    lost, again = link.turns[1], link.turns[2]
    assert (again.id, again.resend, again.cells, again.legal) == (lost.id, 1, lost.cells, lost.legal)
    assert (lost.limit - again.limit, lost.clock - again.clock) == (3000, 3000)
    turn = next(turn for turn in game.turns if turn.id == lost.id)
    assert turn.used == 3001 * MS and turn.spent == 3001


def test_not_back_in_time_is_a_disconnect_with_the_numbers() -> None:
    meeting, link = away(2, None)
    [game] = meeting.play()
    assert (game.verdict.why, game.verdict.fault, game.verdict.winner) == ("disconnect", "x", "o")
    assert "away for" in game.verdict.text and link.ended


def test_back_just_too_late_is_still_a_disconnect() -> None:
    meeting, _ = away(1, 10_200)
    [game] = meeting.play()
    assert game.verdict.why == "disconnect"


def test_a_bot_that_is_there_and_silent_is_a_timeout() -> None:
    meeting = Meeting()
    meeting.link.answer = lambda message, delay=1: (  # type: ignore[method-assign]
        meeting.link.say(f"ready {message.id}") if isinstance(message, Game) else None
    )
    [game] = meeting.play()
    assert game.verdict.why == "timeout"
    [cancel] = meeting.link.of(Cancel)
    assert isinstance(cancel, Cancel) and cancel.why == "timeout"
    kinds = [type(message).__name__ for message in meeting.link.heard]
    assert kinds.index("Cancel") < kinds.index("End")


@pytest.mark.parametrize(("back", "why"), [(59_000, None), (61_000, "disconnect"), (None, "disconnect")])
def test_without_a_clock_it_has_60_seconds_to_come_back(back: float | None, why: str | None) -> None:
    meeting, link = away(1, back, replace(CONTROL, main=NO_LIMIT))
    [game] = meeting.play()
    if why is None:
        assert game.verdict.why in ("five", "group")
        assert link.turns[1].limit == link.turns[0].limit == NO_LIMIT and link.turns[1].resend == 1
    else:
        assert game.verdict.why == why and "60 s" in game.verdict.text


def test_away_while_the_game_is_announced_and_back_it_is_announced_again() -> None:
    meeting, _ = away(99, None)
    link = meeting.link
    link.deaf = True
    meeting.exchange.post(500, Back(link, 0))
    [game] = meeting.play()
    assert game.verdict.why in ("five", "group")
    assert len(link.of(Game)) == 1 and link.heard[0].id == meeting.guest.session._questions._first  # type: ignore[attr-defined]


def test_away_when_ready_is_due_is_a_disconnect() -> None:
    meeting, link = away(99, None)
    link.deaf = True
    [game] = meeting.play()
    assert (game.verdict.why, game.verdict.fault) == ("disconnect", "x")


def test_the_round_trip_stands_beside_each_move() -> None:
    meeting = Meeting()
    meeting.guest.rtt = 42
    [game] = meeting.play()
    assert {turn.rtt for turn in game.turns if turn.side == "x"} == {42}
    assert {turn.rtt for turn in game.turns if turn.side == "o"} == {None}


def test_a_bye_before_ready_calls_the_game_off_without_fault() -> None:
    meeting = Meeting(games=3)
    meeting.link.answer = lambda message, delay=1: meeting.link.say("bye")  # type: ignore[method-assign]
    [game] = meeting.play()
    assert game.verdict.void and game.verdict.why == "abort" and game.verdict.fault is None
    assert "left before" in game.verdict.text


def test_a_session_that_ends_while_it_plays_loses_the_game() -> None:
    meeting = Meeting()
    link = meeting.link
    answer = link.answer

    def once(message: Message, delay: float = 1) -> None:
        if isinstance(message, Turn):
            link.exchange.post(1, Gone(link, 0))
        else:
            answer(message, delay)

    link.answer = once  # type: ignore[method-assign]
    [game] = meeting.play()
    assert (game.verdict.why, game.verdict.fault) == ("disconnect", "x")


def test_a_ping_is_measured_and_never_asked_of_a_bot_that_owes_an_answer() -> None:
    exchange = VirtualExchange()
    link = RemoteLink(exchange)
    one = guest("remote", link)
    assert one.ping(exchange.now()) and not one.ping(exchange.now())
    id = one.session.question
    one.session.receive(f"pong {id}".encode(), 7)
    assert one.session.next_event() is not None
    assert id is not None
    one.pong(id + 1, exchange.now() + 4)
    assert one.rtt is None
    one.pong(id, exchange.now() + 5)
    assert one.rtt == 5 and one.pinged is None


def test_a_pong_that_crosses_the_question_after_its_ping_still_tells_the_round_trip() -> None:
    meeting = Meeting()
    meeting.guest.ping(meeting.exchange.now())
    id = meeting.guest.session.question
    meeting.link.say(f"pong {id}", 0.5)
    [game] = meeting.play()
    assert meeting.guest.rtt == MS // 2
    assert (game.x.late, game.x.state) == (0, 0)


@pytest.mark.parametrize("code", ["crash", "exception"])
def test_a_breakdown_that_is_told_is_a_crash_and_no_resignation(code: str) -> None:
    meeting = Meeting()
    link = meeting.link
    answer = link.answer

    def once(message: Message, delay: float = 1) -> None:
        if isinstance(message, Turn):
            link.say(f"error - code={code} text=exit%20status%203", 1)
            link.say("bye", 2)
        else:
            answer(message, delay)

    link.answer = once  # type: ignore[method-assign]
    [game] = meeting.play()
    assert (game.verdict.why, game.verdict.fault, game.verdict.winner) == ("crash", "x", "o")
    assert "exit status 3" in game.verdict.text and meeting.guest.left


def test_a_bye_alone_resigns() -> None:
    meeting = Meeting()
    link = meeting.link
    answer = link.answer
    link.answer = lambda message, delay=1: (  # type: ignore[method-assign]
        link.say("bye") if isinstance(message, Turn) else answer(message, delay)
    )
    [game] = meeting.play()
    assert (game.verdict.why, game.verdict.fault, game.verdict.winner) == ("resign", None, "o")


@pytest.mark.parametrize("order", ["answer first", "back first"])
def test_an_answer_and_a_return_in_one_wake_up_are_one_answer(order: str) -> None:
    meeting, link = away(99, None)
    answer = link.answer
    seen: list[Turn] = []

    def both(message: Message, delay: float = 1) -> None:
        if isinstance(message, Turn) and not seen:
            seen.append(message)
            if order == "answer first":
                answer(message, 1)
                link.exchange.post(1, Back(link, 0))
            else:
                link.exchange.post(1, Back(link, 0))
                answer(message, 1)
        elif not (isinstance(message, Turn) and message.resend):
            answer(message, delay)

    link.answer = both  # type: ignore[method-assign]
    [game] = meeting.play()
    assert game.verdict.why in ("five", "group"), game.verdict.text
    assert game.turns[0].sq == seen[0].legal[0]


def test_ready_and_a_return_in_one_wake_up_announce_no_game_twice() -> None:
    meeting, link = away(99, None)
    answer = link.answer

    def both(message: Message, delay: float = 1) -> None:
        answer(message, 1)
        if isinstance(message, Game):
            link.exchange.post(1, Back(link, 0))

    link.answer = both  # type: ignore[method-assign]
    [game] = meeting.play()
    assert game.verdict.why in ("five", "group"), game.verdict.text
    assert len(link.of(Game)) == 1
