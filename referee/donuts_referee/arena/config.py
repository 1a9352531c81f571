"""Reads `arena.toml`, or says what holds without one, and reports all of its faults at once.

    [arena]     records endpoints seats curve reveal memory durable metrics
    [games]     tc margin margin_remote prep hello size rings tiles seed at_once on_fault bench_after

Paths, those of ipc endpoints too, are taken from the folder of the file.
"""

import ipaddress
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, TypeVar

from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS
from donuts_engine.tiles import TileSet
from donuts_protocol.escape import shown
from donuts_protocol.keys import MAX_INT
from donuts_referee.arena.files import FileFault, listed, read_table
from donuts_referee.arena.seats import SeatList, SeatsFault
from donuts_referee.endpoints import DEFAULT, Endpoint, EndpointFault, host_and_port, parse_endpoint
from donuts_referee.table.control import MAX_SECONDS, ControlError, TimeControl

__all__ = ["ArenaConfig", "ConfigFault", "read_config"]

Given = TypeVar("Given", int, int | None)

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


class ConfigFault(Exception):
    """An arena.toml that cannot be used; the text is one line with every fault, each with the file and the key."""


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
    reading = _Reading(path, table)
    config = _config(reading)
    reading.end()
    return config


def _config(read: "_Reading") -> ArenaConfig:
    size: Literal[6, 9] = 9 if read.choice("games.size", (6, 9), 6) == 9 else 6
    void = read.choice("games.on_fault", ("forfeit", "void"), "forfeit") == "void"
    margin = read.whole("games.margin", 0, 60_000, 100)
    seats = read.path("arena.seats")
    curve = read.flag("arena.curve")
    return ArenaConfig(
        records=_records(read),
        endpoints=_endpoints(read, _server_keys(read, seats), curve),
        seats=seats,
        curve=curve,
        controls=_controls(read, margin),
        margin_local=margin,
        margin_remote=read.whole("games.margin_remote", 0, 60_000, 500),
        size=size,
        rings=read.whole("games.rings", 1, MAX_RINGS[size], DEFAULT_RINGS[size]),
        tiles=_tiles(read, size),
        seed=read.whole("games.seed", 0, MAX_INT, None),
        reveal=read.flag("arena.reveal"),
        at_once=read.whole("games.at_once", 1, 10_000, None),
        on_fault="void" if void else "forfeit",
        bench_after=read.whole("games.bench_after", 1, 1_000_000, 3),
        memory=read.whole("arena.memory", 0, 1 << 20, 1024),
        metrics=_metrics(read),
        durable=read.flag("arena.durable"),
    )


def _records(read: "_Reading") -> Path:
    folder = read.path("arena.records") or read.folder / "donuts-arena"
    try:
        usable = folder.is_dir() or not folder.exists()
    except OSError:
        usable = False
    if not usable:
        read.fault("arena.records", f"{shown(str(folder))} is no folder; name one, it need not be there yet")
    return folder


def _server_keys(read: "_Reading", seats: Path | None) -> bool:
    """Whether the server has CURVE keys; where that cannot be told because of another fault, True."""
    if seats is None:
        return read.has("arena.seats")
    try:
        return SeatList.load(seats).server_public is not None
    except SeatsFault as fault:
        read.fault("arena.seats", str(fault))
        return True


def _endpoints(read: "_Reading", server_keys: bool, curve: bool) -> tuple[Endpoint, ...]:
    key = "arena.endpoints"
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


def _controls(read: "_Reading", margin: int) -> tuple[TimeControl, ...]:
    prep = read.milliseconds("games.prep", 10_000)
    hello = read.milliseconds("games.hello", 30_000)
    found: list[TimeControl] = []
    for text in read.texts("games.tc", "60+0.1"):
        try:
            control = TimeControl.parse(text[:40], margin=margin, prep=prep, hello=hello)
        except ControlError as fault:
            read.fault("games.tc", str(fault))
            continue
        if control in found:
            read.fault("games.tc", f"{control} stands there twice; remove one")
        found.append(control)
    return tuple(found)


