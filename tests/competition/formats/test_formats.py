"""Who meets whom in each format, and where that leaves everyone."""

import random
from collections import Counter
from itertools import combinations

import pytest

from competition.formats.simulated import DRAW, Event, O, X, by_chance, by_name, names, played
from donuts_referee.competition.encounter import Encounter
from donuts_referee.competition.event import Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.competition.formats.knockout import SUDDEN, seeding
from donuts_referee.competition.formats.ranking import last_counted
from donuts_referee.competition.state import Roster
from donuts_referee.table.finished import Verdict


def pairs(event: Event) -> list[frozenset[str]]:
    return [frozenset((each.first, each.second)) for each in event.encounters()]


def drawn(encounter: Encounter, leg: int) -> Verdict:
    return DRAW


def places(event: Event) -> list[tuple[str, int]]:
    return [(ranked.bot, ranked.place) for ranked in event.ranking()]


# --- round robin and gauntlet ------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", range(2, 12))
def test_everyone_meets_everyone_and_is_first_as_often_as_second(bots: int) -> None:
    event = played(RoundRobin(), bots)
    assert Counter(pairs(event)) == Counter(frozenset(two) for two in combinations(names(bots), 2))
    firsts = Counter(each.first for each in event.encounters())
    seconds = Counter(each.second for each in event.encounters())
    assert all(abs(firsts[bot] - seconds[bot]) <= 1 - bots % 2 for bot in names(bots))
    in_round = Counter((each.round, bot) for each in event.encounters() for bot in (each.first, each.second))
    assert max(in_round.values()) == 1
    assert max(each.round for each in event.encounters()) == bots - 1 + bots % 2


def test_the_second_cycle_is_the_first_with_sides_swapped() -> None:
    once, twice = (played(RoundRobin(cycles), 5).encounters() for cycles in (1, 2))
    assert twice[:10] == once
    assert [(e.second, e.first) for e in twice[10:]] == [(e.first, e.second) for e in once]


def test_late_bots_meet_everyone_who_is_there_after_the_rest() -> None:
    changes = (Roster(4, withdrawn=("bot002",)), Roster(5, added=("late1",)), Roster(8, added=("late2",)))
    event = Event(RoundRobin(), names(5), by_name, changes)
    event.run(random.Random(1), 3)
    assert pairs(event)[:10] == pairs(played(RoundRobin(), 5))
    here = ("bot001", "bot003", "bot004", "bot005")
    expected = [frozenset((bot, late)) for bot in here for late in ("late1", "late2")]
    assert Counter(pairs(event)[10:]) == Counter([*expected, frozenset(("late1", "late2"))])


def test_a_bot_may_come_when_all_is_scheduled_or_over() -> None:
    event = played(RoundRobin(), 3)
    event.changes = (Roster(4, added=("late",)),)
    event.run(random.Random(1), 1)
    assert pairs(event)[3:] != [] and all("late" in two for two in pairs(event)[3:])


@pytest.mark.parametrize(("bots", "seeds"), [(5, 1), (6, 2), (5, 4)])
def test_a_gauntlet_is_run_by_the_first_bots(bots: int, seeds: int) -> None:
    event = played(Gauntlet(cycles=2, seeds=seeds), bots)
    expected = [frozenset((a, b)) for a in names(bots)[:seeds] for b in names(bots)[seeds:]]
    assert Counter(pairs(event)) == Counter(expected * 2)


def test_a_gauntlet_ranks_by_the_share_of_points() -> None:
    event = Event(Gauntlet(seeds=2), names(4), by_name, (Roster(3, added=("a new one",)),))
    event.run(random.Random(1), 2)
    assert sum("a new one" in two for two in pairs(event)) == 2
    assert places(event)[:2] == [("a new one", 1), ("bot001", 2)]
    assert dict(event.ranking()[1].columns)["share"] == 2 / 3


def test_a_tie_goes_to_the_direct_encounter_and_then_is_shared() -> None:
    won = {"bot002 bot001", "bot001 bot003", "bot002 bot004", "bot003 bot002", "bot001 bot004"}

    def play(encounter: Encounter, leg: int) -> Verdict:
        x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
        return X if f"{x} {o}" in won else O if f"{o} {x}" in won else DRAW

    event = played(RoundRobin(), 4, play)
    assert [(each.bot, each.points) for each in event.ranking()[:2]] == [("bot002", 4), ("bot001", 4)]
    assert [dict(each.columns)["direct encounter"] for each in event.ranking()[:2]] == [2, 0]
    assert [place for _, place in places(event)] == [1, 2, 3, 4]
    assert places(played(RoundRobin(), 4, drawn)) == [(bot, 1) for bot in names(4)]


