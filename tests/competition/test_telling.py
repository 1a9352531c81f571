"""What an event tells of itself agrees with what counts: games with points, walkovers, how much there is to play."""

from pathlib import Path

import pytest

from competition.happened import DESCRIPTION
from competition.test_runner import THREE, run, write_event
from competition.test_state import game, state
from donuts_referee.competition.batching import Batching
from donuts_referee.competition.encounter import Encounter
from donuts_referee.competition.event import Knockout
from donuts_referee.competition.happenings import Began, Benched, GameEnded, StandingsChanged
from donuts_referee.competition.plan import planned
from donuts_referee.competition.rows import rows
from donuts_referee.competition.state import State


def test_games_count_when_the_points_for_them_do() -> None:
    now = state(encounters=3)
    for one in (game(1, 1), game(1, 2, "-"), game(2, 1)):
        now.count(one)
    told = rows(DESCRIPTION, now)
    assert sum(row.games for row in told) == 4, "encounter 2 is settled by its second game"
    for row in told:
        assert row.points == row.wins + row.draws / 2 and row.games == row.wins + row.draws + row.losses


def test_games_of_a_bot_that_is_benched_by_then_are_told_not_to_count(
    tmp_path: Path, salted: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # how far games are played ahead follows from how long they take, and with it whether any comes in afterwards
    monkeypatch.setattr(Batching, "_most", lambda _: 256)
    bots = {"ann": "ann", "bob": "bob 30"}
    path = write_event(tmp_path, salted, bots, "[format]\ncycles = 60\n[faults]\ncrash_limit = 3")
    seen = run(path)[1]
    (at,) = (at for at, one in enumerate(seen) if isinstance(one, Benched))
    benched = seen[at]
    assert isinstance(benched, Benched)
    games = [one for one in seen if isinstance(one, GameEnded)]
    told = {
        one.counted
        for one in games
        if one.head.place is not None and one.head.place.encounter <= benched.encounter
    }
    later = [one for one in seen[at:] if isinstance(one, GameEnded)]
    assert told == {True} and later and not any(one.counted for one in later)


def test_a_start_tells_who_ever_took_part_how_they_stand_and_whether_it_is_over(
    tmp_path: Path, salted: Path
) -> None:
    path = write_event(tmp_path, salted, THREE, "[format]\ncycles = 2")
    first = run(path)[1][0]
    assert isinstance(first, Began) and not first.over and first.names == ("ann", "bob", "cyd")
    again = run(path)[1][0]
    assert isinstance(again, Began) and again.over and again.gone == ()
    path.write_text(path.read_text().replace('name = "bob"', 'name = "dan"'))
    reopened = run(path)[1][0]
    assert isinstance(reopened, Began) and not reopened.over, "dan is new and has not played"
    last = run(path)[1][0]
    assert isinstance(last, Began) and last.over
    assert last.names == ("ann", "bob", "cyd", "dan") and last.gone == ("bob",)


def test_a_knockout_counts_its_tie_breaks_as_they_come() -> None:
    bots = ("ann", "bob", "cyd")
    now = State(bots, replays=0, limit=None)
    format = Knockout(encounters=2)
    assert planned(format, now) == 4
    for number, label in enumerate(("semifinal", "semifinal", "semifinal, tie-break 1"), 1):
        now.schedule(Encounter(number, 1, "bob", "cyd", label))
    assert planned(format, now) == 5


def test_what_is_planned_never_falls_short_of_what_is_settled(tmp_path: Path, salted: Path) -> None:
    bots: dict[str, str] = dict.fromkeys(THREE, "same")
    path = write_event(tmp_path, salted, bots, '[format]\nkind = "knockout"\ntie_breaks = 2')
    seen = run(path)[1]
    told = [(one.settled, one.planned) for one in seen if isinstance(one, StandingsChanged)]
    assert all(plan is not None and settled <= plan for settled, plan in told), told
    assert told[-1][0] == told[-1][1]
