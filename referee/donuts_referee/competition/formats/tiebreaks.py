"""Points, and what parts those who have the same: Buchholz, Sonneborn-Berger, the direct encounter.

Everything is counted in games' points. Source of the terms: FIDE Handbook C.07, "Tie-Break Regulations". As there, an
encounter that was not played, a bye or a walkover, counts as one against an opponent with the bot's own points.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from donuts_referee.competition.encounter import Duel

__all__ = ["Meeting", "Score", "Scores"]


class Meeting(NamedTuple):
    """An encounter as one of its two bots sees it."""

    opponent: str | None
    """None: it was not played"""
    points: float


class Score:
    """What one bot has made."""

    __slots__ = ("meetings", "points")

    def __init__(self) -> None:
        self.points = 0.0
        self.meetings: list[Meeting] = []


class Scores:
    """The scores of all bots, by name; those of a bot without an encounter are 0."""

    def __init__(
        self, names: Sequence[str], duels: Iterable[Duel], byes: Iterable[tuple[str, float]] = ()
    ) -> None:
        """`byes`: who had one, and its points."""
        self._scores: dict[str, Score] = {name: Score() for name in names}
        self._direct: dict[tuple[str, str], float] = defaultdict(float)
        for duel in duels:
            first, second = duel.encounter.first, duel.encounter.second
            played = any(leg.played for leg in duel.legs)
            for bot, other in ((first, second), (second, first)):
                points = duel.points(bot)
                self._direct[bot, other] += points
                self._add(bot, Meeting(other if played else None, points))
        for bot, points in byes:
            self._add(bot, Meeting(None, points))

    def _add(self, bot: str, meeting: Meeting) -> None:
        score = self._scores.setdefault(bot, Score())
        score.points += meeting.points
        score.meetings.append(meeting)

    def points(self, bot: str) -> float:
        """1 for a game won and 0.5 for one drawn; walkovers and byes count."""
        return self._scores[bot].points

    def share(self, bot: str) -> float:
        """The points as a share of those that there were in the bot's encounters, 0 to 1; 0 before the first."""
        score = self._scores[bot]
        return score.points / (2 * len(score.meetings)) if score.meetings else 0.0

    def encounters(self, bot: str) -> int:
        """How many encounters of the bot are settled, byes among them."""
        return len(self._scores[bot].meetings)

    def buchholz(self, bot: str) -> float:
        """The sum of the points of its opponents."""
        return sum(self._of(meeting.opponent, bot) for meeting in self._scores[bot].meetings)

    def sonneborn_berger(self, bot: str) -> float:
        """The sum of its opponents' points, each by the share of the encounter that the bot took from it."""
        return sum(
            meeting.points / 2 * self._of(meeting.opponent, bot) for meeting in self._scores[bot].meetings
        )

    def direct(self, bot: str, tied: Iterable[str]) -> float:
        """The points it made against the bots of `tied`."""
        return sum(self._direct.get((bot, other), 0.0) for other in tied)

    def _of(self, opponent: str | None, bot: str) -> float:
        return self._scores[bot if opponent is None else opponent].points
