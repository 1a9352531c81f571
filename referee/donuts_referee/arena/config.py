"""Reads `arena.toml`, or says what holds without one, and reports all of its faults at once.

    [arena]     records endpoints seats curve reveal memory durable metrics
    [games]     tc margin margin_remote prep hello size rings tiles seed at_once on_fault bench_after

Paths, those of ipc endpoints too, are taken from the folder of the file.
"""

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS
from donuts_protocol.escape import shown
from donuts_protocol.keys import MAX_INT
from donuts_referee.arena.seats import SeatList, SeatsFault
from donuts_referee.endpoints import DEFAULT, Endpoint, EndpointFault, host_and_port, parse_endpoint
from donuts_referee.files import FileFault, read_table
from donuts_referee.settings import Findings, Section, SettingsFault, move_home, tile_set
from donuts_referee.table.control import ControlError, TimeControl

__all__ = ["ArenaConfig", "ConfigFault", "read_config"]

_MOST = 256 << 10
"""Bytes of the longest arena.toml"""

_KEYS = {
    "arena": ("records", "endpoints", "seats", "curve", "reveal", "memory", "durable", "metrics"),
    "games": (
        "tc",
        "margin",
        "margin_remote",
        "prep",
        "hello",
        "size",
        "rings",
        "tiles",
        "seed",
        "at_once",
        "on_fault",
        "bench_after",
    ),
}


class ConfigFault(SettingsFault):
    """An arena.toml that cannot be used: every fault, each with the file and the key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArenaConfig:
    """Everything that an arena is told; complete and checked."""

    records: Path = field(default_factory=lambda: Path.cwd() / "donuts-arena")
    endpoints: tuple[Endpoint, ...] = (DEFAULT,)
    seats: Path | None = None
    """the folder that `donuts arena seats` made; None: open seats"""
    curve: bool = False
    """speak CURVE on every tcp endpoint, on loopback addresses too"""
    controls: tuple[TimeControl, ...] = (TimeControl(margin=100),)
    """the first is the default; a bot may wish for another; their margin is `margin_local`"""
    margin_local: int = 100
    """ms over the limit that are forgiven a bot on this machine"""
    margin_remote: int = 500
    """ms over the limit that are forgiven a bot elsewhere"""
    size: Literal[6, 9] = 6
    rings: int = 15
    tiles: Path | None = None
    seed: int | None = None
    reveal: bool = False
    """tell each bot the other's name"""
    at_once: int | None = None
    """games at once; None: as many as there are bots"""
    on_fault: Literal["forfeit", "void"] = "forfeit"
    bench_after: int = 3
    """faults running after which a bot is not paired until it joins again"""
    memory: int = 1024
    """MiB that the arena may take; 0: no limit"""
    metrics: str | None = None
    """HOST:PORT where figures are offered to Prometheus"""
    durable: bool = False
    """fsync after each game"""

    def speaks_curve(self, endpoint: Endpoint) -> bool:
        """True when only who has a listed key comes in at this endpoint."""
        return endpoint.curve or (self.curve and endpoint.kind == "tcp")


def read_config(path: Path | None) -> ArenaConfig:
    """The configuration in the file, or the defaults without one. ConfigFault names every fault at once."""
    if path is None:
        return ArenaConfig()
    try:
        table, _ = read_table(path, most=_MOST)
    except FileFault as fault:
        raise ConfigFault(str(fault)) from None
    findings = Findings(path)
    move_home(findings, table, _KEYS)
    top = Section(findings, path.absolute().parent, table, _KEYS, called="sections")
    config = _config(top.section("arena", _KEYS["arena"]), top.section("games", _KEYS["games"]))
    if findings:
        raise ConfigFault(*findings.listed())
    return config


