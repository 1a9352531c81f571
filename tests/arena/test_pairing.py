"""Who meets whom: for any set of free bots, and over months of a ladder in virtual time."""

import heapq
import itertools
import random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.arena.pairing import SLACK, Candidate, Pair, fair_patience, pairs


def bot(name: str, games: int = 0, rating: float = 1500.0, **more: object) -> Candidate:
    values: dict[str, object] = {"last": None, "wish": None, "waited": 0.0}
    return Candidate(name, games, rating, **values | more)  # type: ignore[arg-type]


def met(found: list[Pair]) -> list[str]:
    return [f"{one.first}-{one.second}" for one in found]


NAMES = [f"bot{number:02d}" for number in range(14)]


@st.composite
def candidates(draw: st.DrawFn) -> list[Candidate]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=len(NAMES)))
    return [
        Candidate(
            name,
            draw(st.integers(0, 6)),
            draw(st.floats(0, 3000)),
            draw(st.none() | st.sampled_from([other for other in NAMES if other != name])),
            draw(st.none() | st.sampled_from(["60+0.1", "10+0.1"])),
            draw(st.floats(0, 5)),
        )
        for name in names
    ]


def agree(one: Candidate, other: Candidate) -> bool:
    return None in (one.wish, other.wish) or one.wish == other.wish


def rematch(one: Candidate, other: Candidate) -> bool:
    return one.last == other.name or other.last == one.name


def test_nobody_to_meet() -> None:
    assert pairs([], 0) == []
    assert pairs([bot("a")], 9) == []
    assert pairs([bot("a"), bot("b")], 2, room=0) == []


def test_fewest_games_choose_first_then_the_longest_wait_then_the_name() -> None:
    free = [bot("d"), bot("c"), bot("b", waited=3.0), bot("a", games=1)]
    assert met(pairs(free, 4)) == ["b-c", "d-a"]
    assert met(pairs([bot("b"), bot("a"), bot("c"), bot("d")], 4)) == ["a-b", "c-d"]


def test_the_opponent_is_the_nearest_in_rating_then_the_least_played_the_longest_waiting_the_first_by_name() -> (
    None
):
    chooser = bot("me", rating=1500.0, waited=9.0)
    free = [chooser, bot("far", rating=1800.0), bot("near", rating=1480.0), bot("nearer", 1, 1510.0)]
    assert met(pairs(free, 4, room=1)) == ["me-nearer"]
    same = [chooser, bot("played", 1), bot("z", waited=2.0), bot("b"), bot("c")]
    assert met(pairs(same, 5, room=1)) == ["me-z"]
    assert met(pairs([chooser, bot("c"), bot("b")], 3)) == ["me-b"]


def test_every_second_encounter_is_with_whoever_waited_longest() -> None:
    free = [bot("me", 2, waited=9.0), bot("near", 4, waited=1.0), bot("far", 4, 2500.0, waited=2.0)]
    assert met(pairs(free, 3)) == ["me-far"]
    assert met(pairs([free[0]._replace(games=3), *free[1:]], 3)) == ["me-far"]
    assert met(pairs([free[0]._replace(games=4), *free[1:]], 3)) == ["me-near"]


def test_an_opponent_far_ahead_in_games_is_spared_while_there_are_others() -> None:
    me, busy = bot("me"), bot("busy", 10 + SLACK + 1)
    assert met(pairs([me, busy, bot("idle", 10, 900.0)], 3)) == ["me-idle"]
    assert met(pairs([me, busy], 3)) == ["me-busy"]


def test_a_wish_is_kept_and_told() -> None:
    free = [bot("a", wish="10+0.1"), bot("b", wish="60+0.1"), bot("c", 1), bot("d", 2, wish="60+0.1")]
    assert pairs(free, 4) == [Pair("a", "c", "10+0.1"), Pair("b", "d", "60+0.1")]
    assert pairs(free[:2], 2) == []
    assert pairs([bot("a"), bot("b")], 2) == [Pair("a", "b", None)]


def test_two_alone_meet_again_at_once_and_three_only_after_patience() -> None:
    a, b = bot("a", last="b", waited=0.9), bot("b", last="a", waited=1.0)
    assert met(pairs([a, b], 2)) == ["b-a"]  # b waited longer
    assert pairs([a, b], 3) == []
    assert pairs([a, b], 3, patience=0.9) != []
    assert pairs([a._replace(waited=1.0), b], 3) != []


def test_a_pair_is_broken_up_so_that_four_meet_and_none_of_them_again() -> None:
    free = [bot("a"), bot("b"), bot("c", 5, last="d"), bot("d", 5, last="c")]
    found = pairs(free, 4)
    assert len(found) == 2
    assert not {frozenset(pair[:2]) for pair in found} & {frozenset("cd"), frozenset("ab")}


@given(candidates(), st.integers(0, 3), st.floats(0, 5), st.none() | st.integers(0, 5))
def test_what_always_holds(free: list[Candidate], away: int, patience: float, room: int | None) -> None:
    seated = len(free) + away
    found = pairs(free, seated, patience, room=room)
    known = {one.name: one for one in free}
    playing = [name for pair in found for name in pair[:2]]
    assert len(set(playing)) == len(playing) and set(playing) <= set(known)
    assert room is None or len(found) <= room
    for pair in found:
        one, other = known[pair.first], known[pair.second]
        assert agree(one, other) and pair.control == (one.wish or other.wish)
        if rematch(one, other):
            assert seated <= 2 or min(one.waited, other.waited) >= patience
    left = [one for one in free if one.name not in playing]
    if room is None or len(found) < room:
        for one, other in itertools.combinations(left, 2):
            if agree(one, other):  # then only a rematch too early keeps them apart
                assert rematch(one, other) and seated > 2 and min(one.waited, other.waited) < patience
    assert pairs(free[::-1], seated, patience, room=room) == found  # the order of `free` decides nothing


