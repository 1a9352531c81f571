"""Bots that are 150 +- 50 ms away in each direction: none of two hundred games is lost on time."""

import subprocess
import sys
from pathlib import Path

import msgspec

from arena.far_away import far_away
from arena.hall import hall
from donuts_referee.bench.callers import Load
from donuts_referee.modules import own_modules

MS = 1_000_000


def test_no_honest_bot_loses_on_time_however_far_away_it_is(tmp_path: Path) -> None:
    with hall(tmp_path, '[games]\ntc = "10+1"\n') as one, far_away(one.port, 0.150, 0.050) as endpoint:
        load = msgspec.json.encode(Load(endpoint=endpoint, bots=200, warm=1_000_000, plies=0)).decode()
        command = [sys.executable, "-P", "-m", "donuts_referee.bench.callers", load]
        with subprocess.Popen(command, env=own_modules()) as bots:
            try:
                one.until_games(200, 60)
                status = one.status()
            finally:
                bots.kill()
        assert one.of("warning") == [] and one.of("note") == []
        assert not [went for went in one.of("went") if went["why"] != "left"]
        assert status.refused == {} and status.seated == 200
    games = one.journal()[:200]
    assert len(games) == 200
    assert {game["verdict"]["why"] for game in games} <= {"five", "group"}
    assert {game["verdict"]["fault"] for game in games} == {None}
    turns = [turn for game in games for turn in game["turns"]]
    for measured in ("rtt", "used"):
        times = sorted(turn[measured] / MS for turn in turns)
        assert times[0] >= 200, measured
        assert times[len(times) * 9 // 10] <= 450, measured  # the rest may wait for a busy machine as well
    assert len({turn["rtt"] for turn in turns}) > 100
