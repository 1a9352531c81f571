"""Which seat a bot may take that says `hello`: that of its key or token, or, where seats are open, its name's.

Specified in DBP-11.3.
"""

from collections.abc import Callable
from typing import Protocol

from donuts_protocol.escape import shown
from donuts_protocol.messages import Hello
from donuts_referee.arena.seats import Seat, SeatList

__all__ = ["ExpectedSeats", "ListedForMatch", "ListedSeats", "OpenSeats", "Refusal", "Seating"]

SUFFIXED = 36
"""characters of a name that stay when `#2` is put behind it, so that it has 40 at most"""


class Refusal(Exception):
    """A bot may not sit down; `code` is that of the `error` and the `bye`, the text a sentence for its author."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class Seating(Protocol):
    """The rule by which seats are given."""

    def seat_of(self, hello: Hello, key: str | None, known: str | None) -> str:
        """The name of the seat for a bot that came with the CURVE key `key` (None: over a plain endpoint).

        `known` is the seat of the session it shows, if that is one of ours. Raises Refusal.
        """
        ...

    def admits(self, key: str) -> bool:
        """True when the holder of this CURVE key (Z85) may connect."""
        ...

    def claim(self, name: str) -> object:
        """What the seat of this name is claimed by now: it changes when the seat is revoked or gets a new join file."""
        ...


class OpenSeats:
    """Whoever reaches the arena may sit down, under the name it gives itself."""

    def __init__(self, taken: Callable[[str], bool]) -> None:
        self._taken = taken

    def seat_of(self, hello: Hello, key: str | None, known: str | None) -> str:
        """Its own seat for a bot that is back, else its name, with `#2` and so on behind it while that is taken."""
        if known is not None:
            return known
        name = shown(hello.name, 40)
        number = 1
        while self._taken(name):
            number += 1
            name = f"{shown(hello.name, SUFFIXED)}#{number}"
        return name

    def admits(self, key: str) -> bool:
        """Never: open seats are for plain endpoints."""
        return False

    def claim(self, name: str) -> object:
        """Always the same: a name is enough."""
        return name


class ListedSeats:
    """Only who is on the list may sit down."""

    def __init__(self, seats: SeatList) -> None:
        self.seats = seats

    def seat_of(self, hello: Hello, key: str | None, known: str | None) -> str:
        """The seat of the key, or that of the token; where both are shown they must be of one seat."""
        seat = None if key is None else self.seats.by_key(key)
        if key is not None and seat is None:
            raise Refusal("seat", "no seat has this key; ask the operator for a join file")
        if hello.seat is not None:
            by_token = self.seats.by_token(hello.seat)
            if by_token is None or (seat is not None and by_token.name != seat.name):
                raise Refusal("seat", "no seat has this token; ask the operator for a join file")
            seat = by_token
        if seat is None:
            raise Refusal(
                "seat", "a seat is needed: hello has no seat token; ask the operator for a join file"
            )
        return self._unrevoked(seat)

    def _unrevoked(self, seat: Seat) -> str:
        if seat.revoked:
            raise Refusal("seat", "this seat was revoked; ask the operator")
        return seat.name

    def admits(self, key: str) -> bool:
        """Whoever has a seat's key, unless the seat was revoked."""
        seat = self.seats.by_key(key)
        return seat is not None and not seat.revoked

    def claim(self, name: str) -> object:
        """The seat as it is listed: its token, its key, and whether it was revoked."""
        return self.seats.by_name(name)


class ExpectedSeats:
    """Open seats for the bots of one match: who is expected by name; where it is only one, whoever comes."""

    def __init__(self, names: tuple[str, ...], taken: Callable[[str], bool]) -> None:
        self._names = names
        self._taken = taken

    def seat_of(self, hello: Hello, key: str | None, known: str | None) -> str:
        """The seat of its own name, or the only one; Refusal when that is taken or nobody of that name is expected."""
        if known is not None:
            return known
        free = [name for name in self._names if not self._taken(name)]
        if not free:
            raise Refusal("busy", "all seats of this match are taken")
        if len(self._names) > 1 and hello.name not in free:
            raise Refusal(
                "seat", f"this match waits for {' and '.join(free)}: say that name (--name {free[0]})"
            )
        return free[0] if len(self._names) == 1 else hello.name

    def admits(self, key: str) -> bool:
        """Never: open seats are for plain endpoints."""
        return False

    def claim(self, name: str) -> object:
        """Always the same: a name is enough."""
        return name


class ListedForMatch(ListedSeats):
    """Listed seats, of which a match expects these alone."""

    def __init__(self, seats: SeatList, names: tuple[str, ...]) -> None:
        super().__init__(seats)
        self._names = names

    def seat_of(self, hello: Hello, key: str | None, known: str | None) -> str:
        """As `ListedSeats`; Refusal when the seat has no part in this match."""
        name = super().seat_of(hello, key, known)
        if name not in self._names:
            raise Refusal("busy", f"{name} does not play in this match")
        return name
