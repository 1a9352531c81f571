"""What a terminal shows of a running event at one moment: standings, a bar, the progress, the latest games.

A picture never takes more columns or lines than the terminal has, or what was drawn before could not be taken away
again: columns that matter least are left out first, then rows and games, and what is still too wide is cut.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from donuts_referee.cli.opened import plain
from donuts_referee.cli.tournament_progress import Progress, progress_text
from donuts_referee.cli.tournament_words import game_line
from donuts_referee.columns import cut
from donuts_referee.competition.happenings import GameEnded, Row, Rows
from donuts_referee.competition.standings_table import BOT, SHORT, number

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.table import Table

__all__ = ["View", "picture"]

SPARE = 2
"""lines of the terminal that stay free: the cursor needs one, and one is for a terminal that shrinks meanwhile"""

AROUND = 4
"""lines of a picture beside bots and games: the head and the rule of the table, the bar, the progress"""


class View(NamedTuple):
    """What there is to be seen."""

    name: str
    rows: Rows
    progress: Progress
    games: Sequence[GameEnded]
    """the latest, the last one last"""


class _Column(NamedTuple):
    head: str
    weight: int
    """what weighs least is left out first; 0: nothing is"""
    cell: Callable[[Row], str]
    left: bool = False
    """words, which begin at the left"""


def picture(view: View, console: "Console", fit: Callable[[str], str]) -> "RenderableType":
    """All of it; `fit` makes a text one that the terminal's encoding has."""
    from rich.console import Group
    from rich.text import Text

    lines = max(1, console.height - SPARE)
    games = list(view.games)[-max(0, (lines - AROUND) // 3) :] if lines - AROUND >= 3 else []
    room = lines - AROUND - len(games)
    told = [game_line(game, "") for game in games]
    shown: list[RenderableType] = []
    if view.name and room > 3:
        room -= 1
        shown.append(_line(fit(view.name)))
    if room >= 1 and view.rows:
        more = max(0, len(view.rows) - room)
        rows = view.rows[: room - 1] if more and room > 1 else view.rows[:room]
        shown.append(_fitting(rows, view.rows, console, fit))
        if len(rows) < len(view.rows) and room > 1:
            shown.append(_line(f" and {len(view.rows) - len(rows)} more"))
    share = view.progress.share
    if share is not None:
        shown.append(_bar(share))
    shown.append(Text(progress_text(view.progress, console.width), no_wrap=True, overflow="crop"))
    rest = Text("")  # the terminal shows Ctrl-C where the cursor is: here it moves nothing
    return Group(*shown, *(_line(fit(text)) for text in told), rest)


def _line(text: str) -> "RenderableType":
    from rich.text import Text

    return Text(text, no_wrap=True, overflow="ellipsis")


def _bar(share: float) -> "RenderableType":
    """A bar as wide as the terminal, and how much it is."""
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    line = Table.grid(padding=(0, 1), expand=True)
    line.add_column(ratio=1)
    line.add_column(width=5, justify="right", no_wrap=True)
    line.add_row(ProgressBar(total=1.0, completed=share), Text(f"{int(100 * share)} %"))
    return line


def _fitting(
    rows: Sequence[Row], every: Rows, console: "Console", fit: Callable[[str], str]
) -> "RenderableType":
    """The table of these rows with as many columns as there is room for."""
    columns = _columns(every)
    endless = console.options.update(max_width=10_000)
    while True:
        table = _table(rows, columns, fit)
        least = min((column.weight for column in columns if column.weight), default=0)
        if not least or console.measure(table, options=endless).maximum <= console.width:
            return table
        columns = [column for column in columns if column.weight != least]


def _table(rows: Sequence[Row], columns: Sequence[_Column], fit: Callable[[str], str]) -> "Table":
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False)
    for column in columns:
        side: Literal["left", "right"] = "left" if column.left else "right"
        table.add_column(column.head, justify=side, no_wrap=True, overflow="ellipsis")
    for row in rows:
        table.add_row(*(Text(fit(column.cell(row))) for column in columns))
    return table


def _columns(rows: Rows) -> list[_Column]:
    """What is said of a bot. Points for games that were not played have a column where there are any."""
    own = rows[0].columns
    columns = [
        _Column("#", 0, lambda row: str(row.place)),
        _Column("bot", 0, lambda row: cut(row.bot, BOT), left=True),
        _Column("points", 99, lambda row: number(row.points)),
        _Column("games", 40, lambda row: str(row.games)),
        _Column("W-D-L", 98, lambda row: f"{row.wins}-{row.draws}-{row.losses}"),
    ]
    if any(_unplayed(row) for row in rows):
        columns.append(_Column("unplayed", 50, lambda row: number(_unplayed(row)) if _unplayed(row) else ""))
    for at, (name, value) in enumerate(own):
        weight = 60 if at == 0 else 30 - at

        def cell(row: Row, at: int = at) -> str:
            return _value(row.columns[at][1]) if at < len(row.columns) else ""

        columns.append(_Column(SHORT.get(name, name), max(1, weight), cell, isinstance(value, str)))
    return columns


def _unplayed(row: Row) -> float:
    """Points for walkovers and byes."""
    return max(0.0, row.points - row.wins - row.draws / 2)


def _value(value: float | str) -> str:
    return plain(value) if isinstance(value, str) else number(value)
