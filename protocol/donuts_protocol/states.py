"""The order of messages as one table: in which state which end may send which verb, and where that leads (DBP-7).

The sessions of both ends walk this table and SPEC.md's picture is drawn from it. A row is one arrow; a message that
has no arrow in a state may not be sent there, and does not change the state when it comes all the same.
"""

from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """Where a conversation stands."""

    CONNECTED = "connected"
    """nothing has been said; `hello` is due"""
    GREETED = "greeted"
    """`hello` has been said; `welcome` is due"""
    IDLE = "idle"
    """between games"""
    PREPARING = "preparing"
    """a `game` is open; `ready` is due"""
    PLAYING = "playing"
    """in a game, and the bot owes nothing"""
    THINKING = "thinking"
    """a `turn` is open; `move` or `resign` is due"""
    IDLE_PINGED = "idle_pinged"
    """between games, a `ping` is open"""
    PLAYING_PINGED = "playing_pinged"
    """in a game, a `ping` is open"""
    LEAVING = "leaving"
    """the bot has said `bye`"""
    CLOSED = "closed"
    """the referee has said `bye`"""

    __hash__ = str.__hash__  # a state is looked up for every message; Enum's own hash is a Python call


class Sender(StrEnum):
    """The two ends."""

    BOT = "B"
    REFEREE = "R"


class Row(NamedTuple):
    """One arrow of the picture."""

    state: State
    sender: Sender
    verb: str
    then: State


def _rows() -> tuple[Row, ...]:
    s, bot, referee = State, Sender.BOT, Sender.REFEREE
    rows = [
        Row(s.CONNECTED, bot, "hello", s.GREETED),
        Row(s.GREETED, referee, "welcome", s.IDLE),
        Row(s.IDLE, referee, "game", s.PREPARING),
        Row(s.IDLE, referee, "ping", s.IDLE_PINGED),
        Row(s.IDLE, referee, "turn", s.THINKING),  # of a game that began on an earlier connection
        Row(s.IDLE, referee, "cancel", s.IDLE),  # as above
        Row(s.IDLE, referee, "end", s.IDLE),  # as above
        Row(s.IDLE_PINGED, referee, "turn", s.THINKING),  # as above
        Row(s.IDLE_PINGED, referee, "end", s.IDLE),  # as above
        Row(s.IDLE_PINGED, bot, "pong", s.IDLE),
        Row(s.IDLE_PINGED, referee, "game", s.PREPARING),  # the open ping is closed
        Row(s.PREPARING, bot, "ready", s.PLAYING),
        Row(s.PREPARING, referee, "game", s.PREPARING),  # sent again under the same id
        Row(s.PREPARING, referee, "end", s.IDLE),
        Row(s.PLAYING, referee, "turn", s.THINKING),
        Row(s.PLAYING, referee, "ping", s.PLAYING_PINGED),
        Row(s.PLAYING, referee, "cancel", s.PLAYING),  # of a turn that was closed by its answer meanwhile
        Row(s.PLAYING, referee, "end", s.IDLE),
        Row(s.PLAYING_PINGED, bot, "pong", s.PLAYING),
        Row(s.PLAYING_PINGED, referee, "turn", s.THINKING),  # the open ping is closed
        Row(s.PLAYING_PINGED, referee, "end", s.IDLE),
        Row(s.THINKING, bot, "info", s.THINKING),
        Row(s.THINKING, bot, "move", s.PLAYING),
        Row(s.THINKING, bot, "resign", s.PLAYING),
        Row(s.THINKING, referee, "turn", s.THINKING),  # sent again under the same id
        Row(s.THINKING, referee, "cancel", s.PLAYING),
        Row(s.THINKING, referee, "end", s.IDLE),
        Row(s.LEAVING, referee, "cancel", s.LEAVING),
        Row(s.LEAVING, referee, "end", s.LEAVING),
    ]
    rows += [Row(at, bot, "bye", s.LEAVING) for at in s if at not in (s.CONNECTED, s.LEAVING, s.CLOSED)]
    rows += [Row(at, bot, "error", at) for at in s if at not in (s.CONNECTED, s.LEAVING, s.CLOSED)]
    rows += [Row(at, referee, "bye", s.CLOSED) for at in s if at is not s.CLOSED]
    rows += [Row(at, referee, "error", at) for at in s if at is not s.CLOSED]
    return tuple(rows)


ROWS = _rows()
"""The table, row by row."""

TABLE: dict[tuple[State, Sender, str], State] = {(row.state, row.sender, row.verb): row.then for row in ROWS}
"""The table for a look-up: (state, sender, verb) -> state."""


def moves_of(sender: Sender) -> dict[State, dict[str, State]]:
    """What one end may send: state -> verb -> the state after it."""
    return {
        state: {r.verb: r.then for r in ROWS if r.sender is sender and r.state is state} for state in State
    }


def diagram() -> str:
    """The table as a Mermaid state diagram; `bye` and `error`, which may come nearly anywhere, as one note each."""
    lines = ["stateDiagram-v2", f"    [*] --> {State.CONNECTED}"]
    arrows: dict[tuple[State, State], list[str]] = {}
    for row in ROWS:
        if row.verb not in ("bye", "error"):
            arrows.setdefault((row.state, row.then), []).append(f"{row.sender} {row.verb}")
    lines += [f"    {state} --> {then}: {', '.join(labels)}" for (state, then), labels in arrows.items()]
    leaving = [row.state for row in ROWS if row.verb == "bye" and row.sender is Sender.BOT]
    lines += [f"    {state} --> {State.LEAVING}: B bye" for state in leaving]
    lines += [
        f"    {State.CLOSED} --> [*]",
        f"    note right of {State.CLOSED}: R bye leads here from every state",
        f"    note left of {State.CONNECTED}: R error may come in every state but {State.CLOSED}, "
        f"B error in every state from {State.GREETED} on; neither changes it",
    ]
    return "\n".join(lines) + "\n"
