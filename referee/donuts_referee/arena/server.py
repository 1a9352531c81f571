"""The arena as a process: its sockets, its files, and the one loop that serves all of them."""

import signal
import socket
import time
from collections.abc import Callable
from contextlib import closing
from types import FrameType
from typing import NamedTuple

import zmq

from donuts_engine.tiles import TileSet
from donuts_referee.arena.arena import Arena, Onlooker
from donuts_referee.arena.config import ArenaConfig
from donuts_referee.arena.control import ControlSocket
from donuts_referee.arena.floor import Floor
from donuts_referee.arena.ipc import prepare
from donuts_referee.arena.ladder import Ladder, RowKey
from donuts_referee.arena.ledger import Ledger
from donuts_referee.arena.reception import Reception
from donuts_referee.arena.seating import ListedSeats, OpenSeats, Seating
from donuts_referee.arena.seats import SeatList, SeatsFault
from donuts_referee.arena.standings import read_standings
from donuts_referee.arena.status import Answer, GuestStatus, Request, Status
from donuts_referee.channels.connections import Connections
from donuts_referee.channels.guard import Guard, resident
from donuts_referee.channels.link import Arrival
from donuts_referee.channels.poller import READ, Poller, poller
from donuts_referee.channels.router import BindFault, Keys, Router
from donuts_referee.channels.zap import Zap
from donuts_referee.contest import JOURNAL, refuse_event
from donuts_referee.programme import Boards
from donuts_referee.records.lock import FolderLock
from donuts_referee.version import __version__

__all__ = ["Server", "Stopped"]

MS = 1_000_000
SECOND = 1_000_000_000

ATTEND_EVERY = 100 * MS
"""ns between two looks at what is due from time to time"""

BATCHES = 16
"""batches of messages that are read at most before games go on"""

RETRY = 2 * MS
"""ns after which bytes that a peer did not take are offered again"""

CURVE_NEEDED = (
    "can be reached from elsewhere: CURVE is required; make keys with `donuts arena seats --roster teams.csv "
    "--out seats --endpoint tcp://HOST:PORT` and name that folder as seats in arena.toml"
)


class Stopped(NamedTuple):
    """Why the loop ended: the signal that made it stop at once, or None: all games were played to their end."""

    signal: int | None


