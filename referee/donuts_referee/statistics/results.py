"""What statistics are computed from: games as they count, and encounters as far as they say something of strength."""

from typing import NamedTuple

__all__ = ["Game", "Meeting"]


class Game(NamedTuple):
    """One game as it counts for points."""

    x: str
    o: str
    x_points: float
    """1, 0.5 or 0"""
    o_points: float
    """the rest of 1, or 0 like those of x where both lose"""
    played: bool = True
    """False for a walkover"""


class Meeting(NamedTuple):
    """Two bots on one opening. A leg that was not played, or that says nothing of strength, is None."""

    first: str
    second: str
    leg1: float | None
    """points of `first` in the game in which it was x: 1, 0.5 or 0"""
    leg2: float | None
    """points of `first` in the game in which it was o"""

    @property
    def points(self) -> float | None:
        """Of `first`, 0 to 2; None unless both legs say something."""
        return None if self.leg1 is None or self.leg2 is None else self.leg1 + self.leg2
