"""Where a bot that dials in is checked: a ROUTER beside the children, whose peers become links one by one (DBP-11)."""

from collections.abc import Sequence

import zmq

from donuts_referee.channels.bell import Bell
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Arrival, Chunk
from donuts_referee.channels.router import Router, RouterLink

__all__ = ["Doorway"]

ROUNDS = 16
"""times at most that the socket is read before a wait looks at its deadline: a peer may send without an end"""

LOOK_EVERY = 100_000_000
"""ns between two looks at a socket that may have kept silent"""


class Doorway:
    """An exchange: that of the children, with the frames of dialled bots among the arrivals.

    Raises router.BindFault where the endpoint cannot be opened.
    """

    def __init__(self, channel: Channel, endpoint: str) -> None:
        self.now = channel.now
        self.split: dict[int, int] = {}
        """by link: messages that had several frames (DBP-11.2)"""
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.router = Router(self._context, channel.now)
        self.endpoint = self.router.bind(endpoint)
        """with the port that was taken"""
        self._channel = channel
        self._bell = Bell(channel)
        self._fds = tuple(int(one.fd) for one in (self.router.socket, self.router.monitor))
        self._bell.watch(self._fds)

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        """See `Exchange.wait`."""
        while True:
            arrivals = self._serve()
            now = self.now()
            until = (
                now if arrivals else now + LOOK_EVERY if deadline is None else min(now + LOOK_EVERY, deadline)
            )
            arrivals += [one for one in self._channel.wait(until) if one.link is not self._bell]
            if not arrivals:
                arrivals = self._serve()
            if arrivals or (deadline is not None and now >= deadline):
                return arrivals

    def _serve(self) -> list[Arrival]:
        arrivals: list[Arrival] = []
        for _ in range(ROUNDS):
            for received in self.router.receive():
                link = received.peer.link or RouterLink(self.router, received.peer)
                if received.parts > 1 or received.envelope:
                    self.split[id(link)] = self.split.get(id(link), 0) + 1
                else:
                    arrivals.append(Chunk(link, received.first, received.at))
            if self.router.drained:
                break
        arrivals += self.router.events()
        if self.router.pending:
            arrivals += self.router.flush()
        self._bell.watch(self._fds)
        return arrivals

    def close(self) -> None:
        """Close the socket."""
        self._bell.hang_up()
        self.router.close()
        self._context.term()
