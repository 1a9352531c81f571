"""Clocks and time controls are exact arithmetic; nothing here takes any time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol.keys import NO_LIMIT
from donuts_referee.table.clock import MS, SideClock
from donuts_referee.table.control import ControlError, TimeControl


def control(text: str, **more: int) -> TimeControl:
    return TimeControl.parse(text, **more)


def test_increment_is_in_the_clock_before_the_first_move():
    clock = SideClock(control("60+0.1"))
    allowed = clock.begin()
    assert (allowed.clock, allowed.limit, allowed.margin, allowed.budget) == (60_100, 60_100, 50, 60_150 * MS)


def test_charge_is_rounded_down_and_the_next_increment_is_not_shown_to_the_opponent():
    clock = SideClock(control("60+0.1"))
    clock.begin()
    charge = clock.charge(790 * MS + 999_999)
    assert (charge.spent, charge.left, charge.flagged) == (790, 59_310, False)
    assert clock.left == 59_310
    assert clock.begin().clock == 59_410


@pytest.mark.parametrize(("over", "flagged"), [(0, False), (1, True)])
def test_flag_falls_one_nanosecond_after_limit_and_margin(over: int, flagged: bool):
    clock = SideClock(control("1"))
    clock.begin()
    assert clock.charge(1050 * MS + over).flagged is flagged


def test_time_per_move_is_never_saved_and_overruns_count_against_the_margin_only():
    clock = SideClock(TimeControl.each("0.1"))
    assert clock.left == 100
    for expected in (50, 50, 50, 50, 50, 0, 0):
        allowed = clock.begin()
        assert (allowed.clock, allowed.limit, allowed.margin) == (100, 100, expected)
        charge = clock.charge((100 + expected) * MS)
        assert (charge.left, charge.flagged) == (100, False)


def test_margin_in_force_is_rounded_down_from_nanoseconds():
    clock = SideClock(TimeControl.each("0.1", margin=10))
    for _ in range(4):
        clock.begin()
        clock.charge(110 * MS)
    clock.begin()
    clock.charge(100 * MS + 1)  # one ns over: 40 ms and 1 ns of 50 are used up
    assert clock.begin().margin == 9


def test_no_limit_charges_nothing():
    clock = SideClock(control("inf"))
    allowed = clock.begin()
    assert (allowed.clock, allowed.limit, allowed.budget) == (NO_LIMIT, NO_LIMIT, None)
    assert clock.charge(10**15) == (0, NO_LIMIT, False)
    assert clock.left == NO_LIMIT


def test_movemax_caps_the_limit_but_not_the_clock():
    clock = SideClock(TimeControl(main=5000, inc=0, movemax=700))
    allowed = clock.begin()
    assert (allowed.clock, allowed.limit) == (5000, 700)


@given(
    main=st.integers(0, 100_000),
    inc=st.integers(1, 5_000),
    margin=st.integers(0, 500),
    thinking=st.lists(st.integers(0, 10_000 * MS), max_size=40),
)
def test_a_clock_is_never_negative_and_margins_never_exceed_five(main, inc, margin, thinking):
    clock = SideClock(TimeControl(main, inc, None, margin))
    left, overruns = main, 0
    for used in thinking:
        allowed = clock.begin()
        assert allowed.clock == left + inc
        assert 0 <= allowed.margin <= margin
        used = min(used, allowed.budget)
        charge = clock.charge(used)
        assert not charge.flagged
        left = max(0, allowed.clock - used // MS)
        assert charge.left == clock.left == left
        overruns += max(0, used - allowed.limit * MS)
        assert overruns <= 5 * margin * MS


@pytest.mark.parametrize(
    ("text", "main", "inc", "shown"),
    [
        ("60+0.1", 60_000, 100, "60+0.1"),
        ("60", 60_000, 0, "60+0"),
        ("0.5+0", 500, 0, "0.5+0"),
        ("0+1", 0, 1000, "0+1"),
        ("inf", NO_LIMIT, 0, "inf"),
    ],
)
def test_time_controls_that_are_understood(text, main, inc, shown):
    parsed = TimeControl.parse(text)
    assert (parsed.main, parsed.inc, parsed.movemax, str(parsed)) == (main, inc, None, shown)


@pytest.mark.parametrize(
    "text",
    [
        "abc",
        "",
        "+",
        "60+",
        "+1",
        "-1",
        "1+-1",
        "nan",
        "1e9",
        "٣",
        "60+0.1+1",
        "0",
        "0+0",
        "9999999",
        "0.0001",
        "1_0",
        " 60",
    ],
)
def test_time_controls_that_are_refused_name_the_fault(text):
    with pytest.raises(ControlError, match=r"write|at most|millisecond"):
        TimeControl.parse(text)


@pytest.mark.parametrize("text", ["abc", "", "0", "-1", "inf", "0.00001", "1+1", "9999999"])
def test_times_per_move_that_are_refused(text):
    with pytest.raises(ControlError):
        TimeControl.each(text)


@given(st.text(max_size=12))
def test_any_text_is_a_control_or_one_clear_error(text):
    try:
        parsed = TimeControl.parse(text)
    except ControlError as error:
        assert "\n" not in str(error)
    else:
        assert parsed.main + parsed.inc > 0


def test_an_answer_owes_no_more_than_limit_and_margin():
    allowed = SideClock(TimeControl.each("0.1", margin=50)).begin()
    for used in (0, 1, 149 * MS, 150 * MS):
        assert allowed.owed(used) == (used, 0)
    assert allowed.owed(150 * MS + 1) == (150 * MS, 1)
    assert allowed.owed(7_000 * MS) == (150 * MS, 6_850 * MS)
    assert SideClock(TimeControl.parse("inf")).begin().owed(7_000 * MS) == (7_000 * MS, 0)
