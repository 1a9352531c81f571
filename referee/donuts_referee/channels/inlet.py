"""Reads a descriptor on a thread of its own, so that no byte is out of sight while that thread is not scheduled.

The thread waits until there is something to read; only then does it take the lock, read, and hand on what it read
before it lets go. So whoever has the lock knows that all that came was either handed on or is still to be read, and may
read it in the thread's place. A descriptor that cannot be polled has to be read without the lock: whether a thread that
seems to be in its read has returned from it is then a guess.
"""

import os
import select
import threading
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["AHEAD", "SETTLED", "BlindInlet", "Inlet", "can_be_polled", "inlet"]

GULP = 65536
"""bytes a read may return"""

AHEAD = 4
"""pieces that may have been handed on and that no wait has taken"""

SETTLED = 0.02
"""seconds after which a thread that is still in the same read is believed to have nothing to read"""

Take: TypeAlias = Callable[[bytes | None], bool]
"""Is handed what a read returned, under the lock: b"" at the end, None when there was nothing after all.

Returns whether a wait is going to take it, and to give back the credit for it."""


class Inlet:
    """A descriptor that can be polled; unless it is `shared` with other processes it is made non-blocking.

    Under the lock nobody waits for credit or for another lock, nor for bytes, unless the descriptor is shared and
    somebody else takes away what was seen there. What `take` does counts: a tee of stderr is written to.
    """

    blind = False
    """nobody can tell whether there is something to be read"""

    def __init__(self, fd: int, take: Take, shared: bool) -> None:
        self.credit = threading.Semaphore(AHEAD)
        self.over = False
        """nothing more is read; from then on the thread may close the descriptor"""
        self._fd = fd
        self._take = take
        self._shared = shared
        self._lock = threading.Lock()
        self._open()

    def _open(self) -> None:
        if not self._shared:  # a bot may read from its own stdout, and take away what a poll has seen
            os.set_blocking(self._fd, False)
        self._sleeping, self._looking = select.poll(), select.poll()  # one is of the thread alone
        for poll in (self._sleeping, self._looking):
            poll.register(self._fd, select.POLLIN)

    def listen(self) -> None:
        """One round of the thread, while it is not `over`: wait for something to read, and hand it on."""
        self.credit.acquire()
        self._sleeping.poll()
        if not self._hand_on():
            self.credit.release()

    def look(self) -> None:
        """Hand on in the thread's place what can be read; without credit something was handed on already."""
        if self.credit.acquire(blocking=False) and not self._hand_on():
            self.credit.release()

    def drain(self, most: int) -> None:
        """Hand on what there is, until `most` bytes or more were read; for a `take` that is no wait's."""
        with self._lock:
            while most > 0 and not self.over:
                data = self._next()
                self._take(data)
                if not data:
                    return
                most -= len(data)

    def dry(self) -> bool:
        """Is there nothing to be read, for certain? To be asked under the lock, as by a `take`."""
        return not self._looking.poll(0)

    def once_dry(self, then: Callable[[], None], stop: threading.Event) -> None:
        """Call `then` if there is nothing to be read; if there is, it is for `take` to ask when it is `dry`."""
        with self._lock:
            if not self.over and self.dry():
                then()

    def close(self) -> None:
        """Nothing more is to be read."""
        with self._lock:
            self.over = True

    def _hand_on(self) -> bool:
        with self._lock:
            return not self.over and self._take(self._next())

    def _next(self) -> bytes | None:
        if self._shared and self.dry():  # somebody else has read it, and a read would block
            return None
        data = _read_some(self._fd)
        self.over = data == b""
        return data


class BlindInlet(Inlet):
    """A descriptor that cannot be polled: the thread waits in its read, and nobody reads in its place."""

    blind = True

    def _open(self) -> None:
        self._reading = False
        self._reads = 0

    def listen(self) -> None:
        """One round of the thread, while it is not `over`: read, and hand it on."""
        self.credit.acquire()
        self._reading = True
        data = _read_some(self._fd) or b""
        self._reading = False
        self._reads += 1
        with self._lock:
            passed = not self.over and self._take(data)
            self.over = self.over or not data
        if not passed:
            self.credit.release()

    def look(self) -> None:
        """Nothing can be done for the thread."""

    def drain(self, most: int) -> None:
        """Nothing can be done for the thread."""

    def dry(self) -> bool:
        """That is never certain."""
        return False

    def once_dry(self, then: Callable[[], None], stop: threading.Event) -> None:
        """Call `then` once the thread has been in one read for so long that there is probably nothing; not after
        `stop`."""
        while not self.over:
            reads = self._reads
            if stop.wait(SETTLED):
                return
            if self._reading and self._reads == reads:
                with self._lock:
                    then()
                return


def inlet(fd: int, take: Take, shared: bool = False) -> Inlet:
    """The best there is for this descriptor on this system."""
    return (Inlet if can_be_polled(fd) else BlindInlet)(fd, take, shared)


def can_be_polled(fd: int) -> bool:
    """Can a poll wait for it? Some systems have none, and some have terminals of which theirs knows nothing."""
    if os.name != "posix" or not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return not any(event & select.POLLNVAL for _, event in poll.poll(0))


def _read_some(fd: int) -> bytes | None:
    """b"" at the end, and when the descriptor can no longer be read; None when there is nothing at the moment."""
    try:
        return os.read(fd, GULP)
    except BlockingIOError:
        return None
    except OSError:
        return b""
