"""Names and indices of squares."""

import pytest

from donuts_engine.squares import NAMES, SIZES, NotationError, index, name


def test_the_index_runs_from_a1_row_by_row() -> None:
    assert NAMES[6][:8] == ("a1", "b1", "c1", "d1", "e1", "f1", "a2", "b2")
    assert NAMES[6][-1] == "f6"
    assert NAMES[9][:10] == ("a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1", "i1", "a2")
    assert NAMES[9][-1] == "i9"


@pytest.mark.parametrize("size", SIZES)
def test_name_and_index_are_inverse(size: int) -> None:
    assert [index(name(i, size), size) for i in range(size * size)] == list(range(size * size))


@pytest.mark.parametrize("wrong", ["g1", "a7", "a0", "A1", "a", "", "a11", " a1", "a1 ", "á1", "-"])
def test_a_name_that_is_no_square_is_refused(wrong: str) -> None:
    with pytest.raises(NotationError, match=r"is not a square of the 6 x 6 board \(a1 to f6\)"):
        index(wrong, 6)


def test_a_fault_shows_foreign_text_as_plain_ascii() -> None:
    with pytest.raises(NotationError) as fault:
        index("\x1b[31m" + "é" * 500, 6)
    assert str(fault.value).isascii()
    assert str(fault.value).isprintable()
    assert len(str(fault.value)) < 400


@pytest.mark.parametrize("wrong", [-1, 36])
def test_an_index_off_the_board_has_no_name(wrong: int) -> None:
    with pytest.raises(IndexError):
        name(wrong, 6)
