"""The figures of bots for people, as a table with what they mean, and for spreadsheets as further columns."""

import csv
import io
from collections.abc import Sequence

from donuts_referee.analysis.bots import BotFigures
from donuts_referee.columns import aligned, cut

__all__ = ["table", "widened"]

BOT = 32
"""Columns of a terminal that a name may take; the rest is cut."""

MEANING = """\
accuracy: choices that kept the value, where another move would have given it away; ? gave a win or a draw away by one
step, ?? made a win a loss; converted: games won of those in which it had a won position"""


def table(rows: Sequence[BotFigures]) -> str:
    """A line for each bot under aligned heads, then what the figures mean; ends with LF."""
    if not rows:
        return "no game counts\n"
    unknown = any(row.unknown for row in rows)
    heads = [
        "bot",
        "games",
        "choices",
        "kept",
        "accuracy %",
        "?",
        "??",
        "per game",
        "won positions",
        "converted",
        "%",
    ]
    lines = [heads + ["unknown"] * unknown]
    for row in rows:
        cells = [cut(row.bot, BOT), str(row.games), str(row.choices), str(row.kept), _percent(row.accuracy)]
        cells += [
            str(row.mistakes),
            str(row.blunders),
            "-" if row.per_game is None else f"{row.per_game:.2f}",
        ]
        cells += [str(row.won_positions), str(row.converted), _percent(row.conversion)]
        lines.append(cells + [str(row.unknown)] * unknown)
    remark = ["unknown: moves whose value was not found, which count for nothing"] if unknown else []
    return "\n".join([*aligned(lines, {0}), "", MEANING, *remark, ""])


COLUMNS = ("choices", "accuracy", "mistakes", "blunders", "per_game", "won_positions", "conversion")
"""Fields of `BotFigures` that a spreadsheet of standings gets."""


def widened(text: str, rows: Sequence[BotFigures]) -> str:
    """CSV with a column `bot`, and for each of its rows the figures of that bot behind the others; empty where none."""
    figures = {row.bot: row for row in rows}
    heads, *lines = csv.reader(io.StringIO(text, newline=""))
    bot = heads.index("bot")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*heads, *COLUMNS])
    for line in lines:
        one = figures.get(line[bot])
        writer.writerow([*line, *("" if one is None else getattr(one, name) for name in COLUMNS)])
    return out.getvalue()


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f}"
