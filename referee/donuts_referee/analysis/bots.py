"""How well each bot played, counted over many games: its accuracy, its mistakes, and what it made of won positions."""

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from donuts_referee.analysis.game import Analysed, Move

__all__ = ["BotFigures", "Tally"]


class BotFigures(Struct, frozen=True, kw_only=True):
    """A bot, by the name that the operator gave it. Within a major version keys are added, never renamed or retyped.

    Only its own moves in games that are not void count, without those of an opening and those of unknown value.
    """

    bot: str
    games: int
    """in which there were such moves"""
    moves: int
    choices: int
    """of these moves, those where another one would have given the value away"""
    kept: int
    """of these choices, those that kept the value"""
    accuracy: float | None
    """kept / choices, 0..1; None without a choice"""
    mistakes: int
    """a win or a draw given away by one step"""
    blunders: int
    """a win made a loss"""
    per_game: float | None
    """mistakes and blunders together, a game"""
    won_positions: int
    """games in which it had a won position, at the first move behind the opening or later"""
    converted: int
    """of these games, those that it won"""
    conversion: float | None
    """converted / won_positions, 0..1"""
    unknown: int
    """its moves of unknown value: those on 9 x 9, and those for which the time was too short"""


@dataclass(slots=True)
class _Count:
    games: int = 0
    moves: int = 0
    choices: int = 0
    kept: int = 0
    mistakes: int = 0
    blunders: int = 0
    won: int = 0
    converted: int = 0
    unknown: int = 0


class Tally:
    """Adds up games one by one."""

    def __init__(self) -> None:
        self.games = 0
        """that were added, void ones among them"""
        self.voids = 0
        self._bots: dict[str, _Count] = {}

    def add(self, game: Analysed) -> None:
        """Count a game; of a void one only that there was one."""
        self.games += 1
        sheet = game.sheet
        if sheet.void:
            self.voids += 1
            return
        moves = [move for move in game.moves if not move.opening]
        for side, bot in (("x", sheet.x), ("o", sheet.o)):
            count = self._bots.setdefault(bot, _Count())
            own = [move for move in moves if move.side == side]
            _count_moves(count, own)
            count.games += any(move.known for move in own)
            if any(_won_for(move) == side for move in moves):
                count.won += 1
                count.converted += sheet.winner == side

    def rows(self) -> tuple[BotFigures, ...]:
        """The bots, the most accurate first."""
        figures = [_figures(bot, count) for bot, count in self._bots.items()]
        return tuple(sorted(figures, key=lambda one: (one.accuracy is None, -(one.accuracy or 0), one.bot)))


def _count_moves(count: _Count, own: list[Move]) -> None:
    for move in own:
        if not move.known:
            count.unknown += 1
            continue
        count.moves += 1
        count.choices += move.mattered
        count.kept += move.mattered and not move.mark
        count.mistakes += move.mark == "?"
        count.blunders += move.mark == "??"


def _won_for(move: Move) -> Literal["x", "o"] | None:
    """Who would have won from the position before this move."""
    if move.before == "win":
        return move.side
    if move.before == "loss":
        return "o" if move.side == "x" else "x"
    return None


def _figures(bot: str, count: _Count) -> BotFigures:
    return BotFigures(
        bot=bot,
        games=count.games,
        moves=count.moves,
        choices=count.choices,
        kept=count.kept,
        accuracy=_share(count.kept, count.choices),
        mistakes=count.mistakes,
        blunders=count.blunders,
        per_game=_share(count.mistakes + count.blunders, count.games),
        won_positions=count.won,
        converted=count.converted,
        conversion=_share(count.converted, count.won),
        unknown=count.unknown,
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None
