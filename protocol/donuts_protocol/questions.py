"""The questions a referee asks over one session: which one is open, and what every id it issued stands for (DBP-7)."""

import os

from donuts_protocol.errors import LocalProtocolError
from donuts_protocol.messages import Cancel, End, Game, Ping, Turn

FIRST_BELOW = 2**30
"""Ids begin below this, at random, so that no bot can count on it."""

_KINDS = ("", "game", "turn", "ping")
_CODES = {kind: code for code, kind in enumerate(_KINDS)}


class Questions:
    """One counter, one open question, and one byte for each id, since a session may live for months."""

    def __init__(self, first_id: int | None = None) -> None:
        if first_id is None:
            first_id = int.from_bytes(os.urandom(4), "big") % FIRST_BELOW
        elif not 0 <= first_id < FIRST_BELOW:
            raise ValueError(f"the first id of a session is below 2^30, not {first_id}")
        self.open: int | None = None
        """id of the open question"""
        self.kind = ""
        """verb of the open question"""
        self.game: int | None = None
        """id of the game that is announced or played"""
        self._first = first_id
        self._codes = bytearray()

    def allot(self) -> int:
        """The next id; it counts as issued only when a question is sent under it."""
        self._codes.append(0)
        return self._first + len(self._codes) - 1

    def kind_of(self, id: int) -> str:
        """What was asked under `id`: game, turn or ping; "" if nothing ever was."""
        at = id - self._first
        return _KINDS[self._codes[at]] if 0 <= at < len(self._codes) else ""

    def ask(self, message: Game | Turn | Ping) -> bool:
        """Open a question; False when it is the open one that goes out again, to a bot that dropped meanwhile.

        A ping that is still open is closed by the question after it.
        """
        if isinstance(message, Turn) and message.game != self.game:
            raise LocalProtocolError(f"a turn of game {message.game} in game {self.game}")
        kind = message.verb
        if message.id == self.open and kind == self.kind:
            return False
        if self.kind in ("turn", "game"):
            raise LocalProtocolError(f"{self.kind} {self.open} is open; one question is open at a time")
        at = message.id - self._first
        if at < 0 or at != len(self._codes) - 1 or self._codes[at]:
            raise LocalProtocolError(f"a {kind} needs a fresh id from next_id, not {message.id}")
        self._codes[at] = _CODES[kind]
        self.open, self.kind = message.id, kind
        if kind == "game":
            self.game = message.id
        return True

    def withdraw(self, message: Cancel | End) -> None:
        """Close the open question, if there is one, because its turn is cancelled or its game has ended."""
        if isinstance(message, End):
            if message.id != self.game:
                raise LocalProtocolError(f"`end` of game {message.id} in game {self.game}")
            self.game = None
        elif self.kind_of(message.id) != "turn" or (self.kind == "turn" and message.id != self.open):
            raise LocalProtocolError(f"`cancel` of {message.id}, which is not the turn of {self.open}")
        self.close()

    def close(self) -> None:
        """The open question is answered, or void."""
        self.open, self.kind = None, ""
