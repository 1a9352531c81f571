"""The codes of endings, faults and warnings: one meaning, one default consequence and one clause of SPEC.md each."""

from enum import Enum

from msgspec import Struct


class Consequence(Enum):
    """What a code does to the game and to the bot that earned it."""

    RESULT = "result"
    """the rules decided, those of the game or those of the operator"""
    LOSS = "loss"
    """the bot loses and stays"""
    REPLACED = "loss, replaced"
    """the bot loses; its process is ended and, for the next game, started again"""
    VOID = "void"
    """the game does not count and is played again on resume"""
    NONE = "none"
    """counted, nothing more"""


class Code(Struct, frozen=True):
    """One row of the table of ends and faults."""

    name: str
    consequence: Consequence
    clause: str
    meaning: str


_TABLE = (
    Code("five", Consequence.RESULT, "DBP-9.1", "five or more of one colour in a row"),
    Code("group", Consequence.RESULT, "DBP-9.1", "all rings placed: the larger orthogonal group, or a draw"),
    Code(
        "adjudicated",
        Consequence.RESULT,
        "DBP-9.21",
        "ended by a rule of the operator: both bots say who wins, too many plies, or the value is known",
    ),
    Code("resign", Consequence.LOSS, "DBP-9.2", "`resign`, or `bye` in a game"),
    Code("illegal", Consequence.LOSS, "DBP-9.3", "a well-formed square that is not in `legal`"),
    Code("malformed", Consequence.LOSS, "DBP-9.4", "the answer to the open turn is not a valid message"),
    Code("timeout", Consequence.LOSS, "DBP-9.5", "no answer within limit and margin"),
    Code("unread", Consequence.REPLACED, "DBP-9.6", "the bot does not read what it is sent"),
    Code("crash", Consequence.REPLACED, "DBP-9.7", "the process ended or closed its stdout"),
    Code(
        "disconnect", Consequence.REPLACED, "DBP-9.8", "a remote bot went away and did not come back in time"
    ),
    Code("protocol", Consequence.REPLACED, "DBP-9.9", "an id never issued, a second `hello`, too much noise"),
    Code("flood", Consequence.REPLACED, "DBP-9.10", "a line too long, or too many bytes or lines"),
    Code("start", Consequence.REPLACED, "DBP-9.11", "no valid `hello`, or no `ready`, in time"),
    Code("version", Consequence.REPLACED, "DBP-9.12", "no version of DBP that both ends speak"),
    Code("late", Consequence.NONE, "DBP-9.13", "an answer to a question already closed"),
    Code("state", Consequence.NONE, "DBP-9.13", "a valid message where none is expected"),
    Code("rate", Consequence.NONE, "DBP-9.13", "an `info` not granted, invalid, late or over its rate"),
    Code("referee", Consequence.VOID, "DBP-9.14", "the referee's own fault"),
    Code("abort", Consequence.VOID, "DBP-9.14", "ended by the operator or by Ctrl-C"),
)

WHY: dict[str, Code] = {code.name: code for code in _TABLE}
"""Every code by its name."""
