"""What ratings are computed from: encounters as far as they were played, in shares of points."""

from typing import NamedTuple

__all__ = ["Meeting"]


class Meeting(NamedTuple):
    """Two bots on one opening. A leg that was not played, or that says nothing of strength, is None."""

    first: str
    second: str
    leg1: float | None
    """points of `first` in the game in which it was x: 1, 0.5 or 0"""
    leg2: float | None
    """points of `first` in the game in which it was o"""
