"""The description of an event that stands beside its journal (`event.json`), for whoever reads the journal later.

It is written once, when the event begins, and says what the results mean: readers need neither the event file nor the
bots. A later start of the event compares its file with it and refuses what would make the journal untrue.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from donuts_engine.tiles import TileSet
from donuts_referee.competition.event import Event, Format, Openings
from donuts_referee.contest import DESCRIPTION
from donuts_referee.records.faults import ReadFault
from donuts_referee.teams.bot import Bot

__all__ = [
    "FILE",
    "Description",
    "Listed",
    "describe",
    "differences",
    "listing_digest",
    "openings_digest",
    "read_description",
    "started",
]

FILE = DESCRIPTION
FORMAT = 1


class Listed(Struct, frozen=True):
    """A bot as the description names it."""

    name: str
    version: str | None = None
    run: str = ""
    """what `started` says; "" where that was not kept yet"""


class Description(Struct, frozen=True, kw_only=True):
    """What an event is; within a major version keys are added, never renamed or retyped."""

    format_version: int = FORMAT
    id: str
    """unique; the `place.event` of each of its games"""
    name: str
    seed: int
    bots: tuple[Listed, ...]
    """who was entered at the start, in the order of the file"""
    format: Format
    size: int
    rings: int
    tc: str
    """as an operator writes it: 60+0.1, 0.1/move, inf"""
    margin: int
    openings: str
    """sha256 of everything that picks boards and first plies"""
    on_fault: str
    replays: int
    crash_limit: int | None
    adjudication: str
    """in words; "" for none"""
    solved: str = ""
    """version of the solved boards that balanced openings were taken from; "" for other openings"""


def describe(event: Event, event_id: str) -> Description:
    """The description of `event`, which is to be known by `event_id`."""
    policies = event.policies
    return Description(
        id=event_id,
        name=event.name,
        seed=event.seed,
        bots=tuple(
            Listed(bot.name, bot.version, started(bot, event.file.parent))
            for bot in event.bots
            if bot.name not in event.withdrawn
        ),
        format=event.format,
        size=event.size,
        rings=event.rings,
        tc=str(event.control),
        margin=event.control.margin,
        openings=openings_digest(event.openings, event.tiles),
        on_fault=policies.on_fault,
        replays=policies.replays,
        crash_limit=policies.crash_limit,
        adjudication="" if event.adjudication is None else str(event.adjudication),
        solved=event.openings.solved,
    )


def started(bot: Bot, home: Path) -> str:
    """sha256 of all that says how a bot is started, so that it shows when this is another.

    A hash, since command lines may hold what is nobody's business; `home`, the folder of the event, and the arena's
    Python are left out of it, so that an event can be moved.
    """
    from hashlib import sha256

    program = bot.program
    words = [word.replace(f"{home}{os.sep}", "") for word in program.argv]
    words = ["python" if word == sys.executable else word for word in words]
    cwd = None if program.cwd is None else os.path.relpath(program.cwd, home)
    return sha256(msgspec.json.encode((words, cwd, program.env, program.limits))).hexdigest()


def differences(kept: Description, now: Description) -> list[str]:
    """What of an event is not as it was when it began, in words; its bots may change."""
    told: list[str] = []
    for name in kept.__struct_fields__:
        before, after = getattr(kept, name), getattr(now, name)
        if name in ("bots", "format_version") or before == after:
            continue
        if name == "openings":
            told.append("the openings are others")
        else:
            told.append(f"{name} was {_word(before)} and is {_word(after)}")
    return told


def _word(value: object) -> str:
    return msgspec.json.encode(value).decode() if not isinstance(value, str) else value or "none"


def openings_digest(openings: Openings, tiles: TileSet) -> str:
    """What the description says of the openings: with seed and size, they are all that picks boards and first plies."""
    return listing_digest(openings, sorted(map(str, tiles.tiles)))


def listing_digest(openings: Openings, tiles: Sequence[str]) -> str:
    """The same of tiles in words, sorted. Where a list was taken from does not count, what it holds does."""
    from hashlib import sha256

    said = msgspec.to_builtins(openings)
    del said["solved"]
    if not openings.keeping:  # as before there was any
        del said["keeping"]
    return sha256(msgspec.json.encode((said, tiles))).hexdigest()


def read_description(folder: Path) -> Description:
    """The description in a folder of records. Raises ReadFault."""
    path = folder / FILE
    try:
        return msgspec.json.decode(path.read_bytes(), type=Description)
    except OSError as fault:
        raise ReadFault.of(path, fault) from fault
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise ReadFault(
            f"{path}: not the description of an event ({fault}); restore it from a copy"
        ) from fault