class Server:
    """One arena from its start to its end. What cannot be opened is a fault of its own kind, raised at once."""

    def __init__(self, config: ArenaConfig, onlooker: Onlooker, seed: int) -> None:
        self.config = config
        self.now: Callable[[], int] = time.monotonic_ns
        self.began = self.now()
        self.onlooker = onlooker
        self._signal: int | None = None
        self._seats_fault = ""
        """what was told of a list of seats that cannot be used"""
        self._asked = 0
        refuse_event(config.records)
        config.records.mkdir(parents=True, exist_ok=True)
        self.lock = FolderLock(config.records, "arena")
        ladder, played = _ladder(config)
        self.ledger = Ledger(config.records, durable=config.durable)
        tiles = TileSet.shipped() if config.tiles is None else TileSet.load(config.tiles)
        boards = Boards(tiles=tiles, size=config.size)
        self.arena = Arena(config, self.ledger, ladder, boards, seed, onlooker)
        self.arena.encounters = (played + 1) // 2
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.router = Router(self.context, self.now)
        self.seats = None if config.seats is None else ListedSeats(SeatList.load(config.seats))
        self.reception = Reception(self.router, self._seating(), self.arena, self.now)
        self.zap = Zap(self.context, self.reception.seating.admits)
        self.endpoints = self._bind()
        self.control = ControlSocket(self.context, config.records, self.obey)
        self.guard = Guard(self.router.connections, self.now())
        self.floor = Floor(self.now)
        self.arena.open(self.reception, self.floor, self.now)
        self._attend = self.now()
        self.latest = self.status()
        """the arena a moment ago, for whoever asks from another thread"""

    def _seating(self) -> Seating:
        if self.seats is not None:
            return self.seats
        return OpenSeats(lambda name: name in self.reception.guests)

    def _bind(self) -> tuple[str, ...]:
        """Open the plain endpoints, then those with CURVE, in the order of the configuration as told."""
        listed = None if self.seats is None else self.seats.seats
        speaks_curve, endpoints = self.config.speaks_curve, self.config.endpoints
        if listed is not None:
            _check_seats(listed, {speaks_curve(endpoint) for endpoint in endpoints})
        bound: dict[int, str] = {}
        for place in sorted(range(len(endpoints)), key=lambda place: speaks_curve(endpoints[place])):
            endpoint, keys = endpoints[place], None
            prepare(endpoint)
            if speaks_curve(endpoint):
                if listed is None or not listed.server_public or not listed.server_secret:
                    raise BindFault(f"{endpoint.text} {CURVE_NEEDED}")
                keys = Keys(listed.server_public, listed.server_secret)
            bound[place] = self.router.bind(endpoint.text, keys)
        return tuple(bound[place] for place in range(len(endpoints)))

    @property
    def connections(self) -> Connections:
        """Everyone who is connected."""
        return self.router.connections

    # --- the loop --------------------------------------------------------------------------------------------------

    def serve(self) -> Stopped:
        """Serve until drained, or until a signal says to stop now."""
        waker, woken = socket.socketpair()
        waker.setblocking(False)
        woken.setblocking(False)
        before = [(one, signal.signal(one, self._caught)) for one in (signal.SIGINT, signal.SIGTERM)]
        old = signal.set_wakeup_fd(waker.fileno(), warn_on_full_buffer=False)
        try:
            return self._serve(woken)
        finally:
            signal.set_wakeup_fd(old)
            for number, handler in before:
                signal.signal(number, handler)
            waker.close()
            woken.close()

    def _serve(self, woken: socket.socket) -> Stopped:
        with closing(poller()) as wait:
            return self._loop(wait, woken)

    def _loop(self, wait: Poller, woken: socket.socket) -> Stopped:
        """Wait on the descriptors of the sockets: cheaper than zmq.Poller, which asks every socket twice a wake-up."""
        router = self.router
        sockets = (router.socket, router.monitor, self.zap.socket, self.control.socket)
        fds = tuple(int(each.get(zmq.FD)) for each in sockets)
        _, monitor, zap, control = fds
        for fd in (*fds, woken.fileno()):
            wait.register(fd, READ)
        self.zap.serve()  # what came before is not told again
        self.control.serve()
        arena, floor = self.arena, self.floor
        told = True
        while True:
            for fd, _ in wait.poll(0 if router.readable else self._timeout(), len(fds) + 1):
                if fd == monitor:
                    told = True
                elif fd == zap:
                    self.zap.serve()
                elif fd == control:
                    self.control.serve()
                elif fd == woken.fileno():
                    woken.recv(64)
            self._exchange(told)
            told = False
            now = self.now()
            self.guard.watch(now)
            if now >= self._attend:
                self._attend = now + ATTEND_EVERY
                self._reload()
                if self.config.metrics is not None:
                    self.latest = self.status()
                arena.attend(now)
                arena.pair()
            if self._asked > 1:
                arena.close("drain")
                return Stopped(self._signal)
            if self._asked and not arena.draining:
                self._drain()
            if arena.draining and not len(floor) and not self.ledger.held:
                arena.close("drain")
                return Stopped(None)

    def _exchange(self, told: bool) -> None:
        """Read what has come, let every match that it concerns go on, then those whose time is up.

        `told`: the monitor of the ROUTER has something to say.
        """
        router, hear, floor = self.router, self.reception.hear, self.floor
        arrivals: list[Arrival] = []
        for _ in range(BATCHES):  # so that a bot's last look is not spent on a part of what is there
            for received in router.receive():
                arrivals += hear(received)
            if router.drained:
                break
        arrivals += router.events(told=told)
        if router.pending:
            arrivals += router.flush()
        playing = len(floor)
        if arrivals:
            floor.deliver(arrivals)
        if router.drained:
            floor.expire()
        if len(floor) < playing or self.reception.stirred:
            self.reception.stirred = False
            self.arena.pair()

    def _timeout(self) -> float:
        """Seconds until something is due."""
        due = min(self._attend, self.guard.due)
        if self.floor.deadline is not None:
            due = min(due, self.floor.deadline)
        left = due - self.now()
        if self.router.pending:
            left = min(left, RETRY)
        if not self.router.drained:
            return 0
        return max(0, left) / SECOND

    def _caught(self, number: int, frame: FrameType | None) -> None:
        """The first SIGINT or SIGTERM drains, the second one stops."""
        self._signal = number
        self._asked += 1

    def _drain(self) -> None:
        self.arena.draining = True
        self.onlooker.note(
            f"draining: {len(self.floor)} matches are played to their end; a second signal stops them"
        )

    def _reload(self) -> None:
        """Take over a list of seats that has changed; one that cannot be used changes nothing."""
        listed = self.seats
        if listed is None or self.config.seats is None or not listed.seats.stale():
            return
        try:
            listed.seats = SeatList.load(self.config.seats)
        except SeatsFault as fault:
            if str(fault) != self._seats_fault:
                self._seats_fault = str(fault)
                self.onlooker.note(f"the list of seats is not taken over: {fault}")
        else:
            self._seats_fault = ""
            self.onlooker.note(f"the list of seats has changed: {len(listed.seats.seats)} seats")

    # --- the operator ----------------------------------------------------------------------------------------------

    def obey(self, request: Request) -> Answer:
        """Do what the operator asks."""
        arena = self.arena
        match request.command:
            case "status":
                return Answer(status=self.status())
            case "pause":
                arena.paused = True
                return Answer(
                    text=f"paused: no encounter begins; {len(self.floor)} matches are played to their end"
                )
            case "resume":
                arena.paused = False
                return Answer(text="resumed" if not arena.draining else "resumed, but the arena is draining")
            case "drain":
                self._drain()
                return Answer(
                    text=f"draining: {len(self.floor)} matches are played to their end, then the arena ends"
                )
            case "kick":
                guest = self.reception.guests.get(request.name or "")
                if guest is None:
                    return Answer(
                        error=f"no bot sits at {request.name!r}; `donuts arena status` lists those that do"
                    )
                arena.remove(guest, "kicked")
                return Answer(text=f"{guest.name} was sent away; revoke its seat to keep it out")
            case _:
                return Answer(error=f"there is no command {request.command!r}")

    def status(self) -> Status:
        """The arena now."""
        arena, now = self.arena, self.now()
        state = "draining" if arena.draining else "paused" if arena.paused else "running"
        guests = []
        for guest in self.reception.guests.values():
            row = arena.ladder.row(RowKey(guest.name, guest.hello.ver or ""))
            lost = guest.link.lost
            guests.append(
                GuestStatus(
                    seat=guest.name,
                    name=guest.hello.name,
                    ver=guest.hello.ver,
                    encoding=guest.session.encoding,
                    playing=guest.playing,
                    away=None if lost is None else (now - lost) / SECOND,
                    rtt_ms=None if guest.rtt is None else guest.rtt / MS,
                    games=row.games,
                    rating=round(row.rating, 1),
                    strikes=arena.strikes_of(guest.name),
                )
            )
        return Status(
            version=__version__,
            up=(now - self.began) / SECOND,
            state="held" if self.ledger.held else state,
            endpoints=self.endpoints,
            records=str(self.config.records),
            seated=len(guests),
            playing=len(self.floor),
            games=arena.games,
            plies=arena.plies,
            ended=dict(arena.whys),
            held=self.ledger.held,
            strangers=self.connections.strangers,
            refused=dict(self.connections.refused),
            resident=resident(),
            guests=tuple(guests),
        )

    def close(self) -> None:
        """Give back everything; the last words have half a second to leave."""
        self.control.close()
        self.zap.close()
        self.router.close()
        self.context.term()
        self.guard.close()
        self.ledger.close()
        self.lock.close()


def _check_seats(listed: SeatList, speak_curve: set[bool]) -> None:
    """Raises BindFault when none of the seats could be taken at any endpoint."""
    seats = [seat for seat in listed.seats if not seat.revoked]
    if seats and True not in speak_curve and all(seat.token_sha256 is None for seat in seats):
        raise BindFault(
            "the seats have CURVE keys and no endpoint speaks CURVE: write curve = true in [arena]"
        )
    if seats and False not in speak_curve and all(seat.curve_key is None for seat in seats):
        raise BindFault(
            "the seats have tokens and every endpoint speaks CURVE: give keys with `donuts arena seats --renew NAME "
            "--curve`, or add a local endpoint"
        )


def _ladder(config: ArenaConfig) -> tuple[Ladder, int]:
    """The ladder of the games that were played here before, and how many there are."""
    journal = config.records / JOURNAL
    if not journal.exists() or journal.stat().st_size == 0:
        return Ladder(), 0
    before = read_standings(journal)
    return before.ladder, before.games
