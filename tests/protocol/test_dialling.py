"""What a bot that dials in does when it has to dial again."""

from donuts_protocol.dialling import SILENCE, Dialling
from donuts_protocol.messages import FROM_BOT, Bye, Error, Game, Hello, Move, Ping, Pong, Ready, Turn, Welcome
from donuts_protocol.session import RefereeSession
from donuts_protocol.text import decode

SECOND = 1_000_000_000
HELLO = Hello(donuts="1-1", name="remote", ver="2", seat="s3cret", tc="10+0.1")
GAME = Game(id=0, you="x", size=6, rings=15, main=1000, inc=0, margin=100, prep=1000, seed=1)


def welcome(session: str) -> Welcome:
    return Welcome(donuts="1-1", session=session, caps=(), maxline=4096, ref="donuts-arena/1")


def turn(id: int, game: int, resend: int | None = None) -> Turn:
    return Turn(
        id=id, game=game, ply=0, you="x", size=6, rings=15, layout="H" * 36, cells="." * 36, last=None,
        legal=("a1", "b1"), clock=1000, oclock=1000, inc=0, limit=1000, margin=100, spent=0,
        resend=resend,  # type: ignore[arg-type]
    )  # fmt: skip


def heard(dialling: Dialling, frame: bytes, now: int = 0):
    dialling.receive(frame, now)
    message = dialling.next_event()
    assert dialling.next_event() is None
    return message


class Line:
    """A bot and the referee's end of its present connection."""

    def __init__(self) -> None:
        self.bot = Dialling(HELLO)
        self.referee = RefereeSession(transport="zmq", first_id=0)

    def dial(self, token: str, now: int = 0) -> Hello:
        frame = self.bot.greet(now)
        newcomer = RefereeSession(transport="zmq", first_id=0)
        newcomer.receive(frame, now)
        assert isinstance(newcomer.next_event(), Hello)
        frame_of_welcome = newcomer.send(welcome(token))
        if self.bot.token == token:
            self.referee.rejoin(newcomer)
        else:
            self.referee = newcomer
        assert heard(self.bot, frame_of_welcome, now) == welcome(token)
        hello = decode(frame, FROM_BOT)
        assert isinstance(hello, Hello)
        return hello

    def ask(self, message, now: int = 0):
        return heard(self.bot, self.referee.send(message), now)

    def answer(self, message):
        self.referee.receive(self.bot.send(message), 0)
        return self.referee.next_event()


def playing() -> Line:
    line = Line()
    line.dial("a" * 32)
    id = line.referee.next_id()
    line.ask(GAME.__class__(**{f: getattr(GAME, f) for f in GAME.__struct_fields__} | {"id": id}))
    assert line.answer(Ready(id=id)) == Ready(id=id)
    return line


def test_hello_shows_the_session_from_the_second_time_on():
    line = Line()
    first = line.dial("a" * 32)
    assert first.session is None and line.bot.renewed
    assert (first.seat, first.tc, first.ver) == ("s3cret", "10+0.1", "2")
    assert line.dial("a" * 32).session == "a" * 32
    assert not line.bot.renewed


def test_another_token_is_a_new_session_and_the_game_is_gone():
    line = playing()
    assert line.bot.game == 0
    line.dial("b" * 32)
    assert line.bot.renewed and line.bot.game is None and line.bot.token == "b" * 32


def test_silence_makes_it_dial_again_but_not_while_an_answer_is_owed():
    line = playing()
    assert not line.bot.stale(SILENCE - 1) and line.bot.stale(SILENCE)
    id = line.referee.next_id()
    line.ask(turn(id, 0), 5 * SECOND)
    assert line.bot.due is None and not line.bot.stale(10**15)
    line.answer(Move(id=id, sq="a1"))
    assert line.bot.due == 5 * SECOND + SILENCE
    ping = line.referee.next_id()
    line.ask(Ping(id=ping), 9 * SECOND)
    line.answer(Pong(id=ping))
    assert line.bot.due == 9 * SECOND + SILENCE


def test_an_arena_that_does_not_know_the_address_is_greeted_at_once():
    line = playing()
    id = line.referee.next_id()
    line.ask(turn(id, 0))
    stranger = RefereeSession(transport="zmq")
    assert heard(line.bot, stranger.send(Error(id=None, code="hello")), 7) == Error(id=None, code="hello")
    assert line.bot.stale(7)
    assert line.dial("a" * 32, 8).session == "a" * 32
    assert not line.bot.stale(9)


def test_a_turn_that_is_sent_again_is_not_thought_of_twice():
    line = playing()
    id = line.referee.next_id()
    line.ask(turn(id, 0))
    lost = line.bot.send(Move(id=id, sq="b1"))
    line.dial("a" * 32)
    again = line.ask(turn(id, 0, resend=1))
    assert line.bot.answered(again) == lost
    line.referee.receive(lost, 0)
    assert line.referee.next_event() == Move(id=id, sq="b1")
    ping = line.referee.next_id()
    assert line.ask(Ping(id=ping)) and line.answer(Pong(id=ping)) == Pong(id=ping)
    next_one = line.referee.next_id()
    assert line.bot.answered(line.ask(turn(next_one, 0))) is None


def test_a_turn_that_was_never_answered_is_thought_of():
    line = playing()
    id = line.referee.next_id()
    line.ask(turn(id, 0))
    line.dial("a" * 32)
    assert line.bot.answered(line.ask(turn(id, 0, resend=1))) is None
    assert line.answer(Move(id=id, sq="a1")) == Move(id=id, sq="a1")


def test_the_last_word_ends_the_game():
    line = playing()
    line.ask(Bye(why="drain"))
    assert line.bot.game is None
