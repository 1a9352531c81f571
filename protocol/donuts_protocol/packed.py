"""The msgpack encoding: one message as one map (DBP-4).

The verb stands under `"t"`; every argument and field under its own key. What text writes as `-` is left out. Every
bound of the reader is set before it sees a byte of a peer.
"""

from functools import cache
from typing import Any

import msgpack  # type: ignore[import-untyped]
import msgspec

from donuts_protocol.errors import InvalidMessage, UndecodablePayload
from donuts_protocol.escape import shown
from donuts_protocol.fields import KEY, Shape, is_clean, shape
from donuts_protocol.framing import MAX_BYTES
from donuts_protocol.keys import MAX_INT
from donuts_protocol.messages import Message

MAX_PAYLOAD = MAX_BYTES
"""Bytes of the longest payload, its length prefix not counted."""

MAX_ITEMS = 1024
"""Items of the longest array or map; the reader makes room for as many as a header claims."""

MAX_DEPTH = 3
"""The map itself is depth 1."""


def encode(message: Message) -> bytes:
    """The message as a map, without a length prefix; InvalidMessage if a value is one that no reader would accept."""
    form = shape(type(message))
    try:
        builtins: dict[str, Any] = msgspec.to_builtins(message)
    except TypeError as fault:
        raise InvalidMessage(f"this {form.verb} cannot be written: {fault}", verb=form.verb) from None
    pairs = {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in builtins.items()
        if value is not None
    }
    _message(pairs, form, None)
    payload = bytes(msgpack.packb(pairs) or b"")
    if len(payload) > MAX_PAYLOAD:
        reason = f"this {form.verb} takes {len(payload)} bytes; a payload has at most {MAX_PAYLOAD}"
        raise InvalidMessage(reason, verb=form.verb)
    return payload


def decode(payload: bytes, types: tuple[type[Message], ...]) -> Message:
    """The message in `payload`, which must be one of `types`.

    UndecodablePayload where it is no map at all, InvalidMessage where it is a map that is no such message.
    """
    pairs = _unpack(payload)
    forms = _forms(types)
    verb = pairs.get("t")
    form = forms.get(verb) if isinstance(verb, str) else None
    if form is None:
        named = verb if isinstance(verb, str) and KEY.match(verb) else ""
        reason = 'there is no verb under "t"' if verb is None else f"'{shown(str(verb), 40)}' is no verb"
        raise InvalidMessage(f"{reason} that may come here; these are: {', '.join(forms)}", verb=named)
    id = pairs.get("id") if "id" in form.args else None
    return _message(pairs, form, id if type(id) is int and 0 <= id <= MAX_INT else None)


# --- bytes to a map ---------------------------------------------------------------------------------------------


def _unpack(payload: bytes) -> dict[str, Any]:
    """The map; UndecodablePayload where there is none.

    bin, ext and strings that are no UTF-8 make the strict reader give up. They are wrong values in a map, not rubbish:
    a second reading, which is as bounded as the payload is, hands them on, so that the walk over the values can name
    them beside the verb and the id.
    """
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        raise UndecodablePayload(f"a payload has 1 to {MAX_PAYLOAD} bytes, not {len(payload)}")
    try:
        try:
            found = _read(payload, bytes_at_most=0, unicode_errors="strict")
        except (ValueError, msgpack.UnpackException):
            found = _read(payload, bytes_at_most=MAX_PAYLOAD, unicode_errors="surrogateescape")
    except msgpack.ExtraData as extra:
        raise UndecodablePayload(
            f"{len(extra.extra)} bytes follow the map; a payload is one map alone"
        ) from None
    except msgpack.StackError:
        raise UndecodablePayload(f"it nests deeper than {MAX_DEPTH}") from None
    except _BadKey as fault:
        raise UndecodablePayload(str(fault)) from None
    except (ValueError, msgpack.UnpackException) as fault:
        raise UndecodablePayload(
            f"it is not one msgpack map ({shown(str(fault) or type(fault).__name__, 60)})"
        ) from None
    if not isinstance(found, dict):
        raise UndecodablePayload(f"it is {_type_name(found)}, not a map")
    if _depth_exceeds(found, MAX_DEPTH):
        raise UndecodablePayload(f"it nests deeper than {MAX_DEPTH}")
    return found


