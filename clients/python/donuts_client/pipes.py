"""The bot's own ends of the two pipes, kept out of reach of everything that prints or reads in its process."""

import os
import sys


class RefereeGone(Exception):
    """Nobody reads what the bot says any more."""


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
