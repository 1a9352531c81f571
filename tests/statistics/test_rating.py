"""Ratings: values by hand, pools, ties, forecasts, and that no result whatever makes them infinite or nan."""

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.statistics.rating import FARTHEST, Difference, Ratings, rate
from donuts_referee.statistics.results import Meeting
from donuts_referee.statistics.scale import POINTS
from drawn_results import World, encounters, share


def level(first: str, second: str) -> list[Meeting]:
    return [
        Meeting(first, second, 1.0, 0.0),
        Meeting(first, second, 0.5, 0.5),
        Meeting(first, second, 0.0, 1.0),
    ]


def rated(ratings: Ratings) -> dict[str, float]:
    return {row.bot: row.rating for row in ratings.rows}


def told(ratings: Ratings, one: str, other: str) -> Difference:
    difference = ratings.difference(one, other)
    assert difference is not None
    return difference


def test_two_bots_by_hand() -> None:
    # 75 % of 400 games are 190.8 points; the prior takes half a point in 400 or so
    ratings = rate(
        {Meeting("a", "b", 1.0, 1.0): 100, Meeting("a", "b", 1.0, 0.0): 50, Meeting("a", "b", 0.0, 1.0): 50}
    )
    difference = told(ratings, "a", "b")
    assert difference.points == pytest.approx(400 * math.log10(3), abs=1.5)
    # points of an encounter: 2 or 1, each half the time: deviation 1/2; 2 * 0.75 * 0.25 more for each unit of strength
    by_hand = 1.96 * 0.5 / math.sqrt(200) / 0.375 * POINTS
    assert difference.deviation == pytest.approx(by_hand, rel=0.05)
    assert sum(rated(ratings).values()) == pytest.approx(3000)
    assert ratings.of("a").rating - ratings.of("b").rating == pytest.approx(difference.points)
    assert ratings.of("a").deviation == pytest.approx(difference.deviation / 2)


def test_three_bots_have_the_points_that_are_expected_of_them() -> None:
    rng = np.random.default_rng(4)
    world = World()
    meetings = [
        *encounters(rng, "a", "b", 100, 300, world),
        *encounters(rng, "b", "c", 150, 300, world),
        *encounters(rng, "a", "c", 250, 30, world),
    ]
    ratings = rate(meetings)
    for bot in "abc":
        own = [one for one in meetings if bot in (one.first, one.second)]
        made = sum(one.points or 0 if one.first == bot else 2 - (one.points or 0) for one in own)
        expected = sum(
            2 * share(told(ratings, bot, one.second if one.first == bot else one.first).points) for one in own
        )
        assert made == pytest.approx(expected, abs=0.6)  # the prior is half a game lost for who won all
    for one, other, points in (("a", "b", 100), ("b", "c", 150), ("a", "c", 250)):
        assert abs(told(ratings, one, other).points - points) < told(ratings, one, other).deviation * 1.5


def test_games_on_one_opening_are_not_taken_for_independent() -> None:
    # the same wins and losses: won by the same side on each opening, or by the same bot
    sides = rate([Meeting("a", "b", 1.0, 0.0), Meeting("a", "b", 0.0, 1.0)] * 50)
    bots = rate([Meeting("a", "b", 1.0, 1.0), Meeting("a", "b", 0.0, 0.0)] * 50)
    apart = rate([Meeting("a", "b", 1.0, None), Meeting("a", "b", 0.0, None)] * 100)
    assert told(sides, "a", "b").deviation < 0.1 * told(apart, "a", "b").deviation
    assert told(bots, "a", "b").deviation == pytest.approx(
        math.sqrt(2) * told(apart, "a", "b").deviation, rel=0.03
    )


def test_a_bot_that_won_everything_is_far_ahead_and_no_farther() -> None:
    few, many = rate([Meeting("a", "b", 1.0, 1.0)] * 2), rate([Meeting("a", "b", 1.0, 1.0)] * 30)
    assert told(few, "a", "b").tied and not told(many, "a", "b").tied
    assert 300 < told(few, "a", "b").points < told(many, "a", "b").points < 1000
    # of 60 games won an exact test says at the least 60 : 1.1 or so; the interval is no bolder
    assert told(many, "a", "b").points - told(many, "a", "b").deviation < 400 * math.log10(60 / 1.1) + 100


def test_a_bot_without_a_game_has_no_more_than_the_prior() -> None:
    ratings = rate(level("a", "b"), ("a", "b", "new"))
    new = ratings.of("new")
    assert (new.rating, new.games) == (1500.0, 0) and new.deviation > 600
    assert ratings.pools == (("a", "b"), ("new",))
    assert ratings.difference("a", "new") is None and ratings.games_to_settle("a", "new") is None


def test_nobody_at_all() -> None:
    assert rate([]).rows == () and rate([]).pools == () and rate([]).ties() == ()


def test_a_bot_that_meets_itself_is_passed_over() -> None:
    assert rate([Meeting("a", "a", 1.0, 1.0), *level("a", "b")]).of("a").games == 6


def test_pools_that_no_chain_of_games_connects_are_told_apart() -> None:
    meetings = [*level("a", "b") * 2, *level("b", "c"), *level("d", "e"), Meeting("f", "a", None, None)]
    ratings = rate(meetings)
    assert [set(pool) for pool in ratings.pools] == [{"a", "b", "c"}, {"d", "e"}, {"f"}]
    assert ratings.difference("a", "d") is None and told(ratings, "a", "c").tied
    assert [row.pool for row in ratings.rows] == [0, 0, 0, 1, 1, 2]


