"""A finished game as it is kept: all that the table knew, who refereed it where, and a name of its own.

One record is one flat JSON object; its keys are the fields below, in this order. What an index of many games
needs stands before `turns`, so that a reader may leave the long part of a line unread (see `journal`).
"""

import os
import sys
import time
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct, field

from donuts_protocol.version import DBP
from donuts_referee.records.bounds import check
from donuts_referee.table.finished import Conditions, FinishedGame, Side, TakenTurn, Verdict
from donuts_referee.version import __version__

__all__ = ["FORMAT", "Host", "Place", "Record", "Versions", "decode", "encode", "new_match_id"]

FORMAT = 1
"""The number of this form of a record; a reader refuses a higher one."""


class Versions(Struct, frozen=True, kw_only=True):
    """What the game was refereed with."""

    donuts_arena: str = field(name="donuts-arena")
    dbp: str
    """version of the protocol's specification"""
    python: str


class Host(Struct, frozen=True, kw_only=True):
    """What the game was refereed on; nothing that tells whose machine it is."""

    system: str
    machine: str
    implementation: str


class Place(Struct, frozen=True, kw_only=True):
    """Where a game stands in a competition."""

    event: str
    """id of the event"""
    encounter: int
    """from 1: the place of the encounter in the event's schedule"""
    round: int
    leg: int
    """1 or 2; in leg 2 the bots have swapped sides on the same opening"""
    label: str = ""
    """what people call the encounter, such as `semifinal`"""


class Record(Struct, frozen=True, kw_only=True):
    """One game of the journal: the fields of `FinishedGame` and the record's own."""

    format: int = FORMAT
    id: str
    """unique; sorts by time; letters, digits and `-` alone, so that it can name a file"""
    match: str
    number: int
    started: float
    seconds: float
    size: int
    layout: str
    board: int | None
    rings: int
    seed: int
    conditions: Conditions
    verdict: Verdict
    cells: str
    five: tuple[str, ...]
    groups: tuple[int, int]
    opening: tuple[str, ...]
    moves: tuple[str, ...]
    x: Side
    o: Side
    versions: Versions
    host: Host
    place: Place | None = None
    """None for a game of no competition"""
    turns: tuple[TakenTurn, ...]

    @classmethod
    def of(cls, game: FinishedGame, match: str, place: Place | None = None) -> "Record":
        """The record of `game`, which belongs to the match with this id (see `new_match_id`)."""
        kept: dict[str, Any] = {name: getattr(game, name) for name in game.__struct_fields__}
        kept["x"], kept["o"] = _side(game.x), _side(game.o)
        token = match.rpartition("-")[2]
        return cls(
            id=f"{_stamp(game.started)}-{token}-{game.number:04d}",
            match=match,
            versions=_versions(),
            host=_host(),
            place=place,
            **kept,
        )


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Record)


def new_match_id(now: float | None = None) -> str:
    """An id for a match that begins at Unix time `now` (default: this moment); unique, sorts by time."""
    return f"{_stamp(time.time() if now is None else now)}-{os.urandom(4).hex()}"


def encode(record: Record) -> bytes:
    """The record as one line of JSON, without LF.

    A lone surrogate, which an argument that is not UTF-8 brings in, is kept as the text `\\udcXX`: a record
    must not be lost over the name of a file.
    """
    try:
        return _encoder.encode(record)
    except UnicodeEncodeError:
        return _encoder.encode(_without_surrogates(msgspec.to_builtins(record)))


def decode(line: bytes) -> Record:
    """The record that `line` holds; raises msgspec.DecodeError, also for values that no game can have."""
    record = _decoder.decode(line)
    check(record)
    return record


def _side(side: Side) -> Side:
    """The side with words that came from a command line made fit for every file."""
    if side.bot.isascii() and all(word.isascii() for word in side.argv):
        return side
    return msgspec.convert(_without_surrogates(msgspec.to_builtins(side)), Side)


def _without_surrogates(value: object) -> object:
    match value:
        case str():
            return value.encode("utf-8", "backslashreplace").decode()
        case list() | tuple():
            return [_without_surrogates(one) for one in value]
        case dict():
            return {key: _without_surrogates(one) for key, one in value.items()}
        case _:
            return value


def _stamp(unix: float) -> str:
    micros = round(unix * 1_000_000)
    whole = time.strftime("%Y%m%d-%H%M%S", time.gmtime(micros // 1_000_000))
    return f"{whole}-{micros % 1_000_000:06d}"


@cache
def _versions() -> Versions:
    return Versions(donuts_arena=__version__, dbp=DBP, python=".".join(map(str, sys.version_info[:3])))


@cache
def _host() -> Host:
    # os.uname where there is one: the platform module costs milliseconds that the first game would pay
    if hasattr(os, "uname"):
        system = os.uname()
        return Host(system=system.sysname, machine=system.machine, implementation=sys.implementation.name)
    import platform

    return Host(system=platform.system(), machine=platform.machine(), implementation=sys.implementation.name)
