"""Log likelihood ratios: against an optimiser that knows nothing of the formulas, and for any counts."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from donuts_referee.statistics.pentanomial import Scale, log_likelihood_ratios
from drawn_results import SHARES


def likeliest(counts: np.ndarray, elo: float, scale: Scale) -> float:
    """The greatest log likelihood of the counts under the hypothesis, found by sequential quadratic programming."""
    seen = counts / counts.sum()

    def constraint(chances: np.ndarray) -> float:
        mean = chances @ SHARES
        if scale == "logistic":
            return float(mean - 1 / (1 + 10 ** (-elo / 400)))
        # a game's standard deviation is sqrt(2) times that of the mean of two; 800 / ln 10 points are one of it
        of_game = math.sqrt(2 * max(chances @ (SHARES - mean) ** 2, 1e-18))
        return float((mean - 0.5) - elo * math.log(10) / 800 * of_game)

    best = -math.inf
    for start in (np.full(5, 0.2), seen):
        found = minimize(
            lambda chances: -(seen * np.log(chances)).sum(),
            start,
            method="SLSQP",
            bounds=[(1e-12, 1)] * 5,
            constraints=[
                {"type": "eq", "fun": constraint},
                {"type": "eq", "fun": lambda chances: chances.sum() - 1},
            ],
            options={"ftol": 1e-15, "maxiter": 500},
        )
        if found.success:
            best = max(best, -found.fun)
    return best * float(counts.sum())


@pytest.mark.parametrize("scale", ["logistic", "normalized"])
@pytest.mark.parametrize(
    ("counts", "elo0", "elo1"),
    [
        ((10, 20, 40, 25, 12), 0, 10),
        ((10, 20, 40, 25, 12), -20, 50),
        ((1, 3, 50, 9, 1), 0, 100),
        ((100, 20, 300, 30, 150), 0, 10),
        ((4, 1, 2, 1, 30), 0, 60),
    ],
)
def test_the_ratio_is_that_of_the_likeliest_distributions(
    counts: tuple[int, ...], elo0: float, elo1: float, scale: Scale
) -> None:
    row = np.array(counts, dtype=float)
    found = log_likelihood_ratios(row[None], elo0, elo1, scale)[0]
    assert found == pytest.approx(likeliest(row, elo1, scale) - likeliest(row, elo0, scale), abs=1e-5)


def test_a_single_win_of_both_games_by_hand() -> None:
    # nearly all was seen at share 1: the likeliest distribution of mean m has m there and the rest at 0, so that the
    # ratio is ln(m1 / m0), up to what the counts that are not 0 add
    found = log_likelihood_ratios(np.array([[0.0, 0, 0, 0, 1]]), 0, 100, "logistic")[0]
    assert found == pytest.approx(math.log((1 / (1 + 10 ** (-1 / 4))) / 0.5), abs=0.01)


def test_nothing_seen_says_nothing() -> None:
    assert log_likelihood_ratios(np.zeros((1, 5)), 0, 10, "normalized").tolist() == [0.0]
    assert log_likelihood_ratios(np.zeros((0, 5)), 0, 10, "normalized").shape == (0,)


def test_who_loses_as_often_as_wins_is_level_between_hypotheses_that_mirror_each_other() -> None:
    for scale in ("logistic", "normalized"):
        assert log_likelihood_ratios(np.array([[7.0, 3, 5, 3, 7]]), -30, 30, scale)[0] == pytest.approx(
            0, abs=1e-8
        )


@given(
    st.lists(st.tuples(*[st.integers(0, 100_000)] * 5), max_size=5),
    st.floats(-500, 499),
    st.floats(0.1, 1000),
    st.sampled_from(["logistic", "normalized"]),
)
def test_a_ratio_is_always_a_number_and_mirrors(
    counts: list[tuple[int, ...]], elo0: float, gap: float, scale: Scale
) -> None:
    elo1 = min(elo0 + gap, 500)
    rows = np.array(counts, dtype=float).reshape(-1, 5)
    ratios = log_likelihood_ratios(rows, elo0, elo1, scale)
    assert np.isfinite(ratios).all()
    mirrored = log_likelihood_ratios(rows[:, ::-1], -elo1, -elo0, scale)
    np.testing.assert_allclose(mirrored, -ratios, rtol=1e-3, atol=1e-3)
