"""The standings of an event as the front page shows them, from the report that `donuts standings` prints."""

from collections.abc import Sequence

from donuts_referee.competition.placings import Placing, Report
from donuts_referee.web.pages import Heading, Place
from donuts_referee.web.words import number, walkovers

__all__ = ["notes", "standing_columns", "standing_places"]

MOST = 12
"""Bots of one tie that are named."""


def standing_columns(standings: Report) -> tuple[Heading, ...]:
    """The headings beside place, bot, points and games."""
    if not standings.rows:
        return ()
    own = standings.rows[0].columns
    gone = [Heading("byes")] if _has_byes(standings) else []
    gone += [Heading("walkovers")] if _has_walkovers(standings) else []
    return (
        *gone,
        Heading("rating"),
        *(Heading(column.name, isinstance(column.value, str)) for column in own),
    )


def standing_places(standings: Report, names: Sequence[str]) -> list[Place]:
    """The rows; bots by their place in `names`."""
    at = {name: place for place, name in enumerate(names)}
    byes, gone = _has_byes(standings), _has_walkovers(standings)
    return [
        Place(
            row.place,
            at[row.bot],
            row.points,
            (
                *([str(row.byes)] if byes else []),
                *([walkovers(row.walkovers, row.missed)] if gone else []),
                _rating(row),
                *(_value(column.value) for column in row.columns),
            ),
        )
        for row in standings.rows
    ]


def notes(standings: Report) -> list[str]:
    """What has to be said of the figures, in sentences."""
    told = ["Rating: 1500 is the middle, 400 points more are ten to one; ± holds 95 %."]
    if _has_walkovers(standings):
        told.append(
            "Walkovers: points won (+) and games lost (-) that were not played because a bot was gone; the points "
            "are among those of the column points, and no such game is among the games."
        )
    if standings.format == "ladder":
        told.append(
            "Elo: by which the ladder pairs; it follows the latest games, the rating weighs all alike."
        )
    for tie in standings.ties:
        more = f" and {len(tie.bots) - MOST} more" if len(tie.bots) > MOST else ""
        told.append(f"The games do not tell apart: {', '.join(tie.bots[:MOST])}{more}.")
    if len(standings.pools) > 1:
        told.append(
            "These bots never met, not even by way of others, so that their ratings cannot be compared:"
        )
        told += [f"pool {at}: {', '.join(pool[:MOST])}" for at, pool in enumerate(standings.pools, 1)]
    test = standings.test
    if test is not None:
        decided = "goes on" if test.decision is None else f"has accepted {test.decision}"
        told.append(
            f"The test of {test.first} against {test.second} {decided}: likelihood ratio {test.llr:.2f} between "
            f"{test.lower:.2f} (H0: {test.elo0:g} Elo) and {test.upper:.2f} (H1: {test.elo1:g} Elo), "
            f"{test.encounters} encounters."
        )
    if standings.beyond:
        told.append(
            f"Games that were under way when the test decided, which do not count: {standings.beyond}."
        )
    return told


def _has_byes(standings: Report) -> bool:
    return any(row.byes for row in standings.rows)


def _has_walkovers(standings: Report) -> bool:
    return any(row.walkovers or row.missed for row in standings.rows)


def _rating(row: Placing) -> str:
    if row.rating is None:
        return "–"
    return f"{row.rating:.0f}" + ("" if row.deviation is None else f" ± {row.deviation:.0f}")


def _value(value: float | str) -> str:
    return value if isinstance(value, str) else number(round(value, 2))
