"""The door of one match: an endpoint at which the bots that are expected dial in, beside the children of the match.

`DoorExchange` adds it to the exchange of the children, so that one match can have both kinds of bots.
"""

from collections.abc import Callable, Sequence

import zmq

from donuts_protocol.messages import Hello
from donuts_referee.arena.ipc import prepare
from donuts_referee.arena.reception import Reception, Seated
from donuts_referee.arena.seating import ExpectedSeats, ListedForMatch, Seating
from donuts_referee.arena.seats import SeatList
from donuts_referee.channels.bell import Bell
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.guard import Guard
from donuts_referee.channels.link import Arrival
from donuts_referee.channels.router import BindFault, Keys, Router
from donuts_referee.channels.zap import Zap
from donuts_referee.endpoints import Endpoint

__all__ = ["Door", "DoorExchange"]

ATTEND_EVERY = 100_000_000
"""ns between two looks at what is due from time to time"""


class Door:
    """Where the expected bots come in; implements `reception.Host`. Raises BindFault or IpcFault."""

    def __init__(
        self,
        endpoint: Endpoint,
        names: tuple[str, ...],
        listed: SeatList | None,
        now: Callable[[], int],
        tell: Callable[[str], None],
    ) -> None:
        self.names = names
        self._tell = tell
        self._listed = listed
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.router = Router(self.context, now)
        self.reception = Reception(self.router, self._seating(), self, now)
        self.zap = Zap(self.context, self.reception.seating.admits)
        keys = None
        if listed is not None and listed.server_public and listed.server_secret and endpoint.kind == "tcp":
            keys = Keys(listed.server_public, listed.server_secret)
        if endpoint.curve and keys is None:
            raise BindFault(f"{endpoint.text} can be reached from elsewhere: give --seats with CURVE keys")
        prepare(endpoint)
        self.endpoint = self.router.bind(endpoint.text, keys)
        self.guard = Guard(self.router.connections, now())

    def _seating(self) -> Seating:
        if self._listed is not None:
            return ListedForMatch(self._listed, self.names)
        return ExpectedSeats(self.names, lambda name: name in self.reception.guests)

    def welcomes(self, seat: str, hello: Hello) -> None:
        """See `Host.welcomes`: whoever has a seat is expected."""

    def came(self, guest: Seated) -> None:
        """See `Host.came`."""
        self._tell(f"{guest.name} has come: {guest.hello.name}")

    def went(self, guest: Seated, why: str) -> None:
        """See `Host.went`."""

    def missing(self) -> list[str]:
        """The names of those who have not come yet."""
        guests = self.reception.guests
        return [name for name in self.names if name not in guests or guests[name].rtt is None]

    def sit(self, name: str) -> Seated:
        """Take the guest into a match: what it says is the match's from now on."""
        guest = self.reception.guests[name]
        guest.playing = True
        return guest

    def close(self) -> None:
        """Send away whoever is still there, and close."""
        for guest in tuple(self.reception.guests.values()):
            self.reception.end(guest, "done")
        self.zap.close()
        self.router.close()
        self.context.term()
        self.guard.close()


class DoorExchange:
    """The exchange of the children with the door added to it."""

    def __init__(self, channel: Channel, door: Door) -> None:
        self.now = channel.now
        self._channel = channel
        self._door = door
        self._bell = Bell(channel)
        self._fds = tuple(int(one.fd) for one in (door.router.socket, door.router.monitor, door.zap.socket))
        self._bell.watch(self._fds)
        self._attend = 0

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        """See `Exchange.wait`."""
        while True:
            arrivals = self._serve()
            now = self.now()
            until = now if arrivals else self._attend if deadline is None else min(self._attend, deadline)
            arrivals += [one for one in self._channel.wait(until) if one.link is not self._bell]
            if not arrivals:
                arrivals = self._serve()
            if arrivals or (deadline is not None and now >= deadline):
                return arrivals

    def _serve(self) -> list[Arrival]:
        """Everything that is there of remote bots, and what is due from time to time."""
        door = self._door
        door.zap.serve()
        arrivals: list[Arrival] = []
        while True:
            for received in door.router.receive():
                arrivals += door.reception.hear(received)
            if door.router.drained:
                break
        arrivals += door.router.events()
        if door.router.pending:
            arrivals += door.router.flush()
        now = self.now()
        door.guard.watch(now)
        if now >= self._attend:
            self._attend = now + ATTEND_EVERY
            door.reception.attend(now)
        self._bell.watch(self._fds)
        return arrivals

    def close(self) -> None:
        """Look at the door no more."""
        self._bell.hang_up()
