"""Nothing that a bot writes can move a cursor, hide text or pass for something else where a person reads it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_protocol.escape import shown


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", ""),
        (b"move 5 e4", "move 5 e4"),
        (b"a\x1b[31m\x07\x00\x7f\r\n", r"a\x1b[31m\x07\x00\x7f\x0d\x0a"),
        (b"a\\x1b", r"a\\x1b"),
        ("é\U0001f369".encode(), "é\U0001f369"),
        (b"\xff\xc3", r"\xff\xc3"),
        ("\x9b".encode(), r"\x9b"),
        ("\u202egnp.exe\u2066", r"\u202egnp.exe\u2066"),
        ("\u2028\ud800", r"\u2028\ud800"),
        ("\U000e0001", r"\U000e0001"),
    ],
)
def test_shown(data, expected):
    assert shown(data) == expected


@given(st.one_of(st.binary(), st.text()))
def test_all_that_is_shown_prints_on_one_line(data):
    text = shown(data, None)
    assert text.isprintable()
    text.encode()


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_the_original_can_be_told_from_what_is_shown(data):
    restored = shown(data, None).encode("ascii", "backslashreplace").decode("unicode_escape")
    assert restored == data


@given(st.one_of(st.binary(max_size=100), st.text(max_size=100)), st.integers(3, 40))
def test_what_is_cut_says_so(data, limit):
    whole, cut = shown(data, None), shown(data, limit)
    assert len(cut) <= limit
    assert cut == whole or (cut.endswith("...") and whole.startswith(cut[:-3]))


def test_a_mebibyte_is_cut_before_it_is_looked_at():
    assert shown(b"\x1b" * 2**20, 40) == r"\x1b" * 9 + r"\..."
