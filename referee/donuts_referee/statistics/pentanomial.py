"""Log likelihood ratios of encounters: how much better one strength explains the five ways they can end than another.

An encounter gives its first bot a share of 0, 1/4, 1/2, 3/4 or 1 of its two points, and nothing is assumed of how often
each happens. Of all distributions that agree with a hypothesis the likeliest is taken, and the ratio of two of these
is that of the generalized test: Michel Van den Bergh, "The generalized sequential probability ratio test for
multinomial distributions" and "Normalized Elo", which fishtest and fastchess follow too. Encounters are the unit, so
the two games of one, which share an opening, may depend on each other in any way.
"""

import math
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from donuts_referee.statistics.scale import POINTS, expected

__all__ = ["Floats", "Scale", "log_likelihood_ratios"]

Floats: TypeAlias = NDArray[np.float64]
Scale: TypeAlias = Literal["logistic", "normalized"]

SHARES: Floats = np.array([0.0, 0.25, 0.5, 0.75, 1.0])

RARE = 1e-3
"""What a count of 0 is taken for, so that an ending that was not seen yet is unlikely and not impossible."""

PER_DEVIATION = math.sqrt(2) * POINTS
"""Points of normalized Elo for a mean of the shares one standard deviation above 1/2: twice `POINTS` for one deviation
of a game, as if there were no draws, and the deviation of a share of two games is smaller by sqrt(2)."""

EXACT = 1e-7
"""probabilities that move by no more than this between two rounds are found"""


def log_likelihood_ratios(counts: Floats, elo0: float, elo1: float, scale: Scale) -> Floats:
    """For each row of `counts` (n x 5, by points of the first bot) how much likelier elo1 makes it than elo0.

    As natural logarithm: positive where elo1 explains the row better. A row without an encounter has 0.
    """
    known = np.maximum(counts, RARE)
    total = known.sum(axis=1)
    seen = known / total[:, None]
    tilts = _by_mean if scale == "logistic" else _by_deviation
    worse, better = (np.log1p(tilts(seen, elo)) for elo in (elo0, elo1))
    ratios: Floats = np.where(counts.sum(axis=1) > 0, total * (seen * (worse - better)).sum(axis=1), 0.0)
    return ratios


def _by_mean(seen: Floats, elo: float) -> Floats:
    """seen / likeliest - 1, where the hypothesis is the mean share."""
    pulls = np.broadcast_to(SHARES - expected(elo), seen.shape)
    return _roots(seen, pulls)[:, None] * pulls


def _by_deviation(seen: Floats, elo: float) -> Floats:
    """seen / likeliest - 1, where the hypothesis is (mean - 1/2) / deviation.

    That is not linear in the probabilities; it is replaced by its tangent until nothing moves any more.
    """
    goal = elo / PER_DEVIATION
    tilts = np.zeros(seen.shape)
    rows = np.arange(len(seen))  # those that still move
    likely = np.full(seen.shape, 0.2)
    for _ in range(100):
        pulls = _pulls(likely, goal)
        if (flat := (pulls.max(axis=1) <= 0) | (pulls.min(axis=1) >= 0)).any():
            # too far from where the hypothesis holds for a tangent: begin again from where it does
            likely[flat] = _moved(likely[flat], goal)
            pulls[flat] = _pulls(likely[flat], goal)
        tilts[rows] = tilt = _roots(seen[rows], pulls)[:, None] * pulls
        after = seen[rows] / (1 + tilt)
        moved = np.abs(after - likely).max(axis=1) > EXACT
        rows, likely = rows[moved], after[moved]
        if not rows.size:
            break
    return tilts


def _pulls(likely: Floats, goal: float) -> Floats:
    """How each share changes mean - 1/2 - goal * deviation, at the distributions `likely`."""
    mean = likely @ SHARES[:, None]
    off = SHARES - mean
    deviation = np.sqrt((likely * off * off).sum(axis=1, keepdims=True))
    pulls: Floats = SHARES - 0.5 - goal / 2 * (deviation + off * off / deviation)
    return pulls


def _moved(likely: Floats, goal: float) -> Floats:
    """The distributions tilted until (mean - 1/2) / deviation is `goal`; there pulls have both signs."""
    low, high = np.full((len(likely), 1), -60.0), np.full((len(likely), 1), 60.0)
    tilted = likely
    for _ in range(60):
        middle = (low + high) / 2
        tilted = likely * np.exp(middle * (SHARES - (middle > 0)))
        tilted = tilted / tilted.sum(axis=1, keepdims=True)
        mean = tilted @ SHARES[:, None]
        deviation = np.sqrt((tilted * (SHARES - mean) ** 2).sum(axis=1, keepdims=True))
        short = mean - 0.5 < goal * deviation
        low, high = np.where(short, middle, low), np.where(short, high, middle)
    return tilted


def _roots(seen: Floats, pulls: Floats) -> Floats:
    """For each row the t at which the sum of seen * pulls / (1 + t pulls) is 0 and all 1 + t pulls are positive.

    The sum falls, from plus to minus infinity between its poles, so a bracketed Newton iteration always finds it.
    """
    roots = np.zeros(len(seen))
    rows = np.arange(len(seen))  # those that still move
    at, low, high = np.zeros(len(seen)), -1 / pulls.max(axis=1), -1 / pulls.min(axis=1)
    for _ in range(100):
        parts = pulls / (1 + at[:, None] * pulls)
        value = (seen * parts).sum(axis=1)
        low, high = np.where(value > 0, at, low), np.where(value > 0, high, at)
        after = at + value / (seen * parts * parts).sum(axis=1)
        after = np.where((after > low) & (after < high), after, (low + high) / 2)
        roots[rows] = after
        moved = np.abs(after - at) > 1e-12 * (1 + np.abs(at))
        if not moved.any():
            break
        rows, at, low, high = rows[moved], after[moved], low[moved], high[moved]
        seen, pulls = seen[moved], pulls[moved]
    return roots
