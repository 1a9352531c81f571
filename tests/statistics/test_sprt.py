"""The sequential test: its decisions, how often they are wrong, and that it looks at encounters in their order."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.statistics.pentanomial import log_likelihood_ratios
from donuts_referee.statistics.sprt import Hypotheses, SequentialTest
from drawn_results import share, tilted

BLOCK = 25

POINTS = (0.0, 0.5, 1.0, 1.5, 2.0)


def test_bounds_are_those_of_wald() -> None:
    assert Hypotheses(alpha=0.05, beta=0.1).bounds == pytest.approx(
        (math.log(0.1 / 0.95), math.log(0.9 / 0.05))
    )


@pytest.mark.parametrize(
    "wrong",
    [
        {"elo0": 10.0, "elo1": 10.0},
        {"elo0": 10.0, "elo1": 0.0},
        {"elo1": 501.0},
        {"elo0": -math.inf},
        {"elo1": math.nan},
        {"alpha": 0.0},
        {"beta": 1.0},
        {"alpha": 0.5, "beta": 0.5},
    ],
)
def test_hypotheses_that_cannot_be_told_apart_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        Hypotheses(**wrong)


def test_who_wins_everything_is_stronger_and_who_loses_everything_is_not() -> None:
    for scale in ("logistic", "normalized"):
        won, lost = (
            SequentialTest(Hypotheses(0, 50, scale=scale)),
            SequentialTest(Hypotheses(0, 50, scale=scale)),
        )
        assert won.extend([2.0] * 1000) == "H1" and lost.extend([0.0] * 1000) == "H0"
        assert won.state.counts == (0, 0, 0, 0, won.encounters) and won.encounters < 1000


def test_it_begins_undecided_and_is_deaf_once_it_is_decided() -> None:
    test = SequentialTest(Hypotheses(0, 100))
    assert test.state == (0.0, *Hypotheses().bounds, None, (0, 0, 0, 0, 0))
    test.extend([2.0] * 1000)
    decided = test.state
    assert test.count(0.0) == "H1" and test.extend([0.0] * 50) == "H1" and test.state == decided


@pytest.mark.parametrize("points", [-0.5, 2.5, 0.75, math.nan, math.inf])
def test_points_that_no_encounter_gives_are_refused(points: float) -> None:
    with pytest.raises(ValueError):
        SequentialTest(Hypotheses()).count(points)


@given(st.lists(st.sampled_from(POINTS), max_size=150), st.lists(st.integers(1, 90), max_size=4))
def test_it_decides_at_the_first_encounter_at_which_the_ratio_is_over_a_bound(
    points: list[float], pieces: list[int]
) -> None:
    hypotheses = Hypotheses(0, 120, 0.2, 0.2, "logistic")
    counts = np.zeros((len(points), 5))
    for at, value in enumerate(points):
        counts[at:, POINTS.index(value)] += 1
    ratios = log_likelihood_ratios(counts, 0, 120, "logistic")
    lower, upper = hypotheses.bounds
    over = [at for at, ratio in enumerate(ratios, 1) if not lower < ratio < upper]
    test, rest = SequentialTest(hypotheses), list(points)
    for piece in pieces:  # however the encounters come in
        test.extend(rest[:piece])
        rest = rest[piece:]
    test.extend(rest)
    assert test.encounters == (over[0] if over else len(points))
    assert test.decision == (None if not over else "H1" if ratios[over[0] - 1] >= upper else "H0")
    assert points == [] or test.state.llr == pytest.approx(ratios[test.encounters - 1])


def rejected(hypotheses: Hypotheses, truth: float, base: list[float], runs: int, seed: int) -> float:
    """The share of `runs` tests that accept the hypothesis which is not true, `truth` being one of them."""
    normalized = hypotheses.scale == "normalized"
    # of two games the deviation is 1 / sqrt(2) of that of one, and 800 / ln 10 points are one of a game
    goal = truth * math.log(10) / 800 * math.sqrt(2) if normalized else share(truth)
    chances = tilted(base, goal, normalized=normalized)
    rng = np.random.default_rng(seed)
    lower, upper = hypotheses.bounds
    counts, wrong = np.zeros((runs, 5)), 0
    for _ in range(100):  # all tests that are still undecided look at the next BLOCK encounters
        steps = np.eye(5)[rng.choice(5, p=chances, size=(len(counts), BLOCK))]
        seen = counts[:, None, :] + np.cumsum(steps, axis=1)
        rows, back = np.unique(seen.reshape(-1, 5), axis=0, return_inverse=True)
        ratios = log_likelihood_ratios(rows, hypotheses.elo0, hypotheses.elo1, hypotheses.scale)[back]
        ratios = ratios.reshape(len(counts), BLOCK)
        over = (ratios <= lower) | (ratios >= upper)
        decided = over.any(axis=1)
        last = ratios[decided, over.argmax(axis=1)[decided]]
        wrong += int((last >= upper if truth == hypotheses.elo0 else last <= lower).sum())
        counts = seen[~decided, -1]
        if not len(counts):
            return wrong / runs
    raise AssertionError("a test did not come to its end")


BALANCED = [0.10, 0.20, 0.40, 0.20, 0.10]
DRAWISH = [0.02, 0.13, 0.70, 0.13, 0.02]
ONE_ALL = [0.10, 0.02, 0.76, 0.02, 0.10]
"""an opening that favours a side: its games are won by the same side more often than not"""


def test_errors_are_as_rare_as_was_asked_for() -> None:
    runs = 400
    rates: list[float] = []
    for scale, elo1, base in (
        ("logistic", 60, BALANCED),
        ("logistic", 40, DRAWISH),
        ("logistic", 40, ONE_ALL),
        ("normalized", 90, BALANCED),
        ("normalized", 90, ONE_ALL),
    ):
        hypotheses = Hypotheses(0, elo1, scale=scale)
        rates += [rejected(hypotheses, 0, base, runs, seed=1), rejected(hypotheses, elo1, base, runs, seed=2)]
    # 3.5 standard errors above what was asked for: a chance of 1 in 4000 of a false alarm
    assert all(0 < rate <= 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / runs) for rate in rates)
    assert sum(rates) / len(rates) <= 0.05 + 3.5 * math.sqrt(0.05 * 0.95 / runs / len(rates))
