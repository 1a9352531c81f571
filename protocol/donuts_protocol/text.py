"""The text encoding: one message as one line of printable ASCII (DBP-3).

    verb id key=value key=value ...

`encode` and `decode` know the form of a line and of every value; they know neither the LF at its end nor the order of
messages. What is constant per verb is worked out once from `fields.shape`.
"""

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, TypeAlias

from donuts_protocol.errors import InvalidMessage
from donuts_protocol.escape import shown
from donuts_protocol.fields import KEY, Field, Kind, Shape, shape
from donuts_protocol.framing import MAX_BYTES
from donuts_protocol.messages import Message
from donuts_protocol.values import Read, Write, escape, no_field, read_id, reader, unescape, writer

__all__ = ["MAX_LINE", "decode", "decoder", "encode", "escape", "unescape"]

MAX_LINE = MAX_BYTES
"""Bytes of the longest line, its LF not counted."""

MOST_TEMPLATES = 256
"""Lines with their constant fields written in that are kept for each verb: more than two for a game in play."""


def encode(message: Message) -> bytes:
    """The message as a line without its LF; InvalidMessage if a value is one that no reader would accept."""
    return _encoder(type(message))(message)


def decode(line: bytes, types: tuple[type[Message], ...]) -> Message:
    """The message in `line` (without its LF), which must be one of `types`; InvalidMessage says what is wrong."""
    return decoder(types)(line)


# --- reading ----------------------------------------------------------------------------------------------------


@cache
def decoder(types: tuple[type[Message], ...]) -> Callable[[bytes], Message]:
    """`decode` for one set of message types; callers that read many lines keep it."""
    plans = {t.verb: _reading_plan(t) for t in types}

    def decode_line(line: bytes) -> Message:
        try:
            text = line.decode("ascii")
        except UnicodeDecodeError:
            raise _refused(line, plans, "") from None
        tokens = text.split(" ")
        plan = plans.get(tokens[0])
        if plan is None or not text.isprintable():
            raise _refused(line, plans, "")
        make, args, readers, required = plan
        if len(tokens) <= len(args):
            raise _refused(line, plans, args[len(tokens) - 1][0])
        values: dict[str, Any] = {}
        key = ""
        try:
            at = 1
            for key, read in args:
                values[key] = read(tokens[at])
                at += 1
            if len(tokens) > at:
                unknown: set[str] = set()
                for token in tokens[at:]:
                    key, equals, raw = token.partition("=")
                    if not equals:
                        key = ""
                        raise ValueError(no_field(token))
                    if key in values or key in unknown:
                        raise ValueError(f"{shown(key, 40)} is given twice")
                    if key in readers:
                        values[key] = readers[key](raw)
                    else:
                        _check_unknown(key, raw)
                        unknown.add(key)
            if required:
                for key in required:
                    if key not in values:
                        raise ValueError(f"{key} is missing")
        except ValueError as fault:
            raise _refused(line, plans, key, str(fault)) from None
        return make(**values)

    return decode_line


_Plan: TypeAlias = tuple[type[Message], Sequence[tuple[str, Read]], dict[str, Read], Sequence[str]]


@cache
def _reading_plan(message: type[Message]) -> _Plan:
    form = shape(message)
    args = tuple((field.key, reader(field)) for field in form.fields if field.positional)
    readers = {field.key: reader(field) for field in form.fields if not field.positional}
    required = tuple(field.key for field in form.fields if field.required and not field.positional)
    return message, args, readers, required


def _check_unknown(key: str, raw: str) -> None:
    if KEY.match(key) is None:
        raise ValueError(f"'{shown(key, 40)}' is no key; a key is made of lower-case letters, digits and _")
    unescape(raw)


def _refused(line: bytes, plans: dict[str, _Plan], key: str, reason: str = "") -> InvalidMessage:
    """The InvalidMessage for a line; finds the reason itself where the fault is in the line as a whole."""
    text = line.decode("latin-1")
    tokens = text.partition("\n")[0].split(" ")
    verb = tokens[0] if KEY.match(tokens[0]) else ""
    plan = plans.get(verb)
    id = None
    if plan is not None and plan[1] and len(tokens) > 1:
        id = read_id(tokens[1])
    if reason:
        pass
    elif not (text.isascii() and text.isprintable()):
        reason = "a line is printable ASCII; write anything else as %XX of its UTF-8 bytes"
    elif plan is None:
        reason = f"'{shown(tokens[0], 40)}' is no verb that may come here; these are: {', '.join(plans)}"
    else:
        reason = f"{key} is missing"
    return InvalidMessage(reason, verb=verb, id=id, key=key)


