"""What the operator of an event sees while it runs: at a terminal a table that moves, elsewhere a line for each game.

The runner's thread only takes note of what happened; a thread of its own draws or prints, a few times a second at most,
so that neither quick games nor a terminal that stands still cost the event anything.
"""

import threading
import time
from collections import deque
from typing import TYPE_CHECKING

from donuts_referee.cli.opened import plain
from donuts_referee.cli.printer import Printer
from donuts_referee.cli.stage import Stage
from donuts_referee.cli.tournament_picture import View, picture
from donuts_referee.cli.tournament_progress import Progress
from donuts_referee.cli.tournament_words import beginning, game_line, notice
from donuts_referee.competition.happenings import Began, GameEnded, Happening, Rows
from donuts_referee.competition.onlooking import Gone, Pace
from donuts_referee.patience import ends

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["EventLines", "LiveTable", "onlooker"]

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
                self._print(game_line(happening, of))
            case Began():
                self._print(beginning(happening))
            case _:
                if (told := notice(happening)) is not None:
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
                self._rows = happening.standings()
                self._notes.append(beginning(happening))
            case _:
                if (told := notice(happening)) is not None:
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
        if not ends(self._thread, LAST):  # whoever stopped the terminal sees the rest when it goes on
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
                    view = View(self._name, self._rows, self._progress, tuple(self._games))
                    live.update(picture(view, console, lambda text: _fit(text, self._stage)), refresh=True)
                    pause = max(REDRAW, (time.monotonic() - began) * SHARE)
        except OSError as fault:
            self._fault = fault

    def _print_notes(self, console: "Console") -> None:
        from rich.text import Text

        while (
            self._notes
        ):  # not with soft_wrap, which would hold for the picture below too: its lines must not wrap
            console.print(Text(_fit(self._notes.popleft(), self._stage), overflow="fold"))


def _fit(text: str, stage: Stage) -> str:
    """The text as far as the stream's encoding has it, the rest escaped."""
    encoding = stage.stream.encoding or "ascii"
    return text.encode(encoding, "backslashreplace").decode(encoding)
