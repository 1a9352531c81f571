"""An arena's output never makes it wait: a reader that stops loses lines, not games."""

import io
import threading

import pytest

from donuts_referee.cli import printer as printing
from donuts_referee.cli.printer import Printer
from donuts_referee.cli.stage import Stage


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last lines have as much time as a busy machine may need."""
    monkeypatch.setattr(printing, "LAST", 100.0)


class Stuck(io.StringIO):
    """A stream whose reader has stopped until `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def write(self, text: str) -> int:
        self.go.wait(100)
        return super().write(text)


def test_a_reader_that_stops_costs_lines_and_no_time() -> None:
    stream = Stuck()
    printer = Printer(Stage(stream, lambda: None), waiting=3)
    for number in range(10):
        printer.write(f"{number}\n")  # returns at once, or this test would wait for ever
    assert printer.lost in (6, 7)
    stream.go.set()
    printer.close()
    assert stream.getvalue().startswith("0\n1\n2\n")


def test_everything_is_printed_in_order_where_somebody_reads() -> None:
    stream = io.StringIO()
    printer = Printer(Stage(stream, lambda: None))
    for number in range(1000):
        printer.write(f"{number}\n")
    printer.close()
    assert stream.getvalue().split() == [str(number) for number in range(1000)] and printer.lost == 0