@given(candidates(), st.floats(0, 5))
def test_two_that_meet_again_have_no_other_to_meet(free: list[Candidate], patience: float) -> None:
    found = pairs(free, len(free), patience)
    known = {one.name: one for one in free}
    playing = {name for pair in found for name in pair[:2]}
    left = [one for one in free if one.name not in playing]
    again = [two for pair in found if rematch(*(two := (known[pair.first], known[pair.second])))]
    for one, other in itertools.product(itertools.chain(*again), [*left, *itertools.chain(*again)]):
        if one is not other and (one, other) not in again and (other, one) not in again:
            assert rematch(one, other) or not agree(one, other)


@given(st.lists(st.tuples(st.integers(0, 9), st.floats(0, 3000)), min_size=4, max_size=16), st.randoms())
def test_a_round_after_a_round_seats_everyone_with_another(
    bots: list[tuple[int, float]], dice: random.Random
) -> None:
    names = NAMES_AND_MORE[: len(bots) // 2 * 2]
    dice.shuffle(names)
    last = {one: names[at ^ 1] for at, one in enumerate(names)}
    free = [
        bot(one, games, rating, last=last[one]) for one, (games, rating) in zip(names, bots, strict=False)
    ]
    found = pairs(free, len(free))
    assert len(found) == len(names) // 2
    assert all(last[one] != other for one, other, _ in found)


NAMES_AND_MORE = [f"bot{number:02d}" for number in range(16)]


def test_patience_is_the_length_of_an_encounter_within_bounds() -> None:
    assert fair_patience([]) == 1.0
    assert fair_patience([30.0, 40.0, 2.0]) == 30.0
    assert fair_patience([0.01]) == 1.0
    assert fair_patience([9000.0]) == 120.0
    assert fair_patience(iter([3.0, 5.0]), least=7.0) == 7.0


# --- a ladder in virtual time ---


class Ladder(NamedTuple):
    """What came of a simulation."""

    games: dict[str, int]
    firsts: dict[str, int]
    repeats: int
    opponents: dict[str, set[str]]
    longest_wait: float


def simulate(bots: int, encounters: int, room: int, seconds: tuple[float, float], seed: int = 1) -> Ladder:
    """Play so many encounters of random length, `room` at once, on a clock that jumps from end to end."""
    dice = random.Random(seed)
    rating = {f"bot{number:02d}": dice.gauss(1500, 200) for number in range(bots)}
    games = dict.fromkeys(rating, 0)
    firsts = dict.fromkeys(rating, 0)
    since = dict.fromkeys(rating, 0.0)
    last: dict[str, str] = {}
    opponents: dict[str, set[str]] = {name: set() for name in rating}
    free, going, lately = set(rating), [], [sum(seconds) / 2]
    now, begun, repeats, longest = 0.0, 0, 0, 0.0
    while begun < encounters or going:
        patience = fair_patience(lately[-50:])
        offered = [
            Candidate(one, games[one], rating[one], last.get(one), None, now - since[one]) for one in free
        ]
        space = min(room - len(going), encounters - begun)
        for one, other, _ in pairs(offered, bots, patience, room=space):
            repeats += last.get(one) == other or last.get(other) == one
            longest = max(longest, now - since[one], now - since[other])
            last[one], last[other] = other, one
            opponents[one].add(other)
            opponents[other].add(one)
            firsts[one] += 1
            free -= {one, other}
            length = dice.uniform(*seconds)
            heapq.heappush(going, (now + length, length, one, other))
            begun += 1
        if not going:
            now += patience
            continue
        now, length, *two = heapq.heappop(going)
        lately.append(length)
        for one in two:
            games[one] += 2
            since[one] = now
            free.add(one)
    return Ladder(games, firsts, repeats, opponents, longest)


@pytest.mark.parametrize("room", [3, 6, 8])
def test_twenty_bots_in_two_thousand_encounters_are_played_evenly_and_never_meet_twice_in_a_row(
    room: int,
) -> None:
    told = simulate(20, 2000, room, (10.0, 60.0))
    assert sum(told.games.values()) == 4 * 2000
    assert max(told.games.values()) - min(told.games.values()) <= 4
    assert told.repeats == 0
    assert min(map(len, told.opponents.values())) >= 15
    assert told.longest_wait < 20 * 60.0  # nobody is forgotten


@pytest.mark.parametrize(
    ("bots", "least", "seconds"), [(4, 3, (10.0, 60.0)), (5, 4, (10.0, 60.0)), (20, 8, (29.0, 31.0))]
)
def test_bots_that_all_play_at_once_do_not_meet_the_same_ones_for_ever(
    bots: int, least: int, seconds: tuple[float, float]
) -> None:
    told = simulate(bots, 100 * bots, bots // 2, seconds)
    assert min(map(len, told.opponents.values())) >= least
    assert told.repeats == 0


def test_a_slow_bot_delays_only_its_own_games() -> None:
    """Of three, one is never free: the others meet again after their patience, and not before."""
    a, b = bot("a", 2, last="b", waited=29.0), bot("b", 2, last="a", waited=29.0)
    assert pairs([a, b], 3, fair_patience([30.0])) == []
    assert pairs([a._replace(waited=30.0), b._replace(waited=30.0)], 3, fair_patience([30.0])) != []
