"""What the pages say of each bot's games: its row of the crosstable, and its faults by kind."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from donuts_referee.statistics.crosstable import Cell, Crosstable
from donuts_referee.statistics.results import Game

__all__ = ["Account", "tally"]


@dataclass(frozen=True, slots=True)
class Account:
    """What one bot did."""

    total: Cell
    """against all"""
    against: Mapping[str, Cell]
    """by opponent, those alone with whom it has games or walkovers"""
    faults: Counter[str]
    """by kind; void games too"""


def tally(
    names: Iterable[str], games: Iterable[Game], faults: Mapping[str, Mapping[str, int]]
) -> dict[str, Account]:
    """The accounts of the bots `names`, among whom all are that played; `faults` by bot and kind."""
    names = tuple(names)
    table = Crosstable(games, names)
    return {
        bot: Account(
            table.total(bot),
            dict(table.row(bot)),
            Counter(faults.get(bot, {})),
        )
        for bot in names
    }
