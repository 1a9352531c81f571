"""The standings of an event as a value for programs: what `donuts standings --json` prints.

Within a major version keys are added, never renamed or retyped. Bots are named as they are, unescaped.
"""

from msgspec import Struct

from donuts_referee.statistics.crosstable import Score

__all__ = ["Column", "FaultCount", "Placing", "Report", "TestReport", "Tie"]


class Column(Struct, frozen=True):
    """What a format parts bots by, beside their points."""

    name: str
    value: float | str


class FaultCount(Struct, frozen=True):
    """How many games named a bot at fault, of one kind; void games too."""

    why: str
    games: int


class Placing(Struct, frozen=True, kw_only=True):
    """A row."""

    place: int
    """from 1, by the rules of the format; several bots may share one"""
    bot: str
    version: str | None
    """the newest, as the event's file said; None where it did not"""
    gone: str | None
    """withdrawn, benched or None"""
    points: float
    """walkovers and byes among them, where the format gives points for these"""
    games: int
    """that were played and count; wins + draws + losses"""
    wins: int
    draws: int
    losses: int
    as_x: Score
    as_o: Score
    walkovers: float
    """points for games that were not played, because the other was gone"""
    missed: int
    """games that were not played, because it was gone itself"""
    byes: int
    columns: tuple[Column, ...]
    faults: tuple[FaultCount, ...]
    """the most frequent first"""
    rating: float | None
    """points: 1500 is the middle of its pool, 400 more are ten to one; None without a game"""
    deviation: float | None
    """points up and down within which its strength lies with 95 %"""
    pool: int | None
    """the place of its pool in `Report.pools`, from 1; ratings of different pools cannot be compared"""
    superiority: float | None
    """the likelihood, 0..1, that it is stronger than the bot of the next row; None where nothing can be said of it"""
    tied: bool | None
    """it and the bot of the next row cannot be told apart: the 95 % interval of their difference holds 0"""
    to_settle: int | None
    """about how many more games between these two would tell them apart, if their difference stays what it looks like;
    0 when they are, None where none would"""


class Tie(Struct, frozen=True):
    """Bots, neighbours by rating, of which no two can be told apart."""

    bots: tuple[str, ...]


class TestReport(Struct, frozen=True, kw_only=True):
    """How far a sequential test is; all from the view of `first`."""

    first: str
    second: str
    elo0: float
    elo1: float
    alpha: float
    beta: float
    scale: str
    llr: float
    lower: float
    upper: float
    decision: str | None
    """H0, H1 or None"""
    encounters: int
    counts: tuple[int, int, int, int, int]
    """encounters in which `first` made 0, 0.5, 1, 1.5 and 2 points"""
    elo: float | None
    """how much stronger `first` looks, logistic; None before there is a game"""
    deviation: float | None
    """points up and down within which that lies with 95 %; it does not know when the test was stopped"""
    superiority: float | None
    """the likelihood, 0..1, that `first` is stronger"""


class Report(Struct, frozen=True, kw_only=True):
    """The standings."""

    event: str
    """its id"""
    name: str
    format: str
    encounters: int
    """settled; of a test those up to the one that decided it"""
    games: int
    """finished games, the void ones among them"""
    voids: int
    torn: int
    """games that were never finished, which were skipped"""
    over: bool
    """the schedule has come to its end"""
    rows: tuple[Placing, ...]
    pools: tuple[tuple[str, ...], ...]
    """bots with games that a chain of games connects, by rating"""
    ties: tuple[Tie, ...]
    x_share: float | None
    """of the points, how many x made"""
    drawn: float | None
    """of the games, how many were drawn"""
    test: TestReport | None
    """of a match by a sequential test"""
    beyond: int = 0
    """games that were under way when the test decided: they are kept and count for nothing"""