def _config(arena: Section, games: Section) -> ArenaConfig:
    size: Literal[6, 9] = 9 if games.choice("size", (6, 9), 6) == 9 else 6
    void = games.choice("on_fault", ("forfeit", "void"), "forfeit") == "void"
    margin = games.whole("margin", 0, 60_000, 100)
    seats = arena.path("seats")
    curve = arena.flag("curve")
    return ArenaConfig(
        records=_records(arena),
        endpoints=_endpoints(arena, _server_keys(arena, seats), curve),
        seats=seats,
        curve=curve,
        controls=_controls(games, margin),
        margin_local=margin,
        margin_remote=games.whole("margin_remote", 0, 60_000, 500),
        size=size,
        rings=games.whole("rings", 1, MAX_RINGS[size], DEFAULT_RINGS[size]),
        tiles=games.path("tiles") if tile_set(games, "tiles", size) else None,
        seed=games.whole("seed", 0, MAX_INT, None),
        reveal=arena.flag("reveal"),
        at_once=games.whole("at_once", 1, 10_000, None),
        on_fault="void" if void else "forfeit",
        bench_after=games.whole("bench_after", 1, 1_000_000, 3),
        memory=arena.whole("memory", 0, 1 << 20, 1024),
        metrics=_metrics(arena),
        durable=arena.flag("durable"),
    )


def _records(read: Section) -> Path:
    folder = read.path("records") or read.folder / "donuts-arena"
    try:
        usable = folder.is_dir() or not folder.exists()
    except OSError:
        usable = False
    if not usable:
        read.fault("records", f"{shown(str(folder))} is no folder; name one, it need not be there yet")
    return folder


def _server_keys(read: Section, seats: Path | None) -> bool:
    """Whether the server has CURVE keys; where that cannot be told because of another fault, True."""
    if seats is None:
        return read.has("seats")
    try:
        return SeatList.load(seats).server_public is not None
    except SeatsFault as fault:
        read.fault("seats", str(fault))
        return True


def _endpoints(read: Section, server_keys: bool, curve: bool) -> tuple[Endpoint, ...]:
    key = "endpoints"
    found: list[Endpoint] = []
    for text in read.texts(key, DEFAULT.text):
        try:
            endpoint = parse_endpoint(text, binding=True).resolved(read.folder)
        except EndpointFault as fault:
            read.fault(key, str(fault))
            continue
        if endpoint in found and not text.endswith((":0", ":*")):
            read.fault(key, f"{text} stands there twice; remove one")
        if not server_keys and (endpoint.curve or (curve and endpoint.kind == "tcp")):
            why = "is to speak CURVE (arena.curve)" if endpoint.local else "is not a loopback address"
            read.fault(
                key,
                f"{text} {why}: CURVE is required; make keys with `donuts arena seats --roster teams.csv --out seats "
                f"{'--curve ' if endpoint.local else ''}--endpoint tcp://HOST:PORT` "
                "and name that folder in arena.seats",
            )
        found.append(endpoint)
    return tuple(found)


def _controls(read: Section, margin: int) -> tuple[TimeControl, ...]:
    prep = read.milliseconds("prep", 10_000)
    hello = read.milliseconds("hello", 30_000)
    found: list[TimeControl] = []
    for text in read.texts("tc", "60+0.1"):
        try:
            control = TimeControl.parse(text[:40], margin=margin, prep=prep, hello=hello)
        except ControlError as fault:
            read.fault("tc", str(fault))
            continue
        if control in found:
            read.fault("tc", f"{control} stands there twice; remove one")
        found.append(control)
    return tuple(found)


def _metrics(read: Section) -> str | None:
    text = read.text("metrics")
    if text is None:
        return None
    right = 'must be an address and a port, such as "127.0.0.1:9464"'
    try:
        host, port = host_and_port(text)
        if host != "localhost":
            ipaddress.ip_address(host)
    except ValueError:  # EndpointFault is one
        read.fault("metrics", right)
    else:
        if not (port.isascii() and port.isdigit() and len(port) < 6 and 1 <= int(port) <= 65535):
            read.fault("metrics", right)
    return text
