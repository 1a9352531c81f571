"""Largest matchings and Swiss rounds, against an exhaustive search of small cases."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.competition.formats.matching import bits, most_pairs
from donuts_referee.competition.formats.pairing import pair_round


def graph_of(count: int, edges: set[tuple[int, int]]) -> list[int]:
    graph = [0] * count
    for one, other in edges:
        graph[one] |= 1 << other
        graph[other] |= 1 << one
    return graph


def searched(graph: list[int], alive: int) -> int:
    """The same by trying everything."""
    if not alive:
        return 0
    one = next(bits(alive))
    rest = alive & ~(1 << one)
    return max(
        [searched(graph, rest), *(1 + searched(graph, rest & ~(1 << o)) for o in bits(graph[one] & rest))]
    )


@given(st.integers(1, 9), st.integers(0, 2**36), st.integers(0, 2**9 - 1))
def test_the_most_pairs_are_found(count: int, chosen: int, alive: int) -> None:
    every = [(one, other) for other in range(count) for one in range(other)]
    graph = graph_of(count, {edge for at, edge in enumerate(every) if chosen >> at & 1})
    alive &= (1 << count) - 1
    assert most_pairs(graph, alive) == searched(graph, alive)


def test_flowers_within_flowers() -> None:
    """Odd rings joined in a chain: a search that does not shrink them misses the last pair."""
    for length in (5, 9, 21):
        edges = {(at, at + 1) for at in range(length * 3 - 1)}
        edges |= {(at, at + 2) for at in range(0, length * 3 - 2, 3)}
        shuffled = list(range(length * 3))
        for seed in range(20):
            random.Random(seed).shuffle(shuffled)
            graph = graph_of(length * 3, {(shuffled[a], shuffled[b]) for a, b in edges})
            assert most_pairs(graph, (1 << length * 3) - 1) == length * 3 // 2


def test_equals_meet_the_first_half_the_second() -> None:
    assert pair_round([0.0] * 6, {}, [0] * 6).pairs == ((0, 3), (1, 4), (2, 5))
    assert pair_round([4, 4, 2, 2, 0, 0], {}, [0] * 6).pairs == ((0, 1), (2, 3), (4, 5))


def test_of_an_odd_group_the_last_meets_the_first_of_the_next() -> None:
    assert pair_round([4, 4, 4, 2, 2, 0], {}, [0] * 6).pairs == ((0, 1), (2, 3), (4, 5))


def test_a_choice_leaves_pairs_to_the_rest_of_its_group() -> None:
    """1 and 3 have met: 0 - 2, the first wish, would part both of them from their equals."""
    met = {(1, 3): 1}
    assert pair_round([2, 2, 2, 2, 0, 0], met, [0] * 6).pairs == ((0, 3), (1, 2), (4, 5))


def test_the_bye_is_for_the_lowest_that_had_none() -> None:
    assert pair_round([4, 2, 0], {}, [0, 0, 0]).bye == 2
    assert pair_round([4, 2, 2], {}, [0, 0, 1]).bye == 1
    assert pair_round([4, 2, 2], {(0, 2): 1}, [0, 0, 0]).bye == 2
    assert pair_round([4, 2, 2], {(0, 1): 1}, [0, 0, 0]).bye == 1  # rather than that 0 and 1 meet again
    assert pair_round([4, 2, 2], {}, [1, 1, 1]).bye == 2


@given(st.data(), st.integers(2, 9))
def test_nobody_meets_again_while_a_round_is_possible_without(data: st.DataObject, count: int) -> None:
    points = sorted(data.draw(st.lists(st.integers(0, 4), min_size=count, max_size=count)), reverse=True)
    every = [(one, other) for other in range(count) for one in range(other)]
    met = {edge: data.draw(st.integers(0, 2)) for edge in every}
    byes = data.draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
    paired = pair_round([float(each) for each in points], met, byes)
    bots = [bot for pair in paired.pairs for bot in pair] + [paired.bye] * (count % 2)
    assert sorted(bot for bot in bots if bot is not None) == list(range(count))
    strangers = graph_of(count, {edge for edge in every if not met[edge]})
    resting = [bot for bot in range(count) if byes[bot] == min(byes)] if count % 2 else [count]
    possible = any(searched(strangers, (1 << count) - 1 & ~(1 << bot)) == count // 2 for bot in resting)
    assert all(not met[pair] for pair in paired.pairs) or not possible


@pytest.mark.parametrize("count", [200, 199])
def test_many_bots_find_a_round_when_few_strangers_are_left(count: int) -> None:
    rng = random.Random(5)
    met: dict[tuple[int, int], int] = {}
    byes = [0] * count
    for _ in range(12):
        points = sorted((float(rng.randrange(20)) for _ in range(count)), reverse=True)
        paired = pair_round(points, met, byes)
        assert not set(paired.pairs) & set(met)
        met |= dict.fromkeys(paired.pairs, 1)
        if paired.bye is not None:
            byes[paired.bye] += 1
    assert max(byes) <= 1
