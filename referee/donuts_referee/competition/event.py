"""What an event.toml says, complete and checked (see `config`): the one description that every part works from."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from donuts_engine.tiles import TileSet
from donuts_referee.table.adjudication import Adjudication
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import OnFault
from donuts_referee.teams.bot import Bot

__all__ = [
    "Event",
    "Format",
    "Gauntlet",
    "Hooks",
    "Knockout",
    "Ladder",
    "Openings",
    "Policies",
    "RoundRobin",
    "Running",
    "Sprt",
    "Swiss",
]


class RoundRobin(Struct, frozen=True, tag_field="kind", tag="round-robin"):
    """Everyone meets everyone, `cycles` times; a round is one round of the circle method."""

    cycles: int = 1


class Gauntlet(Struct, frozen=True, tag_field="kind", tag="gauntlet"):
    """The `seeds` first bots of the list (the challengers) meet all the others, `cycles` times."""

    cycles: int = 1
    seeds: int = 1


class Swiss(Struct, frozen=True, tag_field="kind", tag="swiss"):
    """Everyone plays on; equals on points meet; nobody meets twice; an odd one out has a bye, once at most."""

    rounds: int | None = None
    """None: ceil(log2(bots)) + 1, and never more than bots - 1"""


class Knockout(Struct, frozen=True, tag_field="kind", tag="knockout"):
    """Who loses is out; seeded by the order of the list; the best are given byes where bots are no power of two."""

    encounters: int = 1
    """encounters of each pairing, before tie-breaks"""
    tie_breaks: int = 2
    """more encounters, one at a time, while they stand level; then sudden death, see `formats.knockout`"""
    third_place: bool = False


class Ladder(Struct, frozen=True, tag_field="kind", tag="ladder"):
    """Goes on until it is stopped: fewest games first, then the nearest rating."""

    encounters: int | None = None
    """None: without end"""
    window: int = 8
    """how many encounters may be under way: number n is paired on what is known of those up to n - window"""


class Sprt(Struct, frozen=True, tag_field="kind", tag="sprt"):
    """Two bots, until one hypothesis is accepted: the first is `elo1` stronger, or `elo0`, on the chosen scale."""

    elo0: float = 0.0
    elo1: float = 10.0
    alpha: float = 0.05
    beta: float = 0.05
    scale: Literal["logistic", "normalized"] = "normalized"
    encounters: int = 50_000
    """the most encounters, after which the test ends undecided"""


Format: TypeAlias = RoundRobin | Gauntlet | Swiss | Knockout | Ladder | Sprt


@dataclass(frozen=True, slots=True)
class Openings:
    """Where boards and first plies come from; see `openings`."""

    boards: Literal["drawn", "numbers", "layouts", "balanced"] = "drawn"
    """drawn from the seed without end, or a list that is begun anew when it is spent; see `balanced`"""
    numbers: tuple[int, ...] = ()
    """numbers of the tile set's 6 x 6 boards; of balanced openings those of the entries"""
    entries: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """layouts with forced first placements, by name, as a file or a list of layouts gave them"""
    plies: int = 0
    """placements that are made for both sides at random, from the seed, after those of the entry"""
    order: Literal["sequential", "shuffled"] = "sequential"
    names: tuple[str, ...] = ()
    """what the entries are called, "" for one without a name; () where none has one"""
    solved: str = ""
    """version of the solved boards that balanced openings were taken from"""
    keeping: tuple[int, ...] = ()
    """of balanced openings: how many first moves keep the win of x, who is on turn, 0 where the entry is a draw; ()
    where all of them are draws"""


@dataclass(frozen=True, slots=True)
class Policies:
    """What faults lead to. `on_fault` is about start, version, crash and disconnect (DBP-9.15)."""

    on_fault: OnFault = "forfeit"
    replays: int = 3
    """how often a leg that came out void is played again; then whoever is at fault loses it"""
    crash_limit: int | None = 10
    """faults of that kind in the event after which a bot is benched; None: never"""


@dataclass(frozen=True, slots=True)
class Hooks:
    """Commands (words, run without a shell in the folder of the event file) that are told of events; () for none."""

    start: tuple[str, ...] = ()
    verdict: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()
    end: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Running:
    """How the games are run; may be changed between two starts of the same event."""

    workers: int | None = None
    """games at once; None: half the processors, at least 1"""
    affinity: bool = False
    """give each worker processors of its own"""
    stagger: int = 50
    """ms between the starts of two workers"""
    durable: bool = False
    """fsync after each game"""
    hooks: Hooks = field(default_factory=Hooks)


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A competition as its file describes it."""

    name: str
    file: Path
    records: Path
    seed: int
    bots: tuple[Bot, ...]
    """in the order of the file; those of a glob by name"""
    withdrawn: frozenset[str] = frozenset()
    format: Format = field(default_factory=RoundRobin)
    size: Literal[6, 9] = 9
    rings: int = 36
    tiles: TileSet
    control: TimeControl
    reveal: bool = True
    """tell each bot the other's name"""
    openings: Openings = field(default_factory=Openings)
    policies: Policies = field(default_factory=Policies)
    adjudication: Adjudication | None = None
    running: Running = field(default_factory=Running)
