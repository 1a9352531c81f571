"""The score sheet of a game: what a journal and a PGN file both say of it, and either gives back.

A record holds more (raw answers, stderr, versions, nanoseconds); a sheet holds what it takes to play the
game over, to name its verdict and to ask one of its turns again.
"""

import time
from typing import NamedTuple

from donuts_protocol.keys import NO_LIMIT
from donuts_referee.records.record import Record
from donuts_referee.table.finished import Conditions, TakenTurn

__all__ = ["Mark", "Sheet", "conditions_text"]


class Mark(NamedTuple):
    """What stands beside a placement: ms left after it and ms charged for it, and the bot's own chances.

    `clock` is None where no clock runs.
    """

    clock: int | None
    spent: int
    eval: int | None = None


class Sheet(NamedTuple):
    """One game as both kinds of file tell it."""

    id: str
    match: str
    number: int
    """of its match, from 1"""
    started: int
    """Unix time, whole seconds"""
    x: str
    """the operator's name of the bot that was Chocolate and moved first"""
    o: str
    size: int
    layout: str
    board: int | None
    rings: int
    seed: int
    conditions: Conditions
    opening: int
    """how many of the first placements were made for both sides"""
    moves: tuple[str, ...]
    marks: tuple[Mark | None, ...]
    """per placement; None where nothing is known, as in the opening"""
    winner: str
    why: str
    text: str
    fault: str | None
    void: bool

    @classmethod
    def of(cls, record: Record) -> "Sheet":
        """The sheet of a whole record."""
        marks: list[Mark | None] = [None] * len(record.moves)
        for turn in record.turns:
            if turn.ply < len(marks) and turn.sq is not None and turn.sq == record.moves[turn.ply]:
                marks[turn.ply] = _mark(turn, record.conditions.main != NO_LIMIT)
        verdict = record.verdict
        return cls(
            id=record.id,
            match=record.match,
            number=record.number,
            started=int(record.started),
            x=record.x.bot,
            o=record.o.bot,
            size=record.size,
            layout=record.layout,
            board=record.board,
            rings=record.rings,
            seed=record.seed,
            conditions=record.conditions,
            opening=len(record.opening),
            moves=record.moves,
            marks=tuple(marks),
            winner="-" if verdict.void else verdict.winner,
            why=verdict.why,
            text=verdict.text,
            fault=verdict.fault,
            void=verdict.void,
        )

    @property
    def result(self) -> str:
        """The result as PGN has it: 1-0 when x won, 0-1, 1/2-1/2, or * for a game that does not count."""
        return "*" if self.void else {"x": "1-0", "o": "0-1"}.get(self.winner, "1/2-1/2")

    @property
    def date(self) -> str:
        """The day on which the game began, UTC, as YYYY.MM.DD."""
        return time.strftime("%Y.%m.%d", time.gmtime(self.started))

    @property
    def time(self) -> str:
        """The time of day at which the game began, UTC, as HH:MM:SS."""
        return time.strftime("%H:%M:%S", time.gmtime(self.started))


def _mark(turn: TakenTurn, clocked: bool) -> Mark | None:
    if clocked:
        return Mark(turn.clock, turn.spent, turn.eval)
    return None if turn.eval is None else Mark(None, 0, turn.eval)


def conditions_text(conditions: Conditions) -> str:
    """The time control for people: `60+0.1`, `0.1 s a move`, `no limit`; seconds."""
    if conditions.main == NO_LIMIT:
        return "no limit"
    if conditions.main == 0 and conditions.movemax is not None and conditions.movemax == conditions.inc:
        return f"{conditions.inc / 1000:g} s a move"
    text = f"{conditions.main / 1000:g}+{conditions.inc / 1000:g}"
    return text if conditions.movemax is None else f"{text}, at most {conditions.movemax / 1000:g} s a move"
