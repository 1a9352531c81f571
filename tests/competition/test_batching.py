"""Jobs hold games of one pair whose sides swap from game to game, and between them every game exactly once."""

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.competition.batching import ENOUGH, FAR, MOST, SECONDS, Batching
from donuts_referee.competition.encounter import Encounter

BOTS = ("ann", "bob", "cyd", "dee")


def batching(encounters: list[Encounter], workers: int, seconds: float | None) -> Batching:
    rest = iter(encounters)
    made = Batching(lambda: next(rest, None), workers)
    if seconds is not None:
        made.took(seconds)
    return made


pairs = st.tuples(st.sampled_from(BOTS), st.sampled_from(BOTS)).filter(lambda pair: pair[0] != pair[1])
played = st.sets(st.sampled_from((1, 2)), max_size=2)


@given(
    st.lists(st.tuples(pairs, played), max_size=60),
    st.integers(1, 4),
    st.sampled_from([None, 0.0001, 0.02, 0.4, 9.0]),
)
def test_every_missing_leg_is_handed_out_once_and_sides_swap(
    meetings: list[tuple[tuple[str, str], set[int]]], workers: int, seconds: float | None
) -> None:
    encounters = [Encounter(number, 1, *pair) for number, (pair, _) in enumerate(meetings, 1)]
    done = {number: set(legs) for number, (_, legs) in enumerate(meetings, 1)}
    wanted = {(number, leg) for number, legs in done.items() for leg in (1, 2) if leg not in legs}
    handed: list[tuple[int, int]] = []
    made = batching(encounters, workers, seconds)

    def missing(encounter: Encounter) -> tuple[int, ...]:
        return tuple(leg for leg in (1, 2) if leg not in done[encounter.number])

    while tasks := made.job(missing):
        assert len(tasks) <= MOST
        assert len({frozenset((each.first, each.second)) for each, _ in tasks}) == 1
        sides = [(each.first, each.second)[leg - 1] for each, legs in tasks for leg in legs]
        assert all(one != next_one for one, next_one in pairwise(sides))
        for each, legs in tasks:
            handed += [(each.number, leg) for leg in legs]
            done[each.number] |= set(legs)
    assert sorted(handed) == sorted(wanted)


def test_a_job_is_one_encounter_until_it_is_known_that_games_are_quick() -> None:
    encounters = [Encounter(number, 1, "ann", "bob") for number in range(1, 100)]
    made = batching(encounters, 1, None)
    assert len(made.job(lambda _: (1, 2))) == 1
    made.took(0.05)
    assert len(made.job(lambda _: (1, 2))) == 10
    slow = batching(encounters, 1, 3.0)
    assert len(slow.job(lambda _: (1, 2))) == 1


def test_what_is_still_to_be_played_comes_first() -> None:
    encounters = [Encounter(number, 1, "ann", "bob") for number in (1, 2)]
    made = batching(encounters, 1, None)
    first = made.job(lambda _: (1, 2))
    made.again(first[0][0])
    assert made.job(lambda _: (2,)) == [(encounters[0], (2,))]


def test_of_many_pairs_whose_games_are_quick_a_job_holds_enough_of_one() -> None:
    """So that the start of two bots weighs little; the event looks ahead for it, in bounds."""
    bots = [f"bot{at}" for at in range(12)]
    pairs = list(combinations(bots, 2))
    taken = handed = 0

    def next_encounter() -> Encounter:
        nonlocal taken
        taken += 1
        return Encounter(taken, 1, *pairs[taken % len(pairs)])

    made = Batching(next_encounter, 1)
    made.took(0.002)
    for _ in range(200):
        job = made.job(lambda _: (1, 2))
        assert 0.9 * ENOUGH < 2 * len(job) * 0.002 <= SECONDS
        handed += len(job)
        assert taken - handed <= FAR
    slow = Batching(next_encounter, 1)
    slow.took(3.0)
    before = taken
    assert len(slow.job(lambda _: (1, 2))) == 1 and taken - before == 2
