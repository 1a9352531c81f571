"""Checks over several games: a second one in the same process, life after `end`, silence after `cancel`, memory."""

from donuts_protocol.messages import Cancel, Leave, Move, Pong, Resign
from donuts_referee.check.asking import Asking
from donuts_referee.check.positions import Study, first_ring, quiet
from donuts_referee.check.processes import resident_bytes
from donuts_referee.check.rounds import dice, play_on, whole_game
from donuts_referee.check.stand import Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check, Skipped

GAMES, GAMES_SOAK = 16, 200
AFTERWARDS = 300
"""ms after an `end` or a `cancel` in which nothing is to come"""

MIB = 1 << 20
MOST_GROWTH = 32 * MIB
"""bytes by which the memory of a bot may grow in the second half of the games"""


def second_game(stand: Stand) -> str:
    """Whole games in one process, with both sides and both sizes."""
    asking, rng = stand.shared(), dice("second game")
    turns = [whole_game(asking, rng, size, you) for size, you in ((6, "x"), (6, "o"), (9, "o"))]
    return f"3 games, {sum(turns)} turns"


def stays(stand: Stand) -> str:
    """The process lives on after `end`, even when no game is announced."""
    asking = stand.shared()
    asking.game(quiet(dice("stays"), 6))
    asking.ping()
    asking.over(more=0)
    came = [heard for heard in asking.silent(AFTERWARDS) if heard.verb not in ("error", "")]
    if any(isinstance(heard.meant, Leave) for heard in came) or asking.talk.gone:
        raise asking.talk.failed("the bot stays until `bye`")
    if came:
        raise asking.talk.failed("nothing: `end` is not answered")
    asking.ping()
    return ""


def cancel(stand: Stand) -> str:
    """Nothing is answered to `cancel`, and a turn that was cancelled leaves no trace."""
    asking, rng = stand.shared(), dice("cancel")
    talk = asking.talk
    study = quiet(rng, 6)
    asking.game(study)
    question = asking.asking(study)
    asking.answered(question, talk.send(question), study.position)
    asking.ping()
    talk.send(Cancel(id=question.id, why="timeout"))
    asking.only_pong("nothing: a cancelled question is closed, and `cancel` is not answered")
    _cancelled_at_once(asking, study)
    asking.turn(study)
    asking.over()
    return ""


def _cancelled_at_once(asking: Asking, study: Study) -> None:
    """A turn is cancelled before its answer can have come: at most that one answer crosses."""
    talk = asking.talk
    question = asking.asking(study)
    talk.send(question, Cancel(id=question.id, why="abort"))
    told = talk.told
    came = asking.silent(AFTERWARDS)
    answers = [one for one in came if isinstance(one.meant, Move | Resign | Pong)]
    wrong = [
        one for one in answers if isinstance(one.meant, Pong) or getattr(one.meant, "id", None) != question.id
    ]
    if len(answers) > 1 or wrong:
        raise talk.failed(
            f"nothing, or the one answer to turn {question.id} that crossed the cancel",
            " | ".join(one.words for one in answers[:4]),
            told,
        )


def memory(stand: Stand) -> str:
    """The memory of the process does not grow from game to game."""
    games = GAMES_SOAK if stand.settings.soak else GAMES
    asking, rng = stand.shared(), dice("memory")
    pid = asking.talk.pid
    if pid is None or resident_bytes(pid) is None:
        raise Skipped(
            "only Linux tells how much memory a process holds, and only of one that was started here"
        )
    until = asking.talk.now() + stand.settings.at_most * MS
    sizes: list[int] = []
    for number in range(games):
        study = first_ring(rng, 6)
        asking.game(study)
        play_on(asking, study, rng, "xo"[number % 2])
        sizes.append(resident_bytes(pid) or 0)
        if asking.talk.now() > until and not stand.settings.soak:
            break
    grown = sizes[-1] - sizes[len(sizes) // 2]
    if grown > MOST_GROWTH and len(sizes) > 1:
        raise asking.talk.failed(
            "the memory of a game is given back, or used again, in the next one",
            f"it grew by {grown // MIB} MiB in the last {len(sizes) - len(sizes) // 2} of {len(sizes)} games",
            f"{len(sizes)} games",
        )
    few = "" if len(sizes) == GAMES_SOAK else f" (--soak plays {GAMES_SOAK})"
    return f"{sizes[-1] // MIB} MiB after {len(sizes)} games{few}"


CHECKS = (
    Check("second-game", "plays any number of games", ("DBP-10.6",), second_game),
    Check("stays", "stays after the end of a game", ("DBP-6.14", "DBP-10.6"), stays),
    Check("cancel", "is quiet after cancel", ("DBP-6.11", "DBP-7.6", "DBP-7.7"), cancel),
    Check("memory", "does not grow from game to game", ("DBP-10.6",), memory),
)
