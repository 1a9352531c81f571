"""One value of a message as text, read and written: integers, choices, tokens, strings, lists (DBP-3).

`reader` and `writer` turn the bounds of a field into a function once, so that a line costs no more than its values.
"""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from donuts_protocol.escape import shown
from donuts_protocol.fields import Field, Kind, is_clean
from donuts_protocol.keys import MAX_INT

Read: TypeAlias = Callable[[str], Any]
"""Text -> value; ValueError, with a sentence, where the text is none of the field."""
Write: TypeAlias = Callable[[Any], str]
"""Value -> text; ValueError or TypeError where the reader of the other end would refuse it."""

_SQUARE_FORM = r"\A[a-i][1-9]\Z"
_SQUARES = {column + row: column + row for column in "abcdefghi" for row in "123456789"}
_NEVER_ESCAPED = re.compile(r"[!-$&-+\--<>-~]*\Z")  # 0x21-0x7E without % , =
_ESCAPED = [chr(b) if _NEVER_ESCAPED.match(chr(b)) else f"%{b:02X}" for b in range(128)]
_ESCAPED += [f"%{b:02X}" for b in range(128, 256)]
_ESCAPES_OF_ASCII = {code: escaped for code, escaped in enumerate(_ESCAPED[:128]) if len(escaped) > 1}
_ID_DIGITS = len(str(MAX_INT))


def escape(value: str) -> str:
    """A string as it is written in text: SP % , = and all outside 0x21-0x7E as %XX of its UTF-8 bytes."""
    if _NEVER_ESCAPED.match(value):
        return value
    if value.isascii():
        return value.translate(_ESCAPES_OF_ASCII)
    return "".join([_ESCAPED[b] for b in value.encode()])


def unescape(raw: str) -> str:
    """The string that `raw`, printable ASCII, stands for; ValueError if an escape is broken or hides a control."""
    if "%" not in raw:
        return raw
    first, *rest = raw.split("%")
    data = bytearray(first, "ascii")
    for part in rest:
        pair = part[:2]
        try:
            if len(pair) < 2:
                raise ValueError
            data += bytes.fromhex(pair)
        except ValueError:
            raise ValueError(
                f"'%{shown(pair)}' is no escape; write % and two hex digits, and % itself as %25"
            ) from None
        data += part[2:].encode("ascii")
    try:
        value = data.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"the escapes in '{shown(raw, 60)}' are not the bytes of UTF-8") from None
    if not is_clean(value):
        raise ValueError(
            f"'{shown(raw, 60)}' hides a control character or a bidi control, which no string may hold"
        )
    return value


def read_id(token: str) -> int | None:
    """The integer a token stands for, or None where it is none: 0..2^53-1, no sign, no leading zero."""
    if (
        token.isdecimal()
        and token.isascii()
        and (token[0] != "0" or token == "0")
        and len(token) <= _ID_DIGITS
    ):
        value = int(token)
        return value if value <= MAX_INT else None
    return None


def begins_answer(rest: bytes, id: int) -> bool:
    """Whether an unfinished line is, or could have become, a `move` or `resign` for turn `id`."""
    tokens = rest.removesuffix(b"\r").split(b" ")
    if len(tokens) == 1:
        return tokens[0] != b"" and (b"move".startswith(tokens[0]) or b"resign".startswith(tokens[0]))
    if tokens[0] not in (b"move", b"resign"):
        return False
    if len(tokens) == 2 and str(id).encode().startswith(tokens[1]):
        return True
    found = read_id(tokens[1].decode("latin-1"))
    return found is None or found == id


def no_field(token: str) -> str:
    if token == "":
        return "tokens are separated by exactly one space and none stands at an end"
    return f"'{shown(token, 60)}' has no =; after the arguments every token is key=value"


def reader(field: Field) -> Read:
    read = _plain_reader(field)
    if not field.dash:
        return read

    def read_or_none(raw: str) -> Any:
        return None if raw == "-" else read(raw)

    return read_or_none


def _plain_reader(field: Field) -> Read:
    low, high = field.low, field.high

    def fault(raw: str) -> ValueError:
        if raw == "" and field.positional:
            return ValueError(no_field(raw))
        return ValueError(f"{field.key} must be {field.expected}, not '{shown(raw, 60)}'")

    def read_integer(raw: str) -> int:
        if raw.isdecimal() and (raw[0] != "0" or raw == "0") and len(raw) <= _ID_DIGITS:
            value = int(raw)
            if low <= value <= high:
                return value
        raise fault(raw)

    if field.kind is Kind.INTEGER:
        return read_integer

    if field.kind is Kind.STRING:

        def read_string(raw: str) -> str:
            value = unescape(raw)
            if not low <= len(value) <= high:
                raise fault(raw)
            return value

        return read_string

    if field.kind is Kind.LIST:
        accepts = _acceptor(field.pattern)

        def read_list(raw: str) -> tuple[str, ...]:
            items = tuple(raw.split(",")) if raw else ()
            if not (low <= len(items) <= high and accepts(items)):
                raise fault(raw)
            return items

        return read_list

    if field.kind is Kind.CHOICE:
        known: dict[str, str | int] = {str(choice): choice for choice in field.choices}
    elif field.pattern == _SQUARE_FORM:
        known = dict(_SQUARES)
    else:
        matches = re.compile(field.pattern).match

        def read_token(raw: str) -> str:
            if matches(raw) is None:
                raise fault(raw)
            return raw

        return read_token

    def read_known(raw: str) -> str | int:
        try:
            return known[raw]
        except KeyError:
            raise fault(raw) from None

    return read_known


def _acceptor(pattern: str) -> Callable[[tuple[str, ...]], bool]:
    """Whether all of some tokens have the form."""
    if pattern == _SQUARE_FORM:
        return frozenset(_SQUARES).issuperset
    matches = re.compile(pattern).match
    return lambda items: all(matches(item) is not None for item in items)


def writer(field: Field) -> Write:
    write = _plain_writer(field)
    if not field.dash:
        return write

    def write_or_dash(value: Any) -> str:
        return "-" if value is None else write(value)

    return write_or_dash


def _plain_writer(field: Field) -> Write:
    """Turns a value into text; ValueError or TypeError where the reader of the other end would refuse it."""
    low, high = field.low, field.high

    def write_integer(value: int) -> str:
        if type(value) is int and low <= value <= high:
            return str(value)
        raise ValueError

    if field.kind is Kind.INTEGER:
        return write_integer

    if field.kind is Kind.STRING:

        def write_string(value: str) -> str:
            if low <= len(value) <= high and is_clean(value):
                return escape(value)
            raise ValueError

        return write_string

    if field.kind is Kind.LIST:
        accepts = _acceptor(field.pattern)

        def write_list(value: tuple[str, ...]) -> str:
            if low <= len(value) <= high and accepts(value):
                return ",".join(value)
            raise ValueError

        return write_list

    if field.kind is Kind.CHOICE:
        known = {choice: str(choice) for choice in field.choices}

        def write_choice(value: str | int) -> str:
            if value in known and type(value) is not bool:
                return known[value]
            raise ValueError

        return write_choice

    if field.pattern == _SQUARE_FORM:

        def write_square(value: str) -> str:
            if value not in _SQUARES:
                raise ValueError
            return value

        return write_square

    matches = re.compile(field.pattern).match

    def write_token(value: str) -> str:
        if matches(value) is None:
            raise ValueError
        return value

    return write_token
