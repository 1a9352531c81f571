"""The standings for people, as a table with what is to be said about it, and for spreadsheets as CSV."""

import csv as commas
import io
from collections.abc import Sequence
from itertools import islice, pairwise

from donuts_referee.columns import aligned, cut
from donuts_referee.competition.placings import Placing, Report, TestReport

__all__ = ["csv", "many", "number", "table", "test_text"]

BOT, VERSION = 32, 16
"""Columns of a terminal that a name and a version may take; the rest is cut."""

SHORT = {"Sonneborn-Berger": "S-B", "direct encounter": "direct", "rating": "Elo"}
"""Other heads for columns of formats: shorter, or not those of a column of ours."""

LINES, NAMES = 12, 8
"""How many ties are told, and how many names of one; programs are told all."""

PLACES = 3
"""For how many places it is told what would settle them; the column says it for the others."""


def table(report: Report) -> str:
    """A line for each bot under aligned heads, then what the figures mean and what they do not; ends with LF."""
    rows = report.rows
    sums = [_sums(report)]
    if report.test is not None:
        sums += test_text(report.test)
    if not rows:
        return "\n".join(["no bot takes part", *sums, ""])
    columns = [
        ("place", [str(row.place) for row in rows]),
        ("bot", [_bot(row) for row in rows]),
        ("version", [cut(row.version or "-", VERSION) for row in rows]),
        ("points", [number(row.points) for row in rows]),
        ("games", [str(row.games) for row in rows]),
        ("W-D-L", [f"{row.wins}-{row.draws}-{row.losses}" for row in rows]),
        ("as x", [str(row.as_x) for row in rows]),
        ("as o", [str(row.as_o) for row in rows]),
        ("byes", [str(row.byes) for row in rows]),
        ("walkovers", [f"+{number(row.walkovers)} -{row.missed}" for row in rows]),
        *_own(rows),
        ("rating", ["-" if row.rating is None else f"{row.rating:.0f}" for row in rows]),
        ("+-", ["-" if row.deviation is None else f"{row.deviation:.0f}" for row in rows]),
        ("LOS %", ["" if row.superiority is None else f"{100 * row.superiority:.1f}" for row in rows]),
        ("more", [_more(row) for row in rows]),
        ("faults", [", ".join(f"{one.why} {one.games}" for one in row.faults) for row in rows]),
    ]
    needed = {
        "version": any(row.version for row in rows),
        "byes": any(row.byes for row in rows),
        "walkovers": any(row.walkovers or row.missed for row in rows),
        "faults": any(row.faults for row in rows),
    }
    kept = [column for column in columns if needed.get(column[0], True)]
    heads = [head for head, _ in kept]
    left = [at for at, head in enumerate(heads) if head in ("bot", "version", "faults")]
    lines = aligned([heads, *zip(*(cells for _, cells in kept), strict=True)], left)
    return "\n".join([*lines, "", *sums, *_remarks(report), ""])


def _own(rows: Sequence[Placing]) -> list[tuple[str, list[str]]]:
    """The columns of the format, which all rows have alike."""
    return [
        (
            SHORT.get(column.name, column.name),
            [_value(row.columns[at].value) if at < len(row.columns) else "" for row in rows],
        )
        for at, column in enumerate(rows[0].columns)
    ]


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else number(round(value, 2))


