"""The ladder: what a game does to the rows, how a version begins, and whether ratings tell who is stronger."""

import math
import random
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.arena.ladder import FEW, POINTS, WIDE, Ladder, LadderFault, Outcome, Row, RowKey

A, B, C = RowKey("a", "1"), RowKey("b", "1"), RowKey("c")


def played(*outcomes: Outcome) -> Ladder:
    ladder = Ladder()
    for one in outcomes:
        ladder.count(one)
    return ladder


def test_a_bot_that_nobody_knows_begins_at_1500_and_is_in_no_standings() -> None:
    ladder = Ladder()
    row = ladder.row(A)
    assert (row.rating, row.games, row.score, row.provisional) == (1500.0, 0, None, True)
    assert row.deviation > WIDE
    assert ladder.latest("a") is None
    assert ladder.standings() == []
    assert ladder.row(A) == row  # asking makes no row


def test_a_win_is_counted_on_both_sides_and_moves_both_ratings() -> None:
    ladder = played(Outcome(A, B, "o"))
    a, b = ladder.row(A), ladder.row(B)
    assert (a.games, a.wins, a.draws, a.losses, a.score) == (1, 0, 0, 1, 0.0)
    assert (b.games, b.wins, b.draws, b.losses, b.score) == (1, 1, 0, 0, 1.0)
    assert a.rating < 1500 < b.rating
    assert a.rating + b.rating == pytest.approx(3000)
    assert a.deviation < Ladder().row(A).deviation
    assert ladder.standings() == [b, a]


def test_a_draw_of_equals_moves_no_rating_and_narrows_both() -> None:
    ladder = played(Outcome(A, B, "-"))
    a, b = ladder.row(A), ladder.row(B)
    assert (a.draws, b.draws, a.score, b.score) == (1, 1, 0.5, 0.5)
    assert a.rating == pytest.approx(1500) and b.rating == pytest.approx(1500)
    assert a.deviation == b.deviation < Ladder().row(A).deviation


def test_a_draw_with_a_stronger_bot_is_worth_something() -> None:
    ladder = played(*[Outcome(A, B, "x")] * 5)
    before = ladder.row(B).rating
    ladder.count(Outcome(B, A, "-"))
    assert ladder.row(B).rating > before


@pytest.mark.parametrize(("fault", "of"), [(None, (0, 0)), ("x", (1, 0)), ("o", (0, 1)), ("xo", (1, 1))])
def test_faults_are_counted_with_whose_they_are(fault, of) -> None:
    ladder = played(Outcome(A, B, "-", fault=fault))
    assert (ladder.row(A).faults, ladder.row(B).faults) == of


def test_a_void_game_counts_in_voids_alone() -> None:
    ladder = played(Outcome(A, B, "-", void=True, fault="x"))
    assert ladder.row(A) == Row(key=A, voids=1)
    assert ladder.row(B) == Row(key=B, voids=1)
    assert ladder.standings() == []
    before = played(Outcome(A, B, "x"))
    rating = before.row(A).rating
    before.count(Outcome(A, B, "o", void=True))
    assert (before.row(A).rating, before.row(A).games, before.row(A).voids) == (rating, 1, 1)


def test_a_new_version_begins_with_the_latest_rating_of_its_seat_and_the_widest_deviation() -> None:
    ladder = played(*[Outcome(A, B, "x")] * 40)
    old, fresh = ladder.row(A), ladder.row(RowKey("a", "2"))
    assert fresh.rating == old.rating > 1500
    assert fresh.deviation == Ladder().row(A).deviation > old.deviation
    assert (fresh.games, fresh.provisional) == (0, True)
    ladder.count(Outcome(RowKey("a", "2"), B, "o"))
    assert ladder.row(A) == old  # the old row stays as it was
    assert ladder.latest("a") == RowKey("a", "2")
    # the third begins where the second stands, and the second goes on where it was when it comes back
    assert ladder.row(RowKey("a", "3")).mu == ladder.row(RowKey("a", "2")).mu < old.mu
    ladder.count(Outcome(A, B, "x"))
    assert ladder.latest("a") == A and ladder.row(A).games == 41


def test_two_versions_of_a_bot_may_meet() -> None:
    ladder = played(Outcome(A, RowKey("a", "2"), "o"))
    assert [row.key.ver for row in ladder.standings()] == ["2", "1"]