def _read(payload: bytes, *, bytes_at_most: int, unicode_errors: str) -> Any:
    return msgpack.unpackb(
        payload,
        raw=False,
        use_list=True,
        strict_map_key=True,
        object_pairs_hook=_map_of,
        unicode_errors=unicode_errors,
        max_str_len=MAX_PAYLOAD,
        max_array_len=MAX_ITEMS,
        max_map_len=MAX_ITEMS,
        max_bin_len=bytes_at_most,
        max_ext_len=bytes_at_most,
    )


class _BadKey(ValueError):
    pass


def _map_of(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if not isinstance(key, str):
            raise _BadKey(f"a key is {_type_name(key)}, not a string")
        if key in found:
            raise _BadKey(f"the key '{shown(key, 40)}' stands twice in one map")
        found[key] = value
    return found


def _depth_exceeds(value: object, depth: int) -> bool:
    if isinstance(value, dict):
        return depth == 0 or any(_depth_exceeds(v, depth - 1) for v in value.values())
    if isinstance(value, list):
        return depth == 0 or any(_depth_exceeds(v, depth - 1) for v in value)
    return False


# --- a map to a message -----------------------------------------------------------------------------------------


@cache
def _forms(types: tuple[type[Message], ...]) -> dict[str, Shape]:
    return {t.verb: shape(t) for t in types}


def _message(pairs: dict[str, Any], form: Shape, id: int | None) -> Message:
    """The typed message that the map holds; InvalidMessage names the key at fault."""

    def refused(key: str, reason: str) -> InvalidMessage:
        return InvalidMessage(reason, verb=form.verb, id=id, key=key)

    for key, value in pairs.items():
        if KEY.match(key) is None:
            reason = f"'{shown(key, 40)}' is no key; a key is made of lower-case letters, digits and _"
            raise refused(key, reason)
        if fault := _fault(value):
            raise refused(key, f"{key} {fault}")
    for field in form.fields:
        if field.required and not field.dash and field.key not in pairs:
            raise refused(field.key, f"{field.key} is missing")
    nothing = dict.fromkeys(form.nullable)
    key = ""
    try:
        message = msgspec.convert({**nothing, **pairs}, form.type)
        for key in form.type.nonempty:
            if not getattr(message, key):
                raise msgspec.ValidationError
    except msgspec.ValidationError as error:
        key = str(error).partition("`$.")[2].rstrip("`").partition("[")[0] or key
        value = pairs.get(key)
        written = value if isinstance(value, str) else repr(value)
        raise refused(key, f"{key} must be {form.by_key[key].expected}, not '{shown(written, 60)}'") from None
    return message


def _fault(value: object) -> str:
    """What is wrong with a value whatever key it stands under, as the end of a sentence; "" if nothing."""
    if type(value) is str:
        return (
            "" if is_clean(value) else "holds a control character, a bidi control or bytes that are no UTF-8"
        )
    if type(value) is int:
        return ""
    if isinstance(value, list):
        return next((fault for fault in map(_fault, value) if fault), "")
    if isinstance(value, dict):
        inner = [*value, *value.values()]
        return next((fault for fault in map(_fault, inner) if fault), "")
    return f"is {_type_name(value)}; values are strings, integers and arrays of strings"


def _type_name(value: object) -> str:
    names = {bool: "a boolean", float: "a float", bytes: "bin", list: "an array", dict: "a map"}
    names |= {int: "an integer", str: "a string"}
    return "nil" if value is None else names.get(type(value), "an ext value")
