"""Takes out of a line what must not be shown or kept: the secrets that `hello` carries (DBP-11.13)."""

import re

__all__ = ["discreet"]

_TEXT = re.compile(rb"\b(seat|session)=[^ \r\n]*")
_PACKED = re.compile(rb"\xa4seat|\xa7session")


def discreet(line: bytes) -> bytes:
    """The line or payload without the values of `seat` and `session`; in msgpack it ends behind the first such key."""
    if b"se" not in line:
        return line
    packed = _PACKED.search(line)
    if packed is not None:
        line = line[: packed.end()]
    return _TEXT.sub(rb"\1=***", line)
