"""The two questions of a game as messages: `game` and `turn`, from what the table knows (DBP-6.5, DBP-6.7)."""

import msgspec

from donuts_engine.position import Position
from donuts_protocol.keys import NO_LIMIT
from donuts_protocol.messages import Game, Turn
from donuts_referee.table.clock import Allowance
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import Conditions


def game_question(
    id: int, side: str, position: Position, control: TimeControl | Conditions, opp: str | None, seed: int
) -> Game:
    """`game` for the bot that plays `side`; of `position` only the size and the rings per side are told."""
    return Game(
        id=id,
        you="x" if side == "x" else "o",
        size=6 if position.board.size == 6 else 9,
        rings=position.rings,
        main=control.main,
        inc=control.inc,
        margin=control.margin,
        prep=control.prep,
        movemax=control.movemax,
        opp=opp,
        seed=seed,
    )


def turn_again(turn: Turn, gone: int) -> Turn:
    """The open turn for a bot that is back: the same id, and what is left `gone` ms after it began (DBP-11.11)."""
    if turn.clock == NO_LIMIT:
        return msgspec.structs.replace(turn, resend=1)
    return msgspec.structs.replace(
        turn, clock=max(0, turn.clock - gone), limit=max(0, turn.limit - gone), resend=1
    )


def turn_question(
    id: int, game: int, position: Position, allowed: Allowance, oclock: int, inc: int, spent: int
) -> Turn:
    """`turn` of the game with id `game`: the whole position, and the clocks in ms."""
    board = position.board
    return Turn(
        id=id,
        game=game,
        ply=position.ply,
        you=position.you,
        size=board.size,  # type: ignore[arg-type]
        rings=position.rings,
        layout=board.layout,
        cells=position.cells,
        last=position.last_name,
        legal=position.legal_names,
        clock=allowed.clock,
        oclock=oclock,
        inc=inc,
        limit=allowed.limit,
        margin=allowed.margin,
        spent=spent,
    )
