"""What a session has counted: noise and warnings of a game, and how much came since the last question (DBP-9.10)."""

from collections import deque

from donuts_protocol.events import Counts

__all__ = ["FLOOD_BYTES", "FLOOD_LINES", "FORGIVEN_NOISE", "INFO_RATE", "Tally"]

FORGIVEN_NOISE = 10
"""Lines of noise that a game forgives."""
FLOOD_BYTES = 256 * 1024
"""Bytes at most from one question to the next."""
FLOOD_LINES = 2000
"""Lines at most from one question to the next."""
INFO_RATE = 20
"""`info` messages at most in any second."""

_SECOND = 1_000_000_000


class Tally:
    """The counters of one session."""

    __slots__ = ("_infos", "bytes", "first_noise", "late", "lines", "noise", "rate", "state")

    def __init__(self) -> None:
        self._infos: deque[int] = deque(maxlen=INFO_RATE)
        self.begin_game()
        self.begin_question()

    def begin_game(self) -> None:
        """Count noise and warnings anew."""
        self.noise = self.late = self.state = self.rate = 0
        self.first_noise: str | None = None
        """sentence about the first line of noise since the last `game` was sent"""

    def begin_question(self) -> None:
        """Count lines and bytes anew."""
        self.lines = self.bytes = 0

    @property
    def counts(self) -> Counts:
        """Noise and warnings since the last `game`."""
        return Counts(self.noise, self.late, self.state, self.rate)

    def add(self, size: int) -> str:
        """Count a line of `size` bytes; a sentence when more came since the last question than is allowed, else ""."""
        self.lines += 1
        self.bytes += size
        if self.lines <= FLOOD_LINES and self.bytes <= FLOOD_BYTES:
            return ""
        amount = f"{self.lines} lines and {self.bytes} bytes"
        return f"{amount} since the last question; {FLOOD_LINES} and {FLOOD_BYTES} are allowed"

    def hear_noise(self, sentence: str) -> int:
        """Count a line that is no message; returns how many there were in this game."""
        self.noise += 1
        if self.first_noise is None:
            self.first_noise = sentence
        return self.noise

    def drop(self, why: str) -> None:
        """Count a warning: late, state or rate."""
        match why:
            case "late":
                self.late += 1
            case "state":
                self.state += 1
            case _:
                self.rate += 1

    def report(self, now: int) -> bool:
        """Count an `info` at `now` (ns); False when there are too many in this second."""
        if len(self._infos) == INFO_RATE and now - self._infos[0] < _SECOND:
            return False
        self._infos.append(now)
        return True
