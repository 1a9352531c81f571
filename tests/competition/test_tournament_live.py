"""What the operator of an event sees while it runs: lines in a log, a table at a terminal; neither harms the event."""

import io
import os
import pty
import sys
from collections.abc import Iterable
from typing import Literal, TextIO

import pytest
from rich.console import Console

from cli.terminal import LONG, Drain, Screen
from competition.happened import ROWS, began, ended, game, standings
from donuts_referee.cli import printer, tournament_live
from donuts_referee.cli.stage import Stage
from donuts_referee.cli.tournament_live import EventLines, LiveTable, onlooker
from donuts_referee.cli.tournament_picture import View, picture
from donuts_referee.cli.tournament_progress import Progress, progress_text
from donuts_referee.cli.tournament_words import beginning
from donuts_referee.competition.happenings import (
    Benched,
    Happening,
    JobLost,
    RosterChanged,
    Row,
    StandingsChanged,
)
from donuts_referee.competition.onlooking import Gone


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine that stands still at the end is no reader that does not read."""
    monkeypatch.setattr(printer, "LAST", LONG)


def _stage(stream: TextIO) -> Stage:
    return Stage(stream, lambda: None)


def test_a_log_has_a_line_for_each_game_and_for_what_is_out_of_the_ordinary() -> None:
    stream = io.StringIO()
    lines = onlooker(_stage(stream))
    assert isinstance(lines, EventLines)
    for happening in (
        began(workers=2),
        game(1),
        game(2, winner="-"),
        standings(1),
        game(3, winner="-", counted=False, text="abort: Ctrl-C"),
        JobLost(4, "its worker ended (signal 9)"),
        Benched("beta", 2),
        RosterChanged(3, ("gamma",), ("beta",), 30),
        game(4),
        game(5, counted=True)._replace(counted=False),
        ended(),
    ):
        lines.see(happening)
    lines.close()
    lines.close()
    assert stream.getvalue().splitlines() == [
        "spring begins: 2 bots, 10 encounters of 2 games, 2 games at once",
        "encounter 1/10, game 1: alpha (x) - beta (o): alpha wins; five in a row",
        "encounter 1/10, game 2: alpha (x) - beta (o): draw; five in a row",
        "encounter 2/10, game 1: alpha (x) - beta (o): void (does not count); abort: Ctrl-C",
        "* games under way were lost and are played again: its worker ended (signal 9)",
        "* beta is benched: its faults reached the limit in encounter 2; its games of later encounters do not count, "
        "nor do those that are played already",
        "* gamma added from encounter 3 on; beta withdrawn: encounters not begun by now are given away",
        "encounter 2/30, game 2: alpha (x) - beta (o): alpha wins; five in a row",
        "encounter 3/30, game 1: alpha (x) - beta (o): alpha wins (does not count: the encounter is a walkover); five "
        "in a row",
    ]


def test_a_start_says_who_takes_part_and_where_the_event_stands() -> None:
    assert beginning(began(planned=1)) == "spring begins: 2 bots, 1 encounter of 2 games, 1 game at once"
    resumed = began(settled=3, workers=2, resumed=True)
    assert (
        beginning(resumed)
        == "spring goes on: 2 bots, 2 games at once; 3 of 10 encounters settled, 6 games kept"
    )
    later = resumed._replace(names=("alpha", "beta", "gamma"), gone=("beta",))
    assert beginning(later).startswith("spring goes on: 3 bots (1 withdrawn or benched), ")
    assert (
        beginning(resumed._replace(over=True)) == "spring is over: 2 bots, 3 encounters settled, 6 games kept"
    )


def test_what_a_bot_wrote_cannot_write_on_the_terminal() -> None:
    stream = io.TextIOWrapper(raw := io.BytesIO(), encoding="ascii")
    lines = EventLines(_stage(stream))
    lines.see(game(1, text="it said \x1b[2J and \u2603"))
    lines.close()
    assert raw.getvalue().endswith(b"it said \\x1b[2J and \\u2603\n")


def test_a_reader_that_left_is_gone() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    stream = os.fdopen(writer, "w")
    lines = EventLines(_stage(stream))
    lines.see(game(1))
    lines.close()
    with pytest.raises(Gone, match="its reader went away"):
        lines.see(game(2))
    with pytest.raises(BrokenPipeError):
        stream.close()


class _Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_the_rest_takes_as_long_as_what_was_played_says() -> None:
    clock = _Clock()
    progress = Progress(clock)
    progress.see(began(planned=10, settled=2, workers=2))
    assert progress.remaining is None, "nothing is known before each worker has played"
    clock.now += 10.0
    progress.see(game(5))
    assert progress.remaining is None
    progress.see(game(6))
    # 16 legs were left at the start, two of them took 10 s
    assert progress.remaining == pytest.approx(70.0)
    assert progress.share == pytest.approx(6 / 20)
    progress.see(game(7, counted=False))
    assert progress.remaining == pytest.approx(70.0), "a void game brings the end no nearer"


def test_walkovers_and_more_encounters_than_were_planned_do_not_confuse_it() -> None:
    clock = _Clock()
    progress = Progress(clock)
    progress.see(began(planned=2))
    clock.now += 1.0
    progress.see(game(1))
    progress.see(game(2)._replace(settled=2))  # encounter 2 was a walkover
    assert progress.remaining == 0.0 and progress.share == 1.0
    progress.see(game(5))
    assert progress.remaining == 0.0 and progress.share == 1.0
    progress.see(began(planned=None))
    progress.see(game(1))
    assert progress.remaining is None and progress.share is None


@pytest.mark.parametrize(("reason", "share"), [("over", 1.0), ("interrupted", 0.2)])
def test_what_is_over_is_whole_though_bots_left(reason: Literal["over", "interrupted"], share: float) -> None:
    progress = Progress(_Clock())
    progress.see(began(planned=10))
    progress.see(ended(games=4, reason=reason))
    assert progress.share == share


FRAME = b"\r\x1b[2K\x1b[1A"
"""how a picture begins: with taking away the one before"""


def _at_a_terminal(
    width: int, height: int, happenings: Iterable[Happening], monkeypatch: pytest.MonkeyPatch
) -> tuple[list[str], list[str]]:
    """What such a terminal shows when all of this and Ctrl-C has happened, and after the end."""
    monkeypatch.setattr(tournament_live, "REDRAW", 0.0)
    monkeypatch.setattr(tournament_live, "SHARE", 1)
    monkeypatch.setattr(tournament_live, "LAST", LONG)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", str(height))
    main, terminal = pty.openpty()
    drain = Drain(main)
    with os.fdopen(terminal, "w", encoding="utf-8") as stream:
        table = onlooker(_stage(stream))
        assert isinstance(table, LiveTable)
        try:
            drain.until(b"encounters")
            for happening in happenings:
                table.see(happening)
                drain.until(FRAME, times=3, after=len(drain.sent))
            table.note("a hook failed" + 40 * ", and why")
            # The next picture shows all that was seen before the note; it is whole when the one after it begins.
            cut = drain.until(FRAME, times=2, after=drain.until(b"* a hook failed"))
            table.see(ended())
        finally:
            table.close()
        table.close()
        stream.write("over")
    sent = drain.rest()
    seen = Screen(width, height)
    seen.take(sent[:cut].decode())
    during = seen.shown()
    seen.take("^C" + sent[cut:].decode())
    return during, seen.shown()


SIZES = [(80, 24), (110, 40), (40, 12), (30, 6)]


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_a_terminal_has_one_table_and_notices_above_it_and_nothing_of_it_at_the_end(
    width: int, height: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    happenings = [
        began()._replace(standings=lambda: ()),
        Benched("beta", 2),
        StandingsChanged(1, lambda: ROWS, 10),
        game(1, text="\x1b[2J [bold]five[/bold] " + 20 * "long "),
        game(2),
    ]
    during, after = _at_a_terminal(width, height, happenings, monkeypatch)
    text = "".join(line.ljust(width) for line in during)
    assert (
        text.index("spring begins: 2 bots") < text.index("* beta is benched") < text.index("* a hook failed")
    )
    drawn = during[-(height - 1) :]
    assert sum(line.startswith("encounters 1/10") for line in during) == 1
    assert sum(" bot " in line for line in during) == sum(" bot " in line for line in drawn) <= 1
    assert "\x1b" not in text and all(len(line) <= width for line in during)
    if height > 12:
        assert sum("alpha" in line for line in drawn) >= 2 and "\\x1b[2J [bold]five" in text, (
            "a stranger's text"
        )
    gone = [line for line in after if "encounters 1/10" in line or " bot " in line or line == "spring"]
    assert gone == [] and [line for line in after if line][-1] == "over", after


def test_a_start_that_resumes_shows_the_standings_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    during, _ = _at_a_terminal(80, 24, [began(settled=3, resumed=True)], monkeypatch)
    assert any("alpha" in line and "1-1-0" in line for line in during), during


def _drawn(width: int, height: int, rows: tuple[Row, ...], games: int = 5) -> list[str]:
    """The lines of one picture on a terminal of that size."""
    progress = Progress()
    progress.see(began(planned=1000))
    view = View("spring", rows, progress, tuple(game(number) for number in range(1, games + 1)))
    console = Console(width=width, height=height, file=io.StringIO(), color_system=None)
    return [
        "".join(segment.text for segment in line).rstrip()
        for line in console.render_lines(picture(view, console, str), pad=False)
    ]


def test_what_matters_least_gives_way_first() -> None:
    rows = tuple(_row(at, ("Buchholz", 7.25), ("Sonneborn-Berger", 3.0)) for at in range(1, 61))
    heads = {width: _drawn(width, 40, rows)[1].split() for width in (100, 50, 42, 35, 25)}
    assert heads[100] == ["#", "bot", "points", "games", "W-D-L", "Buchholz", "S-B"]
    assert heads[50] == ["#", "bot", "points", "games", "W-D-L", "Buchholz"]
    assert heads[42] == ["#", "bot", "points", "W-D-L", "Buchholz"]
    assert heads[35] == ["#", "bot", "points", "W-D-L"]
    assert heads[25] == ["#", "bot", "points"]
    for width, height in ((100, 40), (80, 24), (30, 12), (20, 6), (20, 2)):
        lines = _drawn(width, height, rows)
        assert len(lines) <= max(3, height - 1), "or its beginning could not be taken away again"
        assert all(len(line) <= width for line in lines)
    lines = _drawn(80, 24, rows)
    assert " and 49 more" in lines and any(" bot11 " in line for line in lines), lines


def test_the_bar_is_as_wide_as_the_terminal_and_the_time_that_is_left_stays_longest() -> None:
    for width in (40, 80, 160):
        bar = next(line for line in _drawn(width, 24, ROWS) if line.endswith("0 %"))
        assert len(bar) == width
    clock = _Clock()
    progress = Progress(clock)
    progress.see(began(planned=10))
    clock.now += 10
    progress.see(game(1))
    assert progress_text(progress, 100).startswith(
        "encounters 0/10  games 1  6.0 games/min  elapsed 0:00:10  eta 0:03:10 ("
    )
    assert progress_text(progress, 60) == "encounters 0/10  games 1  elapsed 0:00:10  eta 0:03:10"
    assert progress_text(progress, 40) == "encounters 0/10  games 1  eta 0:03:10"
    assert progress_text(progress, 32) == "encounters 0/10  eta 0:03:10"
    assert progress_text(progress, 20) == "encounters 0/10"


def test_points_for_games_that_were_not_played_are_told_apart() -> None:
    rows = (Row(**{**row_fields(_row(1)), "points": 4.0}), _row(2))
    lines = _drawn(100, 24, rows)
    assert lines[1].split() == ["#", "bot", "points", "games", "W-D-L", "unplayed"]
    assert lines[3].split() == ["1", "bot1", "4", "2", "1-1-0", "2.5"]
    assert lines[4].split() == ["2", "bot2", "1.5", "2", "1-1-0"]


def test_words_of_a_format_begin_at_the_left_below_their_heads() -> None:
    lines = _drawn(100, 24, (_row(1, ("stage", "winner")), _row(2, ("stage", "lost the semifinal"))))
    assert {lines[at].index(word) for at, word in ((1, "stage"), (3, "winner"), (4, "lost the"))} == {
        lines[1].index("stage")
    }


def _row(place: int, *columns: tuple[str, float | str]) -> Row:
    return Row(
        place=place, bot=f"bot{place}", points=1.5, games=2, wins=1, draws=1, losses=0, columns=columns
    )


def row_fields(row: Row) -> dict[str, object]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals")
def test_a_terminal_that_hangs_up_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    main, terminal = pty.openpty()
    stream = os.fdopen(terminal, "w")
    os.close(main)
    table = LiveTable(_stage(stream))
    table._thread.join()  # it met the terminal that is no more
    with pytest.raises(Gone, match="the table ends here: input/output error"):
        table.see(game(1))
    table.close()
    with pytest.raises(OSError):
        stream.close()
