"""`donuts arena serve`: runs the server that bots dial in to, until it is drained."""

import argparse
import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault
from donuts_referee.cli.printer import Printer
from donuts_referee.cli.stage import Stage

if TYPE_CHECKING:
    from collections.abc import Callable

    from donuts_referee.arena.config import ArenaConfig
    from donuts_referee.arena.server import Server
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

DEAF = "donuts: nothing can be printed to stdout any more; games are played and recorded all the same\n"

CONFIG = """\
arena.toml, all of it voluntary; what is shown is what holds without it:
  [arena]
  records = "donuts-arena"              # journal.jsonl, games.pgn, the control socket
  endpoints = ["tcp://127.0.0.1:7464"]  # also ipc://run/arena.sock; other addresses speak CURVE and need seats
  seats = "seats"                       # the folder of `donuts arena seats`; absent: seats are open
  curve = false                         # CURVE on loopback addresses too
  reveal = false                        # tell each bot the other's name
  metrics = "127.0.0.1:9464"            # figures for Prometheus; absent: none
  memory = 1024                         # MiB, 0: no limit
  durable = false                       # fsync after each game
  [games]
  tc = ["60+0.1"]                       # the first is the default, the others may be wished for
  margin = 100                          # ms, both bots local; margin_remote = 500 otherwise
  prep = 10                             # seconds to get ready; hello = 30 to say hello
  size = 6                              # or 9; also rings, tiles, seed
  at_once = 8                           # matches at once; absent: as many as there are bots
  on_fault = "forfeit"                  # or "void"
  bench_after = 3                       # faults running after which a bot has to join again

The first SIGINT or SIGTERM lets the matches in play end (drain), the second one stops at once.
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the parser of this part of `donuts arena`."""
    parser = subparsers.add_parser(
        "serve",
        help="run the arena",
        description="Runs the arena: seats the bots that dial in, pairs them, referees and records their games.",
        epilog=CONFIG,
    )
    parser.add_argument("config", nargs="?", metavar="arena.toml", help="absent: loopback tcp and open seats")
    parser.add_argument(
        "--endpoint", action="append", metavar="E", help="listen here instead (again for another one)"
    )
    parser.add_argument("--records", metavar="DIR", help="keep the records here instead")
    parser.add_argument("--json", action="store_true", help="one JSON event a line")
    parser.set_defaults(act=run)


def run(args: argparse.Namespace) -> int:
    """Serve; UsageFault when the arena cannot be opened."""
    config = _config(args)
    aside = Stage(sys.stderr, lambda: None)
    stage = Stage(sys.stdout, lambda: aside.write(DEAF))
    seed = config.seed if config.seed is not None else int.from_bytes(os.urandom(4), "big")
    try:
        import zmq  # noqa: F401
    except ImportError:
        raise UsageFault("pyzmq is not installed: pip install pyzmq") from None
    from donuts_referee.channels.guard import limit_memory, raise_descriptors

    limit_memory(config.memory)
    raise_descriptors()
    with ExitStack() as stack:
        printer = Printer(stage)
        stack.callback(printer.close)
        server = _open(config, printer, args.json, seed)
        stack.callback(server.close)
        if config.metrics is not None:
            stack.callback(_offer(server, config.metrics))
        _announce(server, stage if not args.json else aside, seed)
        stopped = server.serve()
    if stopped.signal is not None:
        raise Terminated(stopped.signal)
    return ExitCode.OK


def _offer(server: "Server", address: str) -> "Callable[[], None]":
    from donuts_referee.arena.metrics import MetricsFault, offer

    try:
        return offer(address, lambda: server.latest)
    except MetricsFault as fault:
        raise UsageFault(str(fault)) from None


def _config(args: argparse.Namespace) -> "ArenaConfig":
    from dataclasses import replace

    from donuts_referee.arena.config import ConfigFault, read_config
    from donuts_referee.endpoints import EndpointFault, parse_endpoint

    try:
        config = read_config(None if args.config is None else Path(args.config))
        if args.records is not None:
            if not args.records:
                raise UsageFault("--records is empty; name a folder, which need not be there yet")
            config = replace(config, records=Path.cwd() / args.records)
        if args.endpoint:
            ends = tuple(parse_endpoint(text, binding=True).resolved(Path.cwd()) for text in args.endpoint)
            config = replace(config, endpoints=ends)
    except ConfigFault as fault:
        raise UsageFault(*fault.faults) from None
    except EndpointFault as fault:
        raise UsageFault(str(fault)) from None
    return config


def _open(config: "ArenaConfig", printer: Printer, json: bool, seed: int) -> "Server":
    from donuts_referee.arena.control import ControlFault
    from donuts_referee.arena.ipc import IpcFault
    from donuts_referee.arena.ladder import LadderFault
    from donuts_referee.arena.seats import SeatsFault
    from donuts_referee.arena.server import Server
    from donuts_referee.channels.router import BindFault
    from donuts_referee.cli.arena_events import ArenaJson, ArenaLines
    from donuts_referee.records.faults import RecordsFault
    from donuts_referee.records.lock import FolderTaken

    onlooker = ArenaJson(printer) if json else ArenaLines(printer)
    try:
        return Server(config, onlooker, seed)
    except (BindFault, ControlFault, FolderTaken, IpcFault, LadderFault, RecordsFault, SeatsFault) as fault:
        raise UsageFault(str(fault)) from None
    except OSError as fault:
        raise UsageFault(f"{config.records}: {(fault.strerror or str(fault)).lower()}") from None


def _announce(server: "Server", stage: Stage, seed: int) -> None:
    config = server.config
    seats = "open seats" if config.seats is None else f"seats of {config.seats}"
    lines = [
        f"arena at {', '.join(server.endpoints)} ({seats})",
        f"records: {config.records}",
        *(() if config.metrics is None else (f"metrics: http://{config.metrics}/metrics",)),
        f"seed: {seed}",
    ]
    if config.seats is None:
        first = server.endpoints[0]
        lines.append(f"join: donuts join {first} -- ./mybot")
        lines.append(f'or in Python: run(MyBot, connect="{first}")')
    else:
        lines.append("join: donuts join --seat-file NAME.join.toml -- ./mybot")
    stage.write("\n".join(lines) + "\n")
