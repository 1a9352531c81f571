"""Results drawn by lot for tests of statistics: bots of known strength, encounters of known distributions."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from donuts_referee.statistics.results import Meeting

SHARES = np.linspace(0, 1, 5)


class World(NamedTuple):
    """How games come about."""

    draws: float = 0.2
    """of games between equals"""
    decided: float = 0.0
    """share of openings on which the same side wins both games, whoever plays it"""
    ahead: float = 0.0
    """by how much more than 1/2 x makes of the points between equals, at most 1/4"""


def share(points: float) -> float:
    return float(1 / (1 + 10 ** (-points / 400)))


def truth(points: float, world: World) -> float:
    """The difference that points expected of an encounter stand for."""
    expected = (1 - world.decided) * share(points) + world.decided / 2
    return float(400 * np.log10(expected / (1 - expected)))


def encounters(
    rng: np.random.Generator, first: str, second: str, points: float, times: int, world: World
) -> list[Meeting]:
    """Encounters of `first`, who is stronger by `points`."""
    expected = share(points)
    edge = world.ahead * 4 * expected * (1 - expected)
    legs = []
    for mean in (expected + edge, expected - edge):
        draw = world.draws * 2 * min(mean, 1 - mean)
        lots = rng.random(times)
        legs.append(np.where(lots < mean - draw / 2, 1.0, np.where(lots < mean + draw / 2, 0.5, 0.0)))
    decided, x_wins = rng.random(times) < world.decided, rng.random(times) < 0.5
    leg1 = np.where(decided, np.where(x_wins, 1.0, 0.0), legs[0])
    leg2 = np.where(decided, np.where(x_wins, 0.0, 1.0), legs[1])
    return [
        Meeting(first, second, one, other) for one, other in zip(leg1.tolist(), leg2.tolist(), strict=True)
    ]


def tilted(base: Sequence[float], goal: float, *, normalized: bool) -> np.ndarray:
    """The distribution of encounters that is next to `base` and has the mean, or (mean - 1/2) / deviation, `goal`."""
    low, high = -60.0, 60.0
    while True:
        middle = (low + high) / 2
        chances = np.array(base) * np.exp(middle * SHARES)
        chances /= chances.sum()
        mean = chances @ SHARES
        value = (mean - 0.5) / np.sqrt(chances @ (SHARES - mean) ** 2) if normalized else mean
        if high - low < 1e-9:
            return chances
        low, high = (middle, high) if value < goal else (low, middle)
