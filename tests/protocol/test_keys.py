"""No key of the wire has two meanings, and the table of fields is what the message classes say."""

import re
from typing import Annotated, get_args, get_type_hints

import msgspec
import pytest

from donuts_protocol import keys
from donuts_protocol.fields import KEY, Kind, is_clean, shape
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, Move, Query, State, Turn
from protocol.strategies import ALL


def annotated(message):
    """The glossary type of each field, without the None of those that may be none."""
    for key, hint in get_type_hints(message, include_extras=True).items():
        if key in message.__struct_fields__:
            members = [member for member in get_args(hint) or (hint,) if member is not type(None)]
            yield key, members[0] if len(members) == 1 else hint


def test_no_key_has_two_meanings():
    meanings = {}
    for message in ALL:
        for key, meaning in annotated(message):
            assert meanings.setdefault(key, meaning) == meaning, f"{key} in {message.__name__}"
    assert len(meanings) > 40


def test_every_key_is_described_in_the_glossary():
    glossary = {repr(value) for value in vars(keys).values() if hasattr(value, "__metadata__")}
    for message in ALL:
        for key, meaning in annotated(message):
            assert repr(meaning) in glossary, key
        for field in shape(message).fields:
            assert field.description, f"{message.__name__}.{field.key}"
            assert KEY.match(field.key)


def test_one_key_has_one_shape_wherever_it_stands():
    known = {}
    for message in ALL:
        for f in shape(message).fields:
            what = (f.kind, f.high, f.choices, f.pattern, f.reads, f.description)
            assert known.setdefault(f.key, what) == what


def test_verbs_are_one_per_direction():
    for side in (FROM_BOT, FROM_REFEREE):
        assert len({message.verb for message in side}) == len(side)
    assert all(message.verb == message.__struct_config__.tag for message in ALL)


def test_arguments_come_first_and_are_required():
    for message in ALL:
        form = shape(message)
        assert tuple(f.key for f in form.fields if f.positional) == form.args
        assert [f.positional for f in form.fields] == sorted(
            (f.positional for f in form.fields), reverse=True
        )
        assert all(f.required for f in form.fields if f.positional)


def test_the_shape_of_a_move():
    form = shape(Move)
    assert form.args == ("id", "sq")
    assert form.by_key["eval"].kind is Kind.INTEGER and form.by_key["eval"].high == 1000
    assert form.by_key["proof"].choices == ("draw", "loss", "win")
    assert not form.by_key["pv"].required and form.by_key["pv"].low == 0


def test_dashes_stand_for_none_in_three_places():
    dashed = {(m.verb, f.key) for m in ALL for f in shape(m).fields if f.dash}
    expected = {
        ("turn", "last"),
        ("state", "last"),
        ("query", "last"),
        ("end", "winner"),
        ("state", "winner"),
    }
    assert dashed == expected | {("error", "id")}
    assert shape(Turn).nullable == ("last",)
    assert shape(Query).nullable == ()
    assert shape(State).dashed_with == (("winner", "why"),)


def test_only_the_legal_squares_of_a_turn_may_not_be_empty():
    assert [(m.verb, f.key) for m in ALL for f in shape(m).fields if f.kind is Kind.LIST and f.low] == [
        ("turn", "legal")
    ]


@pytest.mark.parametrize("text", ["", "a b", "é\U0001f369", "\ufeff", "\u2028", "%00"])
def test_clean_text(text):
    assert is_clean(text)


@pytest.mark.parametrize(
    "point", [0, 9, 10, 27, 31, 127, 128, 159, 0x61C, 0x200E, 0x202E, 0x2066, 0x2069, 0xD800]
)
def test_text_that_is_not_clean(point):
    assert not is_clean("a" + chr(point))


def test_patterns_are_anchored_at_both_ends():
    for message in ALL:
        for f in shape(message).fields:
            if f.pattern:
                assert f.pattern.startswith(r"\A") and f.pattern.endswith(r"\Z")
                assert re.compile(f.pattern).match("e4\n") is None


def test_a_type_the_wire_has_not_is_refused():
    class Odd(Turn, tag="odd", frozen=True, kw_only=True):
        share: Annotated[float, msgspec.Meta(ge=0)]

    with pytest.raises(TypeError, match="share"):
        shape(Odd)