def test_each_pool_is_rated_as_if_it_were_alone() -> None:
    one = [Meeting("a", "b", 1.0, 0.5)] * 20
    both = rate([*one, *[Meeting("c", "d", 1.0, 1.0)] * 9])
    assert told(both, "a", "b").points == pytest.approx(told(rate(one), "a", "b").points)


def test_an_order_of_names_or_sides_changes_nothing() -> None:
    rng = np.random.default_rng(1)
    meetings = encounters(rng, "a", "b", 80, 30, World()) + encounters(rng, "b", "c", 20, 30, World())
    turned = [
        Meeting(one.second, one.first, 1 - (one.leg2 or 0.0), 1 - (one.leg1 or 0.0))
        for one in reversed(meetings)
    ]
    straight, other = rate(meetings), rate(turned)
    assert rated(other) == pytest.approx(rated(straight))
    assert told(other, "a", "c") == pytest.approx(told(straight, "a", "c"))


def test_lone_legs_do_not_reward_who_had_the_first_move() -> None:
    # x wins 80 % of all games; a and b are equal; of c only games as x are known, in which it did as x does
    meetings = [Meeting("a", "b", 1.0, 0.0)] * 40 + [Meeting("a", "b", 0.0, 1.0)] * 10
    meetings += [Meeting("c", "a", 1.0, None)] * 16 + [Meeting("c", "a", 0.0, None)] * 4
    ratings = rate(meetings)
    assert abs(told(ratings, "c", "a").points) < 25


def test_ties_are_the_longest_runs_of_neighbours_that_cannot_be_told_apart() -> None:
    rng = np.random.default_rng(2)
    strength = {"a": 500, "b": 480, "c": 300, "d": 100, "e": 90}
    meetings = [
        meeting
        for one in strength
        for other in strength
        if one < other
        for meeting in encounters(rng, one, other, strength[one] - strength[other], 40, World())
    ]
    ratings = rate(meetings)
    runs = ratings.ties()
    order = ratings.pools[0]
    for run in runs:
        assert all(told(ratings, one, other).tied for one in run for other in run if one != other)
        start = order.index(run[0])
        for wider in (order[start : start + len(run) + 1], order[max(start - 1, 0) : start + len(run)]):
            assert len(wider) == len(run) or not all(
                told(ratings, one, other).tied for one in wider for other in wider if one != other
            )
    covered = {frozenset(pair) for run in runs for pair in pairwise(run)}
    neighbours = [frozenset(pair) for pair in pairwise(order)]
    assert covered == {pair for pair in neighbours if told(ratings, *pair).tied}
    assert {frozenset(run) for run in runs} == {frozenset("ab"), frozenset("de")}


def test_superiority_is_the_share_of_the_normal_distribution_above_0() -> None:
    assert Difference(0.0, 50.0).superiority == 0.5
    assert Difference(50.0, 50.0).superiority == pytest.approx(0.975)
    assert Difference(-50.0, 50.0).superiority == pytest.approx(0.025)
    assert Difference(1e6, 1.0).superiority == 1.0


def test_as_many_games_as_are_forecast_do_settle_it_if_all_goes_on_so() -> None:
    so_far = {
        Meeting("a", "b", 1.0, 1.0): 12,
        Meeting("a", "b", 1.0, 0.0): 20,
        Meeting("a", "b", 0.0, 0.0): 8,
    }
    games = rate(so_far).games_to_settle("a", "b")
    assert games is not None and games > 0 and games % 2 == 0
    had = 2 * sum(so_far.values())

    def later(more: int) -> bool:
        return told(rate({one: times * (had + more) / had for one, times in so_far.items()}), "a", "b").tied  # type: ignore[misc]

    assert later(round(games * 0.85)) and not later(round(games * 1.15))


def test_what_is_settled_needs_no_game_and_what_is_equal_is_settled_by_none() -> None:
    assert rate([Meeting("a", "b", 1.0, 1.0)] * 30).games_to_settle("a", "b") == 0
    assert rate(level("a", "b") * 10).games_to_settle("a", "b") is None
    nearly = dict.fromkeys(level("a", "b"), 200_000) | {Meeting("a", "b", 1.0, 0.5): 1}
    games = rate(nearly).games_to_settle("a", "b")
    assert games is None or games <= FARTHEST


LEGS = st.sampled_from([None, 0.0, 0.5, 1.0])
BOTS = st.sampled_from("abcdefg")


@given(
    st.dictionaries(st.builds(Meeting, BOTS, BOTS, LEGS, LEGS), st.integers(1, 10**6), max_size=12),
    st.lists(BOTS, max_size=3),
)
def test_no_result_whatever_makes_anything_infinite_or_nan(
    meetings: dict[Meeting, int], bots: list[str]
) -> None:
    ratings = rate(meetings, bots)
    for row in ratings.rows:
        assert math.isfinite(row.rating) and math.isfinite(row.deviation) and row.deviation > 0
        for other in ratings.rows:
            difference = ratings.difference(row.bot, other.bot)
            assert (difference is None) == (row.pool != other.pool or row.bot == other.bot)
            if difference is not None:
                assert math.isfinite(difference.points) and difference.deviation > 0
                assert 0 <= difference.superiority <= 1
                games = ratings.games_to_settle(row.bot, other.bot)
                assert (games == 0) == (not difference.tied)
    assert sorted(bot for pool in ratings.pools for bot in pool) == sorted(row.bot for row in ratings.rows)
    ratings.ties()
