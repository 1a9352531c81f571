"""What the operator of an event sees while it runs: at a terminal a table that moves, elsewhere a line for each game.

The runner's thread only takes note of what happened; a thread of its own draws or prints, a few times a second at most,
so that neither quick games nor a terminal that stands still cost the event anything.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from donuts_referee.cli.opened import plain
from donuts_referee.cli.printer import Printer
from donuts_referee.cli.stage import Stage
from donuts_referee.cli.words import duration
from donuts_referee.competition.happenings import (
    Began,
    Benched,
    Ended,
    GameEnded,
    Happening,
    JobLost,
    RosterChanged,
    Rows,
)
from donuts_referee.competition.onlooking import Gone, Pace

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["EventLines", "LiveTable", "Progress", "onlooker"]

LATEST = 5
"""games that are shown below the table"""

REDRAW = 0.25
"""seconds between two pictures at least"""

SHARE = 20
"""a picture is drawn for 1/SHARE of the time at most"""

LAST = 2.0
"""seconds that a terminal has to take the last picture"""


def onlooker(stage: Stage) -> "EventLines | LiveTable":
    """The table where somebody looks at `stage`, else lines."""
    return LiveTable(stage) if stage.terminal() else EventLines(stage)


class Progress:
    """How far the event is and when it will be over."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.planned: int | None = None
        """encounters of the whole event; None: without end, or not known yet"""
        self.settled = 0
        self.games = 0
        """finished games, the void ones among them"""
        self.workers = 1
        self._clock = clock
        self._began = clock()
        self._legs_before = 0
        self._legs = 0
        """legs that were counted since the start"""

    def see(self, happening: Happening) -> None:
        """Take note of it."""
        match happening:
            case GameEnded(_, counted, settled):
                self.games += 1
                self._legs += counted
                self.settled = settled
            case Began():
                self.planned, self.settled = happening.planned, happening.settled
                self.games, self.workers = happening.games, happening.workers
                self._began = self._clock()
                self._legs_before = 2 * happening.settled
            case RosterChanged():
                self.planned = happening.planned
            case Ended():
                self.settled, self.games = happening.settled, happening.games
            case _:
                pass

    @property
    def elapsed(self) -> float:
        """Seconds since this start of the event."""
        return self._clock() - self._began

    @property
    def share(self) -> float | None:
        """How much of the event is played, 0 to 1; None when it has no end."""
        if self.planned is None:
            return None
        return min(1.0, self._played() / (2 * self.planned)) if self.planned else 1.0

    @property
    def per_second(self) -> float:
        """Games that were counted in a second, on the average since this start."""
        return self._legs / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def remaining(self) -> float | None:
        """Seconds that the rest will take at this pace; None while every worker has not played a game, and where there
        is no end.

        A knockout has more to play when encounters are level, an SPRT less.
        """
        if self.planned is None or self._legs < self.workers or self.per_second <= 0:
            return None
        return max(0, 2 * self.planned - self._played()) / self.per_second

    def _played(self) -> int:
        """Legs that are done: a walkover is seen when its encounter is settled, a first leg before."""
        return max(2 * self.settled, self._legs_before + self._legs)


