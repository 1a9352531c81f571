"""Reads `event.toml`, the file that is a competition, and reports all of its faults at once, each with its line.

`template` shows every key with its default and its meaning. Paths are taken from the folder of the file.
"""

from pathlib import Path
from typing import Literal, NamedTuple, cast

from donuts_engine.numba_here import obstacle
from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS
from donuts_engine.tiles import TileSet
from donuts_protocol.escape import shown
from donuts_protocol.keys import MAX_INT
from donuts_referee.commands import runnable, words_of
from donuts_referee.competition.description import read_description
from donuts_referee.competition.entering import BOT_KEYS, entered, withdrawn
from donuts_referee.competition.event import Event, Hooks, Openings, Policies, Running
from donuts_referee.competition.format_table import FORMAT_KEYS, format_of
from donuts_referee.competition.openings_table import OPENINGS_KEYS, balance, check, openings_of
from donuts_referee.contest import default_records
from donuts_referee.files import FileFault, read_document
from donuts_referee.records.faults import ReadFault
from donuts_referee.settings import Findings, Section, SettingsFault, move_home, tile_set
from donuts_referee.table.adjudication import Adjudication, Resignation
from donuts_referee.table.control import ControlError, TimeControl
from donuts_referee.table.entrant import OnFault
from donuts_referee.teams.bot_toml import Located

__all__ = ["MOVETIME", "ConfigFault", "read_event"]

MOST = 1 << 20
"""Bytes of the longest event.toml; ten thousand names of bots are a third of it."""

MOVETIME = 100
"""ms for a move where neither tc nor movetime is given"""

_KEYS = {
    "format": FORMAT_KEYS,
    "games": ("size", "rings", "tiles", "tc", "movetime", "margin", "prep", "hello", "reveal"),
    "openings": OPENINGS_KEYS,
    "faults": ("on_fault", "replays", "crash_limit"),
    "adjudication": ("resign", "max_plies", "solver"),
    "running": ("workers", "affinity", "stagger", "durable"),
    "hooks": ("start", "verdict", "standings", "end"),
}
_TOP = ("name", "records", "seed", "bots", "bot", "withdrawn", *_KEYS)


class ConfigFault(SettingsFault):
    """An event.toml that cannot be used: each fault with its file, line and key, by lines."""


def read_event(path: Path) -> Event:
    """The competition in the file. ConfigFault names every fault at once."""
    try:
        document = read_document(path, most=MOST)
    except FileFault as fault:
        raise ConfigFault(str(fault)) from None
    findings = Findings(path, Located(document.text).line)
    homes = {**dict.fromkeys(_TOP, ()), **_KEYS, "bot": BOT_KEYS}
    move_home(findings, document.table, homes)
    top = Section(findings, path.absolute().parent, document.table, _TOP)
    event = _event(top, path)
    if findings:
        raise ConfigFault(*findings.listed())
    return event


class _Ground(NamedTuple):
    """What openings are made from; see `openings.Source`."""

    seed: int
    size: Literal[6, 9]
    rings: int
    tiles: TileSet
    openings: Openings


def _ground(top: Section, games: Section, records: Path) -> _Ground:
    before = len(top.findings)
    size: Literal[6, 9] = 6 if games.choice("size", (6, 9), 9) == 6 else 9
    asked = openings_of(top)
    ground = _Ground(
        seed=top.whole("seed", 0, MAX_INT, 1),
        size=size,
        rings=games.whole("rings", 1, MAX_RINGS[size], DEFAULT_RINGS[size]),
        tiles=tile_set(games, "tiles", size) or TileSet.shipped(),
        openings=asked.openings,
    )
    if len(top.findings) == before:  # else the openings may be faulty for what was found alone
        if asked.openings.boards == "balanced" and size == 6:
            ground = ground._replace(openings=balance(top, asked, ground.tiles, ground.rings, records))
        if len(top.findings) == before:
            check(top, ground, asked)
    return ground


def _bots_at_the_start(records: Path) -> int:
    """How many bots the event began with that keeps its records there; 0 where none has begun."""
    try:
        return len(read_description(records).bots)
    except ReadFault:
        return 0


