"""What an event will take: its encounters, the arithmetic of the forecast on made-up times, and the probes for real."""

from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.cli.tournament_plan import plan
from donuts_referee.competition.config import read_event
from donuts_referee.competition.event import (
    Event,
    Format,
    Gauntlet,
    Knockout,
    Ladder,
    RoundRobin,
    Sprt,
    Swiss,
)
from donuts_referee.competition.forecast import Contest, Probe, Timing, forecast, timing
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.plan import encounters
from donuts_referee.competition.probes import choose, play_probes
from donuts_referee.records.record import Record, decode


def names(count: int) -> tuple[str, ...]:
    return tuple(f"bot{number}" for number in range(1, count + 1))


SLOW = Timing(thinking={"bot1": 10.0}, starting={"bot1": 0.5}, around=1.0, worker=2.0)
"""every bot thinks 10 s in a game; games are too slow for two encounters in a job"""

FORMATS: tuple[tuple[Format, int, int | None], ...] = (
    (RoundRobin(cycles=3), 5, 30),
    (RoundRobin(), 2, 1),
    (RoundRobin(), 1, 0),
    (Gauntlet(cycles=2, seeds=2), 6, 16),
    (Gauntlet(seeds=4), 4, 0),
    (Swiss(), 8, 16),
    (Swiss(), 2, 1),
    (Swiss(rounds=3), 5, 6),
    (Knockout(encounters=3), 5, 12),
    (Knockout(third_place=True), 4, 4),
    (Knockout(third_place=True), 2, 1),
    (Ladder(), 4, None),
    (Ladder(encounters=40), 4, 40),
    (Sprt(encounters=500), 2, 500),
)


@pytest.mark.parametrize(("format", "bots", "planned"), FORMATS)
def test_an_event_has_so_many_encounters(format: Format, bots: int, planned: int | None) -> None:
    assert encounters(format, bots) == planned


@pytest.mark.parametrize(("format", "bots", "planned"), FORMATS)
def test_the_schedule_has_as_many(format: Format, bots: int, planned: int | None) -> None:
    """What is counted beforehand is what is played, in every format."""
    expected = forecast(Contest(format, 1, names(bots), 3), SLOW)
    assert expected.encounters == planned


@given(st.integers(2, 9), st.none() | st.integers(1, 9))
def test_swiss_rounds_are_counted_as_they_are_played(bots: int, rounds: int | None) -> None:
    expected = forecast(Contest(Swiss(rounds=rounds), 1, names(bots), 1), SLOW)
    assert expected.encounters == encounters(Swiss(rounds=rounds), bots)


def test_one_worker_takes_the_sum_of_all_that_is_played() -> None:
    expected = forecast(Contest(RoundRobin(), 1, names(4), 1), SLOW)
    # six jobs of two games: each starts two bots, each game has two bots that think
    assert expected.seconds == pytest.approx(2.0 + 6 * (2 * 0.5 + 2 * (10.0 + 10.0 + 1.0)))
    assert expected.games_per_second == pytest.approx(12 / 260)


def test_more_workers_share_the_games_and_wait_where_the_format_does() -> None:
    job = 2 * 0.5 + 2 * 21.0
    six = [forecast(Contest(RoundRobin(), 1, names(4), workers), SLOW).seconds for workers in (2, 3, 4, 6)]
    assert six == [pytest.approx(2.0 + each * job) for each in (3, 2, 2, 1)]
    # 4 + 2 + 1 pairings, each round after the one before, whatever the workers
    cup = forecast(Contest(Knockout(), 1, names(8), 8), SLOW)
    assert cup.seconds == pytest.approx(2.0 + 3 * job) and cup.encounters == 7


def test_a_slow_bot_counts_in_its_own_games_alone() -> None:
    known = Timing({"bot1": 100.0, "bot2": 1.0, "bot3": 1.0}, {"bot1": 0.0}, around=0.0, worker=0.0)
    expected = forecast(Contest(RoundRobin(cycles=2), 1, names(3), 1), known)
    assert expected.seconds == pytest.approx(2 * (2 * 101 + 2 * 101 + 2 * 2))


def test_quick_games_share_the_start_of_their_bots() -> None:
    """Two bots, 0.01 s a game, 0.1 s to start both: jobs grow, so that it lasts far less than 0.1 s an encounter."""
    known = Timing({"bot1": 0.005}, {"bot1": 0.05}, around=0.0, worker=0.0)
    expected = forecast(Contest(Sprt(encounters=1000), 1, names(2), 1), known)
    assert expected.seconds is not None and 20 < expected.seconds < 40


def test_what_is_beyond_the_look_ahead_lasts_in_proportion() -> None:
    expected = forecast(Contest(Sprt(encounters=50_000), 1, names(2), 1), SLOW)
    assert expected.encounters == 50_000
    assert expected.seconds == pytest.approx(50_000 * 43.0, rel=0.001)


def test_a_ladder_without_end_has_a_pace() -> None:
    expected = forecast(Contest(Ladder(), 1, names(4), 1), SLOW)
    assert expected.seconds is None and expected.games_per_second == pytest.approx(2 / 43.0, rel=0.001)


