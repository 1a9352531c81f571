"""Bots that are 150 +- 50 ms away in each direction: none of two hundred games is lost on time."""

import subprocess
import sys
from pathlib import Path
from statistics import median

import msgspec

from arena.far_away import far_away
from arena.hall import Hall, hall
from donuts_referee.bench.callers import Load
from donuts_referee.modules import own_modules

MS = 1_000_000


class PatientHall(Hall):
    """An arena that waits for handshakes and heartbeats as long as they take through a proxy on a busy machine."""

    program = (str(Path(__file__).with_name("patient.py")),)


def test_no_honest_bot_loses_on_time_however_far_away_it_is(tmp_path: Path) -> None:
    config = '[games]\ntc = "60+1"\n'
    with hall(tmp_path, config, kind=PatientHall) as one, far_away(one.port, 0.150, 0.050) as endpoint:
        load = msgspec.json.encode(Load(endpoint=endpoint, bots=200, warm=1_000_000, plies=0)).decode()
        command = [sys.executable, "-P", "-m", "donuts_referee.bench.callers", load]
        with subprocess.Popen(command, env=own_modules()) as bots:
            try:
                one.until_games(200, 180)
                status = one.until_status(lambda now: now.seated == 200)
            finally:
                bots.kill()
        assert one.of("warning") == [] and one.of("note") == []
        assert not [went for went in one.of("went") if went["why"] != "left"]
        assert status.refused == {}
    games = one.journal()[:200]
    assert len(games) == 200
    assert {game["verdict"]["why"] for game in games} <= {"five", "group"}
    assert {game["verdict"]["fault"] for game in games} == {None}
    turns = [turn for game in games for turn in game["turns"]]
    # the way there and back takes 200 to 400 ms; a clock may start after what it times has left
    for measured in ("rtt", "used"):
        assert median(turn[measured] for turn in turns) >= 200 * MS, measured
    assert len({turn["rtt"] for turn in turns}) > 100
