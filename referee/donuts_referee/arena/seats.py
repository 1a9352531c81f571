"""Knows who may sit down: the list that `donuts arena seats` writes, read anew when it changes.

The folder belongs to the operator alone (mode 0700), and so does every file in it (0600):

    seats.toml        [seats."NAME"] with token_sha256 or curve_key, and revoked = true where it is;
                      [server] with endpoint, which join files name, and public_key once there are CURVE keys
    server.key        the server's secret key in Z85
    NAME.join.toml    what the team called NAME is sent; the arena does not read it
"""

import hashlib
import hmac
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from donuts_protocol.escape import shown
from donuts_protocol.invitation import KEY
from donuts_referee.endpoints import EndpointFault, parse_endpoint
from donuts_referee.files import FileFault, Stamp, check_private, listed, read_small, read_table, stamp

__all__ = [
    "LIST",
    "NAME",
    "NAME_RULE",
    "SECRET",
    "Seat",
    "SeatList",
    "SeatsFault",
    "check_folder",
    "hashed",
    "read_secret",
    "render",
]

LIST = "seats.toml"
SECRET = "server.key"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}")
NAME_RULE = "a name is 1 to 40 of letters, digits, _ . + -, a letter or digit first"

_HASH = re.compile(r"[0-9a-f]{64}")
_KEYS = ("token_sha256", "curve_key", "revoked")
_SERVER_KEYS = ("endpoint", "public_key")


class SeatsFault(Exception):
    """A list of seats that cannot be used; the text is one line that names every fault with its file and key."""


@dataclass(frozen=True, slots=True)
class Seat:
    """One team's right to sit down."""

    name: str
    token_sha256: str | None = None
    """the SHA-256 of its token, in hex"""
    curve_key: str | None = None
    """its public key in Z85"""
    revoked: bool = False


def hashed(token: str) -> str:
    """The SHA-256 of a token in hex; a token has 192 random bits, so that nothing slower is needed."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


class SeatList:
    """Who may sit down, and the server's own keys; what was loaded does not change."""

    __slots__ = (
        "_by_hash",
        "_by_key",
        "_by_name",
        "_path",
        "_stamp",
        "endpoint",
        "seats",
        "server_public",
        "server_secret",
    )

    def __init__(
        self,
        seats: Iterable[Seat],
        server_public: str | None = None,
        server_secret: str | None = None,
        endpoint: str | None = None,
    ) -> None:
        self.seats = tuple(seats)
        self.server_public = server_public
        self.server_secret = server_secret
        self.endpoint = endpoint
        """what the last join files name"""
        self._by_name = {seat.name: seat for seat in self.seats}
        self._by_key = {seat.curve_key: seat for seat in self.seats if seat.curve_key is not None}
        self._by_hash = {seat.token_sha256: seat for seat in self.seats if seat.token_sha256 is not None}
        self._path: Path | None = None
        self._stamp: Stamp | None = None

    @classmethod
    def load(cls, folder: Path) -> "SeatList":
        """Read the folder's list. SeatsFault names all faults at once."""
        path = folder / LIST
        try:
            check_folder(folder)
            if stamp(path) is None and os.access(folder, os.X_OK):
                raise FileFault(f"{shown(str(path))}: no such file; {_making(folder)}")
            table, version = read_table(path, private=True)
        except FileFault as fault:
            raise SeatsFault(str(fault)) from None
        reading = _Reading(path)
        seats = reading.seats(table)
        public, endpoint = reading.server(table)
        secret = None if public is None else reading.secret(folder / SECRET)
        reading.end()
        loaded = cls(seats, public, secret, endpoint)
        loaded._path = path
        loaded._stamp = version
        return loaded

    def by_token(self, token: str) -> Seat | None:
        """The seat whose token this is, revoked or not; how long it takes says nothing about any token."""
        digest = hashed(token)
        seat = self._by_hash.get(digest)
        if seat is None or not hmac.compare_digest(seat.token_sha256 or "", digest):
            return None
        return seat

    def by_key(self, z85: str) -> Seat | None:
        """The seat whose public CURVE key this is, revoked or not."""
        return self._by_key.get(z85)

    def by_name(self, name: str) -> Seat | None:
        """The seat of this name, revoked or not."""
        return self._by_name.get(name)

    def stale(self) -> bool:
        """True when the file is no longer the one that was loaded; a list that was never in a file is not."""
        return self._path is not None and stamp(self._path) != self._stamp

    def __repr__(self) -> str:
        return f"<SeatList of {len(self.seats)}>"


def render(seats: SeatList) -> str:
    """The text of seats.toml."""
    lines = [
        "# Who may sit down at the arena; written by `donuts arena seats`, which does not keep comments."
    ]
    server = [("endpoint", seats.endpoint), ("public_key", seats.server_public)]
    if any(value is not None for _, value in server):
        lines += ["", "[server]", *(_pair(key, value) for key, value in server if value is not None)]
    for seat in seats.seats:
        lines += ["", f'[seats."{seat.name}"]']
        if seat.token_sha256 is not None:
            lines.append(_pair("token_sha256", seat.token_sha256))
        if seat.curve_key is not None:
            lines.append(_pair("curve_key", seat.curve_key))
        if seat.revoked:
            lines.append("revoked = true")
    return "\n".join(lines) + "\n"


