"""The standings of a journal: its games folded into a ladder, and the ladder as a table or as an object of JSON.

Only the heads of the records are read, one at a time, so that a journal of months takes seconds and little memory.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from msgspec import Struct

from donuts_referee.arena.ladder import FEW, WIDE, Ladder, Outcome, Row, RowKey
from donuts_referee.columns import aligned, cut
from donuts_referee.records.journal import JournalReader, Torn
from donuts_referee.table.finished import Verdict

__all__ = [
    "Finished",
    "Named",
    "Standings",
    "StandingsReport",
    "StandingsRow",
    "outcome_of",
    "read_standings",
    "report",
    "table",
]

NAME_WIDTH, VERSION_WIDTH = 40, 24
"""Columns of a terminal that a name and a version may take; the rest is cut."""


class Named(Protocol):
    """A side of a game, be it the table's `Side` or the `Player` of an index."""

    @property
    def bot(self) -> str:
        """The seat, or the name the operator gave it."""
        ...

    @property
    def name(self) -> str | None:
        """The name it gave itself; None when it never said hello."""
        ...

    @property
    def ver(self) -> str | None:
        """The version it gave itself."""
        ...


class Finished(Protocol):
    """A game with a verdict: a `FinishedGame`, a `Record` or a `Head`."""

    @property
    def x(self) -> Named:
        """Who played x."""
        ...

    @property
    def o(self) -> Named:
        """Who played o."""
        ...

    @property
    def verdict(self) -> Verdict:
        """How it ended."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Standings:
    """What a journal says of those who played."""

    ladder: Ladder
    games: int
    """finished games, the void ones among them"""
    voids: int
    torn: Sequence[Torn]
    """games that were never finished, which were skipped"""


def read_standings(path: Path) -> Standings:
    """Fold the journal at `path`. Raises LadderFault without openskill, ReadFault and BadLine as `JournalReader`."""
    ladder = Ladder()
    reader = JournalReader(path)
    games = voids = 0
    for located in reader.located():
        outcome = outcome_of(ladder, located.head)
        ladder.count(outcome)
        games += 1
        voids += outcome.void
    return Standings(ladder=ladder, games=games, voids=voids, torn=reader.torn)


def outcome_of(ladder: Ladder, game: Finished) -> Outcome:
    """What `ladder` is to count of `game`.

    A bot that never said hello in this game named no version: it is counted under the one its seat had last.
    """
    verdict = game.verdict
    return Outcome(
        _key(ladder, game.x),
        _key(ladder, game.o),
        _winner(verdict.winner),
        verdict.void,
        _fault(verdict.fault),
    )


def _key(ladder: Ladder, side: Named) -> RowKey:
    latest = ladder.latest(side.bot) if side.name is None and side.ver is None else None
    return RowKey(side.bot, side.ver or "") if latest is None else latest


def _winner(word: str) -> Literal["x", "o", "-"]:
    return "x" if word == "x" else "o" if word == "o" else "-"


def _fault(word: str | None) -> Literal["x", "o", "xo"] | None:
    return "x" if word == "x" else "o" if word == "o" else None if word is None else "xo"


class StandingsRow(Struct, frozen=True, kw_only=True):
    """A row as `--json` prints it."""

    rank: int
    """from 1; settled rows come before provisional ones"""
    bot: str
    version: str | None
    rating: float
    """points: everyone begins at 1500, and 400 more are ten to one"""
    deviation: float
    """points up and down within which the strength lies with about 95 %"""
    provisional: bool
    games: int
    """without the void ones"""
    wins: int
    draws: int
    losses: int
    score: float
    """share of the points, 0..1"""
    faults: int
    """of these games, those that ended by its fault"""
    voids: int


class StandingsReport(Struct, frozen=True, kw_only=True):
    """What `--json` prints. Within a major version keys are added, never renamed or retyped."""

    journal: str
    games: int
    """finished games, the void ones among them"""
    voids: int
    torn: int
    """games that were never finished, which were skipped"""
    rows: tuple[StandingsRow, ...]


def report(standings: Standings, journal: Path) -> StandingsReport:
    """The standings as a value for programs; bots are named as they are, unescaped."""
    return StandingsReport(
        journal=str(journal),
        games=standings.games,
        voids=standings.voids,
        torn=len(standings.torn),
        rows=tuple(_reported(rank, row) for rank, row in enumerate(standings.ladder.standings(), 1)),
    )


def _reported(rank: int, row: Row) -> StandingsRow:
    return StandingsRow(
        rank=rank,
        bot=row.key.seat,
        version=row.key.ver or None,
        rating=round(row.rating, 1),
        deviation=round(row.deviation, 1),
        provisional=row.provisional,
        games=row.games,
        wins=row.wins,
        draws=row.draws,
        losses=row.losses,
        score=round(row.score or 0.0, 4),
        faults=row.faults,
        voids=row.voids,
    )


_HEADS = (
    "rank", "bot", "version", "rating ", "+-", "games", "won", "drawn", "lost", "score %", "faults", "void"
)  # fmt: skip
_LEFT = {_HEADS.index("bot"), _HEADS.index("version")}


def table(standings: Standings) -> str:
    """The standings for people: a line for each row under aligned heads, then what the figures mean; ends with LF."""
    rows = standings.ladder.standings()
    void = f", {standings.voids} of them void" if standings.voids else ""
    sums = f"{standings.games} game{'' if standings.games == 1 else 's'}{void}"
    if not rows:
        return f"no game has counted yet ({sums})\n"
    lines = [_HEADS, *(_cells(rank, row) for rank, row in enumerate(rows, 1))]
    return "\n".join([*aligned(lines, _LEFT), "", f"{sums}; {_legend(rows)}", ""])


def _cells(rank: int, row: Row) -> tuple[str, ...]:
    return (
        str(rank),
        cut(row.key.seat, NAME_WIDTH) or "-",
        cut(row.key.ver, VERSION_WIDTH) or "-",
        f"{row.rating:.0f}{'?' if row.provisional else ' '}",
        f"{row.deviation:.0f}",
        str(row.games),
        str(row.wins),
        str(row.draws),
        str(row.losses),
        f"{100 * (row.score or 0.0):.1f}",
        str(row.faults),
        str(row.voids),
    )


def _legend(rows: Sequence[Row]) -> str:
    text = "everyone begins at 1500, 400 points are ten to one, +- holds 95 %"
    if any(row.provisional for row in rows):
        text += f"\n? provisional: fewer than {FEW} games or more than +-{WIDE:.0f}; below the settled ones"
    return text
