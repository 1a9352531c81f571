"""Sessions brought to a point of a conversation, and what they make of bytes; for the tests and for `fuzz.py`."""

from collections.abc import Iterable
from typing import Any

from donuts_protocol import packed, text
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.framing import frame
from donuts_protocol.messages import End, Game, Hello, Message, Move, Ping, Ready, Turn, Welcome
from donuts_protocol.session import BotSession, Dropped, Noise, RefereeSession

ENCODINGS = ("text", "msgpack")
TRANSPORTS = ("stdio", "zmq")
SITUATIONS = ("first", "welcomed", "preparing", "thinking", "waiting", "pinged")
FINAL = {"protocol", "flood", "start", "version"}
ASKED = (731, 732, 733)
"""ids of the game, the turn and the ping of every driven session"""

HELLO = Hello(donuts="1-1", name="a", caps=("info",))
WELCOME = Welcome(donuts="1-1", session="0" * 32, caps=("info",), maxline=4096, ref="test/1")
GAME = Game(id=731, you="o", size=6, rings=15, main=60000, inc=100, margin=50, prep=10000, seed=4711)

END = End(id=731, result="void", winner=None, why="abort", ply=0, cells="." * 36, moves=(), more=0)


def turn(id: int = 732, game: int = 731) -> Turn:
    return Turn(
        id=id,
        game=game,
        ply=1,
        you="o",
        size=6,
        rings=15,
        layout="HVDA" * 9,
        cells="..x" + "." * 33,
        last="c1",
        legal=("a1", "b1", "e1"),
        clock=60100,
        oclock=59310,
        inc=100,
        limit=60100,
        margin=50,
        spent=0,
    )


def wire(message: Message, encoding: str = "text", transport: str = "stdio") -> bytes:
    payload = text.encode(message) if encoding == "text" else packed.encode(message)
    return frame(payload, encoding, transport)


def referee(situation: str = "thinking", encoding: str = "text", transport: str = "stdio") -> RefereeSession:
    """A referee's session in which the game is 731, the turn 732 and the ping 733."""
    session = RefereeSession(transport=transport, first_id=731)

    def hears(message: Message) -> None:
        session.receive(wire(message, encoding, transport), 0)
        assert session.next_event() == message

    if situation == "first":
        return session
    hears(HELLO)
    session.send(WELCOME)
    if situation == "welcomed":
        return session
    assert session.next_id() == 731
    session.send(GAME)
    if situation == "preparing":
        return session
    hears(Ready(id=731))
    assert session.next_id() == 732
    session.send(turn())
    if situation == "thinking":
        return session
    hears(Move(id=732, sq="e1"))
    if situation == "pinged":
        assert session.next_id() == 733
        session.send(Ping(id=733))
    return session


def bot(situation: str = "thinking", encoding: str = "text", transport: str = "stdio") -> BotSession:
    """A bot's session at the same point."""
    session = BotSession(encoding, transport)

    def hears(message: Message) -> None:
        session.receive(wire(message, encoding, transport))
        assert session.next_event() == message

    session.send(HELLO)
    if situation == "first":
        return session
    hears(WELCOME)
    if situation == "welcomed":
        return session
    hears(GAME)
    if situation == "preparing":
        return session
    session.send(Ready(id=731))
    hears(turn())
    if situation == "thinking":
        return session
    session.send(Move(id=732, sq="e1"))
    if situation == "pinged":
        hears(Ping(id=733))
    return session


def judged(session: RefereeSession | BotSession, chunks: Iterable[bytes], *, eof: bool = False) -> list[Any]:
    """All that comes of the chunks, each drained before the next: messages, ("dropped", why), "noise", ("fault", why).

    Anything but a RemoteProtocolError passes through; so does a session that goes on after a final one.
    """
    found: list[Any] = []
    for chunk in chunks:
        if isinstance(session, BotSession):
            session.receive(chunk)
        else:
            session.receive(chunk, 0)
        found += drained(session)
    if eof and isinstance(session, RefereeSession):
        session.receive_eof(0)
        found += drained(session)
    return found


def drained(session: RefereeSession | BotSession) -> list[Any]:
    """What `next_event` has to say until there is no more."""
    found: list[Any] = []
    while True:
        thinking = isinstance(session, RefereeSession) and session.state == "thinking"
        try:
            event = session.next_event()
        except RemoteProtocolError as fault:
            final = isinstance(session, BotSession) or fault.why in FINAL
            assert final or (fault.why == "malformed" and thinking)
            assert str(fault).isprintable()
            found.append(("fault", fault.why))
            if final:
                assert session.next_event() is None
            continue
        match event:
            case None:
                return found
            case Dropped():
                assert event.shown.isprintable() and event.text.isprintable()
                found.append(("dropped", event.why))
            case Noise():
                assert event.shown.isprintable() and event.text.isprintable()
                found.append("noise")
            case _:
                found.append(event)
        if isinstance(session, RefereeSession):
            assert session.raw.isprintable()


def one(session: RefereeSession, data: bytes, now: int = 0) -> Any:
    """The one event that comes of the data."""
    session.receive(data, now)
    event = session.next_event()
    assert session.next_event() is None
    return event


def fault(session: RefereeSession, data: bytes = b"") -> RemoteProtocolError:
    """The fault that comes of the data, after whatever else."""
    session.receive(data, 0)
    try:
        while session.next_event() is not None:
            pass
    except RemoteProtocolError as caught:
        return caught
    raise AssertionError("no fault")
