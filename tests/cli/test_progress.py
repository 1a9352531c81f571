"""The line of progress: throttled, overwritten, gone before anything else is written."""

import io

from donuts_referee.cli.lines import Progress
from donuts_referee.cli.stage import Stage


def test_it_counts_and_estimates() -> None:
    now = [0.0]
    stream = io.StringIO()
    progress = Progress(Stage(stream, lambda: None), lambda: now[0])
    progress.show(1, 5, 3, ", a 0 - 0 b")
    progress.show(1, 5, 4, "")
    now[0] = 60.0
    progress.show(3, 5, 1, "")
    progress.clear()
    lines = stream.getvalue().split("\r")
    assert lines[1] == "game 1 of 5, ply 3, a 0 - 0 b"
    assert lines[2].rstrip() == "game 3 of 5, ply 1, 1:30 to go"
    assert lines[3].strip() == "" and len(lines[3]) == len(lines[2].rstrip()) and lines[4] == ""


def test_hours() -> None:
    now = [0.0]
    stream = io.StringIO()
    progress = Progress(Stage(stream, lambda: None), lambda: now[0])
    now[0] = 3600.0
    progress.show(2, 4, 0, "")
    assert "3:00:00 to go" in stream.getvalue()


def test_a_reader_that_left_is_told_of_once() -> None:
    class Left(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError

    told: list[bool] = []
    stage = Stage(Left(), lambda: told.append(True))
    stage.write("a")
    stage.write("b")
    assert told == [True] and stage.left