class EventLines:
    """For logs and pipes: a line for each game."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._printer = Printer(stage)
        self._progress = Progress()
        self._closed = False

    def see(self, happening: Happening) -> None:
        """Have its line printed. Raises Gone when the reader is gone."""
        if self._stage.left:
            fault = self._stage.fault
            why = "its reader went away" if fault is None else (fault.strerror or str(fault)).lower()
            raise Gone(f"what is printed on {self._stage.name} ends here: {why}")
        self._progress.see(happening)
        match happening:
            case GameEnded():
                of = "" if self._progress.planned is None else f"/{self._progress.planned}"
                self._print(_game_line(happening, of))
            case Began():
                self._print(_beginning(happening))
            case _:
                if (told := _notice(happening)) is not None:
                    self._print(told)

    def note(self, text: str) -> None:
        """Something that the operator should know, from any thread."""
        self._print(f"* {plain(text)}")

    def close(self) -> None:
        """Print what is left; twice is harmless."""
        if not self._closed:
            self._closed = True
            self._printer.close()
            if self._printer.lost and not self._stage.left:
                raise Gone(f"{self._printer.lost} lines were not printed on {self._stage.name}: nobody read")

    def _print(self, text: str) -> None:
        self._printer.write(_fit(text, self._stage) + "\n")


class LiveTable:
    """For a terminal: the standings, how far the event is, and the latest games, drawn anew a few times a second."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._progress = Progress()
        self._pace = Pace()
        self._rows: Rows = ()
        self._name = ""
        self._games: deque[GameEnded] = deque(maxlen=LATEST)
        self._notes: deque[str] = deque(maxlen=1000)
        self._over = threading.Event()
        self._fault: OSError | None = None
        self._thread = threading.Thread(target=self._paint, name="table", daemon=True)
        self._thread.start()

    def see(self, happening: Happening) -> None:
        """Take note of it for the next picture. Raises Gone when the terminal is."""
        if self._fault is not None:
            raise Gone(f"the table ends here: {(self._fault.strerror or str(self._fault)).lower()}")
        self._progress.see(happening)
        if (due := self._pace.look(happening)) is not None:
            self._rows = due[1]
        match happening:
            case GameEnded():
                self._games.append(happening)
            case Began():
                self._name = plain(happening.description.name)
                self._notes.append(_beginning(happening))
            case _:
                if (told := _notice(happening)) is not None:
                    self._notes.append(told)

    def note(self, text: str) -> None:
        """Something that the operator should know, from any thread; it stays above the table."""
        if self._over.is_set():
            self._stage.write(_fit(f"* {plain(text)}", self._stage) + "\n")
        else:
            self._notes.append(f"* {plain(text)}")

    def close(self) -> None:
        """Take the table away; twice is harmless."""
        if self._over.is_set():
            return
        self._over.set()
        self._thread.join(LAST)
        if self._thread.is_alive():  # whoever stopped the terminal sees the rest when it goes on
            return
        for text in self._notes:
            self._stage.write(_fit(text, self._stage) + "\n")

    def _paint(self) -> None:
        from rich.console import Console
        from rich.live import Live

        console = Console(file=self._stage.stream, highlight=False, force_terminal=True)
        try:
            with Live(
                console=console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            ) as live:
                pause = 0.0
                while not self._over.wait(pause):
                    began = time.monotonic()
                    self._print_notes(console)
                    live.update(self._picture(console), refresh=True)
                    pause = max(REDRAW, (time.monotonic() - began) * SHARE)
        except OSError as fault:
            self._fault = fault

    def _print_notes(self, console: "Console") -> None:
        while self._notes:
            console.print(self._notes.popleft(), markup=False, soft_wrap=True)

    def _picture(self, console: "Console") -> "RenderableType":
        from rich.console import Group
        from rich.padding import Padding
        from rich.progress_bar import ProgressBar
        from rich.text import Text

        share = self._progress.share
        width = min(console.width, 60)
        bar = (
            "" if share is None else Padding(ProgressBar(total=1.0, completed=share, width=width))
        )  # a line of its own
        games = tuple(self._games)
        latest = [Text(_game_line(game, ""), no_wrap=True, overflow="ellipsis") for game in games]
        room = max(1, console.height - len(latest) - 8)
        return Group(self._table(room), bar, Text(_progress_text(self._progress)), *latest)

    def _table(self, room: int) -> "RenderableType":
        from rich import box
        from rich.table import Table
        from rich.text import Text

        rows = self._rows
        table = Table(
            title=Text(self._name) if self._name else None, box=box.SIMPLE_HEAD, title_justify="left"
        )
        for heading in _headings(rows):
            table.add_column(heading, justify="left" if heading == "bot" else "right", no_wrap=True)
        for row in _cells(rows[:room]):
            table.add_row(*(Text(cell) for cell in row))
        if len(rows) > room:
            table.caption = f"and {len(rows) - room} more"
        return table