def test_a_game_of_a_row_with_itself_rates_nothing() -> None:
    ladder = played(Outcome(A, A, "x"), Outcome(A, A, "-"))
    row = ladder.row(A)
    assert (row.games, row.wins, row.draws, row.losses, row.score) == (4, 1, 2, 1, 0.5)
    assert (row.mu, row.sigma) == (Row(key=A).mu, Row(key=A).sigma)


def test_settled_rows_stand_above_provisional_ones_and_each_kind_by_rating() -> None:
    dice = random.Random(1)
    ladder = Ladder()
    for _ in range(FEW):
        ladder.count(Outcome(A, B, "x" if dice.random() < 0.6 else "o"))
    ladder.count(Outcome(C, RowKey("d"), "x"))
    rows = ladder.standings()
    assert [row.key.seat for row in rows] == ["a", "b", "c", "d"]
    assert [row.provisional for row in rows] == [False, False, True, True]
    assert rows[2].rating > rows[1].rating  # a first win is a leap, and no place among the settled


def test_a_bot_that_only_ever_beats_a_weak_one_stays_provisional() -> None:
    row = Row(key=A, games=1000, wins=1000)
    assert row.deviation > WIDE and row.provisional


def test_equals_stand_in_a_fixed_order() -> None:
    keys = [RowKey("b"), RowKey("a", "2"), RowKey("a", "1"), RowKey("d")]
    ladder = played(Outcome(keys[0], keys[1], "-"), Outcome(keys[2], keys[3], "-"))
    assert [row.key for row in ladder.standings()] == sorted(keys)


KEYS = st.builds(RowKey, st.sampled_from("abcd"), st.sampled_from(["", "1", "2"]))
OUTCOMES = st.builds(
    Outcome,
    KEYS,
    KEYS,
    st.sampled_from(["x", "o", "-"]),
    st.booleans(),
    st.sampled_from([None, "x", "o", "xo"]),
)


@given(st.lists(OUTCOMES, max_size=40))
def test_every_game_is_counted_once_on_each_side(outcomes: list[Outcome]) -> None:
    ladder = played(*outcomes)
    rows = ladder.standings()
    counted = [one for one in outcomes if not one.void]
    assert sum(row.games for row in rows) == 2 * len(counted)
    assert sum(row.wins for row in rows) == sum(row.losses for row in rows)
    assert all(row.games == row.wins + row.draws + row.losses > 0 for row in rows)
    assert sum(row.faults for row in rows) == sum(len(one.fault or "") for one in counted)
    assert all(math.isfinite(row.mu) and 0 < row.deviation < 600 for row in rows)
    assert [row.provisional for row in rows] == sorted(row.provisional for row in rows)
    assert played(*outcomes).standings() == rows  # the same results give the same ladder


def test_four_hundred_points_are_ten_to_one() -> None:
    """Two bots whose strengths are known play long enough; the scale tells their odds."""
    dice = random.Random(7)
    ladder, seen = Ladder(), []
    for number in range(6000):
        ladder.count(Outcome(A, B, "x" if dice.random() < 10 / 11 else "o"))
        if number > 2000:
            seen.append(ladder.row(A).rating - ladder.row(B).rating)
    assert sum(seen) / len(seen) == pytest.approx(400, abs=40)
    assert pytest.approx(29.48, abs=0.01) == POINTS


def test_the_deviation_holds_the_strength_of_most() -> None:
    """Twelve bots of known strength, all against all: the true distance from the mean lies within the deviation."""
    dice = random.Random(3)
    strength = {RowKey(f"bot{number:02d}"): 1200.0 + 50 * number for number in range(12)}
    ladder = Ladder()
    for _ in range(1500):
        x, o = dice.sample(sorted(strength), 2)
        odds = 1 / (1 + 10 ** ((strength[o] - strength[x]) / 400))
        ladder.count(Outcome(x, o, "x" if dice.random() < odds else "o"))
    rows = ladder.standings()
    mean, true_mean = sum(row.rating for row in rows) / 12, sum(strength.values()) / 12
    within = [abs(row.rating - mean - (strength[row.key] - true_mean)) <= row.deviation for row in rows]
    assert sum(within) >= 11
    assert not any(row.provisional for row in rows)


def test_without_openskill_there_is_one_line_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "openskill.models", None)
    with pytest.raises(LadderFault) as caught:
        Ladder()
    assert str(caught.value) == "openskill is not installed: pip install openskill"


def test_openskill_is_loaded_only_when_a_ladder_is_made() -> None:
    script = "import sys, donuts_referee.arena.ladder; print('openskill' in sys.modules)"
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120
    )
    assert ran.stdout == "False\n"
