"""The sequential test of two bots: after each encounter it says that one hypothesis holds, or that more are needed.

Wald's bounds on the log likelihood ratio of `pentanomial`: with the strength at elo0, elo1 is accepted with a chance of
about alpha at most, with the strength at elo1, elo0 with a chance of about beta at most.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from donuts_referee.statistics.pentanomial import Floats, Scale, log_likelihood_ratios

__all__ = ["WIDEST", "Hypotheses", "SequentialTest", "SprtState", "Winner"]

Winner: TypeAlias = Literal["H0", "H1"]

WIDEST = 500.0
"""points either side of 0 within which hypotheses are tested; further out almost every encounter is won 2 - 0"""

ENDINGS = (0, 0.5, 1, 1.5, 2)

FIRST, MOST = 64, 8192
"""Encounters whose ratios are computed at once: few at first, lest most of them come after the decision."""


@dataclass(frozen=True, slots=True)
class Hypotheses:
    """What is tested: is the first bot `elo1` stronger (H1) or `elo0` (H0)? Raises ValueError."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    """the risk of accepting H1 where H0 holds"""
    beta: float = 0.05
    """the risk of accepting H0 where H1 holds"""
    scale: Scale = "normalized"
    """what the points are: logistic, 400 are ten to one; normalized, the same for encounters without draws, and per
    standard deviation, so that a test takes as long whatever the share of draws is"""

    def __post_init__(self) -> None:
        if not -WIDEST <= self.elo0 < self.elo1 <= WIDEST:
            raise ValueError(f"elo0 must be below elo1, and both within -{WIDEST:.0f} and {WIDEST:.0f}")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise ValueError("alpha and beta must be above 0, and less than 1 together")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


class SprtState(NamedTuple):
    """How far a test is."""

    llr: float
    lower: float
    """at or below this H0 is accepted"""
    upper: float
    """at or above this H1 is accepted"""
    decision: Winner | None
    counts: tuple[int, int, int, int, int]
    """encounters in which the first bot made 0, 0.5, 1, 1.5 and 2 points"""


class SequentialTest:
    """A test under way. It is told the encounters in the order of their numbers, and is deaf once it is decided."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self._counts = np.zeros(5)
        self._llr = 0.0
        self._decision: Winner | None = None

    @property
    def decision(self) -> Winner | None:
        """Which hypothesis was accepted; None as long as neither was."""
        return self._decision

    @property
    def encounters(self) -> int:
        """How many it looked at, that which decided it the last."""
        return int(self._counts.sum())

    @property
    def state(self) -> SprtState:
        """The figures as they are."""
        lower, upper = self.hypotheses.bounds
        loss, most_of_it, level, more, all_of_it = map(int, self._counts)
        return SprtState(self._llr, lower, upper, self._decision, (loss, most_of_it, level, more, all_of_it))

    def count(self, points: float) -> Winner | None:
        """One more encounter, in which the first bot made `points`: 0, 0.5, 1, 1.5 or 2. Returns `decision`."""
        return self.extend((points,))

    def extend(self, points: Iterable[float]) -> Winner | None:
        """More encounters, each looked at in turn, which costs much less than one `count` for each."""
        rest, size = iter(points), FIRST
        while self._decision is None and (batch := list(islice(rest, size))):
            self._look(batch)
            size = min(2 * size, MOST)
        return self._decision

    def _look(self, batch: Sequence[float]) -> None:
        steps = np.zeros((len(batch), 5))
        steps[np.arange(len(batch)), _endings(batch)] = 1
        counts: Floats = self._counts + np.cumsum(steps, axis=0)
        test = self.hypotheses
        ratios = log_likelihood_ratios(counts, test.elo0, test.elo1, test.scale)
        lower, upper = test.bounds
        over = np.flatnonzero((ratios <= lower) | (ratios >= upper))
        at = int(over[0]) if over.size else len(batch) - 1
        self._counts, self._llr = counts[at], float(ratios[at])
        if over.size:
            self._decision = "H0" if self._llr <= lower else "H1"


def _endings(points: Sequence[float]) -> list[int]:
    """Which of the five endings each encounter has; ValueError for points that none can give."""
    for value in points:
        if value not in ENDINGS:
            raise ValueError(f"an encounter gives 0, 0.5, 1, 1.5 or 2 points, not {value}")
    return [int(2 * value) for value in points]
