"""The standings for people, as a table with what is to be said about it, and for spreadsheets as CSV."""

import csv as commas
import io
from collections.abc import Sequence

from donuts_referee.columns import cut, shortened, wrapped
from donuts_referee.competition.fitting import Column, fitted, laid_out
from donuts_referee.competition.placings import Placing, Report, TestReport

__all__ = ["BOT", "SHORT", "csv", "many", "number", "table", "test_text"]

BOT, VERSION = 32, 16
"""Columns of a terminal that a name and a version may take; the rest is cut."""

SHORTER = (12, 20, BOT)
"""Columns for a name where there is no room for all of it."""

SHORT = {"Sonneborn-Berger": "S-B", "direct encounter": "direct"}
"""Shorter heads for columns of formats."""

LINES, NAMES = 12, 8
"""How many ties are told, and how many names of one; programs are told all."""

FEW = 3
"""up to so many ties share a line"""

DECIDING = ("knockout", "sprt")
"""Formats that settle places themselves, for which it says nothing how many more games would."""


def table(report: Report, room: int | None = None) -> str:
    """A line for each bot under aligned heads, then what the figures mean and what they do not; ends with LF.

    `room`: columns of the terminal, for which names are shortened and the columns left out that say least; None: no
    limit.
    """
    rows = report.rows
    sums = [_sums(report)]
    if report.test is not None:
        sums += test_text(report.test)
    if report.beyond:
        verb = "is kept and does" if report.beyond == 1 else "are kept and do"
        end = "the decision" if report.test is not None and report.test.decision else "the end of the match"
        sums.append(f"{many(report.beyond, 'game')} beyond {end} {verb} not count")
    if not rows:
        return _text(["no bot takes part"], sums, room)
    columns = _columns(report)
    fitting = columns if room is None else fitted(columns, room)
    heads = [column.head for column in fitting]
    remarks = [*_legend(report, heads), *_remarks(report)]
    there = [column.head for column in columns if column.head not in heads]
    if any(column.cells == column.short[-1] for column in fitting if column.head == "faults"):
        there.append("faults by kind")
    if there:
        remarks.append(f"left out, as there is no room: {', '.join(there)}")
    return _text([*laid_out(fitting), ""], [*sums, *remarks], room)


def _text(lines: Sequence[str], remarks: Sequence[str], room: int | None) -> str:
    return "\n".join([*lines, *(line for remark in remarks for line in wrapped(remark, room)), ""])


def _columns(report: Report) -> list[Column]:
    """All columns of which something can be said."""
    rows = report.rows
    columns = [
        Column("place", [str(row.place) for row in rows]),
        Column("bot", [cut(row.bot, BOT) + _gone(row) for row in rows], left=True, short=_names(rows)),
        Column("version", [cut(row.version or "-", VERSION) for row in rows], left=True),
        Column("points", [number(row.points) for row in rows]),
        Column("games", [str(row.games) for row in rows]),
        Column("W-D-L", [f"{row.wins}-{row.draws}-{row.losses}" for row in rows]),
        Column("as x", [str(row.as_x) for row in rows]),
        Column("as o", [str(row.as_o) for row in rows]),
        Column("byes", [str(row.byes) for row in rows]),
        Column("walkovers", [f"+{number(row.walkovers)} -{row.missed}" for row in rows]),
        *_own(rows),
        Column("rating", ["-" if row.rating is None else f"{row.rating:.0f}" for row in rows]),
        Column("+-", ["-" if row.deviation is None else f"{row.deviation:.0f}" for row in rows]),
        Column("LOS %", ["" if row.superiority is None else f"{100 * row.superiority:.1f}" for row in rows]),
        Column("more", [_more(row) for row in rows]),
        Column(
            "faults",
            [", ".join(f"{one.why} {one.games}" for one in row.faults) for row in rows],
            left=True,
            short=[[str(sum(one.games for one in row.faults)) for row in rows]],
        ),
    ]
    rated = any(row.rating is not None for row in rows)
    needed = {
        "version": any(row.version for row in rows),
        "byes": any(row.byes for row in rows),
        "walkovers": any(row.walkovers or row.missed for row in rows),
        "rating": rated,
        "+-": rated,
        "LOS %": any(row.superiority is not None for row in rows),
        "more": report.format not in DECIDING and any(row.tied is not None for row in rows),
        "faults": any(row.faults for row in rows),
    }
    return [column for column in columns if needed.get(column.head, True)]


def _names(rows: Sequence[Placing]) -> list[list[str]]:
    """The names ever shorter, as long as they can be told apart."""
    bots = [row.bot for row in rows]
    return [
        [name + _gone(row) for name, row in zip(shortened(bots, SHORTER[at:]), rows, strict=True)]
        for at in (1, 0)
    ]


def _own(rows: Sequence[Placing]) -> list[Column]:
    """The columns of the format, which all rows have alike; words begin at the left."""
    return [
        Column(
            SHORT.get(column.name, column.name),
            [_value(row.columns[at].value) if at < len(row.columns) else "" for row in rows],
            left=isinstance(column.value, str),
        )
        for at, column in enumerate(rows[0].columns)
    ]


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else number(round(value, 2))


def number(points: float) -> str:
    """Points without a needless `.0`."""
    return f"{points:.2f}".rstrip("0").rstrip(".")


def _gone(row: Placing) -> str:
    return f" ({row.gone})" if row.gone else ""


def _more(row: Placing) -> str:
    if row.tied is None:
        return ""
    return "never" if row.to_settle is None else str(row.to_settle) if row.to_settle else "-"


def _sums(report: Report) -> str:
    void = f", {report.voids} of them void" if report.voids else ""
    text = f"{many(report.games, 'game')}{void}; encounters settled: {report.encounters}"
    if report.x_share is not None and report.drawn is not None:
        text += f"; x made {100 * report.x_share:.1f} % of the points; {100 * report.drawn:.1f} % were drawn"
    return text


def many(count: int, what: str) -> str:
    """A count and what it counts."""
    return f"{count} {what}{'' if count == 1 else 's'}"


def _legend(report: Report, heads: Sequence[str]) -> list[str]:
    """What the figures are, as far as there are such columns."""
    words = {
        "Elo": "Elo: by which the ladder pairs",
        "+-": "+- holds 95 %",
        "LOS %": "LOS: how likely it is stronger than the next, told apart above 97.5 %",
        "more": "more: games until then",
    }
    told = [words[head] for head in words if head in heads]
    return ["; ".join(told)] if told and report.pools else []


def _remarks(report: Report) -> list[str]:
    rows = report.rows
    if not report.pools:
        return []
    settling = [] if report.format in DECIDING else _settling(rows)
    ties = [_named(tie.bots) for tie in report.ties[:LINES]]
    remarks: list[str] = []
    if len(ties) == 1 and settling:
        remarks.append(f"cannot be told apart: {ties[0]}; {settling.pop()}")
    elif len(ties) <= FEW:
        remarks += [f"cannot be told apart: {'; '.join(ties)}"] if ties else []
    else:
        remarks += [f"cannot be told apart: {names}" for names in ties]
    if len(report.ties) > LINES:
        remarks.append(f"and {many(len(report.ties) - LINES, 'further group')} (--json names them all)")
    remarks += settling
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
    """What would settle the first place; of the others the column says it."""
    if len(rows) < 2 or not rows[0].tied:
        return []
    first, (one, other) = rows[0], (cut(row.bot, BOT) for row in rows[:2])
    if first.to_settle is None:
        return [f"no number of games would settle place {first.place}: {one} and {other} look equal"]
    return [f"about {first.to_settle} more games between {one} and {other} would settle place {first.place}"]


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
