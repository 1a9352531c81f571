"""Hypothesis strategies for whole messages, derived from the same table of fields as the codecs."""

from typing import Any

from hypothesis import strategies as st

from donuts_protocol.fields import Field, Kind, shape
from donuts_protocol.messages import FROM_BOT, FROM_REFEREE, SERVICE_ANSWERS, SERVICE_ASKS, Message

ALL = tuple(dict.fromkeys(FROM_BOT + FROM_REFEREE + SERVICE_ASKS + SERVICE_ANSWERS))
BIDI = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"

clean_characters = st.characters(exclude_categories=("Cc", "Cs"), exclude_characters=BIDI)
awkward_characters = st.sampled_from(" %,=#-+\\'\"é\u20ac\U0001f369\ufeff\u2028")
squares = st.builds(str.__add__, st.sampled_from("abcdefghi"), st.sampled_from("123456789"))


def tokens(pattern: str) -> st.SearchStrategy[str]:
    if pattern == r"\A[a-i][1-9]\Z":
        return squares
    return st.from_regex(pattern, fullmatch=True)


def values(field: Field) -> st.SearchStrategy[Any]:
    match field.kind:
        case Kind.INTEGER:
            return st.integers(field.low, field.high)
        case Kind.CHOICE:
            return st.sampled_from(field.choices)
        case Kind.TOKEN:
            return tokens(field.pattern)
        case Kind.STRING:
            letters = st.one_of(awkward_characters, clean_characters)
            return st.text(letters, min_size=field.low, max_size=field.high)
        case Kind.LIST:
            return st.lists(tokens(field.pattern), min_size=field.low, max_size=field.high).map(tuple)


@st.composite
def messages_of(draw: st.DrawFn, kind: type[Message]) -> Message:
    """Any valid message of one class; the form leaves out what may be left out now and then."""
    found = {}
    for field in shape(kind).fields:
        if not field.required and draw(st.booleans()):
            continue
        if field.required and field.dash and draw(st.booleans()):
            found[field.key] = None
        else:
            found[field.key] = draw(values(field))
    return kind(**found)


def messages(kinds: tuple[type[Message], ...] = ALL) -> st.SearchStrategy[Message]:
    return st.sampled_from(kinds).flatmap(messages_of)


@st.composite
def chunked(draw: st.DrawFn, data: bytes) -> list[bytes]:
    """The bytes, cut anywhere."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=12)))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