# --- swiss -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("bots", "rounds"), [(2, 1), (3, 2), (8, 4), (9, 5), (33, 7)])
def test_a_swiss_has_a_round_more_than_it_takes_to_find_a_winner(bots: int, rounds: int) -> None:
    event = played(Swiss(), bots)
    assert max(each.round for each in event.encounters()) == rounds
    assert len(set(pairs(event))) == len(pairs(event)) == rounds * (bots // 2)
    assert len({bye.bot for bye in event.byes()}) == len(event.byes()) == rounds * (bots % 2)


def test_in_a_swiss_equals_meet_and_the_best_win() -> None:
    event = played(Swiss(), 8)
    assert pairs(event)[:4] == [frozenset((f"bot00{at}", f"bot00{at + 4}")) for at in range(1, 5)]
    assert places(event)[0] == ("bot001", 1)
    ranked = event.ranking()
    assert [heading for heading, _ in ranked[0].columns] == ["Buchholz", "Sonneborn-Berger"]
    opponents = [next(iter(two - {"bot001"})) for two in pairs(event) if "bot001" in two]
    points = {each.bot: each.points for each in ranked}
    assert dict(ranked[0].columns)["Buchholz"] == sum(points[bot] for bot in opponents)


def test_a_late_bot_joins_the_next_round_and_who_left_is_not_paired() -> None:
    event = Event(Swiss(), names(8), by_name, (Roster(3, added=("late",)), Roster(6, withdrawn=("bot008",))))
    event.run(random.Random(1), 4)
    rounds = {each.round for each in event.encounters() if "late" in (each.first, each.second)}
    rounds |= {bye.round for bye in event.byes() if bye.bot == "late"}
    assert rounds == {2, 3, 4}
    assert [e.round for e in event.encounters() if "bot008" in (e.first, e.second)] == [1, 2]


# --- knockout ----------------------------------------------------------------------------------------------------


def test_the_seeding_keeps_the_best_apart() -> None:
    assert seeding(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]
    assert [seeding(bots) for bots in (1, 2, 3)] == [[1], [1, 2], [1, 4, 2, 3]]


def test_the_favourites_come_through() -> None:
    event = played(Knockout(third_place=True), 16)
    assert [each.label for each in event.encounters()] == [
        *["round of 16"] * 8,
        *["round of 8"] * 4,
        *["semifinal"] * 2,
        "third place",
        "final",
    ]
    shared = [place for place, count in ((5, 4), (9, 8)) for _ in range(count)]
    assert [place for _, place in places(event)] == [1, 2, 3, 4, *shared]
    assert [bot for bot, _ in places(event)[:4]] == list(names(4))
    assert dict(event.ranking()[0].columns) == {"stage": "winner", "decided by": "points"}
    assert [dict(ranked.columns)["stage"] for ranked in event.ranking()] == [
        *["winner", "lost the final", "third place", "fourth place"],
        *["lost in the round of 8"] * 4,
        *["lost in the round of 16"] * 8,
    ]
    without = played(Knockout(), 4).ranking()
    assert [(each.place, dict(each.columns)["stage"]) for each in without] == [
        (1, "winner"),
        (2, "lost the final"),
        (3, "lost the semifinal"),
        (3, "lost the semifinal"),
    ]


@pytest.mark.parametrize("bots", range(2, 18))
def test_byes_are_for_the_best_seeds(bots: int) -> None:
    event = played(Knockout(), bots)
    size = 1 << (bots - 1).bit_length()
    assert {bye.bot for bye in event.byes()} == set(names(size - bots))
    assert len(event.encounters()) == bots - 1
    assert places(event)[0] == ("bot001", 1)


def test_level_pairings_are_played_on_and_at_last_the_better_seed_is_through() -> None:
    event = played(Knockout(tie_breaks=2), 2, drawn)
    labels = ["final", "final, tie-break 1", "final, tie-break 2"]
    labels += [f"final, sudden death {each}" for each in range(1, SUDDEN + 1)]
    assert [each.label for each in event.encounters()] == labels
    assert places(event) == [("bot001", 1), ("bot002", 2)]
    assert dict(event.ranking()[0].columns)["decided by"] == "better seed"
    firsts = [each.first for each in event.encounters()]
    assert firsts[:3] == ["bot001", "bot002", "bot001"]


@pytest.mark.parametrize(("number", "how"), [(2, "tie-break 1"), (5, "sudden death 2")])
def test_the_first_encounter_that_is_won_decides(number: int, how: str) -> None:
    def play(encounter: Encounter, leg: int) -> Verdict:
        won = encounter.number == number and leg == 1
        return (O if encounter.first == "bot001" else X) if won else DRAW

    event = played(Knockout(tie_breaks=2), 2, play)
    assert len(event.encounters()) == number
    assert places(event) == [("bot002", 1), ("bot001", 2)]
    assert dict(event.ranking()[0].columns)["decided by"] == how


def test_who_left_is_walked_over_and_where_both_did_the_better_seed_goes_on() -> None:
    event = Event(Knockout(), names(4), drawn, (Roster(2, withdrawn=("bot001", "bot004", "bot002")),))
    event.run(random.Random(1), 1)
    assert [each.label for each in event.encounters()] == ["semifinal", "semifinal", "final"]
    assert places(event) == [("bot003", 1), ("bot001", 2), ("bot002", 3), ("bot004", 3)]
    decided = {each.bot: dict(each.columns)["decided by"] for each in event.ranking()}
    assert decided == {
        "bot003": "walkover",
        "bot001": "walkover",
        "bot002": "walkover",
        "bot004": "better seed",
    }


# --- ladder ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bots", [3, 4, 7, 20])
def test_a_ladder_gives_everyone_the_same_number_of_encounters(bots: int) -> None:
    event = played(Ladder(encounters=150), bots, by_chance(3))
    counts = Counter(bot for two in pairs(event) for bot in two)
    assert max(counts.values()) - min(counts.values()) <= 2
    last: dict[str, frozenset[str]] = {}
    for two in pairs(event):
        assert all(last.get(bot) != two for bot in two)
        last |= dict.fromkeys(two, two)
    firsts = Counter(each.first for each in event.encounters())
    assert all(abs(2 * firsts[bot] - counts[bot]) <= 3 for bot in names(bots))


def test_two_bots_on_a_ladder_meet_all_the_time() -> None:
    assert len(played(Ladder(encounters=9), 2).encounters()) == 9


def test_a_ladder_finds_the_order_and_has_everyone_measured_against_everyone() -> None:
    event = played(Ladder(encounters=600, window=4), 10)
    assert places(event) == [(bot, place) for place, bot in enumerate(names(10), 1)]
    assert len(set(pairs(event))) > 40
    elos = [dict(each.columns)["Elo"] for each in event.ranking()]
    assert elos == sorted(elos, reverse=True) and all(elo == round(elo) for elo in elos)


def test_a_ladder_without_end_goes_on_and_lets_a_newcomer_catch_up() -> None:
    event = Event(Ladder(), names(6), by_name, (Roster(31, added=("late",)),))
    event.run(random.Random(4), 3, most=120)
    counts = Counter(bot for two in pairs(event) for bot in two)
    assert sum(counts.values()) == 240 and max(counts.values()) - min(counts.values()) <= 2


def test_another_seed_draws_other_opponents() -> None:
    one, other = (played(Ladder(encounters=60), 8, drawn, seed=seed) for seed in (1, 2))
    assert pairs(one) != pairs(other)


# --- sequential test ---------------------------------------------------------------------------------------------


def test_what_was_under_way_when_the_test_decided_does_not_count() -> None:
    format = Sprt(elo0=0, elo1=200, alpha=0.1, beta=0.1)
    event = Event(format, names(2), by_name)
    event.run(random.Random(1), 8)
    last = last_counted(format, event.state)
    assert last is not None and last < len(event.encounters())
    assert event.ranking()[0].points == 2 * last
    assert last_counted(RoundRobin(), event.state) is None


def test_a_test_ends_at_its_bound_and_when_a_bot_leaves() -> None:
    assert len(played(Sprt(encounters=5), 2, drawn).encounters()) == 5
    event = Event(Sprt(), names(2), drawn, (Roster(8, withdrawn=("bot002",)),))
    event.run(random.Random(1), 2)
    assert len(event.encounters()) == 7 and event.timetable.over
