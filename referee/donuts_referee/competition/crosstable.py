"""The crosstable of a folder of records, for programs, for people and for spreadsheets."""

import csv as commas
import io

from msgspec import Struct

from donuts_referee.columns import aligned, cut, shortened, width, wrapped
from donuts_referee.competition.results import Results
from donuts_referee.competition.standings_table import BOT, number
from donuts_referee.statistics.crosstable import Cell, Crosstable

__all__ = ["CrosstableReport", "Entry", "Pairing", "crosstable", "crosstable_csv", "crosstable_text"]


class Pairing(Struct, frozen=True, kw_only=True):
    """What one bot made against another."""

    opponent: str
    points: float
    games: int
    """that were played"""
    cell: Cell


class Entry(Struct, frozen=True, kw_only=True):
    """A bot and those it met."""

    bot: str
    points: float
    """of its games and walkovers; byes are in the standings alone"""
    games: int
    against: tuple[Pairing, ...]


class CrosstableReport(Struct, frozen=True):
    """What `--json` prints. Within a major version keys are added, never renamed or retyped."""

    rows: tuple[Entry, ...]
    """in the order of the standings; of a plain journal by share of the points"""


def crosstable(results: Results) -> CrosstableReport:
    """The crosstable of all games that count."""
    table = Crosstable(results.games, results.bots)
    return CrosstableReport(tuple(_entry(table, bot) for bot in table.bots))


def _entry(table: Crosstable, bot: str) -> Entry:
    total = table.total(bot)
    cells = ((other, table.cell(bot, other)) for other in table.bots)
    return Entry(
        bot=bot,
        points=total.points,
        games=total.games,
        against=tuple(
            Pairing(opponent=other, points=cell.points, games=cell.games, cell=cell)
            for other, cell in cells
            if cell != Cell()
        ),
    )


LEADING = 3
"""columns before those of the opponents: number, bot, points"""

SHORT = 16
"""columns that a name may take where the whole table has no room"""


def crosstable_text(report: CrosstableReport, room: int | None = None) -> str:
    """A line for each bot, with points/games against the bot of each number; ends with LF.

    Where the table is wider than `room` columns (None: no limit), names are shortened, and then it is printed in parts.
    """
    if not report.rows:
        return "no game has counted yet\n"
    heads = ["#", "bot", "points", *(str(at) for at in range(1, len(report.rows) + 1))]
    lines = [heads]
    for at, row in enumerate(report.rows, 1):
        met = {pairing.opponent: pairing for pairing in row.against}
        cells = [
            f"{number(met[other.bot].points)}/{met[other.bot].games}" if other.bot in met else "."
            for other in report.rows
        ]
        if row.bot not in met:
            cells[at - 1] = "*"
        lines.append([str(at), cut(row.bot, BOT), f"{number(row.points)}/{row.games}", *cells])
    walkovers = any(pairing.cell.walkovers for row in report.rows for pairing in row.against)
    legend = "points/games of the bot of the line against the bot of the column"
    if walkovers:
        legend += "; points of walkovers are counted, their games are not"
    parts = _parts(lines, [row.bot for row in report.rows], room)
    return "\n".join([*(line for part in parts for line in (*part, "")), *wrapped(legend, room), ""])


def _parts(lines: list[list[str]], names: list[str], room: int | None) -> list[list[str]]:
    """The table in parts that have room, each with all bots and some of their opponents."""
    whole = aligned(lines, (1,))
    if room is None or max(map(width, whole)) <= room:
        return [whole]
    for line, name in zip(lines[1:], shortened(names, (SHORT, BOT)), strict=True):
        line[1] = name
    parts: list[list[str]] = []
    begin = LEADING
    while begin < len(lines[0]):
        end = begin + 1
        part = _part(lines, begin, end)
        while end < len(lines[0]) and max(map(width, wider := _part(lines, begin, end + 1))) <= room:
            end, part = end + 1, wider
        parts.append(part)
        begin = end
    return parts


def _part(lines: list[list[str]], begin: int, end: int) -> list[str]:
    return aligned([line[:LEADING] + line[begin:end] for line in lines], (1,))


def crosstable_csv(report: CrosstableReport) -> str:
    """A row for each bot and each of those it met."""
    out = io.StringIO()
    writer = commas.writer(out, lineterminator="\n")
    writer.writerow(
        [
            *("bot", "opponent", "points", "games", "x_wins", "x_draws", "x_losses"),
            *("o_wins", "o_draws", "o_losses", "walkovers", "missed"),
        ]
    )
    for row in report.rows:
        for pairing in row.against:
            cell = pairing.cell
            writer.writerow(
                [
                    *(row.bot, pairing.opponent, number(pairing.points), pairing.games),
                    *(cell.as_x.wins, cell.as_x.draws, cell.as_x.losses),
                    *(cell.as_o.wins, cell.as_o.draws, cell.as_o.losses),
                    *(number(cell.walkovers), cell.missed),
                ]
            )
    return out.getvalue()
