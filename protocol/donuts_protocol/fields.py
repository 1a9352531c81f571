"""The shape of every message as data: its fields, their kinds and bounds, derived from the classes in `messages`.

Both codecs, the message table of SPEC.md and the JSON Schema are built from `shape`, so they cannot disagree.
"""

import re
from enum import Enum
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from donuts_protocol.keys import MAX_INT
from donuts_protocol.messages import Message

KEY = re.compile(r"[a-z][a-z0-9_]*\Z")
"""The form of a key; match it with `KEY.match`."""

_FORBIDDEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"  # Cc, bidi controls, Cs
)


class Kind(Enum):
    """What a value is; text and msgpack write each kind in one way."""

    INTEGER = "integer"
    CHOICE = "choice"
    """one of a few words or numbers"""
    TOKEN = "token"
    """a string of a fixed form (`pattern`) that never needs an escape"""
    STRING = "string"
    """free text between `low` and `high` characters"""
    LIST = "list"
    """between `low` and `high` tokens of the form `pattern`"""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """One attribute of one message."""

    key: str
    kind: Kind
    positional: bool
    required: bool
    dash: bool
    """`-` as the whole value in text, and no key in msgpack, say that there is none"""
    low: int
    high: int
    """bounds, both included: of an integer, of the characters of a string, of the items of a list"""
    choices: tuple[str | int, ...]
    pattern: str
    """regular expression of a token, or of each item of a list; "" for the other kinds"""
    reads: str
    """what a token, or each item of a list, must be"""
    description: str

    @property
    def expected(self) -> str:
        """What would be right, as the end of the sentence "KEY must be ..."."""
        if self.kind is Kind.INTEGER:
            upper = "2^53-1" if self.high == MAX_INT else str(self.high)
            text = f"an integer from {self.low} to {upper} without sign or leading zero"
        elif self.kind is Kind.CHOICE:
            text = "one of " + ", ".join(str(choice) for choice in self.choices)
        elif self.kind is Kind.TOKEN:
            text = self.reads
        else:
            what = "characters" if self.kind is Kind.STRING else f"items, each {self.reads}"
            text = f"{self.low} to {self.high} {what}"
        return text + " (or - for none)" if self.dash else text


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """One message: its class, its verb and its fields, the positional ones first."""

    type: type[Message]
    verb: str
    args: tuple[str, ...]
    fields: tuple[Field, ...]
    dashed_with: tuple[tuple[str, str], ...]

    @property
    def by_key(self) -> dict[str, Field]:
        """The fields by their keys, in the same order."""
        return {field.key: field for field in self.fields}

    @property
    def nullable(self) -> tuple[str, ...]:
        """Keys of the required fields that may be none."""
        return tuple(field.key for field in self.fields if field.required and field.dash)


def is_clean(text: str) -> bool:
    """Whether a decoded string holds no control character, surrogate or bidi control (DBP-3)."""
    return (text.isascii() and text.isprintable()) or _FORBIDDEN.search(text) is None


@cache
def shape(message: type[Message]) -> Shape:
    """The shape of one of the message classes."""
    info = inspect.type_info(message)
    assert isinstance(info, inspect.StructType)
    derived = {field.name: _field(message, field) for field in info.fields}
    fields = [derived.pop(key) for key in message.args]
    return Shape(
        type=message,
        verb=message.verb,
        args=message.args,
        fields=(*fields, *derived.values()),
        dashed_with=message.dashed_with,
    )


def _field(message: type[Message], field: inspect.Field) -> Field:
    kind = field.type
    description, reads = "", ""
    nullable = isinstance(kind, inspect.UnionType)
    if isinstance(kind, inspect.UnionType):
        (kind,) = (member for member in kind.types if not isinstance(member, inspect.NoneType))
    kind, description, reads = _unwrap(kind)
    # A key has one meaning, so `last` and `winner` may be - also where they are optional.
    dash = nullable and (field.required or field.name in ("last", "winner"))
    low, high, pattern = 0, 0, ""
    choices: tuple[str | int, ...] = ()
    match kind:
        case inspect.IntType(ge=ge, le=le):
            assert ge is not None and le is not None
            what, low, high = Kind.INTEGER, ge, le
        case inspect.LiteralType(values=values):
            what, choices = Kind.CHOICE, tuple(v for v in values if isinstance(v, str | int))
        case inspect.StrType(pattern=str(form)):
            what, pattern = Kind.TOKEN, form
        case inspect.StrType(min_length=least, max_length=most):
            assert most is not None
            what, low, high = Kind.STRING, least or 0, most
        case inspect.VarTupleType(item_type=item, max_length=most):
            item, _, reads = _unwrap(item)
            assert most is not None and isinstance(item, inspect.StrType) and item.pattern is not None
            what, high, pattern = Kind.LIST, most, item.pattern
            low = int(field.name in message.nonempty)
        case _:
            raise TypeError(f"{message.__name__}.{field.name}: no kind of the wire fits {kind}")
    return Field(
        key=field.name,
        kind=what,
        positional=field.name in message.args,
        required=field.required,
        dash=dash,
        low=low,
        high=high,
        choices=choices,
        pattern=pattern,
        reads=reads,
        description=description,
    )


def _unwrap(kind: inspect.Type) -> tuple[inspect.Type, str, str]:
    """The bare type with the description and the `reads` of its `Meta`."""
    if not isinstance(kind, inspect.Metadata):
        return kind, "", ""
    schema: dict[str, Any] = kind.extra_json_schema or {}
    extra: dict[str, Any] = kind.extra or {}
    return kind.type, schema.get("description", ""), extra.get("reads", "")
