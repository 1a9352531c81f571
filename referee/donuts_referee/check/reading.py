"""Checks of what the bot can read: other orders, unknown fields and verbs, large values, bytes in any portions."""

import msgspec

from donuts_protocol.framing import frame
from donuts_protocol.messages import Cancel, Error, RefereeMessage
from donuts_referee.check.asking import Asking, Deliver, per_move
from donuts_referee.check.forms import payload, reversed_payload, unknown_verb, with_unknown_fields
from donuts_referee.check.positions import Study, first_ring, quiet
from donuts_referee.check.rounds import dice, further
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS, Talk
from donuts_referee.check.verdicts import Check
from donuts_referee.table.finished import Conditions

LARGEST = 2**53 - 1
APART = 50 * MS
"""ns in which a bot reads what was sent before"""

PAUSE = MS // 4
"""ns between two bytes"""


def _shown(message: bytes, talk: Talk) -> str:
    return message.decode("ascii") if talk.encoding == "text" else repr(msgspec.msgpack.decode(message))


def _reordered(talk: Talk, message: RefereeMessage) -> int:
    data = reversed_payload(message, talk.encoding)
    return talk.send_payloads(data, told=_shown(data, talk))


def _with_strangers(talk: Talk, message: RefereeMessage) -> int:
    data = with_unknown_fields(message, talk.encoding)
    return talk.send_payloads(data, told=_shown(data, talk))


def byte_by_byte(talk: Talk, message: RefereeMessage) -> int:
    """Send a message in as many writes as it has bytes."""
    talk.tell(f"{message.verb}, byte by byte")
    at = talk.now()
    for byte in frame(payload(message, talk.encoding), talk.encoding, talk.transport):
        at = talk.hand(bytes((byte,)))
        talk.pause(PAUSE)
    return at


def _round(asking: Asking, study: Study, deliver: Deliver) -> None:
    asking.game(study, deliver=deliver)
    asking.turn(study, deliver)
    asking.over()


def field_order(stand: Stand) -> str:
    """The fields of `game` and `turn` come in another order."""
    for size in (6, 9):
        _round(stand.shared(), quiet(dice("order"), size), _reordered)
    return ""


def unknown_fields(stand: Stand) -> str:
    """There are fields that the bot cannot know."""
    for size in (6, 9):
        _round(stand.shared(), quiet(dice("strangers"), size), _with_strangers)
    return ""


def unknown_verbs(stand: Stand) -> str:
    """A message with an unknown verb is ignored."""
    asking = stand.shared()
    study = quiet(dice("verbs"), 6)
    for game in (False, True):
        if game:
            asking.game(study)
        asking.ping()  # what is late has come before its pong
        talk = asking.talk
        data = unknown_verb(talk.encoding)
        talk.send_payloads(data, told=_shown(data, talk))
        asking.only_pong("nothing: a verb that a bot does not know is ignored", strict=True)
    asking.turn(study)
    asking.over()
    return ""


def error_ignored(stand: Stand) -> str:
    """An `error` of the referee is for people."""
    asking = stand.shared()
    study = quiet(dice("error"), 6)
    asking.game(study)
    asking.turn(study)
    id = asking.talk.next_id - 1
    asking.ping()  # what is late has come before its pong
    for error in (
        Error(id=id, code="illegal", text="a test: 50% of nothing = nothing"),
        Error(id=None, code="tc"),
    ):
        asking.talk.send(error)
        asking.only_pong("nothing: no answer follows from an `error`")
    asking.turn(study)
    asking.over()
    return ""


def values(stand: Stand) -> str:
    """The largest values that may come, and names with escapes."""
    asking = stand.shared()
    study = first_ring(dice("values"), 9, 40)
    conditions = Conditions(main=LARGEST, inc=LARGEST, movemax=30, margin=LARGEST, prep=LARGEST)

    def large(talk: Talk, message: RefereeMessage) -> int:
        return talk.send(msgspec.structs.replace(message, opp="é % = , ✓ \\", seed=LARGEST))

    def stretched(talk: Talk, message: RefereeMessage) -> int:
        return talk.send(msgspec.structs.replace(message, oclock=LARGEST, spent=LARGEST))

    asking.game(study, conditions=conditions, deliver=large)
    asking.turn(study, stretched, limit=30, clock=LARGEST)
    asking.over()
    asking.game(study, conditions=per_move(30, 0))
    asking.turn(study)
    asking.over()
    return ""


def in_bytes(stand: Stand) -> str:
    """Messages arrive byte by byte."""
    _round(stand.shared(), quiet(dice("bytes"), 6), byte_by_byte)
    return ""


def in_one_write(stand: Stand) -> str:
    """Two messages arrive in one write: the second needs no further input to be answered."""
    asking = stand.shared()
    rng = dice("two")
    asking.talk.pause(APART)
    for size in (6, 9):
        study = quiet(rng, size)
        asking.game(study)
        talk = asking.talk
        question = asking.asking(study)
        answer = asking.answered(question, talk.send(question), study.position)
        other = further(study, answer.sq, rng)
        again = asking.asking(other)
        at = talk.send(Cancel(id=question.id, why="abort"), again)
        asking.answered(again, at, other.position)
        ending = asking.ending()
        question_of_game = asking.announcing(study)
        talk.send(ending, question_of_game)
        asking.readied(question_of_game)
        asking.turn(study)
        asking.over()
    return ""


CHECKS = (
    Check("field-order", "reads fields in any order", ("DBP-3.3", "DBP-4.1"), field_order),
    Check("unknown-fields", "ignores fields it does not know", ("DBP-3.11", "DBP-12.4"), unknown_fields),
    Check("unknown-verbs", "ignores verbs it does not know", ("DBP-12.4", "DBP-5.8"), unknown_verbs),
    Check("error", "carries on after an error", ("DBP-6.13",), error_ignored),
    Check("values", "reads the largest values and escaped names", ("DBP-3.7", "DBP-3.5", "DBP-6.2"), values),
    Check("bytes", "reads messages byte by byte", ("DBP-2.8",), in_bytes, over="stdio"),
    Check("one-write", "reads two messages in one write", ("DBP-2.8", "DBP-7.8"), in_one_write),
)
