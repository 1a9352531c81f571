"""Wakes the wait of an exchange when one of a socket's descriptors is readable; nothing is read here."""

import select
import threading
from collections.abc import Iterable

from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Arrival, Exit, Sent, Stderr
from donuts_referee.channels.stdio import PipeExchange

__all__ = ["Bell"]

PATIENCE = 0.2
"""seconds after which a thread looks whether it is still wanted"""


class Bell:
    """A link that carries nothing: its `Sent` in the arrivals of a wait says that a descriptor is readable."""

    def __init__(self, channel: Channel) -> None:
        self.lost: int | None = None
        self._channel = channel
        self._fds: tuple[int, ...] = ()
        self._heard = threading.Event()
        self._hung: threading.Event | None = None

    def watch(self, fds: Iterable[int]) -> None:
        """Look at these from now on, and at no others."""
        fds = tuple(fds)
        if fds == self._fds:
            self._heard.set()
            return
        self.hang_up()
        self._fds = fds
        if isinstance(self._channel, PipeExchange):
            for fd in fds:
                self._channel.watch(fd, self._ring)
        elif fds:
            self._heard.set()
            self._hung = threading.Event()
            threading.Thread(target=self._listen, args=(fds, self._hung), name="bell", daemon=True).start()

    def _ring(self, arrivals: list[Arrival]) -> None:
        arrivals.append(Sent(self, self._channel.now()))

    def _listen(self, fds: tuple[int, ...], hung: threading.Event) -> None:
        """For an exchange that cannot wait for other descriptors: a thread does, one ring at a time."""
        while not hung.is_set():
            if not self._heard.wait(PATIENCE):
                continue
            try:
                ready = bool(select.select(fds, (), (), PATIENCE)[0])
            except (OSError, ValueError):  # closed meanwhile
                return
            if ready and not hung.is_set():
                self._heard.clear()
                self._channel.post(Sent(self, self._channel.now()))

    def send(self, data: bytes) -> int | None:
        """See `Link.send`; nobody is there to send to."""
        return self._channel.now()

    def hang_up(self) -> None:
        """See `Link.hang_up`: look at nothing any more."""
        if isinstance(self._channel, PipeExchange):
            for fd in self._fds:
                self._channel.forget(fd)
        if self._hung is not None:
            self._hung.set()
            self._hung = None
        self._fds = ()

    def reap(self) -> Exit:
        """See `Link.reap`."""
        self.hang_up()
        return Exit(None, None)

    def stderr(self) -> Stderr:
        """See `Link.stderr`."""
        return Stderr(b"", b"", 0)
