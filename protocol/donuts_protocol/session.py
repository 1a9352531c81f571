"""One end of a conversation, sans-IO: bytes in -> events out, message in -> bytes out.

A `RefereeSession` is the referee's end of its conversation with one bot over one connection; a `BotSession` is the
bot's end. Neither knows a socket, a process or a clock (`now` is passed in, in nanoseconds of any monotonic clock).

    session.receive(data, now)
    while (event := session.next_event()) is not None:
        ...                       # a Message, a Dropped or a Noise; or RemoteProtocolError is raised

All that depends on the order of messages is in here: which question is open, what an id means, what is noise. The
question an answer belongs to is closed the moment the answer is returned by `next_event`.
"""

from typing import Literal, NamedTuple

Encoding = Literal["text", "msgpack"]
Transport = Literal["stdio", "zmq"]


class Dropped(NamedTuple):
    """A line that was counted as a warning and has no other effect; `why` is late, state or rate."""

    why: str
    shown: str
    """the line as text fit for a terminal, escaped and cut"""
    number: int
    """which line or payload of the connection it was, from 1"""


class Noise(NamedTuple):
    """A line that is no message, forgiven ten times a game."""

    shown: str
    number: int
