"""What a session makes of a line that is no message to act on: a warning, or noise."""

from typing import NamedTuple


class Dropped(NamedTuple):
    """A line that has no effect but to be counted as a warning; `why` is late, state or rate."""

    why: str
    shown: str
    """the line as text fit for a terminal, escaped and cut"""
    number: int
    """which line or payload of the connection it was, from 1"""
    text: str = ""
    """a sentence that says what was wrong"""
    pong: int | None = None
    """id of the ping, for a `pong` that crossed the question by which its ping was closed: nobody is to be warned"""


class Noise(NamedTuple):
    """A line that is no message, forgiven ten times a game."""

    shown: str
    number: int
    text: str = ""
    """a sentence that says what was wrong and what would be right"""


class Counts(NamedTuple):
    """Noise and warnings since the last `game` was sent."""

    noise: int
    late: int
    state: int
    rate: int
