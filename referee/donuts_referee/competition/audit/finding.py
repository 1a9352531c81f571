"""What an audit found: whether an event holds, and if not, the first line that does not."""

from typing import NamedTuple

from msgspec import Struct

__all__ = ["Audit", "Broken", "Finding"]


class Finding(NamedTuple):
    """Where something does not hold, and what."""

    place: str
    """file:line, or a file of an archive"""
    what: str


class Broken(Exception):
    """The audit is over: this does not hold."""

    def __init__(self, place: str, what: str) -> None:
        super().__init__(f"{place}: {what}")
        self.finding = Finding(place, what)


class Audit(Struct, frozen=True, kw_only=True):
    """The outcome of an audit. Within a major version keys are added, never renamed or retyped."""

    holds: bool
    place: str | None
    """file:line of the first thing that does not hold"""
    fault: str | None
    event: str | None
    """id of the event; None for a journal of no competition"""
    games: int
    voids: int
    lines: int
    """lines that count, changes of the roster among them"""
    plies: int
    """placements that were played over"""
    chain: str | None
    """the link of the last line; None where there is no chain. Whoever was told it earlier can compare"""
    checked: tuple[str, ...]
    """what was looked at, in words"""
    unchecked: tuple[str, ...]
    """what could not be, and why"""