def _tiles(read: "_Reading", size: int) -> Path | None:
    path = read.path("games.tiles")
    if path is None:
        return None
    try:
        tiles = TileSet.load(path)
    except OSError as fault:
        read.fault(
            "games.tiles", f"{shown(str(path))}: {fault.strerror or fault}; a readable TOML file is needed"
        )
    except ValueError as fault:
        read.fault("games.tiles", shown(" ".join(str(fault).split()), 1000))
    else:
        if len(tiles.tiles) < (size // 3) ** 2:
            read.fault(
                "games.tiles",
                f"{shown(str(path))} has {len(tiles.tiles)} tiles, and a {size} x {size} board "
                f"takes {(size // 3) ** 2}; add tiles, or size = 6",
            )
    return path


def _metrics(read: "_Reading") -> str | None:
    text = read.text("arena.metrics")
    if text is None:
        return None
    right = 'must be an address and a port, such as "127.0.0.1:9464"'
    try:
        host, port = host_and_port(text)
        if host != "localhost":
            ipaddress.ip_address(host)
    except ValueError:  # EndpointFault is one
        read.fault("arena.metrics", right)
    else:
        if not (port.isascii() and port.isdigit() and len(port) < 6 and 1 <= int(port) <= 65535):
            read.fault("arena.metrics", right)
    return text


class _Reading:
    """One reading of a file: takes values by `section.key`, gathers the faults; a faulty value reads as its default."""

    def __init__(self, path: Path, table: dict[str, object]) -> None:
        self.folder = path.absolute().parent
        self._name = shown(str(path))
        self._faults: list[str] = []
        self._values: dict[str, object] = {}
        for section, keys in _KEYS.items():
            entries = table.pop(section, {})
            if isinstance(entries, dict):
                self._take(section, entries, keys)
            else:
                self.fault(section, f"must be a table, [{section}]")
        every = [f"{section}.{key}" for section, keys in _KEYS.items() for key in keys]
        for key in table:
            homes = [f"[{known.partition('.')[0]}]" for known in every if known.endswith(f".{key}")]
            if homes:
                self.fault(shown(key), f"belongs below {homes[0]}")
            else:
                self.fault(shown(key), f"unknown; {_near(key, tuple(_KEYS), 'the sections are')}")

    def _take(self, section: str, entries: dict[str, object], keys: tuple[str, ...]) -> None:
        for key, value in entries.items():
            if key in keys:
                self._values[f"{section}.{key}"] = value
            else:
                self.fault(f"{section}.{shown(key)}", f"unknown; {_near(key, keys, 'the keys are')}")

    def fault(self, key: str, text: str) -> None:
        """Note a fault: `text` says what is wrong and what would be right."""
        self._faults.append(f"{self._name}: {key}: {text}")

    def end(self) -> None:
        """ConfigFault when there was any fault."""
        if self._faults:
            raise ConfigFault(listed(self._faults, " | "))

    def has(self, key: str) -> bool:
        """True when the file has the key, be it faulty or not."""
        return key in self._values

    def whole(self, key: str, low: int, high: int, default: Given) -> int | Given:
        """A whole number from `low` to `high`."""
        value = self._values.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(key, f"must be a whole number from {low} to {high}")
            return default
        return value

    def flag(self, key: str) -> bool:
        """true or false; false when nothing is said."""
        value = self._values.get(key, False)
        if not isinstance(value, bool):
            self.fault(key, "must be true or false")
        return value is True

    def text(self, key: str) -> str | None:
        """A text that is not empty and has no control characters."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value or not value.isprintable():
            self.fault(key, "must be a text in quotes, not empty, without control characters")
            return None
        return value

    def path(self, key: str) -> Path | None:
        """A path, taken from the folder of the file; `~` is not expanded."""
        text = self.text(key)
        return None if text is None else self.folder / text

    def texts(self, key: str, default: str) -> list[str]:
        """One text or a list of them, at least one."""
        value = self._values.get(key, default)
        entries: list[object] = value if isinstance(value, list) else [value]
        texts = [text for text in entries if isinstance(text, str)]
        if not texts or len(texts) < len(entries):
            self.fault(key, f'must be a text or a list of texts, such as "{default}"')
            return [default]
        return texts

    def choice(self, key: str, choices: tuple[int | str, ...], default: int | str) -> object:
        """One of `choices`."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or value not in choices:
            self.fault(key, f"must be {' or '.join(map(repr, choices))}".replace("'", '"'))
            return default
        return value

    def milliseconds(self, key: str, default: int) -> int:
        """A number of seconds, as whole ms."""
        value = self._values.get(key)
        if value is None:
            return default
        seconds = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MAX_SECONDS
        try:
            return TimeControl.each(str(value) if seconds else "").inc
        except ControlError:
            self.fault(key, "must be a number of seconds, at least 0.001, such as 10")
            return default


def _near(key: str, known: tuple[str, ...], all_of_them: str) -> str:
    near = get_close_matches(key[:40], known, 1)
    return f"did you mean {near[0]}?" if near else f"{all_of_them} {', '.join(known)}"
