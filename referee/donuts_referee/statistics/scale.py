"""The scale on which strength is told: 400 points more make ten points for each that the other makes."""

import math

__all__ = ["LEVEL", "MIDDLE", "POINTS", "expected", "normal"]

POINTS = 400 / math.log(10)
"""points of the scale for one of the natural logarithm of the odds"""

MIDDLE = 1500.0
"""the rating of the middle of a pool"""

LEVEL = 1.959963984540054
"""standard deviations either side that hold 95 % of a normal distribution"""


def expected(points: float) -> float:
    """The share of the points, 0..1, that a bot makes against one that is `points` weaker."""
    half = math.exp(-abs(points) / POINTS)
    return 1 / (1 + half) if points >= 0 else half / (1 + half)


def normal(deviations: float) -> float:
    """The chance, 0..1, that a value of the standard normal distribution is below `deviations`."""
    return math.erfc(-deviations / math.sqrt(2)) / 2
