"""What the operator of an event sees while it runs: lines in a log, a table at a terminal; neither harms the event."""

import io
import os
import pty
import sys
from typing import TextIO

import pytest

from competition.happened import ROWS, began, ended, game, standings
from donuts_referee.cli.stage import Stage
from donuts_referee.cli.tournament_live import EventLines, LiveTable, Progress, onlooker
from donuts_referee.competition.happenings import Benched, JobLost, RosterChanged, Row, StandingsChanged
from donuts_referee.competition.onlooking import Gone


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
        "* beta is benched: its faults reached the limit in encounter 2",
        "* gamma added; beta withdrawn from encounter 3 on",
        "encounter 2/30, game 2: alpha (x) - beta (o): alpha wins; five in a row",
    ]


def test_a_start_that_resumes_says_where_the_event_stands() -> None:
    stream = io.StringIO()
    lines = EventLines(_stage(stream))
    lines.see(began(settled=3, resumed=True))
    lines.close()
    assert (
        stream.getvalue()
        == "spring goes on: 2 bots, 1 game at once; 3 of 10 encounters are settled, 6 games kept\n"
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


def _at_a_terminal(rows: tuple[Row, ...], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a terminal of 100 x 12 is sent while an event with these standings runs."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("LINES", "12")
    main, terminal = pty.openpty()
    sent = bytearray()
    with os.fdopen(terminal, "w") as stream:
        table = onlooker(_stage(stream))
        assert isinstance(table, LiveTable)
        for happening in (
            began(),
            StandingsChanged(1, lambda: rows, 10),
            game(1, text="\x1b[2J [bold]five[/bold]"),
            game(2),
        ):
            table.see(happening)
        table.note("something else")
        while b"games 2 " not in sent:
            sent += os.read(main, 65536)
        table.see(ended())
        table.close()
        table.close()
        stream.write("\x04over")
        stream.flush()
        while b"over" not in sent:
            sent += os.read(main, 65536)
    os.close(main)
    return sent.decode()


def test_a_terminal_has_a_table_with_the_progress_and_the_latest_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = _at_a_terminal(ROWS, monkeypatch)
    assert "spring begins: 2 bots" in sent and "* something else" in sent
    assert "buchholz" in sent and "1.5" in sent
    assert "\nencounters 1/10  games 2" in sent, "a line of its own, below the bar"
    assert "\\x1b[2J [bold]five[/bold]" in sent, "neither escapes nor markup of strangers count"
    assert "\x1b[?25h" in sent, "the cursor is back"


def test_a_table_longer_than_the_terminal_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    row = ROWS[0]
    rows = tuple(Row(**{**row_fields(row), "place": at, "bot": f"bot{at}"}) for at in range(1, 61))
    sent = _at_a_terminal(rows, monkeypatch)
    assert "bot1 " in sent and "bot60" not in sent and "and 58 more" in sent


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
