"""Remote bots of `donuts play`: opens the door they dial in at, and waits until all of them have come."""

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Exchange
from donuts_referee.cli.fault import UsageFault
from donuts_referee.table.entrant import Entrant

if TYPE_CHECKING:
    from donuts_referee.arena.door import Door
    from donuts_referee.arena.seats import SeatList
    from donuts_referee.endpoints import Endpoint

__all__ = ["Remotes", "add_options", "margin", "opened"]

LISTEN = "tcp://127.0.0.1:*"

LOOK_EVERY = 100_000_000
"""ns between two looks at who has come"""

MARGIN_LOCAL, MARGIN_REMOTE = 100, 500
"""ms of margin where none was asked for (DBP-11.16)"""


class Remotes(NamedTuple):
    """The exchange with the door in it, and the remote bots by name."""

    exchange: Exchange
    entrants: dict[str, Entrant]


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare what `zmq:NAME` needs."""
    door = parser.add_argument_group("bots that dial in (zmq:NAME)")
    door.add_argument("--listen", metavar="E", help=f"where they dial in (default {LISTEN}: any free port)")
    door.add_argument(
        "--seats", metavar="DIR", help="who may: the folder of `donuts arena seats` (default: anyone)"
    )


def margin(args: argparse.Namespace) -> int:
    """The margin in ms for a match with remote bots where none was asked for. Raises UsageFault."""
    return MARGIN_LOCAL if _endpoint(args).local else MARGIN_REMOTE


@contextmanager
def opened(names: Sequence[str], args: argparse.Namespace, channel: Channel) -> Iterator[Remotes]:
    """Open the door and wait for the bots of these names; UsageFault when it cannot be opened."""
    try:
        import zmq  # noqa: F401
    except ImportError:
        raise UsageFault("pyzmq is not installed: pip install pyzmq") from None
    from donuts_referee.arena.door import Door, DoorExchange
    from donuts_referee.arena.ipc import IpcFault
    from donuts_referee.channels.router import BindFault

    try:
        door = Door(_endpoint(args), tuple(names), _listed(args), channel.now, _tell)
    except (BindFault, IpcFault) as fault:
        raise UsageFault(f"--listen: {fault}") from None
    exchange = DoorExchange(channel, door)
    try:
        _await(door, exchange, listed=args.seats is not None)
        yield Remotes(exchange, {name: _entrant(door, name) for name in names})
    finally:
        exchange.close()
        door.close()


def _await(door: "Door", exchange: Exchange, *, listed: bool) -> None:
    for name in door.names:
        how = f"{door.endpoint} " + (f"--seat-file {name}.join.toml" if listed else f"--name {name}")
        _tell(f"waiting for {name}: donuts join {how} -- ./mybot")
    while door.missing():
        exchange.wait(exchange.now() + LOOK_EVERY)


def _entrant(door: "Door", name: str) -> Entrant:
    guest = door.sit(name)
    return Entrant(bot=name, open=lambda: guest.link, again=False, guest=guest)


def _endpoint(args: argparse.Namespace) -> "Endpoint":
    from donuts_referee.endpoints import EndpointFault, parse_endpoint

    try:
        return parse_endpoint(args.listen or LISTEN, binding=True).resolved(Path.cwd())
    except EndpointFault as fault:
        raise UsageFault(f"--listen: {fault}") from None


def _listed(args: argparse.Namespace) -> "SeatList | None":
    from donuts_referee.arena.seats import SeatList, SeatsFault

    if args.seats is None:
        return None
    try:
        return SeatList.load(Path(args.seats))
    except SeatsFault as fault:
        raise UsageFault(f"--seats: {fault}") from None


def _tell(text: str) -> None:
    sys.stderr.write(text + "\n")
    sys.stderr.flush()
