"""Checks of the answers to `game` and `ping`, and of the ids that every answer repeats."""

from donuts_protocol.framing import Encoding, frame
from donuts_referee.check.asking import NO_PONG
from donuts_referee.check.forms import unknown_verb
from donuts_referee.check.positions import quiet
from donuts_referee.check.rounds import dice
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check, Failed, Finding

LARGE = 9_876_543_210
"""an id of ten digits: it does not fit into 32 bits, and may come (an id is below 2^53)"""

NUDGED = 1000
"""ms within which what was held back comes once another line was sent"""

CLOSED = 3000
"""ms within which it comes once stdin is closed, and the process has to end"""

APART = 50 * MS
"""ns in which a bot reads what was sent, so that what is sent then comes in another read"""


def flush(stand: Stand) -> str:
    """`ready` and `move`, right or wrong, come while nothing else is sent."""
    asking = stand.shared()
    talk = asking.talk
    study = quiet(dice("flush"), 6)
    talk.pause(APART)
    try:
        asking.game(study)
        asking.turn(study)
    except Failed as failure:
        if any(heard.verb in ("ready", "move", "resign") for heard in talk.since) and not talk.gone:
            stand.spoil()
            return "what it answers is not right: other checks tell what it should be"
        if talk.gone or stand.source.transport != "stdio":
            raise
        sent, silence = failure.finding.sent, failure.finding.came
        talk.hand(_nudge(talk.encoding))
        heard = talk.hear(talk.now() + NUDGED * MS)
        if heard is not None:
            came = f"{silence}; then one more line was sent, and there was {heard.words}"
            right = f"{failure.finding.right} at once: {stand.flushing}; and read no line ahead"
            raise Failed(Finding(sent=sent, came=came, right=right)) from None
        talk.link.hang_up()
        heard = talk.hear(talk.now() + CLOSED * MS)
        if heard is not None:
            came = f"{silence}; then stdin was closed, and there was {heard.words}"
            right = f"{failure.finding.right} at once: {stand.flushing}"
            raise Failed(Finding(sent=sent, came=came, right=right)) from None
        raise
    return ""


def _nudge(encoding: Encoding) -> bytes:
    """A line that nobody answers."""
    return frame(unknown_verb(encoding), encoding, "stdio")


def ids(stand: Stand) -> str:
    """`ready`, `move` and `pong` repeat short and long ids."""
    asking = stand.renewed() if stand.shared().talk.next_id > 1 else stand.shared()
    rng = dice("ids")
    for first in (1, LARGE):
        asking.over()
        asking.talk.skip_to(first)
        study = quiet(rng, 6)
        asking.game(study)
        asking.turn(study)
        try:
            asking.ping()
        except Failed as failure:
            if failure.cause != NO_PONG:  # which is what the next check is about
                raise
    asking.over()
    return f"1 to 3 and {LARGE} to {LARGE + 2}"


def ping(stand: Stand) -> str:
    """`ping` is answered before a game, in it and after it."""
    asking = stand.shared()
    asking.over()
    asking.ping()
    study = quiet(dice("ping"), 6)
    asking.game(study)
    asking.ping()
    asking.turn(study)
    asking.ping()
    asking.over()
    asking.ping()
    return ""


CHECKS = (
    Check(
        "flush",
        "answers a game and a turn, without further input",
        ("DBP-2.8", "DBP-6.6", "DBP-6.8"),
        flush,
        gate=True,
    ),
    Check("ids", "answers repeat ids of 1 and of 10 digits", ("DBP-7.4", "DBP-7.2", "DBP-6.2"), ids),
    Check("ping", "ping is answered between turns", ("DBP-6.12", "DBP-10.6"), ping),
)
