"""Writes to a descriptor for who must not wait: at once what a pipe takes, the rest on a thread of its own.

The thread waits until there is room; only then does it take the lock, write, and say so before it lets go. So whoever
has the lock knows that of all that was written it was said. A descriptor that is shared with other processes, or cannot
be polled, has to be written to without the lock, and by the thread alone.
"""

import os
import queue
import select
import threading
from collections.abc import Callable

from donuts_referee.channels.inlet import can_be_polled

__all__ = ["BlindOutlet", "Outlet", "outlet"]


class Outlet:
    """A descriptor of our own that can be polled; it is made non-blocking.

    `wrote` is called on the thread with the number of each piece that is through, from 1, and `refused` when nobody
    can read any more.
    """

    blind = False
    """nobody can tell whether the thread has written what it has not told of"""

    def __init__(self, fd: int, wrote: Callable[[int], None], refused: Callable[[], None]) -> None:
        self._fd = fd
        self._wrote = wrote
        self._refused = refused
        self._pieces: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._asked = 0
        self._heard = 0
        self._lock = threading.Lock()
        self._open()

    def _open(self) -> None:
        os.set_blocking(self._fd, False)
        self._room = select.poll()
        self._room.register(self._fd, select.POLLOUT)

    def send(self, data: bytes) -> bool:
        """Write it; False when the thread has something left to write, and `wrote` is still to be called."""
        if self._asked == self._heard:  # the thread has nothing to do
            data = self._pour(data)
            if not data:
                return True
        self._asked += 1
        self._pieces.put(data)
        return False

    def finish(self) -> None:
        """Nothing more is sent; the thread ends when it is through."""
        self._pieces.put(None)

    def hear(self, number: int) -> bool:
        """Note that the caller of `send` knows of this piece; is it the last there is?"""
        self._heard = number
        return number == self._asked

    def unheard(self, number: int | None) -> bool:
        """Is there a piece of which the caller of `send` does not know, `number` being the last it is to `hear` of?"""
        return (number or self._heard) < self._asked

    def settle(self) -> None:
        """Return when of all that was written `wrote` was called."""
        with self._lock:
            pass

    def work(self) -> None:
        """What the thread does: write, until `finish`."""
        number = 0
        while (data := self._pieces.get()) is not None:
            number += 1
            self._write(number, data)

    def _pour(self, data: bytes) -> bytes:
        try:
            return data[os.write(self._fd, data) :]
        except OSError:  # there is no room, or nobody who reads, which the thread finds out
            return data

    def _write(self, number: int, data: bytes) -> None:
        while True:
            self._room.poll()
            with self._lock:
                try:
                    data = data[os.write(self._fd, data) :]
                except BlockingIOError:
                    continue
                except OSError as error:  # nobody will read it, so it is never sent
                    if isinstance(error, BrokenPipeError):
                        self._refused()
                    return
                if not data:
                    self._wrote(number)
                    return


class BlindOutlet(Outlet):
    """A descriptor that is shared or cannot be polled: the thread waits in its write."""

    blind = True

    def _open(self) -> None:
        """It stays as it is."""

    def settle(self) -> None:
        """Nothing can be said of the thread."""

    def _pour(self, data: bytes) -> bytes:
        return data

    def _write(self, number: int, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:  # nobody will read it, so it is never sent
            if isinstance(error, BrokenPipeError):
                self._refused()
            return
        self._wrote(number)


def outlet(
    fd: int, wrote: Callable[[int], None], refused: Callable[[], None], shared: bool = False
) -> Outlet:
    """The best there is for this descriptor on this system."""
    return (BlindOutlet if shared or not can_be_polled(fd) else Outlet)(fd, wrote, refused)
