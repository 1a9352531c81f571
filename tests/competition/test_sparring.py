"""The shipped bots stand in order: random, greedy, and then those that think, in a round robin of all of them."""

from pathlib import Path

import pytest

from competition.running_event import run
from donuts_referee.competition.reading import read_event
from donuts_referee.competition.standings import report

EVENT = """\
bots = ["donuts:random", "donuts:greedy", "donuts:alphabeta:{level}", "donuts:mcts:1"]
records = "kept"
seed = 5
[games]
size = {size}
tc = "inf"
[format]
cycles = {cycles}
"""
"""At a level bots do not look at the clock, so that the seed makes the games."""


@pytest.mark.parametrize(("size", "level", "cycles"), [(6, 3, 2), (9, 2, 1)])
def test_random_comes_after_greedy_and_greedy_after_those_that_think(
    size: int, level: int, cycles: int, tmp_path: Path
) -> None:
    file = tmp_path / "event.toml"
    file.write_text(EVENT.format(size=size, level=level, cycles=cycles), "utf-8")
    run(file)
    told = report(read_event(tmp_path / "kept"))
    assert told.over and not told.voids
    assert told.games == 12 * cycles
    points = {row.bot: row.points for row in told.rows}
    thinking = {points.pop(f"alphabeta-{level}"), points.pop("mcts-1")}
    assert points["random"] < points["greedy"] < min(thinking), told.rows
    assert all(not row.faults for row in told.rows)