def check_folder(folder: Path) -> None:
    """FileFault when there is no such folder, or when others than its owner may look into it."""
    name = shown(str(folder))
    try:
        state = folder.stat()
    except (OSError, ValueError):
        raise FileFault(f"{name}: no such folder; {_making(folder)}") from None
    if not folder.is_dir():
        raise FileFault(f"{name}: is no folder; name the one that `donuts arena seats` made")
    check_private(folder, state)


def _making(folder: Path) -> str:
    return f"`donuts arena seats --roster teams.csv --out {shown(str(folder))}` makes it"


def _pair(key: str, value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'{key} = "{escaped}"'


class _Reading:
    """One reading of a folder; gathers the faults."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._faults: list[str] = []

    def end(self) -> None:
        """SeatsFault when there was any fault."""
        if self._faults:
            raise SeatsFault(f"{shown(str(self._path))}: {listed(self._faults)}")

    def seats(self, table: dict[str, object]) -> list[Seat]:
        for key in table:
            if key not in ("seats", "server"):
                self._faults.append(f"{shown(key)}: unknown; there are [seats.NAME] and [server]")
        found = table.get("seats", {})
        if not isinstance(found, dict):
            self._faults.append('seats: must hold tables, [seats."NAME"]')
            return []
        taken: dict[str, str] = {}
        seats = [self._seat(name, entry, taken) for name, entry in found.items()]
        return [seat for seat in seats if seat is not None]

    def _seat(self, name: str, entry: object, taken: dict[str, str]) -> Seat | None:
        """One seat; `taken` holds who has a name, hash or key already."""
        at = f"seats.{shown(name)}"
        if not NAME.fullmatch(name):
            self._faults.append(f"{at}: {NAME_RULE}")
        if not isinstance(entry, dict):
            self._faults.append(f"{at}: must be a table with token_sha256 or curve_key")
            return None
        self._unknown(at, entry, _KEYS)
        digest = self._text(at, entry, "token_sha256", _HASH, "64 hexadecimal digits in lower case")
        key = self._text(at, entry, "curve_key", KEY, "a public key of 40 characters in Z85")
        revoked = entry.get("revoked", False)
        if not isinstance(revoked, bool):
            self._faults.append(f"{at}.revoked: must be true or false")
            revoked = True
        if "token_sha256" not in entry and "curve_key" not in entry:
            self._faults.append(f"{at}: has neither token_sha256 nor curve_key, so nobody can take it")
        for what, value in (("name", name.lower()), ("token", digest), ("key", key)):
            if value is not None and taken.setdefault(f"{what} {value}", name) != name:
                first = shown(taken[f"{what} {value}"])
                difference = "differs from it by case only" if what == "name" else f"has the same {what}"
                self._faults.append(f"{at}: seats.{first} {difference}")
        return Seat(name, digest, key, revoked)

    def server(self, table: dict[str, object]) -> tuple[str | None, str | None]:
        """The server's public key and the endpoint of the join files."""
        entry = table.get("server", {})
        if not isinstance(entry, dict):
            self._faults.append("server: must be a table, [server]")
            return None, None
        self._unknown("server", entry, _SERVER_KEYS)
        public = self._text("server", entry, "public_key", KEY, "a key of 40 characters in Z85")
        endpoint = entry.get("endpoint")
        if endpoint is not None:
            try:
                parse_endpoint(endpoint if isinstance(endpoint, str) else "", binding=False)
            except EndpointFault as fault:
                self._faults.append(f"server.endpoint: {fault}")
        return public, endpoint

    def secret(self, path: Path) -> str | None:
        try:
            return read_secret(path)
        except FileFault as fault:
            self._faults.append(f"server.public_key needs its secret key: {fault}")
            return None

    def _unknown(self, at: str, entry: dict[str, object], known: tuple[str, ...]) -> None:
        for key in entry:
            if key not in known:
                self._faults.append(f"{at}.{shown(key)}: unknown; the keys are {', '.join(known)}")

    def _text(
        self, at: str, entry: dict[str, object], key: str, form: re.Pattern[str], right: str
    ) -> str | None:
        value = entry.get(key)
        if value is None or (isinstance(value, str) and form.fullmatch(value)):
            return value if isinstance(value, str) else None
        self._faults.append(f"{at}.{key}: must be {right}")
        return None


def read_secret(path: Path) -> str:
    """The secret key in the file. FileFault never shows what the file holds."""
    data, _ = read_small(path, private=True, most=4096)
    text = data.decode("ascii", "replace").strip()
    if not KEY.fullmatch(text):
        raise FileFault(f"{shown(str(path))}: holds no key of 40 characters in Z85; restore it from a copy")
    return text
