"""What a match tells those who look on, as it happens."""

from dataclasses import dataclass
from typing import TypeAlias

from donuts_engine.position import Position
from donuts_referee.table.entrant import Setting
from donuts_referee.table.finished import FinishedGame, TakenTurn


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game is about to be played; `x` and `o` are the operator's names."""

    number: int
    of: int
    x: str
    o: str
    setting: Setting


@dataclass(frozen=True, slots=True)
class MovePlayed:
    """A legal placement in time; sent only to onlookers who asked for every move."""

    number: int
    before: Position
    after: Position
    square: int
    turn: TakenTurn


@dataclass(frozen=True, slots=True)
class Warned:
    """The first line of its kind in a game that was dropped and counted: noise, late, state or rate."""

    number: int
    side: str
    bot: str
    why: str
    shown: str
    """the line as safe text"""
    line: int
    """which line of the connection it was, from 1"""
    text: str
    """a sentence that says what was wrong"""


@dataclass(frozen=True, slots=True)
class GameOver:
    """A game has its verdict."""

    game: FinishedGame


@dataclass(frozen=True, slots=True)
class Score:
    """The match so far, from the first-named bot's side; points: 1 a win, 0.5 a draw, none for a void game."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    voids: int = 0
    faults: int = 0
    """games whose verdict names a bot at fault"""
    starts: int = 0
    """games that ended in `start` or `version`"""
    stopped: str | None = None
    """why the match ended before its last game; None when all were played"""
    failed: bool = False
    """it was stopped by a fault of the referee itself"""
    interrupted: bool = False

    @property
    def points(self) -> tuple[float, float]:
        """Points of the first- and of the second-named bot."""
        return self.wins + self.draws / 2, self.losses + self.draws / 2


@dataclass(frozen=True, slots=True)
class MatchOver:
    """All is played, or stopped; the bots have been told."""

    score: Score


Event: TypeAlias = GameStarted | MovePlayed | Warned | GameOver | MatchOver
