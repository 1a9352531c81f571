"""Who made how many points against whom, and as which side."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from donuts_referee.statistics.results import Game

__all__ = ["Cell", "Crosstable", "Score"]


class Score(Struct, frozen=True):
    """Games that were played, as one bot sees them."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    """those that both lost among them"""

    @property
    def games(self) -> int:
        """How many there are."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for each win, 0.5 for each draw."""
        return self.wins + self.draws / 2

    def __add__(self, other: "Score") -> "Score":
        return Score(self.wins + other.wins, self.draws + other.draws, self.losses + other.losses)

    def __str__(self) -> str:
        return f"{self.wins}-{self.draws}-{self.losses}"


class Cell(Struct, frozen=True):
    """What one bot made, against one other or against all."""

    as_x: Score = Score()
    as_o: Score = Score()
    walkovers: float = 0.0
    """points of games that were not played because the other was gone"""
    missed: int = 0
    """games that were not played because it was gone itself"""

    @property
    def score(self) -> Score:
        """The games of both sides."""
        return self.as_x + self.as_o

    @property
    def points(self) -> float:
        """All points, those of walkovers among them."""
        return self.score.points + self.walkovers

    @property
    def games(self) -> int:
        """The games that were played."""
        return self.score.games

    def __add__(self, other: "Cell") -> "Cell":
        return Cell(
            self.as_x + other.as_x,
            self.as_o + other.as_o,
            self.walkovers + other.walkovers,
            self.missed + other.missed,
        )


class Crosstable:
    """The table of some games; `names` first, then the others in the order in which they come."""

    def __init__(self, games: Iterable[Game], names: Iterable[str] = ()) -> None:
        self._cells: dict[str, dict[str, Cell]] = {name: {} for name in names}
        counted: dict[Game, int] = {}
        for game in games:
            counted[game] = counted.get(game, 0) + 1
        for game, times in counted.items():
            self._add(game.x, game.o, _cell(game.x_points, game.played, times, x=True))
            self._add(game.o, game.x, _cell(game.o_points, game.played, times, x=False))

    @property
    def bots(self) -> tuple[str, ...]:
        """Everyone who is in it."""
        return tuple(self._cells)

    def cell(self, bot: str, opponent: str) -> Cell:
        """What `bot` made against `opponent`."""
        return self.row(bot).get(opponent, Cell())

    def row(self, bot: str) -> Mapping[str, Cell]:
        """What `bot` made, by opponent; only those are in it with whom it has games or walkovers."""
        return self._cells.get(bot, {})

    def total(self, bot: str) -> Cell:
        """What `bot` made against all."""
        return sum(self.row(bot).values(), Cell())

    def _add(self, bot: str, opponent: str, cell: Cell) -> None:
        row = self._cells.setdefault(bot, {})
        row[opponent] = row.get(opponent, Cell()) + cell


def _cell(points: float, played: bool, times: int, *, x: bool) -> Cell:
    if not played:
        return Cell(walkovers=points * times, missed=0 if points else times)
    score = Score(times * (points == 1), times * (points == 0.5), times * (points == 0))
    return Cell(as_x=score) if x else Cell(as_o=score)
