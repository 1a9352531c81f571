"""Checks of the msgpack encoding: the types of what the bot writes, and the widths and gaps of what it reads."""

from donuts_protocol.messages import RefereeMessage
from donuts_referee.check.forms import wide_payload
from donuts_referee.check.positions import first_ring, quiet
from donuts_referee.check.rounds import dice, short_game
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import Talk
from donuts_referee.check.verdicts import Check, Failed, Finding


def types(stand: Stand) -> str:
    """Every payload is one map with the types of the protocol."""
    asking = stand.shared()
    short_game(asking, dice("types"), 6)
    asking.ping()
    faults = [one for one in stand.gallery.faulty if one[1].verb != "info"]
    if faults:
        told, heard = faults[0]
        raise Failed(
            Finding(
                sent=told,
                came=f"{heard.words}  ({heard.fault})",
                right="one map a payload: keys and strings as str, integers as integers, lists as arrays of str",
            )
        )
    return f"{stand.gallery.lines} payloads"


def _wide(talk: Talk, message: RefereeMessage) -> int:
    return talk.send_payloads(wide_payload(message), told=f"{message.verb}, every integer as a uint 64")


def widths(stand: Stand) -> str:
    """Integers come in the widest form there is."""
    asking = stand.shared()
    for size in (6, 9):
        study = quiet(dice("widths"), size)
        asking.game(study, deliver=_wide)
        asking.turn(study, _wide)
        asking.over()
    return ""


def none(stand: Stand) -> str:
    """What text writes as `-` is left out: `last` on the empty board."""
    asking = stand.shared()
    for size in (6, 9):
        study = first_ring(dice("none"), size)
        asking.game(study)
        asking.turn(study)
        asking.over()
    return ""


CHECKS = (
    Check(
        "packed-types",
        "payloads have the types of the protocol",
        ("DBP-4.1", "DBP-4.2", "DBP-4.4", "DBP-4.5"),
        types,
        encoding="msgpack",
    ),
    Check("packed-widths", "reads integers of any width", ("DBP-4.2",), widths, encoding="msgpack"),
    Check("packed-none", "reads a turn without `last`", ("DBP-4.3",), none, encoding="msgpack"),
)