def _event(top: Section, path: Path) -> Event:
    games = top.section("games", _KEYS["games"])
    records = _records(top, path)
    ground = _ground(top, games, records)
    before = len(top.findings)
    began = _bots_at_the_start(records)
    bots = entered(top, least=0 if began else 2)
    certain = max(len(bots), began) if len(top.findings) == before else 0
    return Event(
        name=top.text("name") or path.absolute().stem,
        file=path.absolute(),
        records=records,
        seed=ground.seed,
        bots=bots,
        withdrawn=withdrawn(top, bots if certain else ()),
        format=format_of(top.section("format", FORMAT_KEYS), certain),
        size=ground.size,
        rings=ground.rings,
        tiles=ground.tiles,
        control=_control(games),
        reveal=games.flag("reveal", True),
        openings=ground.openings,
        policies=_policies(top.section("faults", _KEYS["faults"])),
        adjudication=_adjudication(top.section("adjudication", _KEYS["adjudication"]), ground.size),
        running=_running(top),
    )


def _records(top: Section, path: Path) -> Path:
    folder = top.path("records") or top.folder / default_records(path)
    try:
        usable = folder.is_dir() or not folder.exists()
    except OSError:
        usable = False
    if not usable:
        top.fault("records", f"{shown(str(folder))} is no folder; name one, it need not be there yet")
    return folder


def _control(games: Section) -> TimeControl:
    margin = games.whole("margin", 0, 60_000, 50)
    prep = games.milliseconds("prep", 10_000)
    hello = games.milliseconds("hello", 30_000)
    each = games.milliseconds("movetime", MOVETIME)
    control = TimeControl(0, each, each, margin, prep, hello)
    if games.has("tc"):
        if games.has("movetime"):
            games.fault("movetime", "tc says how long a bot may think, too; remove one of them")
        text = games.value("tc")
        try:
            control = TimeControl.parse(
                text[:40] if isinstance(text, str) else "", margin=margin, prep=prep, hello=hello
            )
        except ControlError as fault:
            games.fault(
                "tc", str(fault) if isinstance(text, str) else 'must be a text, such as "60+0.1" or "inf"'
            )
    return control


def _policies(faults: Section) -> Policies:
    limit = faults.whole("crash_limit", 0, 1_000_000, Policies().crash_limit)
    return Policies(
        on_fault=cast("OnFault", faults.choice("on_fault", ("forfeit", "void", "stop"), "forfeit")),
        replays=faults.whole("replays", 0, 100, Policies().replays),
        crash_limit=limit or None,
    )


def _adjudication(asked: Section, size: int) -> Adjudication | None:
    resign = asked.value("resign")
    resignation: Resignation | None = None
    if isinstance(resign, dict):
        table = asked.section("resign", ("eval", "plies"))
        usual = Resignation()
        resignation = Resignation(
            eval=table.whole("eval", 501, 1000, usual.eval), plies=table.whole("plies", 1, 81, usual.plies)
        )
    elif resign is True:
        resignation = Resignation()
    elif resign is not None and resign is not False:
        asked.fault("resign", "must be true, or { eval = 900, plies = 3 }")
    solver = asked.flag("solver")
    if solver and size != 6:
        asked.fault("solver", "knows 6 x 6 positions alone; say size = 6 below [games], or solver = false")
    elif solver and (reason := obstacle()):
        asked.fault("solver", reason)
    most = asked.whole("max_plies", 1, size * size, None)
    found = Adjudication(resignation, most, solver)
    return None if found == Adjudication() else found


def _running(top: Section) -> Running:
    running = top.section("running", _KEYS["running"])
    usual = Running()
    hooks = top.section("hooks", _KEYS["hooks"])
    return Running(
        workers=running.whole("workers", 1, 1024, None),
        affinity=running.flag("affinity"),
        stagger=running.whole("stagger", 0, 60_000, usual.stagger),
        durable=running.flag("durable"),
        hooks=Hooks(**{key: _hook(hooks, key) for key in _KEYS["hooks"]}),
    )


def _hook(hooks: Section, key: str) -> tuple[str, ...]:
    if not hooks.has(key):
        return ()
    try:
        return runnable(words_of(hooks.value(key)), hooks.folder)
    except ValueError as fault:
        hooks.fault(key, f'{str(fault).partition(";")[0]}; write a command line such as "./tell.sh {key}"')
        return ()
