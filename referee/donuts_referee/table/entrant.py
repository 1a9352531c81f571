"""Who plays, under which conditions: what the operator hands to a match."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from donuts_engine.board import Board
from donuts_referee.channels.link import Link
from donuts_referee.table.adjudication import Adjudication, Oracle
from donuts_referee.table.control import TimeControl
from donuts_referee.table.guest import Guest

OnFault = Literal["forfeit", "void", "stop"]


@dataclass(frozen=True, slots=True)
class Entrant:
    """One bot of a match and the way to reach it."""

    bot: str
    """the operator's name for it, unique in the match"""
    open: Callable[[], Link]
    """starts it (or waits for it) and returns a fresh link; raises `channels.link.StartFailure`, or `Shortage` when
    no bot could be started"""
    argv: tuple[str, ...] = ()
    digest: str | None = None
    """sha256 of the program file"""
    again: bool = True
    """False when it cannot be started anew: a parent, a person, a remote bot"""
    guest: Guest | None = None
    """a remote bot that has been greeted already; then `open` returns its link"""
    stays: bool = False
    """it is left at its seat when the match is over, instead of being sent away"""


@dataclass(frozen=True, slots=True)
class Setting:
    """The board and the beginning of one game."""

    board: Board
    rings: int
    seed: int
    number: int | None = None
    """number of the board in its tile set, where it has one"""
    opening: tuple[int, ...] = ()
    """squares that are filled for both sides before the first turn"""


@dataclass(frozen=True, slots=True)
class MatchRules:
    """What holds for all games of a match.

    `on_fault` says what `start`, `version`, `crash` and `disconnect` do (DBP-9.15): a loss, a void game that is played
    again (at most `replays` times, then the loss stands), or a loss that ends the match.
    """

    control: TimeControl = field(default_factory=TimeControl)
    on_fault: OnFault = "forfeit"
    replays: int | None = 3
    """None: whoever runs the match has void games played again himself"""
    ends_untried: bool = False
    """a bot that failed to start twice running ends the match, and whoever runs it may begin anew; else it loses the
    rest of the games untried"""
    reveal: bool = True
    """tell each bot the other's name"""
    adjudication: Adjudication | None = None
    """when a game is ended before its rules end it (DBP-9.21); None: never"""
    oracle: Oracle | None = None
    """the solver that `adjudication.solver` needs, and that part is off without; asked before every turn, the first one
    included, while no clock runs"""
