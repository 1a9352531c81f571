"""Plays a kept game again: same board, opening, seed and conditions, the bots started anew; and compares the two."""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from donuts_engine.board import Board
from donuts_engine.squares import index
from donuts_referee.channels.link import Arrival
from donuts_referee.competition.oracle import installed, oracle_of
from donuts_referee.records.record import Record
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import Event, GameOver
from donuts_referee.table.finished import FinishedGame, TakenTurn
from donuts_referee.table.match import match

__all__ = ["Difference", "Rerun", "play_again"]


class Difference(NamedTuple):
    """The first ply at which the two games part; None where a game has no turn there."""

    ply: int
    side: str
    then: TakenTurn | None
    now: TakenTurn | None


class Rerun(NamedTuple):
    """A game and how it went when it was played again."""

    then: Record
    now: FinishedGame

    @property
    def difference(self) -> Difference | None:
        """Where the moves part; None when they are the same to the end."""
        then, now = self.then.moves, self.now.moves
        both = min(len(then), len(now))
        ply = next((at for at in range(both) if then[at] != now[at]), both)
        if ply == len(then) == len(now):
            return None
        return Difference(ply, "xo"[ply % 2], _turn(self.then.turns, ply), _turn(self.now.turns, ply))

    @property
    def same(self) -> bool:
        """The same moves and the same verdict, whatever the words and the times."""
        before, after = self.then.verdict, self.now.verdict
        verdict = (before.winner, before.why, before.void) == (after.winner, after.why, after.void)
        return verdict and self.difference is None


def _turn(turns: Sequence[TakenTurn], ply: int) -> TakenTurn | None:
    return next((turn for turn in turns if turn.ply == ply), None)


def play_again(
    record: Record, x: Entrant, o: Entrant, now: Callable[[], int]
) -> Generator[int | None, Sequence[Arrival], Rerun]:
    """A generator of the table (see `channels.link`) that plays it; a KeyboardInterrupt thrown in ends it.

    `record` must be one whose board and opening hold. A fault is judged as a loss, whatever the event's policy was.
    """
    over: list[FinishedGame] = []

    def observe(event: Event) -> None:
        if isinstance(event, GameOver):
            over.append(event.game)

    yield from match(x, o, [_setting(record)], _rules(record), now, observe)
    if not over:
        raise KeyboardInterrupt
    return Rerun(record, over[0])


def _setting(record: Record) -> Setting:
    return Setting(
        board=Board.of(record.layout),
        rings=record.rings,
        seed=record.seed,
        number=record.board,
        opening=tuple(index(square, record.size) for square in record.opening),
    )


def _rules(record: Record) -> MatchRules:
    c = record.conditions
    control = TimeControl(c.main, c.inc, c.movemax, c.margin, c.prep)
    oracle = oracle_of(c.adjudication) if installed() else None
    return MatchRules(control=control, adjudication=c.adjudication, oracle=oracle)