def number(points: float) -> str:
    """Points without a needless `.0`."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _bot(row: Placing) -> str:
    return cut(row.bot, BOT) + (f" ({row.gone})" if row.gone else "")


def _more(row: Placing) -> str:
    if row.tied is None:
        return ""
    return "never" if row.to_settle is None else str(row.to_settle) if row.to_settle else "-"


def _sums(report: Report) -> str:
    void = f", {report.voids} of them void" if report.voids else ""
    text = f"{many(report.games, 'game')}{void}; encounters that count: {report.encounters}"
    if report.x_share is not None and report.drawn is not None:
        text += f"; x made {100 * report.x_share:.1f} % of the points; {100 * report.drawn:.1f} % were drawn"
    return text


def many(count: int, what: str) -> str:
    """A count and what it counts."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _remarks(report: Report) -> list[str]:
    rows = report.rows
    if not report.pools:
        return []
    remarks = [
        "rating: 1500 is the middle, 400 points are ten to one, +- holds 95 %; LOS: how likely it is to be stronger",
        "than the bot below; more: how many more games between these two would tell them apart, - where they are",
    ]
    remarks += [f"cannot be told apart: {_named(tie.bots)}" for tie in report.ties[:LINES]]
    if len(report.ties) > LINES:
        remarks.append(f"and {many(len(report.ties) - LINES, 'further group')} (--json names them all)")
    remarks += _settling(rows)
    if len(report.pools) > 1:
        remarks.append("no chain of games connects these, so that their ratings cannot be compared:")
        remarks += [f"  {_named(pool)}" for pool in report.pools[:LINES]]
        if len(report.pools) > LINES:
            remarks.append(f"  and {many(len(report.pools) - LINES, 'further pool')}")
    without = tuple(row.bot for row in rows if row.rating is None)
    if without:
        remarks.append(f"without a game: {_named(without)}")
    return remarks


def _settling(rows: Sequence[Placing]) -> list[str]:
    told: list[str] = []
    for row, below in islice(pairwise(rows), PLACES):
        one, other = cut(row.bot, BOT), cut(below.bot, BOT)
        if row.tied and row.to_settle is None:
            told.append(f"no number of games would settle place {row.place}: {one} and {other} look equal")
        elif row.tied:
            told.append(
                f"about {row.to_settle} more games between {one} and {other} would settle place {row.place}"
            )
    return told


def _named(bots: Sequence[str]) -> str:
    """Some names in a line; of many the first and the last."""
    if len(bots) <= NAMES:
        return ", ".join(cut(bot, BOT) for bot in bots)
    return (
        f"{', '.join(cut(bot, BOT) for bot in bots[: NAMES - 2])} ... {cut(bots[-1], BOT)} ({len(bots)} bots)"
    )


def test_text(test: TestReport) -> list[str]:
    """A sequential test in two lines."""
    first, second = cut(test.first, BOT), cut(test.second, BOT)
    verdict = "undecided" if test.decision is None else f"{test.decision} accepted"
    lines = [
        f"SPRT of {first} against {second}, {test.scale} {test.elo0:+g} (H0) or {test.elo1:+g} (H1): "
        f"LLR {test.llr:.2f} in {test.lower:.2f} .. {test.upper:.2f}, {verdict} after "
        f"{many(test.encounters, 'encounter')}"
    ]
    if test.elo is not None and test.superiority is not None:
        lines.append(
            f"{first} made 0, 0.5, 1, 1.5, 2 points in {', '.join(map(str, test.counts))} encounters: "
            f"{test.elo:+.1f} +- {test.deviation:.1f}, LOS {100 * test.superiority:.1f} %"
        )
    return lines


HEADS = (
    "place", "bot", "version", "gone", "points", "games", "wins", "draws", "losses",
    "x_wins", "x_draws", "x_losses", "o_wins", "o_draws", "o_losses",
    "walkovers", "missed", "byes", "rating", "deviation", "pool", "superiority", "tied", "to_settle",
)  # fmt: skip


def csv(report: Report) -> str:
    """A row for each bot under heads: those of `placings.Placing`, then the format's, then a column for each fault."""
    own = [column.name for column in report.rows[0].columns] if report.rows else []
    kinds = sorted({one.why for row in report.rows for one in row.faults})
    out = io.StringIO()
    writer = commas.writer(out, lineterminator="\n")
    writer.writerow([*HEADS, *own, *(f"fault_{kind}" for kind in kinds)])
    for row in report.rows:
        faults = {one.why: one.games for one in row.faults}
        writer.writerow(
            [
                *(row.place, row.bot, row.version, row.gone, number(row.points), row.games),
                *(row.wins, row.draws, row.losses),
                *(row.as_x.wins, row.as_x.draws, row.as_x.losses),
                *(row.as_o.wins, row.as_o.draws, row.as_o.losses),
                *(number(row.walkovers), row.missed, row.byes, row.rating, row.deviation, row.pool),
                *(row.superiority, None if row.tied is None else int(row.tied), row.to_settle),
                *(column.value for column in row.columns),
                *(faults.get(kind, 0) for kind in kinds),
            ]
        )
    return out.getvalue()
