"""An arena as a process: bots of every kind sit down, play, leave and come back; the operator watches and steers."""

import os
import signal
import stat
import time
from pathlib import Path

import pytest

from arena.hall import PATIENCE, Caller, Hall, hall, reserved_port, seats
from donuts_protocol.messages import Error, Turn

FAST = '[games]\ntc = "60+0.1"\n'


def kinds(one: Hall) -> set[str]:
    return {game["why"] for game in one.games()}


@pytest.mark.parametrize("encoding", ["text", "msgpack"])
@pytest.mark.parametrize("way", ["tcp", "ipc", "curve"])
def test_every_encoding_over_every_transport(tmp_path: Path, way: str, encoding: str) -> None:
    config = FAST
    if way == "ipc":
        config = '[arena]\nendpoints = ["ipc://run/arena.sock"]\n' + FAST
    elif way == "curve":
        given = seats(tmp_path, "ada bob", "--curve")
        config = '[arena]\nseats = "seats"\ncurve = true\n' + FAST
    with hall(tmp_path, config) as one:
        if way == "curve":
            calls = [given[name]._replace(endpoint=one.tcp) for name in ("ada", "bob")]
            bots = [Caller(call, "me", encoding) for call in calls]
        else:
            endpoint = one.tcp if way == "tcp" else f"ipc://{tmp_path}/run/arena.sock"
            bots = [Caller(endpoint, name, encoding) for name in ("ada", "bob")]
        games = one.until_games(6)
        for bot in bots:
            bot.leave()
        assert one.end() == 0
    assert kinds(one) <= {"five", "group", "resign", "abort"}  # the last two when a bot left while playing
    assert {game["why"] for game in games} <= {"five", "group"}
    assert {game["x"] for game in games} == {"ada", "bob"}
    assert {side["encoding"] for game in one.journal() for side in (game["x"], game["o"])} == {encoding}
    assert len(one.journal()) == len(one.games())


def test_colours_and_boards_are_balanced_in_pairs_and_opponents_hidden(tmp_path: Path) -> None:
    with hall(tmp_path, FAST) as one:
        bots = [Caller(one.tcp, "ada"), Caller(one.tcp, "bob")]
        one.until_games(8)
        for bot in bots:
            bot.leave()
        one.end()
    games = [game for game in one.journal() if not game["verdict"]["void"]][:8]
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first["layout"], first["seed"], first["match"]) == (
            second["layout"],
            second["seed"],
            second["match"],
        )
        assert (first["x"]["bot"], first["o"]["bot"]) == (second["o"]["bot"], second["x"]["bot"])
    assert len({game["layout"] for game in games}) == 4
    announced = [m for m in bots[0].heard if type(m).__name__ == "Game"]
    assert announced and all(m.opp is None for m in announced)
    assert all(m.more == 1 for m in bots[0].heard if type(m).__name__ == "End")


def test_names_are_told_where_the_file_reveals_them(tmp_path: Path) -> None:
    with hall(tmp_path, "[arena]\nreveal = true\n" + FAST) as one:
        bots = [Caller(one.tcp, "ada"), Caller(one.tcp, "bob")]
        one.until_games(2)
    assert {m.opp for m in bots[0].heard if type(m).__name__ == "Game"} == {"bob"}


def test_round_trips_stand_beside_the_moves(tmp_path: Path) -> None:
    with hall(tmp_path, FAST) as one:
        _bots = [Caller(one.tcp, "ada"), Caller(one.tcp, "bob")]
        one.until_games(2)
        status = one.status()
    assert all(turn["rtt"] > 0 for game in one.journal() for turn in game["turns"])
    assert all(guest.rtt_ms for guest in status.guests)


def test_two_bots_of_one_name_get_a_seat_each(tmp_path: Path) -> None:
    with hall(tmp_path, FAST) as one:
        _bots = [Caller(one.tcp, "ada"), Caller(one.tcp, "ada")]
        one.until_games(1)
    assert {event["seat"] for event in one.of("came")} == {"ada", "ada#2"}


def test_a_wish_is_played_where_it_is_offered(tmp_path: Path) -> None:
    with hall(tmp_path, '[games]\ntc = ["60+0.1", "5+0.1"]\n') as one:
        bots = [Caller(one.tcp, "ada", tc="5+0.1"), Caller(one.tcp, "bob"), Caller(one.tcp, "eve", tc="7")]
        one.until(lambda: len({g["x"] for g in one.games()} | {g["o"] for g in one.games()}) == 3)
        for bot in bots:
            bot.leave()
        one.end()
    for game in one.journal():
        there = {game["x"]["bot"], game["o"]["bot"]}
        assert game["conditions"]["main"] == (5000 if "ada" in there else 60_000)
    told = [m for m in bots[2].heard if type(m).__name__ == "Error"]
    assert [m.code for m in told] == ["tc"] and "60+0.1, 5+0.1" in told[0].text


