"""Of intervals that are said to hold the truth with 95 %, 95 % do: simulated with fixed seeds.

Each case draws some 2,000 differences. Those of one event are not independent, so that the rate of a case is known to
about one point of a hundred (twice its standard error); the limits leave as much again.
"""

from itertools import combinations

import numpy as np
import pytest

from donuts_referee.statistics.rating import rate
from drawn_results import World, encounters, truth


def covered(bots: int, times: int, spread: float, world: World, events: int) -> float:
    """The share of the differences between all pairs of bots, in `events` round robins, that their intervals hold."""
    rng = np.random.default_rng(20)
    inside = total = 0
    for _ in range(events):
        strength = dict(zip("abcdefgh"[:bots], rng.normal(0, spread, bots), strict=True))
        pairs = list(combinations(strength, 2))
        met = [
            encounters(rng, one, other, strength[one] - strength[other], times, world) for one, other in pairs
        ]
        ratings = rate([meeting for each in met for meeting in each])
        for one, other in pairs:
            difference = ratings.difference(one, other)
            assert difference is not None
            inside += (
                abs(difference.points - truth(strength[one] - strength[other], world)) <= difference.deviation
            )
            total += 1
    return inside / total


@pytest.mark.parametrize(
    ("bots", "times", "spread", "world", "events"),
    [
        pytest.param(2, 50, 100, World(), 2000, id="match"),
        pytest.param(2, 50, 60, World(draws=0.7), 2000, id="many draws"),
        pytest.param(2, 60, 60, World(ahead=0.15), 2000, id="first move ahead"),
        pytest.param(2, 60, 0, World(decided=0.5), 2000, id="openings that decide"),
        pytest.param(6, 6, 150, World(), 140, id="round robin"),
        pytest.param(8, 3, 150, World(draws=0.3, ahead=0.1), 80, id="short round robin"),
        pytest.param(4, 40, 0, World(decided=0.4), 340, id="long round robin of equals"),
    ],
)
def test_intervals_hold_the_truth_in_95_of_100_cases(
    bots: int, times: int, spread: float, world: World, events: int
) -> None:
    assert 0.93 <= covered(bots, times, spread, world, events) <= 0.97


def test_a_rating_lies_in_its_own_interval() -> None:
    """The middle of a pool of bots of nearly one strength that all meet as often is their mean."""
    rng = np.random.default_rng(3)
    inside = total = 0
    for _ in range(400):
        strength = dict(zip("abcde", rng.normal(0, 40, 5), strict=True))
        mean = sum(strength.values()) / 5
        ratings = rate(
            [
                meeting
                for one, other in combinations(strength, 2)
                for meeting in encounters(rng, one, other, strength[one] - strength[other], 10, World())
            ]
        )
        for row in ratings.rows:
            inside += abs(row.rating - 1500 - (strength[row.bot] - mean)) <= row.deviation
            total += 1
    assert 0.93 <= inside / total <= 0.97


def test_bots_that_are_equal_are_called_different_in_5_of_100_cases() -> None:
    rng = np.random.default_rng(8)
    runs = [rate(encounters(rng, "a", "b", 0, 40, World())).difference("a", "b") for _ in range(1500)]
    apart = sum(difference is not None and not difference.tied for difference in runs) / 1500
    assert 0.03 <= apart <= 0.07