# --- the words -----------------------------------------------------------------------------------------------------


def _headings(rows: Rows) -> list[str]:
    more = [name for name, _ in rows[0].columns] if rows else []
    return ["#", "bot", "points", "games", "won", "drawn", "lost", *more]


def _cells(rows: Rows) -> list[list[str]]:
    return [
        [
            str(row.place),
            plain(row.bot),
            f"{row.points:g}",
            str(row.games),
            str(row.wins),
            str(row.draws),
            str(row.losses),
            *(value if isinstance(value, str) else f"{value:g}" for _, value in row.columns),
        ]
        for row in rows
    ]


def _game_line(ended: GameEnded, of: str) -> str:
    head = ended.head
    verdict, place = head.verdict, head.place
    if verdict.void:
        outcome = "void"
    elif verdict.winner == "-":
        outcome = "draw"
    else:
        outcome = f"{(head.x if verdict.winner == 'x' else head.o).bot} wins"
    again = "" if ended.counted else " (does not count)"
    where = (
        "" if place is None else f"{place.label or f'encounter {place.encounter}{of}'}, game {place.leg}: "
    )
    return plain(f"{where}{head.x.bot} (x) - {head.o.bot} (o): {outcome}{again}; {verdict.text}")


def _beginning(began: Began) -> str:
    left = "" if began.planned is None else f" of {began.planned}"
    so_far = (
        f"; {began.settled}{left} encounters are settled, {began.games} games kept" if began.resumed else ""
    )
    planned = "" if began.planned is None or began.resumed else f", {began.planned} encounters of 2 games"
    workers = f"{began.workers} game{'s' if began.workers != 1 else ''} at once"
    verb = "goes on" if began.resumed else "begins"
    name = began.description.name
    return plain(f"{name} {verb}: {len(began.description.bots)} bots{planned}, {workers}{so_far}")


def _notice(happening: Happening) -> str | None:
    """What is out of the ordinary, in a line."""
    match happening:
        case Benched(bot, encounter):
            return plain(f"* {bot} is benched: its faults reached the limit in encounter {encounter}")
        case JobLost(_, why):
            return plain(f"* games under way were lost and are played again: {why}")
        case RosterChanged(start, added, withdrawn):
            parts = [
                f"{', '.join(bots)} {word}"
                for bots, word in ((added, "added"), (withdrawn, "withdrawn"))
                if bots
            ]
            return plain(f"* {'; '.join(parts)} from encounter {start} on")
        case _:
            return None


def _progress_text(progress: Progress) -> str:
    of = "" if progress.planned is None else f"/{progress.planned}"
    left = progress.remaining
    eta = ""
    if progress.planned is not None:
        eta = "  eta -" if left is None else f"  eta {duration(left)} ({_clock_at(left)})"
    return (
        f"encounters {progress.settled}{of}  games {progress.games}  {_pace_text(progress.per_second)}  "
        f"elapsed {duration(progress.elapsed)}{eta}"
    )


def _pace_text(per_second: float) -> str:
    if per_second >= 1:
        return f"{per_second:.1f} games/s"
    return f"{per_second * 60:.1f} games/min"


def _clock_at(seconds: float) -> str:
    """The time of day in so many seconds, with the date where it is another one."""
    then, now = time.localtime(time.time() + seconds), time.localtime()
    return time.strftime("%H:%M" if then[:3] == now[:3] else "%Y-%m-%d %H:%M", then)


def _fit(text: str, stage: Stage) -> str:
    """The text as far as the stream's encoding has it, the rest escaped."""
    encoding = stage.stream.encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)
