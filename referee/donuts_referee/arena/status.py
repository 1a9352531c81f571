"""What an arena says of itself when its operator asks: the form of `donuts arena status --json`."""

from msgspec import Struct

__all__ = ["Answer", "GuestStatus", "Request", "Status"]


class Request(Struct, frozen=True):
    """What an operator asks for: `command` is status, pause, resume, drain or kick."""

    command: str
    name: str | None = None
    """of the seat, for kick"""


class GuestStatus(Struct, frozen=True, kw_only=True):
    """One bot that holds a seat."""

    seat: str
    name: str
    """the name it gave itself"""
    ver: str | None
    encoding: str | None
    playing: bool
    away: float | None
    """seconds for which it could not be reached; None: it can"""
    rtt_ms: float | None
    """the round trip that was measured last"""
    games: int
    rating: float
    strikes: int


class Status(Struct, frozen=True, kw_only=True):
    """The arena now."""

    version: str
    up: float
    """seconds since the start"""
    state: str
    """running, paused, draining, or held: no game begins until the disk takes the last ones"""
    endpoints: tuple[str, ...]
    records: str
    seated: int
    playing: int
    """matches in play"""
    games: int
    """finished since the start"""
    plies: int
    ended: dict[str, int]
    """games since the start by why they ended"""
    held: int
    """games that wait to be written"""
    strangers: int
    """connections without a seat"""
    refused: dict[str, int]
    """peers and messages that were turned away, by reason"""
    resident: int
    """bytes of memory"""
    guests: tuple[GuestStatus, ...]


class Answer(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What comes back; `error` is a sentence where the command could not be obeyed."""

    error: str | None = None
    text: str | None = None
    status: Status | None = None