def test_a_listed_seat_is_taken_with_its_token_alone(tmp_path: Path) -> None:
    given = seats(tmp_path, "ada bob")
    with hall(tmp_path, '[arena]\nseats = "seats"\n' + FAST) as one:
        ada = Caller(given["ada"]._replace(endpoint=one.tcp), "whoever")
        bob = Caller(given["bob"]._replace(endpoint=one.tcp), "bob")
        stranger = Caller(one.tcp, "ada")
        thief = Caller(one.tcp, "ada", seat="x" * 48)
        stranger.join()
        thief.join()
        assert (stranger.last, thief.last) == ("seat", "seat")
        games = one.until_games(2)
        assert one.status().refused["seat"] == 2
        ada.leave()
        bob.leave()
        one.end()
    assert {games[0]["x"], games[0]["o"]} == {"ada", "bob"}
    text = one.err + str(one.events) + (one.records / "journal.jsonl").read_text()
    assert given["ada"].token and given["ada"].token not in text


def test_a_seat_that_is_revoked_is_left_at_once(tmp_path: Path) -> None:
    import subprocess
    import sys

    given = seats(tmp_path, "ada bob")
    with hall(tmp_path, '[arena]\nseats = "seats"\n' + FAST) as one:
        ada = Caller(given["ada"]._replace(endpoint=one.tcp), "ada")
        _bob = Caller(given["bob"]._replace(endpoint=one.tcp), "bob")
        one.until_games(2)
        words = [
            sys.executable,
            "-m",
            "donuts_referee",
            "arena",
            "seats",
            "--out",
            "seats",
            "--revoke",
            "ada",
        ]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, timeout=120)
        ada.join()
        assert ada.last == "seat"
        again = Caller(given["ada"]._replace(endpoint=one.tcp), "ada")
        again.join()
        assert again.last == "seat"
        one.until(lambda: one.of("went", seat="ada", why="seat"))


def test_a_renewed_seat_is_left_by_whoever_came_with_the_old_file(tmp_path: Path) -> None:
    import subprocess
    import sys

    given = seats(tmp_path, "ada bob")
    with hall(tmp_path, '[arena]\nseats = "seats"\n' + FAST) as one:
        ada = Caller(given["ada"]._replace(endpoint=one.tcp), "ada")
        bob = Caller(given["bob"]._replace(endpoint=one.tcp), "bob")
        one.until_games(2)
        words = [sys.executable, "-m", "donuts_referee", "arena", "seats", "--out", "seats", "--renew", "ada"]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, timeout=120)
        ada.join()
        assert ada.last == "seat"
        assert {guest.seat for guest in one.status().guests} == {"bob"}
        bob.leave()


def test_a_bot_is_told_the_name_of_its_seat(tmp_path: Path) -> None:
    with hall(tmp_path, FAST) as one:
        bots = [Caller(one.tcp, "ada"), Caller(one.tcp, "ada")]
        one.until_games(1)
    assert {bot.heard[0].name for bot in bots} == {"ada", "ada#2"}


def test_three_games_running_lost_by_crashes_bench_a_bot_until_it_joins_again(tmp_path: Path) -> None:
    class Breaks(Caller):
        def _answer(self, message):  # type: ignore[no-untyped-def]
            if isinstance(message, Turn):
                self._orders.put("leave")
                return self.dialling.send(Error(id=None, code="crash", text="exit status 1"))
            return super()._answer(message)

    with hall(tmp_path, FAST) as one:
        bob = Caller(one.tcp, "bob")
        for count in (1, 2, 3):
            broken = Breaks(one.tcp, "ada")
            broken.join()
            one.until(lambda count=count: len(one.of("went", seat="ada")) == count)  # the seat is free again
        told = Caller(one.tcp, "ada")
        told.join()
        assert told.last == "benched"
        again = Caller(one.tcp, "ada")
        count = len(one.games())
        one.until_games(count + 2)
        again.leave()
        bob.leave()
        one.end()
    crashes = [game for game in one.journal() if game["verdict"]["why"] == "crash"]
    assert len(crashes) == 3 and all(game["verdict"]["fault"] for game in crashes)


def test_the_operator_steers(tmp_path: Path) -> None:
    with hall(tmp_path, FAST) as one:
        folder = one.records / "control"
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        ada, bob = Caller(one.tcp, "ada"), Caller(one.tcp, "bob")
        one.until_games(2)
        assert "paused" in (one.ask("pause").text or "")
        status = one.until_status(lambda s: s.playing == 0 and s.state == "paused")
        before = len(one.until_games(status.games))
        eve = Caller(one.tcp, "eve")
        one.until(lambda: one.of("came", seat="eve"))
        assert len(one.games()) == before
        one.ask("resume")
        one.until_games(before + 2)
        assert one.ask("kick", "nobody").error
        one.ask("kick", "eve")
        eve.join()
        assert eve.last == "kicked"
        one.ask("drain")
        ada.join()
        bob.join()
        assert (ada.last, bob.last) == ("drain", "drain")
        assert one.wait() == 0
    assert len(one.journal()) == len(one.games())


