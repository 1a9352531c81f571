"""The fold of an event is a function of the set of its games, whatever the order in which they came in."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.competition.encounter import Bye, Duel, Encounter, Leg
from donuts_referee.competition.state import Game, Roster, ScheduleFault, State
from donuts_referee.records.record import Place
from donuts_referee.table.finished import Verdict

BOTS = ("ann", "bob", "cyd")
PAIRS = (("ann", "bob"), ("cyd", "ann"), ("bob", "cyd"))


def encounter(number: int) -> Encounter:
    return Encounter(number, (number + 2) // 3, *PAIRS[number % 3])


def game(number: int, leg: int, winner: str = "x", why: str = "five", fault: str | None = None) -> Game:
    void = winner == "void"
    x, o = PAIRS[number % 3][:: 1 if leg == 1 else -1]
    verdict = Verdict(winner="-" if void else winner, why=why, text="", fault=fault, void=void)
    return Game(Place(event="e", encounter=number, round=1, leg=leg), x, o, verdict)


def state(limit: int | None = None, replays: int = 1, encounters: int = 0) -> State:
    made = State(BOTS, replays=replays, limit=limit)
    for number in range(1, encounters + 1):
        made.schedule(encounter(number))
    return made


@dataclass(frozen=True)
class Seen:
    frontier: int
    duels: tuple[Duel, ...]
    benched: dict[str, int]
    faults: dict[str, dict[str, int]]
    entrants: tuple[tuple[str, ...], ...]


def seen(of: State, encounters: int) -> Seen:
    return Seen(
        of.frontier,
        tuple(of.duels()),
        dict(of.benched()),
        {bot: dict(kinds) for bot, kinds in of.faults().items()},
        tuple(of.entrants(number, min(number - 1, of.frontier)) for number in range(1, encounters + 1)),
    )


@st.composite
def games(draw: st.DrawFn) -> tuple[int, list[Game]]:
    """Games of up to eight encounters, each leg played at most once to a result, with voids before it."""
    encounters = draw(st.integers(1, 8))
    made: list[Game] = []
    for number in range(1, encounters + 1):
        for leg in (1, 2):
            for _ in range(draw(st.integers(0, 1))):
                made.append(
                    game(number, leg, "void", draw(st.sampled_from(["abort", "crash", "referee"])), "xo")
                )
            if draw(st.integers(0, 9)):
                fault = draw(st.sampled_from([None, None, "x", "o"]))
                winner = {"x": "o", "o": "x"}.get(fault or "") or draw(st.sampled_from("xo-"))
                made.append(game(number, leg, winner, "crash" if fault else "five", fault))
    return encounters, made


@given(games(), st.randoms(use_true_random=False), st.sampled_from([None, 1, 2, 3]))
def test_the_order_in_which_games_come_in_changes_nothing(
    given_games: tuple[int, list[Game]], rng: object, limit: int | None
) -> None:
    encounters, all_games = given_games
    first = state(limit, encounters=encounters)
    for one in all_games:
        first.count(one)
    legs = [(one.place.encounter, one.place.leg) for one in all_games]
    rng.shuffle(legs)  # type: ignore[attr-defined]
    rest = {
        leg: iter([one for one in all_games if (one.place.encounter, one.place.leg) == leg]) for leg in legs
    }
    shuffled = [
        next(rest[leg]) for leg in legs
    ]  # the games of one leg keep their order: one ends before the next
    second = state(limit)
    steps: list[Game | Encounter] = [*shuffled]
    at = 0
    for number in range(1, encounters + 1):  # the schedule keeps its order; games come in between
        at = rng.randint(at, len(steps))  # type: ignore[attr-defined]
        steps.insert(at, encounter(number))
        at += 1
    for step in steps:
        if isinstance(step, Encounter):
            second.schedule(step)
        else:
            second.count(step)
    assert seen(second, encounters) == seen(first, encounters)


@given(games())
def test_what_is_missing_and_what_is_there_make_the_whole(given_games: tuple[int, list[Game]]) -> None:
    encounters, all_games = given_games
    of = state(encounters=encounters)
    for one in all_games:
        of.count(one)
    there = {(number, leg.x) for number, leg in of.legs()}
    for number in range(1, encounters + 1):
        each = encounter(number)
        missing = {(number, each.first if leg == 1 else each.second) for leg in of.missing(each)}
        assert not missing & there
        assert len(missing | {one for one in there if one[0] == number}) == 2
        assert (of.duel(number) is None) == bool(missing)


def test_an_encounter_is_settled_when_both_legs_are_played_and_the_frontier_waits_for_all_before_it() -> None:
    of = state(encounters=2)
    of.count(game(2, 1))
    of.count(game(2, 2, "-", "group"))
    assert of.frontier == 0
    settled = of.duel(2)
    assert settled is not None and settled.points("bob") == 1.5 and settled.points("cyd") == 0.5
    of.count(game(1, 2))
    assert of.duel(1) is None and of.missing(encounter(1)) == (1,)
    of.count(game(1, 1))
    assert of.frontier == 2


def test_a_leg_that_comes_out_void_is_played_again_so_often_and_then_lost_by_both() -> None:
    of = state(replays=1, encounters=1)
    of.count(game(1, 1, "void", "crash", "xo"))
    assert of.missing(encounter(1)) == (1, 2) and of.replays(1, 1) == 1
    of.count(game(1, 1, "void", "crash", "xo"))
    assert of.missing(encounter(1)) == (2,)
    assert list(of.legs()) == [(1, Leg("cyd", "ann", "", "crash", "xo"))]


def test_a_game_that_the_operator_or_the_referee_voided_says_nothing() -> None:
    of = state(replays=0, limit=1, encounters=1)
    for why in ("abort", "referee") * 3:
        of.count(game(1, 1, "void", why))
    assert of.missing(encounter(1)) == (1, 2) and of.games == of.voids == 6


def test_a_benched_bot_loses_what_is_left_even_what_was_played_ahead() -> None:
    of = state(limit=2, encounters=6)
    of.count(game(2, 1, "o"))  # bob - cyd, played ahead of
    of.count(game(1, 1, "o", "crash", "x"))  # cyd - ann, cyd at fault in both
    of.count(game(1, 2, "x", "crash", "o"))
    of.count(game(2, 2, "o"))  # and this came in late
    assert dict(of.benched()) == {"cyd": 1}
    duel = of.duel(2)
    assert duel is not None and duel.points("bob") == 2
    assert [leg.why for leg in duel.legs] == ["walkover", "walkover"]
    assert of.entrants(3, 0) == BOTS and of.entrants(3, 1) == ("ann", "bob")


def test_a_withdrawal_leaves_what_was_played_and_gives_away_the_rest() -> None:
    of = state(encounters=3)
    of.count(game(1, 1))
    of.change(Roster(2, withdrawn=("ann",)))
    of.count(game(1, 2))
    of.count(game(2, 1))
    of.count(game(2, 2))
    assert of.frontier == 3
    duel = of.duel(3)  # ann - bob
    assert duel is not None and [leg.why for leg in duel.legs] == ["walkover"] * 2 and duel.points("bob") == 2
    assert of.entrants(2, 0) == ("bob", "cyd") and dict(of.withdrawn()) == {"ann": 2}


def test_a_bot_that_is_added_takes_part_from_its_number_on() -> None:
    of = state()
    of.change(Roster(5, added=("dee",)))
    assert of.entrants(4, 0) == BOTS and of.entrants(5, 0) == (*BOTS, "dee") and of.joined("dee") == 5
    assert of.names() == (*BOTS, "dee")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda of: of.count(game(1, 1)),
        lambda of: of.count(game(2, 1)._replace(place=Place(event="e", encounter=1, round=1, leg=2))),
        lambda of: of.count(game(0, 1)),
        lambda of: of.count(game(1, 3)),
        lambda of: of.schedule(Encounter(1, 1, "ann", "bob")),
    ],
    ids=["twice", "other bots", "no number", "no leg", "scheduled as another"],
)
def test_a_game_that_is_none_of_the_schedule_is_refused(wrong) -> None:  # type: ignore[no-untyped-def]
    of = state(encounters=1)
    of.count(game(1, 1))
    with pytest.raises(ScheduleFault):
        wrong(of)


def test_byes_are_those_of_the_schedule_as_it_was_unrolled_last() -> None:
    of = state()
    of.give_bye(Bye(1, "ann"))
    of.forget_byes()
    of.give_bye(Bye(1, "bob"))
    assert of.byes() == (Bye(1, "bob"),)