# --- writing ----------------------------------------------------------------------------------------------------


@cache
def _encoder(message: type[Message]) -> Callable[[Message], bytes]:
    form = shape(message)
    needed = [field for field in form.fields if field.required]
    constant = [field for field in needed if field.key in message.constant]
    varying = [field for field in needed if field.key not in message.constant]
    constant_writers = {field.key: writer(field) for field in constant}
    fetch_constant, written = _fetcher(constant), _written(varying)
    extras = _extras(form)
    keys = [field.key for field in needed]
    frame = " ".join([form.verb, *("%s" if field.positional else field.key + "=%s" for field in needed)])
    templates: dict[tuple[Any, ...], str] = {}

    def template_with(constants: tuple[Any, ...]) -> str:
        """The line with its constant fields written and a %s for each of the others."""
        values = zip(constant_writers.items(), constants, strict=True)
        written = {key: write(value).replace("%", "%%") for (key, write), value in values}
        if len(templates) >= MOST_TEMPLATES:
            templates.clear()
        templates[constants] = template = frame % tuple([written.get(key, "%s") for key in keys])
        return template

    def encode_message(m: Message) -> bytes:
        try:
            constants = fetch_constant(m)
            template = templates.get(constants) or template_with(constants)
            text = template % written(m)
            for key, write, companion in extras:
                value = getattr(m, key)
                if value is not None:
                    text += f" {key}={write(value)}"
                elif companion and getattr(m, companion) is not None:
                    text += f" {key}=-"
        except (ValueError, TypeError):
            raise _unwritable(m, form) from None
        if len(text) > MAX_LINE:
            raise InvalidMessage(
                f"this {form.verb} takes {len(text)} bytes; a line has at most {MAX_LINE}", verb=form.verb
            )
        return text.encode("ascii")

    return encode_message


def _fetcher(fields: list[Field]) -> Callable[[Message], tuple[Any, ...]]:
    """Gets the values of some fields of a message at once."""
    keys = [field.key for field in fields]
    if len(keys) > 1:
        return attrgetter(*keys)
    return lambda m: tuple([getattr(m, key) for key in keys])


def _written(fields: list[Field]) -> Callable[[Message], tuple[Any, ...]]:
    """Gets the values of some fields as text, checked; ValueError or TypeError where one may not be written.

    One function made for these fields, as `namedtuple` makes its own: it runs for every turn, and with a loop over
    writers `encode` takes 2.6 us for one instead of 1.6.
    """
    names: dict[str, Any] = {"ValueError": ValueError, "int": int, "type": type}
    lines = ["def written(m):"]
    for i, field in enumerate(fields):
        if field.kind is Kind.INTEGER and not field.dash:
            lines.append(f"    v{i} = m.{field.key}")
            lines.append(
                f"    if type(v{i}) is not int or not {field.low} <= v{i} <= {field.high}: raise ValueError"
            )
        else:
            names[f"write{i}"] = writer(field)
            lines.append(f"    v{i} = write{i}(m.{field.key})")
    lines.append(f"    return ({''.join(f'v{i}, ' for i in range(len(fields)))})")
    exec("\n".join(lines), names)
    function: Callable[[Message], tuple[Any, ...]] = names["written"]
    return function


def _extras(form: Shape) -> list[tuple[str, Write, str]]:
    companions = dict(form.dashed_with)
    return [(f.key, writer(f), companions.get(f.key, "")) for f in form.fields if not f.required]


def _unwritable(message: Message, form: Shape) -> InvalidMessage:
    """Names the field of a message that cannot be written."""
    for field in form.fields:
        value = getattr(message, field.key)
        if value is None and not field.required:
            continue
        try:
            writer(field)(value)
        except (ValueError, TypeError):
            reason = f"{field.key} must be {field.expected}, not {shown(repr(value), 60)}"
            return InvalidMessage(reason, verb=form.verb, key=field.key)
    return InvalidMessage(f"this {form.verb} cannot be written", verb=form.verb)
