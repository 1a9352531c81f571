"""Answers one query with the state of the position it names, or with the code of what is wrong with it.

A query names its position by the placements from the start (`moves`) or as it stands (`cells`)
with `last` and `you`: DBP-13.3. Nothing is remembered between queries but boards asked about lately.
"""

from enum import StrEnum
from functools import lru_cache

from donuts_engine.board import Board
from donuts_engine.position import MAX_RINGS, Position, PositionError
from donuts_engine.rules import IllegalMove, flipped, play
from donuts_engine.squares import NAMES, NotationError, index
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.escape import shown
from donuts_protocol.messages import Error, Query, State

__all__ = ["QueryFault", "answer", "refusal", "refuse"]

_TEXT_LIMIT = 200


class QueryFault(StrEnum):
    """What is wrong with a query: the `code` of its `error` (DBP-13.7)."""

    QUERY = "query"
    """it is no `query` message, is badly formed, or says its position in two ways"""
    LAYOUT = "layout"
    """the layout, or one of another size than `size` says (6 if it says nothing)"""
    MOVES = "moves"
    """a placement that is no square of the board, illegal, or past the end"""
    CELLS = "cells"
    """not as many cells as squares, more rings than there are, or a five on the board"""
    LAST = "last"
    """not a ring of the side that moved last, or missing"""
    YOU = "you"
    """not the side whose turn it is by the number of rings, or missing"""
    RINGS = "rings"
    """a number of rings per side that the size does not allow"""
    FLOOD = "flood"
    """a line over 4096 bytes"""


_CODES = {fault.value: fault for fault in QueryFault}
_SIZE = 6


class _Refused(Exception):
    def __init__(self, fault: QueryFault, text: str) -> None:
        super().__init__(text)
        self.fault = fault


def answer(query: Query) -> State | Error:
    """The state of the position that `query` names, or an error with its id and a `QueryFault` as code."""
    try:
        if query.cells is None:
            return _after_moves(query, query.moves or ())
        if query.moves is not None:
            raise _Refused(QueryFault.QUERY, "moves= and cells= exclude each other; give one of them")
        return _as_it_stands(query, query.cells)
    except _Refused as refused:
        return refuse(query.id, refused.fault, str(refused))


def refusal(fault: InvalidMessage) -> Error:
    """The error that answers what is no query; its id is None (`-`) where that cannot be read either."""
    named = _CODES.get(fault.key, QueryFault.QUERY) if fault.verb == "query" else QueryFault.QUERY
    return refuse(fault.id, named, fault.reason)


def refuse(id: int | None, fault: QueryFault, text: str) -> Error:
    """An error with this id; its text is made fit for the wire and a terminal."""
    return Error(id=id, code=fault.value, text=shown(text, _TEXT_LIMIT))


def _after_moves(query: Query, moves: tuple[str, ...]) -> State:
    if query.last is not None or query.you is not None:
        raise _Refused(
            QueryFault.QUERY, "last= and you= go with cells=; without it they follow from the moves"
        )
    position = _start(query)
    size = position.board.size
    names = NAMES[size]
    flips: list[str] = []
    for number, square in enumerate(moves, start=1):
        try:
            following = play(position, index(square, size))
        except (NotationError, IllegalMove) as fault:
            raise _Refused(QueryFault.MOVES, f"move {number}, {square}: {fault}") from None
        turned = flipped(position, following)
        flips.append("+".join([names[each] for each in turned]) if turned else "-")
        position = following
    return _state(query.id, position, tuple(flips))


def _as_it_stands(query: Query, cells: str) -> State:
    if query.you is None:
        raise _Refused(QueryFault.YOU, "you is missing; with cells= the side to move is needed, x or o")
    start = _start(query)
    try:
        position = Position.from_cells(start.board, start.rings, cells, query.last, query.you)
    except PositionError as fault:
        raise _Refused(_CODES.get(fault.key, QueryFault.QUERY), str(fault)) from None
    return _state(query.id, position, ())


def _start(query: Query) -> Position:
    size = _SIZE if query.size is None else query.size
    letters = len(query.layout)
    if letters != size * size:
        raise _Refused(QueryFault.LAYOUT, f"layout has {letters} letters; size={size} takes {size * size}")
    if query.rings is not None and query.rings > MAX_RINGS[size]:
        raise _Refused(QueryFault.RINGS, f"rings is {query.rings}; size={size} takes 1 to {MAX_RINGS[size]}")
    return _empty(query.layout, query.rings)


def _state(id: int, position: Position, flips: tuple[str, ...]) -> State:
    over = position.result
    return State(
        id=id,
        ply=position.ply,
        you=position.you,
        cells=position.cells,
        last=position.last_name,
        legal=position.legal_names,
        flips=flips,
        winner=None if over is None or over.winner == "-" else over.winner,
        why=None if over is None else over.why,
    )


@lru_cache(maxsize=256)
def _empty(layout: str, rings: int | None) -> Position:
    """The start on a board; kept, because making a board costs more than all the rest of a query."""
    return Position.start(Board.of(layout), rings)
