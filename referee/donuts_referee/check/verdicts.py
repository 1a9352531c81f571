"""What a check is, and what it comes to: fine, failed with what was sent, came and would be right, or not made."""

from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from msgspec import Struct

if TYPE_CHECKING:
    from donuts_referee.check.stand import Stand

__all__ = ["Check", "Failed", "Finding", "NotStarted", "Outcome", "Skipped", "Verdict"]

Over: TypeAlias = Literal["both", "stdio", "zmq"]
In: TypeAlias = Literal["both", "text", "msgpack"]


class Outcome(StrEnum):
    """How a check ended."""

    OK = "ok"
    FAILED = "failed"
    UNREACHED = "unreached"
    """it came to nothing by the fault that another check has told of"""
    SKIPPED = "skipped"


class Finding(Struct, frozen=True, kw_only=True):
    """What is wrong, as three lines of safe text."""

    sent: str
    came: str
    right: str


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one check came to."""

    number: int
    id: str
    title: str
    clauses: tuple[str, ...]
    outcome: str
    """a value of `Outcome`"""
    note: str = ""
    """what was measured, why it was skipped, or which check to see"""
    finding: Finding | None = None
    """also of a check that was not reached, where it was tried"""
    ms: int = 0
    """how long it took"""


class Failed(Exception):
    """The bot does not do what a clause requires.

    `cause` tells findings of one fault: what is written there is the same for all of them. Empty: a fault of its own.
    """

    def __init__(self, finding: Finding, cause: str = "") -> None:
        super().__init__(finding.right)
        self.finding = finding
        self.cause = cause


class Skipped(Exception):
    """This cannot be checked, or does not apply; the text says why."""


class NotStarted(Exception):
    """There is nobody to check: the bot does not start, or ends before it says `hello`."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.came)
        self.finding = finding


class Check(NamedTuple):
    """One requirement: `run` returns a note, or raises Failed, Skipped or NotStarted."""

    id: str
    """short, and the same for ever"""
    title: str
    clauses: tuple[str, ...]
    run: "Callable[[Stand], str]"
    over: Over = "both"
    """the transport it is about"""
    encoding: In = "both"
    """the encoding it is about"""
    gate: bool = False
    """nothing after it can be checked when it fails"""
