"""A rating that is kept up as results come in, in the order of their numbers; the ladder pairs by it.

Everyone begins at 1500. After an encounter with the share s of its points (0 to 1) a bot gains K (s - e), where
e = 1 / (1 + 10^((other - own) / 400)) was expected of it; K is 40 in a bot's first 30 encounters, then 20, as FIDE has
it for new and for settled players. Source: A. Elo, "The Rating of Chessplayers" (1978). It follows strength quickly
and pairs well; what is said of strength in standings is computed from all games at once, by other means.
"""

from collections.abc import Sequence

from donuts_referee.competition.encounter import Duel

__all__ = ["START", "Elo"]

START = 1500.0

_FEW = 30
_SWIFT, _STEADY = 40.0, 20.0


class Elo:
    """The ratings after the duels that were added."""

    def __init__(self) -> None:
        self._ratings: dict[str, float] = {}
        self._rated: dict[str, int] = {}

    def add(self, duel: Duel) -> None:
        """One more result; it tells of strength only if both games were played and counted for one of the two."""
        if not all(leg.played and leg.winner for leg in duel.legs):
            return
        first, second = duel.encounter.first, duel.encounter.second
        mine, its = self.rating(first), self.rating(second)
        surplus = duel.points(first) / 2 - 1 / (1 + 10 ** ((its - mine) / 400))
        self._ratings[first] = mine + self._factor(first) * surplus
        self._ratings[second] = its - self._factor(second) * surplus

    def _factor(self, bot: str) -> float:
        rated = self._rated[bot] = self._rated.get(bot, 0) + 1
        return _SWIFT if rated <= _FEW else _STEADY

    def rating(self, bot: str) -> float:
        """The rating of a bot."""
        return self._ratings.get(bot, START)

    def nearest(self, bot: str, others: Sequence[str]) -> str:
        """The first of those of `others` whose rating differs least from that of `bot`; of at least one."""
        own, rating = self.rating(bot), self._ratings.get
        gaps = [abs(rating(other, START) - own) for other in others]
        return others[gaps.index(min(gaps))]
