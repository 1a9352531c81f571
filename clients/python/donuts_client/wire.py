"""What a player needs of the line to its referee, whatever carries it: messages in, messages out."""

from typing import Protocol

from donuts_protocol.messages import BotMessage, RefereeMessage

__all__ = ["RefereeGone", "Wire"]


class RefereeGone(Exception):
    """Nobody reads what the bot says any more."""


class Wire(Protocol):
    """The line to the referee; `read`, `readable` and, for its own answers, `awaits` are asked in turn.

    `read` and `readable` raise RemoteProtocolError where the referee broke the protocol.
    """

    @property
    def ended(self) -> bool:
        """Whether nothing will ever come in again."""
        ...

    def read(self) -> RefereeMessage | None:
        """Wait for the next message; None when there will be none."""
        ...

    def readable(self) -> bool:
        """Whether `read` would return a message at once; False where that cannot be told."""
        ...

    def write(self, message: BotMessage) -> None:
        """Send a message. Raises InvalidMessage where a value is out of its bounds, RefereeGone."""
        ...

    def awaits(self, question: int) -> bool:
        """Whether the referee still waits for the answer, as far as was read (DBP-7.8)."""
        ...

    def reportable(self, turn: int) -> bool:
        """Whether an `info` for this turn may be sent now."""
        ...
