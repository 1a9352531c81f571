"""Ends of games with remote bots that come at an odd moment: a bye, a kick, a return, while a ping is open."""

from donuts_protocol.messages import End, Game, Message, Ping, Turn
from donuts_protocol.states import State
from donuts_referee.channels.link import Back
from table.scripted import MS
from table.test_guest import Meeting, RemoteLink, away


def test_a_game_that_is_stopped_while_a_ping_is_open_is_void_and_told() -> None:
    """Only a turn is cancelled; an open ping is closed by `end` (it once made every later game fail)."""
    meeting = Meeting()
    link = meeting.link
    answer = link.answer

    def pings(message: Message, delay: float = 1) -> None:
        answer(message, delay)
        if isinstance(message, Turn):
            meeting.exchange.interrupt_at = meeting.exchange.now() + 2 * MS

    link.answer = pings  # type: ignore[method-assign]
    child = meeting.child
    child.think = 1000
    opened = child.react

    def asked(link_: object, line: str) -> None:
        if line.startswith("turn"):
            assert meeting.guest.ping(meeting.exchange.now())
        opened(link_, line)  # type: ignore[arg-type]

    child.react = asked  # type: ignore[method-assign]
    [game] = meeting.play()
    assert game.verdict.void and game.verdict.why == "abort"
    assert len(link.of(End)) == 1 and meeting.guest.session.state == State.IDLE


def test_a_bye_after_ready_resigns_the_game_that_is_about_to_begin() -> None:
    meeting = Meeting()
    link = meeting.link
    meeting.child.think = 50

    def leaves(message: Message, delay: float = 1) -> None:
        if isinstance(message, Game):
            link.say(f"ready {message.id}", 1)
            link.say("bye", 2)

    link.answer = leaves  # type: ignore[method-assign]
    [game] = meeting.play()
    assert (game.verdict.why, game.verdict.winner, game.verdict.void) == ("resign", "o", False)
    assert meeting.guest.left


def test_a_bot_that_lost_on_time_and_is_back_is_asked_again_for_a_sign_of_life() -> None:
    meeting = Meeting(games=2)
    link = meeting.link
    pings: list[Ping] = []

    def silent_once(message: Message, delay: float = 1) -> None:
        if isinstance(message, Ping):
            pings.append(message)
            if len(pings) == 1:
                meeting.guest.session._questions.close()
                meeting.guest.session.state = State.IDLE
                link.exchange.post(100, Back(link, 0))
            else:
                link.say(f"pong {message.id}", 1)
        elif not isinstance(message, Turn) or pings:
            RemoteLink.answer(link, message, delay)

    link.answer = silent_once  # type: ignore[method-assign]
    first, second = meeting.play()
    assert first.verdict.why == "timeout" and second.verdict.why in ("five", "group")
    assert len(pings) == 2 and not link.ended


def test_a_turn_that_was_pending_when_the_bot_came_back_begins_then() -> None:
    meeting, link = away(99, None)
    answer = link.answer
    send = link.send
    stuck: list[bytes] = []

    def full(data: bytes) -> int | None:
        if data.startswith(b"turn") and not stuck:
            stuck.append(data)
            link.exchange.post(500, Back(link, 0))
            return None
        return send(data)

    link.send = full  # type: ignore[method-assign]
    link.answer = answer  # type: ignore[method-assign]
    [game] = meeting.play()
    assert game.verdict.why in ("five", "group")
    again = link.turns[0]
    assert again.resend == 1 and again.limit == 10_000
    assert game.turns[0].used <= 2 * MS