# --- what probes say -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory, salted: Path) -> Record:
    """Some game, whose times a test may change."""
    event = _event(tmp_path_factory.mktemp("one"), salted, 2)
    with (
        closing(LocalWorkers(1, tmp_path_factory.mktemp("log"))) as crew,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("donuts_referee.competition.probes.SECONDS", 0.0)
        patch.setattr("donuts_referee.competition.probes.STEADY", 0)
        return decode(play_probes(event, crew).games[0].line)


def _game(record: Record, x: tuple[str, float], o: tuple[str, float], seconds: float) -> Record:
    """A game between the two, each of whom thought so long."""
    from msgspec.structs import replace

    def used(side: str, of: float) -> int:
        return round(of * 1e9 / sum(turn.side == side for turn in record.turns))

    spent = {"x": used("x", x[1]), "o": used("o", o[1])}
    return replace(
        record,
        seconds=seconds,
        x=replace(record.x, bot=x[0]),
        o=replace(record.o, bot=o[0]),
        turns=tuple(replace(turn, used=spent[turn.side]) for turn in record.turns),
    )


def test_probes_say_who_thinks_how_long_and_what_costs_the_rest(record: Record) -> None:
    a, b, c = ("a", 1.0), ("b", 4.0), ("c", 2.0)
    probes = [
        # a worker that takes 3 s to start, and two bots that take 0.6 s in the time of the first game
        Probe(
            "a", "b", (_game(record, a, b, 5.7), _game(record, b, a, 5.1)), 3.0 + 5.7 + 5.1 + 0.2, fresh=True
        ),
        Probe("a", "c", (_game(record, a, c, 3.7), _game(record, c, a, 3.1)), 3.7 + 3.1 + 0.2, fresh=False),
    ]
    known = timing(probes)
    assert known.thinking == pytest.approx({"a": 1.0, "b": 4.0, "c": 2.0})
    assert known.around == pytest.approx(0.1)
    assert known.starting == pytest.approx({"a": 0.4, "c": 0.4})
    assert known.worker == pytest.approx(3.0)
    assert known.of_job("b", "d") == pytest.approx(0.8), "a bot that is not known is like the others"
    assert known.of_game("b", "d") == pytest.approx(4.0 + 7 / 3 + 0.1)


def test_the_first_jobs_alone_still_say_something(record: Record) -> None:
    games = (_game(record, ("a", 1.0), ("b", 1.0), 2.0), _game(record, ("b", 1.0), ("a", 1.0), 2.0))
    known = timing([Probe("a", "b", games, 5.0, fresh=True)])
    assert known.of_job("a", "b") == pytest.approx(1.0) and known.worker == 0.0
    with pytest.raises(ValueError, match="none of the probes has a game"):
        timing([Probe("a", "b", (), 5.0, fresh=True)])


def _event(folder: Path, salted: Path, bots: int, rest: str = "") -> Event:
    listed = "".join(f'[[bot]]\nname = "bot{at}"\nrun = "{salted} {at}"\n' for at in range(1, bots + 1))
    path = folder / "event.toml"
    path.write_text(f'{listed}[games]\nsize = 6\ntc = "inf"\n{rest}\n')
    return read_event(path)


@pytest.mark.parametrize(
    "rest",
    [
        "",
        '[format]\nkind = "gauntlet"\nseeds = 2',
        '[format]\nkind = "swiss"',
        '[format]\nkind = "knockout"',
        '[format]\nkind = "ladder"',
    ],
)
def test_every_bot_is_probed_first(tmp_path: Path, salted: Path, rest: str) -> None:
    chosen = list(choose(_event(tmp_path, salted, 8, rest)))
    seen: set[str] = set()
    for encounter in chosen[:6]:
        seen |= {encounter.first, encounter.second}
    assert seen == set(names(8))
    assert len({encounter.number for encounter in chosen}) == len(chosen)


def test_a_plan_is_printed_and_nothing_is_kept(
    tmp_path: Path, salted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("donuts_referee.competition.probes.SECONDS", 0.0)
    event = _event(tmp_path, salted, 3, "[format]\ncycles = 10")
    assert plan(event, 2) == 0
    told = capsys.readouterr().out
    assert "3 bots, probed with 10 games" in told
    assert "60 (30 encounters of 2 games)" in told and "games an hour" in told and "are free" in told
    assert all(f"  {name} " in told for name in names(3))
    assert [each.name for each in tmp_path.iterdir()] == ["event.toml"]


def test_teams_that_handed_in_folders_are_probed(
    tmp_path: Path, salted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker is handed what starts a bot; folder and build, which it has no use for, stay here."""
    monkeypatch.setattr("donuts_referee.competition.probes.SECONDS", 0.0)
    for team in ("alpha", "beta"):
        folder = tmp_path / "teams" / team
        folder.mkdir(parents=True)
        (folder / "bot.toml").write_text(f'run = "{salted} {team}"\n')
    path = tmp_path / "event.toml"
    path.write_text('bots = "teams/*"\n[games]\nsize = 6\ntc = "inf"\n')
    assert plan(read_event(path), 1) == 0
    assert "2 bots, probed with 2 games" in capsys.readouterr().out


def test_bots_that_fault_are_named_before_anything_is_played(
    tmp_path: Path, salted: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("donuts_referee.competition.probes.SECONDS", 0.0)
    path = tmp_path / "event.toml"
    path.write_text(
        f'[[bot]]\nname = "good"\nrun = "{salted} a"\n[[bot]]\nname = "bad"\nrun = "{salted} b 1000"\n'
        '[games]\nsize = 6\ntc = "inf"\n[faults]\non_fault = "stop"\n'
    )
    assert plan(read_event(path), 1) == 0
    told = {line.split()[0]: line.split()[-1] for line in capsys.readouterr().out.splitlines()[-2:]}
    assert told == {"good": "0", "bad": "2"}
