"""Layouts as text, and how they turn."""

import pytest
from hypothesis import given

from donuts_engine.layout import parse_layout, reflect_letters, turn_letters
from donuts_engine.squares import NotationError
from engine.strategies import layouts


def test_a_layout_of_35_letters_says_what_is_needed() -> None:
    with pytest.raises(NotationError) as fault:
        parse_layout("H" * 35)
    assert str(fault.value) == "layout has 35 letters; 36 (6 x 6) or 81 (9 x 9) of H V D A are needed"


def test_a_wrong_letter_is_named_with_its_square() -> None:
    with pytest.raises(NotationError) as fault:
        parse_layout("H" * 7 + "x" + "H" * 28)
    assert str(fault.value) == "layout has 'x' on b2; only H V D A are lines"


def test_a_layout_is_itself() -> None:
    assert parse_layout("HVDA" * 9) == "HVDA" * 9


def test_a_quarter_turn_goes_clockwise_and_changes_the_letters() -> None:
    """RULES 2.4, on one face; top row first as a person sees it: HDV AHH VVD -> ..."""
    #  a face, bottom row first        after a quarter turn clockwise, letters changed H<->V, D<->A
    #  H D V   (top)                   H D V
    #  A H H                           H V A
    #  V V D   (bottom)                A V H
    assert turn_letters("VVDAHHHDV", 3) == "".join(("AVH", "HVA", "HDV"))


def test_a_left_right_reflection_changes_the_diagonals_only() -> None:
    assert reflect_letters("VVDAHHHDV", 3) == "".join(("AVV", "HHD", "VAH"))


@given(layouts(6))
def test_four_quarters_are_none_and_two_reflections_are_none(layout: str) -> None:
    turned = layout
    for quarters in range(1, 4):
        turned = turn_letters(turned, 6)
        assert turned == turn_letters(layout, 6, quarters)
    assert turn_letters(turned, 6) == layout == turn_letters(layout, 6, 4)
    assert reflect_letters(reflect_letters(layout, 6), 6) == layout


@given(layouts(9))
def test_a_reflection_undoes_the_sense_of_a_turn(layout: str) -> None:
    there_and_back = turn_letters(reflect_letters(turn_letters(layout, 9), 9), 9)
    assert there_and_back == reflect_letters(layout, 9)
