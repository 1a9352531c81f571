"""The join file: where an arena is and what claims a seat there, as a small TOML text (DBP-11.13).

name = "alice"
endpoint = "tcp://arena.example:7464"
token = "..."                              # or, over CURVE, three keys in Z85:
server_key = "..."
public_key = "..."
secret_key = "..."
"""

import re
import tomllib
from typing import NamedTuple

from donuts_protocol.escape import shown

__all__ = ["KEY", "MOST", "TOKEN", "Invitation", "InvitationFault", "parse", "render"]

TOKEN = re.compile(r"[A-Za-z0-9_.~-]{1,128}")
KEY = re.compile(r"[0-9a-zA-Z.\-:+=^!/*?&<>()\[\]{}@%$#]{40}")
"""32 bytes in Z85 (ZeroMQ RFC 32)"""

MOST = 4096
"""Characters of the longest join file."""

DOTS = 64
"""Dots of one line; tomllib takes time and memory for a key of many parts."""

_NAMES = ("server_key", "public_key", "secret_key")


class InvitationFault(ValueError):
    """A text is no join file; the exception's text names every fault in one line."""


class Invitation(NamedTuple):
    """Where to dial and what to show there; a token, three keys, both, or, for an open arena, neither."""

    endpoint: str
    name: str | None = None
    token: str | None = None
    server_key: str | None = None
    public_key: str | None = None
    secret_key: str | None = None

    @property
    def curve(self) -> bool:
        """True when the connection is to be encrypted and the bot is known by its key."""
        return self.server_key is not None


def parse(text: str) -> Invitation:
    """Read a join file. Raises InvitationFault."""
    if len(text) > MOST:
        raise InvitationFault(f"it has {len(text)} characters, and a join file at most {MOST}")
    if any(line.count(".") > DOTS for line in text.splitlines()):
        raise InvitationFault(f"a line has more than {DOTS} dots, which no line of a join file has")
    try:
        table = tomllib.loads(text)
    except (ValueError, RecursionError) as fault:  # a number with thousands of digits is a ValueError
        raise InvitationFault(f"it is not TOML: {shown(str(fault))}") from None
    faults = [f"{shown(key)}: no such key" for key in table if key not in Invitation._fields]
    faults += [
        f"{key}: must be a text" for key in Invitation._fields if not isinstance(table.get(key, ""), str)
    ]
    if not faults:
        faults = _faults(table)
    if faults:
        raise InvitationFault("; ".join(faults))
    return Invitation(**table)


def _faults(table: dict[str, str]) -> list[str]:
    faults = []
    if not table.get("endpoint"):
        faults.append('endpoint: missing; such as endpoint = "tcp://127.0.0.1:7464"')
    if "token" in table and not TOKEN.fullmatch(table["token"]):
        faults.append("token: must be 1 to 128 letters, digits, _ . ~ or -")
    faults += [f"{key}: must be a key of 40 characters in Z85" for key in _NAMES if _bad_key(table, key)]
    there = [key for key in _NAMES if key in table]
    if there and len(there) < len(_NAMES):
        faults.append(f"{', '.join(key for key in _NAMES if key not in table)}: missing beside {there[0]}")
    return faults


def _bad_key(table: dict[str, str], key: str) -> bool:
    return key in table and not KEY.fullmatch(table[key])


def render(invitation: Invitation) -> str:
    """The text of a join file; raises InvitationFault where `parse` would refuse it."""
    lines = ["# A seat at a DONUTS arena. Who has this file can play as you: keep it secret."]
    for key, value in invitation._asdict().items():
        if value is not None:
            lines.append(f"{key} = {_quoted(key, value)}")
    text = "\n".join(lines) + "\n"
    parse(text)
    return text


def _quoted(key: str, value: str) -> str:
    if any(not letter.isprintable() for letter in value):
        raise InvitationFault(
            f"{key}: holds characters that cannot stand in a join file, such as the end of a line"
        )
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
