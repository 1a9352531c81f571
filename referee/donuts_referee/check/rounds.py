"""Whole games between the bot and dice, for the checks that need one."""

from random import Random

from donuts_engine.outcome import fives
from donuts_engine.squares import NAMES
from donuts_protocol.messages import End
from donuts_referee.check.asking import QUICK, Asking
from donuts_referee.check.positions import Study, find, first_ring
from donuts_referee.table.finished import Conditions

__all__ = ["dice", "further", "play_on", "short_game", "whole_game"]


def dice(check: str) -> Random:
    """The dice of one check: they fall alike in every run."""
    return Random(f"donuts check {check}")


def further(study: Study, square: str | None, rng: Random) -> Study:
    """The same game two placements on, the bot's and one by dice; where it is over then, the same study again."""
    if square is not None:
        then = study.after(square)
        if then.position.result is None:
            then = then.after(rng.choice(then.position.legal_names))
            if then.position.result is None:
                return then
    return study


def short_game(asking: Asking, rng: Random, size: int) -> None:
    """A game that begins in the middle and asks a few turns."""
    study = find(rng, size, lambda position: 2 * position.rings - position.ply == 6, rings=9)
    asking.game(study)
    play_on(asking, study, rng)


def whole_game(asking: Asking, rng: Random, size: int, you: str, conditions: Conditions = QUICK) -> int:
    """A game from the first ring to its end by the rules; returns how many turns were asked."""
    study = first_ring(rng, size)
    asking.game(study, you, conditions)
    return play_on(asking, study, rng, you)


def play_on(asking: Asking, study: Study, rng: Random, you: str | None = None, turns: int = 200) -> int:
    """Play to the end, or for so many turns; `end` is sent in any case. Returns how many turns were asked."""
    you = study.position.you if you is None else you
    asked = 0
    while study.position.result is None and asked < turns:
        if study.position.you != you:
            study = study.after(rng.choice(study.position.legal_names))
            continue
        answer = asking.turn(study)
        asked += 1
        if answer.sq is None:
            break
        study = study.after(answer.sq)
    _end(asking, study, you)
    return asked


def _end(asking: Asking, study: Study, you: str) -> None:
    position, result = study.position, study.position.result
    if result is None or asking.talk.game is None:
        asking.over()
        return
    won = "draw" if result.winner == "-" else "win" if result.winner == you else "loss"
    names = NAMES[position.board.size]
    five = tuple(names[square] for square in fives(position)) if result.why == "five" else None
    id, asking.talk.game = asking.talk.game, None
    asking.talk.send(
        End(
            id=id,
            result=won,  # type: ignore[arg-type]
            winner=None if result.winner == "-" else result.winner,
            why=result.why,
            ply=position.ply,
            cells=position.cells,
            five=five,
            moves=study.moves,
            more=1,
        )
    )
