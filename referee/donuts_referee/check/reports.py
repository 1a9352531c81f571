"""Checks of `info`: sent where it was granted alone, with the right id and types, and not too often."""

from donuts_protocol.messages import Info
from donuts_protocol.tally import INFO_RATE
from donuts_referee.check.asking import per_move
from donuts_referee.check.hearing import Heard
from donuts_referee.check.positions import quiet
from donuts_referee.check.rounds import dice
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check, Failed, Finding, Skipped

SECOND = 1000 * MS
LIMIT = 1000
"""ms for the turns in which reports are counted"""


def ungranted(stand: Stand) -> str:
    """No `info` is sent that was not granted."""
    asking = stand.shared()
    study = quiet(dice("ungranted"), 9)
    asking.game(study, conditions=per_move(200, asking.margin))
    asking.turn(study)
    asking.over()
    if stand.gallery.ungranted:
        told, heard = stand.gallery.ungranted[0]
        right = "no `info`: the caps of `welcome` do not grant it"
        raise Failed(Finding(sent=told, came=heard.words, right=right))
    return ""


def granted(stand: Stand) -> str:
    """Reports are valid, for the open turn, and at most twenty a second."""
    stand.shared()
    if stand.hello is None or "info" not in (stand.hello.caps or ()):
        raise Skipped("the bot does not ask for the capability `info`")
    asking = stand.fresh(("info",))
    talk = asking.talk
    count, most = 0, 0
    for size in (9, 6):
        study = quiet(dice("granted"), size)
        asking.game(study, conditions=per_move(LIMIT, asking.margin))
        asking.turn(study)
        late = asking.silent(100)
        reports = [one for one in talk.since if one.verb == "info"]
        id = talk.next_id - 1
        for one in reports:
            if one.fault:
                raise talk.failed("an `info` whose fields have their types", f"{one.words}  ({one.fault})")
            if isinstance(one.meant, Info) and one.meant.id != id:
                raise talk.failed(f"info {id}: the id of the open turn", one.words)
        if any(one.verb == "info" for one in late):
            raise talk.failed("no `info` after the answer: the turn is closed")
        count += len(reports)
        most = max(most, _most_in_a_second(reports))
        if most > INFO_RATE:
            raise talk.failed(f"at most {INFO_RATE} in any second", f"{most} `info` within a second")
    return f"{count} reports, {most} in a second at most"


def _most_in_a_second(reports: list[Heard]) -> int:
    """The most that came within any second."""
    return max((sum(0 <= other.at - one.at < SECOND for other in reports) for one in reports), default=0)


CHECKS = (
    Check("info-ungranted", "sends no info that was not granted", ("DBP-6.10", "DBP-5.4"), ungranted),
    Check("info", "info has its types, its turn and its rate", ("DBP-6.10", "DBP-5.4", "DBP-6.2"), granted),
)
