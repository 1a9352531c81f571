"""The arithmetic of ratings: strengths of many bots at once from who met whom and what they shared, with covariance.

Model (Bradley and Terry 1952, as Elo used it): of the points of an encounter between i and j, bot i is expected to make
the share E = 1 / (1 + exp(-(s_i - s_j))). A draw is half a point for each, whatever makes draws likely, so that
strengths are on the scale of expected points, as are the logistic Elo of a score and the hypotheses of an SPRT. The
draw models of Davidson and of Rao and Kupper make them odds of wins to losses, which say something else wherever draws
are frequent. Strengths maximise the likelihood, in which a game of share s counts s ln E + (1 - s) ln(1 - E): then the
points that are expected of each bot are those it made.

Prior: each bot also drew once with an imaginary bot of strength 0, with weight `PRIOR` games. That keeps strengths
finite where one bot won everything, puts the middle of every pool near 0, and is forgotten after a few dozen games. It
is Anscombe's half a point on either side.

Covariance: H^-1 M H^-1 with the curvature H of the likelihood and the variance M of its slope (Huber's sandwich), by
encounter, for games on one opening are not independent: an opening that favours x makes 1 - 1 more frequent, and draws
narrow the spread of points. For each pairing M is what the model says, 2 E (1 - E) an encounter, times a ratio that is
estimated from the spread of its encounters and is drawn, where they are few, to the ratio of the whole event, which in
turn is drawn to 1.
"""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from donuts_referee.statistics.pentanomial import Floats

__all__ = ["PRIOR", "Ends", "Games", "Strengths", "strengths"]

PRIOR = 1.0
"""games that each bot is taken to have drawn with an imaginary bot of strength 0"""

CAUTION = 2.0
"""Variance, in squared points (1/2 is that of an encounter of equals), with which a ratio is drawn to what was thought
before. It is no number of encounters, because many that always end alike say little of their spread."""

STRIDE = 3.0
"""How far one step of the search may lead: far out the curvature says nothing of what lies between."""

Ints: TypeAlias = NDArray[np.intp]


class Ends(NamedTuple):
    """Who met: the bots of each row, by index."""

    first: Ints
    second: Ints


@dataclass(frozen=True, slots=True)
class Games:
    """Rows of encounters that ended alike."""

    ends: Ends
    legs: Floats
    """games of each encounter of the row that say something: 1 or 2"""
    points: Floats
    """of the first bot in one encounter of the row, 0 to `legs`"""
    times: Floats
    """encounters of the row"""
    offset: Floats
    """what playing x (or, negative, o) adds to the first bot's strength where only one leg counts; else 0"""


@dataclass(frozen=True, slots=True)
class Strengths:
    """What came out; strengths in natural logarithms of odds."""

    strength: Floats
    """n"""
    covariance: Floats
    """n x n"""
    information: Floats
    """n: what the games of each bot tell of it, in inverse variance, the prior apart"""
    ratios: dict[tuple[int, int], float]
    """for each pairing i < j the variance of its encounters by that of the model"""
    ratio: float
    """the same for the whole event"""


def strengths(games: Games, bots: int) -> Strengths:
    """The strengths of `bots` bots (n) from their games. Always finite. Takes O(n^3) and some passes over the rows."""
    strength = _likeliest(games, bots)
    share = _share(_gaps(games, strength))
    spread = games.legs * games.times * share * (1 - share)
    bread = _laplacian(games.ends, spread, bots)
    prior = np.diag(PRIOR * _share(strength) * (1 - _share(strength)))
    whole, pairings, ratio_of_row = _ratios(games, share, spread, bots)
    inverse = np.linalg.inv(bread + prior)
    covariance = inverse @ (_laplacian(games.ends, spread * ratio_of_row, bots) + prior) @ inverse
    return Strengths(strength, (covariance + covariance.T) / 2, np.diag(bread).copy(), pairings, whole)


def _likeliest(games: Games, bots: int) -> Floats:
    """Newton's iteration, shortened where it would overshoot; the function is strictly concave, so there is one top."""
    strength = np.zeros(bots)
    value = _likelihood(games, strength)
    for _ in range(200):
        share, own = _share(_gaps(games, strength)), _share(strength)
        surplus = games.times * (games.points - games.legs * share)
        slope = PRIOR * (0.5 - own)
        np.add.at(slope, games.ends.first, surplus)
        np.subtract.at(slope, games.ends.second, surplus)
        curve = _laplacian(games.ends, games.legs * games.times * share * (1 - share), bots)
        step = np.linalg.solve(curve + np.diag(PRIOR * own * (1 - own)), slope)
        if np.abs(step).max(initial=0.0) < 1e-9:
            break
        step *= min(1.0, STRIDE / np.abs(step).max())
        while (after := _likelihood(games, strength + step)) < value:
            step /= 2
            if np.abs(step).max() < 1e-9:
                return strength
        strength, value = strength + step, after
    return strength


def _likelihood(games: Games, strength: Floats) -> float:
    gaps = _gaps(games, strength)
    own = (games.times * (games.points * gaps - games.legs * np.logaddexp(0, gaps))).sum()
    return float(own + PRIOR * (strength / 2 - np.logaddexp(0, strength)).sum())


def _gaps(games: Games, strength: Floats) -> Floats:
    return strength[games.ends.first] - strength[games.ends.second] + games.offset


def _share(gaps: Floats) -> Floats:
    half = np.exp(-np.abs(gaps))
    shares: Floats = np.where(gaps >= 0, 1.0, half) / (1 + half)
    return shares


def _laplacian(ends: Ends, weights: Floats, bots: int) -> Floats:
    """The matrix of the sum of weight * (e_first - e_second)(e_first - e_second)'."""
    joint: Floats = np.zeros(bots * bots)
    np.add.at(joint, ends.first * bots + ends.second, weights)
    joint = joint.reshape(bots, bots)
    joint = joint + joint.T
    laplacian: Floats = np.diag(joint.sum(axis=1)) - joint
    return laplacian


def _ratios(
    games: Games, share: Floats, spread: Floats, bots: int
) -> tuple[float, dict[tuple[int, int], float], Floats]:
    """The ratio of the event, those of the pairings, and that which holds for each row (1 for lone legs).

    Strengths were fitted to the same games, which takes some of the spread away: in all, as many encounters as there
    are strengths to find.
    """
    paired = games.legs == 2
    low, high = (
        np.minimum(games.ends.first, games.ends.second),
        np.maximum(games.ends.first, games.ends.second),
    )
    keys, place = np.unique(low * bots + high, return_inverse=True)
    seen = np.bincount(place, np.where(paired, games.times * (games.points - games.legs * share) ** 2, 0.0))
    thought = np.bincount(place, np.where(paired, spread, 0.0))
    encounters = float(games.times[paired].sum())
    active = np.unique(np.concatenate([games.ends.first[paired], games.ends.second[paired]])).size
    free = max(1 - max(active - 1, 0) / encounters, 0.25) if encounters else 1.0
    whole = float((seen.sum() + CAUTION) / (thought.sum() * free + CAUTION))
    each = (seen + CAUTION * whole) / (thought * free + CAUTION)
    pairings = {(int(key) // bots, int(key) % bots): float(one) for key, one in zip(keys, each, strict=True)}
    return whole, pairings, np.where(paired, each[place], 1.0) if keys.size else np.ones(0)
