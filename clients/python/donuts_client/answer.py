"""What a bot may answer to a turn: a square, a square with a report of the search, or its resignation."""

from collections.abc import Sequence
from enum import Enum
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from donuts_client.position import Position
from donuts_protocol.messages import Move, Resign

Proof: TypeAlias = Literal["win", "draw", "loss"]


class Resignation(Enum):
    """The type of `RESIGN`, its only member."""

    RESIGN = "resign"


RESIGN: Final = Resignation.RESIGN
"""Returned by `Bot.move`: the bot gives the game up."""


class Report(Struct, frozen=True, kw_only=True):
    """What a bot can tell of its search; all of it is from the bot's own side and is kept in the record (DBP-6)."""

    eval: int | None = None
    """the bot's own chances in permille, 0..1000; 1000 is a sure win"""
    proof: Proof | None = None
    """the outcome that the bot has proved"""
    nodes: int | None = None
    """positions visited"""
    depth: int | None = None
    """plies searched"""
    pv: Sequence[str] | None = None
    """the placements the bot expects, names of squares"""
    text: str | None = None
    """a sentence for people, at most 200 characters"""


class Answer(Report, frozen=True):
    """A placement with a report: `Answer("c3", eval=640, depth=5, pv=("c3", "a1"))`."""

    square: str | int
    """the square by name or by index"""


Placement: TypeAlias = str | int | Answer | Resignation
"""Whatever `Bot.move` may return; a square is its name (`"c3"`) or its index (row - 1) * size + column."""


def as_message(placement: Placement, position: Position) -> Move | Resign:
    """The message that states `placement` as the answer to the turn of `position`.

    Whether the square is legal is for the referee to say. Raises TypeError when `placement` is nothing that can be
    returned, ValueError when it names no square of any board or an index outside this one.
    """
    question = position.turn.id
    if placement is RESIGN:
        return Resign(id=question)
    if isinstance(placement, Answer):
        return Move(
            id=question,
            sq=_name(placement.square, position),
            eval=placement.eval,
            proof=placement.proof,
            nodes=placement.nodes,
            depth=placement.depth,
            pv=None if placement.pv is None else tuple(placement.pv),
            text=placement.text,
        )
    return Move(id=question, sq=_name(placement, position))


def _name(square: object, position: Position) -> str:
    if isinstance(square, str):
        if len(square) == 2 and square[0] in "abcdefghi" and square[1] in "123456789":
            return square
        raise ValueError(
            f"move() returned {square!r}, which is no square; legal are {', '.join(position.legal)}"
        )
    if isinstance(square, int) and not isinstance(square, bool):
        size = position.size
        if 0 <= square < size * size:
            return "abcdefghi"[square % size] + "123456789"[square // size]
        raise ValueError(f"move() returned the index {square}; the board has 0..{size * size - 1}")
    raise TypeError(f"move() returned {square!r}; return a square, an Answer or RESIGN")