def test_a_second_signal_stops_at_once_and_the_game_is_void(tmp_path: Path) -> None:
    class Slow(Caller):
        def think(self, turn):  # type: ignore[no-untyped-def]
            asked.set()
            hold.wait(2 * PATIENCE)
            return turn.legal[0]

    import threading

    asked, hold = threading.Event(), threading.Event()
    with hall(tmp_path, '[games]\ntc = "600"\n') as one:
        _bots = [Slow(one.tcp, "ada"), Slow(one.tcp, "bob")]
        assert asked.wait(PATIENCE)
        one.process.send_signal(signal.SIGTERM)
        one.until(lambda: any("draining" in e["text"] for e in one.of("note")))
        assert one.end() == 143
        hold.set()
    [game] = one.journal()
    assert game["verdict"]["void"] and game["verdict"]["why"] == "abort"


def test_kill_9_loses_no_game_and_bots_come_back_by_themselves(tmp_path: Path) -> None:
    with reserved_port() as port, hall(tmp_path, FAST, port=port) as one:
        _bots = [Caller(one.tcp, name) for name in ("ada", "bob", "eve")]
        before = one.until_games(10)
        one.process.kill()
        one.wait()
        told = len(one.games())
        kept = len(one.journal())
        assert kept >= told >= len(before)
        one.events.clear()
        one.start()
        one.until_games(6)
        one.until_status(lambda now: {guest.seat for guest in now.guests} == {"ada", "bob", "eve"})
        one.end()
    assert len(one.journal()) == kept + len(one.games())
    assert {game["verdict"]["why"] for game in one.journal()} <= {"five", "group", "abort"}


def test_a_second_arena_on_the_same_records_is_refused_in_one_line(tmp_path: Path) -> None:
    import subprocess
    import sys

    with hall(tmp_path):
        words = [sys.executable, "-m", "donuts_referee", "arena", "serve", "--endpoint", "tcp://127.0.0.1:*"]
        ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=120)
    assert ran.returncode == 2 and ran.stderr.count("\n") == 1 and "an arena that runs already" in ran.stderr


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--endpoint", "tcp://0.0.0.0:7464"], "CURVE"),
        (["--endpoint", "udp://127.0.0.1:7"], "tcp://"),
        (["--records", ""], "--records"),
        (["nowhere.toml"], "nowhere.toml"),
    ],
)
def test_what_cannot_be_served_is_one_clear_line(tmp_path: Path, words: list[str], told: str) -> None:
    import subprocess
    import sys

    ran = subprocess.run(
        [sys.executable, "-m", "donuts_referee", "arena", "serve", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
        timeout=60,
    )
    assert ran.returncode == 2 and ran.stderr.count("\n") == 1 and told in ran.stderr
    assert not ran.stdout


@pytest.mark.parametrize(("curve", "told"), [(True, "write curve = true"), (False, "give keys")])
def test_seats_that_nobody_could_take_are_refused(tmp_path: Path, curve: bool, told: str) -> None:
    import subprocess
    import sys

    seats(tmp_path, "ada bob", *(["--curve"] if curve else []))
    endpoint = "tcp://127.0.0.1:*"
    (tmp_path / "arena.toml").write_text(
        f'[arena]\nseats = "seats"\nendpoints = ["{endpoint}"]\ncurve = {str(not curve).lower()}\n'
    )
    words = [sys.executable, "-m", "donuts_referee", "arena", "serve", "arena.toml"]
    ran = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 2 and ran.stderr.count("\n") == 1, ran.stderr
    assert told in ran.stderr or "is to speak CURVE (arena.curve)" in ran.stderr


def test_figures_for_prometheus(tmp_path: Path) -> None:
    from urllib.request import urlopen

    config = '[arena]\nmetrics = "127.0.0.1:{}"\n' + FAST
    with reserved_port() as port, hall(tmp_path, config.format(port)) as one:
        _bots = [Caller(one.tcp, "ada"), Caller(one.tcp, "bob")]
        one.until_games(2)
        ends = time.monotonic() + 30
        while True:  # the figures are those of a moment ago
            with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as page:
                text = page.read().decode()
            if 'donuts_rtt_seconds{seat="ada"}' in text or time.monotonic() > ends:
                break
    assert (
        "donuts_seated 2.0" in text
        and "donuts_plies_total" in text
        and 'donuts_rtt_seconds{seat="ada"}' in text
    )
