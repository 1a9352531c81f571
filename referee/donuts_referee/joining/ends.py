"""What the bridge stands on: its seat, the two ends that it joins, and how it can be over."""

from typing import NamedTuple, Protocol

from donuts_protocol.messages import Hello
from donuts_referee.channels.link import Exit, Stderr

__all__ = ["Ends", "Finish", "Seating"]


class Seating(NamedTuple):
    """What is shown at the arena beside the bot's own `hello`, and for how many games (None: until it says bye)."""

    endpoint: str
    name: str | None = None
    token: str | None = None
    tc: str | None = None
    games: int | None = None

    def hello(self, own: Hello) -> Hello:
        """The bot's `hello` as the arena hears it."""
        return Hello(
            donuts=own.donuts,
            name=self.name or own.name,
            ver=own.ver,
            author=own.author,
            caps=own.caps,
            seat=self.token,
            tc=self.tc or own.tc,
        )


class Finish(NamedTuple):
    """The bot has left the arena for good; `text` says why, where something went wrong."""

    text: str = ""
    good: bool = True


class Ends(Protocol):
    """The two ends of the bridge, the bot's process and the socket to the arena, and the people who watch."""

    def start(self) -> None:
        """Start the bot; raises StartFailure or Shortage."""
        ...

    def to_bot(self, data: bytes) -> None:
        """Write to its stdin."""
        ...

    def end(self) -> Exit:
        """End it: close its stdin, wait, signal, reap; at once where it has ended."""
        ...

    def stderr(self) -> Stderr:
        """What the bot, or the last one, wrote to stderr."""
        ...

    def dial(self) -> None:
        """Close the socket, if there is one, and open a fresh one; `Bridge.connected` follows."""
        ...

    def to_arena(self, frame: bytes) -> None:
        """Send a frame."""
        ...

    def drop(self) -> None:
        """Close the socket, which flushes what was sent; twice is harmless."""
        ...

    def tell(self, text: str) -> None:
        """Show people a line."""
        ...
