"""Checks of the answers to `turn`: legal everywhere, exactly one, from the turn alone, and again when asked again."""

from collections.abc import Callable
from random import Random

import msgspec

from donuts_engine.position import Position
from donuts_referee.check.asking import Asking
from donuts_referee.check.positions import (
    Study,
    blocked_line,
    find,
    first_ring,
    forced_line,
    last_ring,
    one_legal,
    quiet,
    some_rings,
)
from donuts_referee.check.rounds import dice
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check

TURNS = 1000
FEW = 10
"""turns in which a bot that does not resign all games has moved"""

EACH = 6
"""positions of one kind that are asked, on each size of board"""

AFTERWARDS = 100
"""ms after an answer in which no second one may come"""


def legal(stand: Stand) -> str:
    """A thousand turns of games that begin anywhere; fewer where the bot is slow."""
    asking, rng = stand.shared(), dice("legal")
    until = asking.talk.now() + stand.settings.at_most * MS
    asked = moves = games = 0

    def more() -> bool:
        """However late it has become, some are asked: a bot may resign one or the other."""
        return asked < TURNS and (asking.talk.now() < until or (asked < FEW and not moves))

    while more():
        size = 9 if games % 3 == 2 else 6
        rings = some_rings(rng, size)
        study = find(rng, size, _goes_on, rings)
        you = study.position.you
        asking.game(study)
        games += 1
        while study.position.result is None and more():
            if study.position.you != you:
                study = study.after(rng.choice(study.position.legal_names))
                continue
            answer = asking.turn(study)
            asked += 1
            if answer.sq is None:
                break
            moves += 1
            study = study.after(answer.sq)
        asking.over()
    if not moves:
        raise asking.talk.failed("move ID SQUARE: now and then at least", "every turn was answered by resign")
    if asked < TURNS:
        return f"{asked} positions in {games} games: the bot is too slow for {TURNS}"
    return f"{asked} positions in {games} games"


def _goes_on(position: Position) -> bool:
    return True


def _kind(name: str, wanted: Callable[[Position], bool]) -> Callable[[Stand], str]:
    """A check that asks positions of one kind, on both sizes."""

    def run(stand: Stand) -> str:
        asking, rng = stand.shared(), dice(name)
        for size in (6, 9):
            for _ in range(EACH):
                _ask(asking, find(rng, size, wanted, _rings_for(name, rng, size)))
        return f"{2 * EACH} positions"

    return run


def _rings_for(name: str, rng: Random, size: int) -> int | None:
    """Boards fill up, so that lines are blocked and choices end, with the most rings; a few make a short game."""
    if name == "last-ring":
        return rng.randint(1, 15)
    return {6: 18, 9: 40}[size] if name in ("blocked-line", "one-legal") else None


def _ask(asking: Asking, study: Study) -> None:
    asking.game(study)
    asking.turn(study)
    asking.over()


def first(stand: Stand) -> str:
    """The first ring of all: `last` is none and every square is legal, 36 of them and 81."""
    asking, rng = stand.shared(), dice("first-ring")
    for size in (6, 9, 6, 9):
        _ask(asking, first_ring(rng, size))
    return "4 positions"


def one_answer(stand: Stand) -> str:
    """One answer to each question, and nothing after it."""
    asking, rng = stand.shared(), dice("one-answer")
    talk = asking.talk
    study, other = quiet(rng, 6), quiet(rng, 9)
    for ask, right in (
        (lambda: asking.game(study), "exactly one `ready`"),
        (lambda: asking.turn(study), "exactly one `move`"),
        (lambda: asking.game(other), "exactly one `ready`"),
        (lambda: asking.turn(other), "exactly one `move`"),
        (lambda: asking.ping(), "exactly one `pong`"),
    ):
        ask()
        answered = len(talk.since)
        extra = [heard for heard in asking.silent(AFTERWARDS) if heard.verb not in ("info", "error", "")]
        if extra:
            came = " | ".join(heard.words for heard in talk.since[answered - 1 :][:4])
            raise talk.failed(f"{right}; what comes after it is too late, or taken for another answer", came)
        asking.only_pong(right, expected=answered)
    asking.over()
    return ""


def stateless(stand: Stand) -> str:
    """Unrelated positions, shuffled, with other sides, layouts and rings from turn to turn of one game."""
    asking, rng = stand.shared(), dice("stateless")
    asked = 0
    for size in (6, 9):
        studies = [find(rng, size, _goes_on, some_rings(rng, size)) for _ in range(20)]
        asking.game(studies[0])
        for study in studies:
            asking.turn(study)
            asked += 1
        asking.over()
    return f"{asked} positions"


def resend(stand: Stand) -> str:
    """A turn that is sent again, under the same id, is answered again."""
    asking = stand.shared()
    talk = asking.talk
    for size in (6, 9):
        study = quiet(dice(f"resend {size}"), size)
        asking.game(study)
        question = asking.asking(study)
        asking.answered(question, talk.send(question), study.position)
        again = msgspec.structs.replace(question, resend=1)
        at = talk.send(again)
        asking.answered(again, at, study.position)
        asking.over()
    return ""


CHECKS = (
    Check("legal", "every answer is legal", ("DBP-6.7", "DBP-9.3"), legal),
    Check("first-ring", "plays the first ring: 36 and 81 legal squares", ("DBP-6.7", "DBP-3.9"), first),
    Check("last-ring", "plays the last ring", ("DBP-6.7", "DBP-9.3"), _kind("last-ring", last_ring)),
    Check(
        "forced-line",
        "keeps to the line of `last`",
        ("DBP-6.7", "DBP-9.3"),
        _kind("forced-line", forced_line),
    ),
    Check(
        "blocked-line",
        "plays anywhere when the line of `last` is full",
        ("DBP-6.7", "DBP-9.3"),
        _kind("blocked-line", blocked_line),
    ),
    Check("one-legal", "plays the only legal square", ("DBP-6.7", "DBP-6.8"), _kind("one-legal", one_legal)),
    Check("one-answer", "exactly one answer to a question", ("DBP-1.3", "DBP-7.5", "DBP-9.13"), one_answer),
    Check("stateless", "needs nothing of an earlier message", ("DBP-6.7",), stateless),
    Check("resend", "answers a turn that is sent again", ("DBP-6.7", "DBP-11.11"), resend),
)
