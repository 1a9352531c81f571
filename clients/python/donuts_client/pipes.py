"""The bot's own ends of the two pipes, kept out of reach of everything that prints or reads in its process."""

import os
import sys

from donuts_client.wire import RefereeGone
from donuts_protocol.bot_session import BotSession
from donuts_protocol.framing import Encoding
from donuts_protocol.messages import BotMessage, RefereeMessage


class Pipes:
    """stdin and stdout as private descriptors.

    `Pipes.taken()` moves them away: from then on descriptor 1 and `sys.stdout` are stderr and descriptor 0 is empty,
    so that a `print`, a C library or a child process of the bot can neither write into the protocol nor eat from it.
    """

    def __init__(self, reading: int, writing: int) -> None:
        self._reading = reading
        self._writing = writing

    @classmethod
    def taken(cls) -> "Pipes":
        """Take stdin and stdout over."""
        reading, writing = os.dup(0), os.dup(1)
        os.dup2(2, 1)
        if sys.stdout is not None:
            sys.stdout.flush()
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout = sys.stderr
        if sys.platform == "win32":
            import msvcrt

            msvcrt.setmode(reading, os.O_BINARY)
            msvcrt.setmode(writing, os.O_BINARY)
        return cls(reading, writing)

    def read(self) -> bytes:
        """Wait for bytes; b"" at the end of stdin."""
        return os.read(self._reading, 65536)

    def readable(self) -> bool:
        """Whether `read` would return at once; False where that cannot be told."""
        if sys.platform == "win32":
            return False
        import select

        return bool(select.select([self._reading], [], [], 0)[0])

    def write(self, data: bytes) -> None:
        """Hand all of `data` to the kernel. Raises RefereeGone."""
        try:
            while data:
                data = data[os.write(self._writing, data) :]
        except BrokenPipeError as error:
            raise RefereeGone from error


class PipedWire:
    """The `Wire` of a bot that a referee started: its messages over the two pipes."""

    def __init__(self, pipes: Pipes, encoding: Encoding) -> None:
        self._pipes = pipes
        self._session = BotSession(encoding)
        self._next: RefereeMessage | None = None
        """a message that was looked at and not yet read"""
        self._ended = False

    @property
    def ended(self) -> bool:
        """Whether stdin is at its end."""
        return self._ended

    def read(self) -> RefereeMessage | None:
        """The next message; None when stdin is at its end."""
        message, self._next = self._next, None
        while message is None and (message := self._session.next_event()) is None and not self._ended:
            self._take()
        return message

    def readable(self) -> bool:
        """Whether a whole message is there."""
        while self._next is None:
            self._next = self._session.next_event()
            if self._next is None:
                if self._ended or not self._pipes.readable():
                    return False
                self._take()
        return True

    def _take(self) -> None:
        """Read once, waiting for it if need be."""
        data = self._pipes.read()
        self._ended = not data
        self._session.receive(data)

    def write(self, message: BotMessage) -> None:
        """Send a message. Raises InvalidMessage, RefereeGone."""
        self._pipes.write(self._session.send(message))

    def awaits(self, question: int) -> bool:
        """Whether this question is open."""
        return self._session.question == question

    def reportable(self, turn: int) -> bool:
        """Whether this turn is open and `info` was granted."""
        return self._session.question == turn and "info" in self._session.granted
