"""Checks of a bot that dials in: how it dials, and how it takes its session up again (DBP-11)."""

import msgspec

from donuts_protocol.messages import Bye, Error
from donuts_referee.channels.router import RouterLink
from donuts_referee.check.asking import Asking
from donuts_referee.check.dialled import DialSource
from donuts_referee.check.positions import quiet
from donuts_referee.check.rounds import dice, further
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check, Skipped

SILENCE = 15_000
"""ms without a word after which a bot says hello again (DBP-11.8)"""

GRACE = 5_000
AWAY = 4_000
"""ms in which a bot that was sent away must not come back"""


def _source(stand: Stand) -> DialSource:
    assert isinstance(stand.source, DialSource)
    return stand.source


def dials(stand: Stand) -> str:
    """One frame a message, over a connection with an automatic routing id."""
    asking = stand.shared()
    asking.game(quiet(dice("dials"), 6))
    asking.over()
    link = asking.talk.link
    assert isinstance(link, RouterLink)
    if parts := _source(stand).doorway.split.get(id(link)):
        raise asking.talk.failed(
            "one payload frame a message, from a DEALER", f"{parts} messages of several frames"
        )
    if link.peer.chosen:
        raise asking.talk.failed(
            "a DEALER that sets no routing id",
            f"the routing id {link.peer.address.hex()} was chosen by the bot",
        )
    return ""


def _back(stand: Stand, asking: Asking, wait: int, right: str) -> None:
    """Wait until the bot says hello with its session, and let the conversation go on there."""
    talk = asking.talk
    token = talk.session
    found = _source(stand).returned(talk, talk.now() + wait * MS)
    if found is None:
        raise talk.failed(right, f"no hello within {wait} ms")
    other, hello = found
    if hello.session != token:
        shown = "without a session" if hello.session is None else f"session={hello.session}"
        raise talk.failed(right, f"hello {shown}")
    told = talk.told
    stand.adopt(other)
    other.send(asking.welcoming())
    other.told = f"{told}; then welcome"


def error_hello(stand: Stand) -> str:
    """`error - code=hello` makes the bot say hello with its session; the game goes on."""
    asking = stand.shared()
    study = quiet(dice("error hello"), 6)
    asking.game(study)
    answer = asking.turn(study)
    asking.talk.send(Error(id=None, code="hello"))
    _back(stand, asking, GRACE, f"hello ... session={asking.talk.session}, at once")
    asking.turn(further(study, answer.sq, dice("error hello again")))
    asking.over()
    return ""


def lost(stand: Stand) -> str:
    """The connection is lost in a game: the bot comes back, and the open turn is answered again."""
    asking = stand.shared()
    study = quiet(dice("lost"), 6)
    asking.game(study)
    question = asking.asking(study)
    asking.answered(question, asking.talk.send(question), study.position)
    asking.talk.tell("(the connection was cut)")
    began = asking.talk.now()
    _source(stand).cut(asking.talk)
    _back(
        stand,
        asking,
        SILENCE + GRACE,
        f"hello ... session={asking.talk.session}, at once or after {SILENCE} ms of silence",
    )
    waited = (asking.talk.now() - began) // MS
    again = msgspec.structs.replace(question, resend=1)
    asking.answered(again, asking.talk.send(again), study.position)
    asking.over()
    return f"back after {waited} ms"


def silence(stand: Stand) -> str:
    """After 15 s without a word the bot dials anew."""
    if not stand.settings.soak:
        raise Skipped(f"takes {SILENCE // 1000} s: --soak does it")
    asking = stand.shared()
    asking.ping()
    asking.talk.tell(f"(nothing for {SILENCE} ms)")
    began = asking.talk.now()
    right = f"hello ... session={asking.talk.session} on a fresh connection, after {SILENCE} ms of silence"
    before = asking.talk
    _back(stand, asking, SILENCE + GRACE, right)
    waited = (asking.talk.now() - began) // MS
    if asking.talk is before:
        raise asking.talk.failed(right, "hello on the same connection")
    if waited < SILENCE - 1000:
        raise asking.talk.failed(right, f"hello after {waited} ms")
    asking.ping()
    return f"after {waited} ms"


def sent_away(stand: Stand) -> str:
    """After `bye why=kicked` it does not come back by itself."""
    source = _source(stand)
    if source.process is None and source.program is None:
        raise Skipped("needs the COMMAND of the bot after --, to start it anew afterwards")
    asking = stand.shared()
    talk = asking.talk
    talk.send(Bye(why="kicked"))
    found = source.returned(talk, talk.now() + AWAY * MS)
    stand.spoil()
    if found is not None:
        raise talk.failed(
            "the bot leaves: only after drain, busy and faults does it dial in again", "hello again"
        )
    return f"silent for {AWAY} ms"


CHECKS = (
    Check(
        "dials", "dials in with a DEALER, one frame a message", ("DBP-11.1", "DBP-11.2"), dials, over="zmq"
    ),
    Check(
        "resume-error",
        "says hello with its session when asked to",
        ("DBP-11.9", "DBP-11.10"),
        error_hello,
        over="zmq",
    ),
    Check(
        "resume-lost", "comes back when the connection is lost", ("DBP-11.8", "DBP-11.11"), lost, over="zmq"
    ),
    Check("resume-silence", "dials anew after 15 s of silence", ("DBP-11.8",), silence, over="zmq"),
    Check("sent-away", "stays away when it was sent away", ("DBP-11.14",), sent_away, over="zmq"),
)
