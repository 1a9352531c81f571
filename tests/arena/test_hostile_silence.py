"""Peers that say too little or nothing: they cost a connection or a game of their own, for a bounded time."""

import itertools
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from arena.hall import Caller
from arena.siege import HOSTILE, Puppet, Siege, SteadyHall, besieged
from arena.zmtp import Raw, greeting, ready
from donuts_protocol.messages import Bye, End, Ping


class HastyHall(SteadyHall):
    """An arena that waits seconds where it would wait for half a minute or more."""

    program = (str(Path(__file__).with_name("hasty.py")),)


@pytest.fixture(scope="module")
def siege() -> Iterator[Siege]:
    with besieged(kind=HastyHall) as one:
        yield one


@pytest.fixture(scope="module")
def victim(siege: Siege) -> Iterator[Caller]:
    """An honest bot that meets whoever is hostile; it stays, so that no game ends by its leaving."""
    bot = Caller(siege.hall.tcp, "victim", tc=HOSTILE)
    siege.honest = (*siege.honest, bot)
    yield bot
    bot.leave()
    siege.honest = siege.honest[:-1]


def test_connections_without_hello_are_cut(siege: Siege) -> None:
    cut = siege.count("silent")
    with siege.bounded("silent"):
        mute = [Raw(siege.port) for _ in range(20)]
        shaken = [Raw(siege.port).shake() for _ in range(20)]
        impostor = Raw(siege.port)
        with Puppet(siege.port).shake(b"known") as known:
            impostor.shake(b"known").say(b"pong 1")
            peers = (*mute, *shaken, impostor, known)
            with ThreadPoolExecutor(len(peers)) as pool:  # each answers heartbeats while it waits
                assert list(pool.map(Raw.until_cut, peers)) == [[]] * len(peers)
            for peer in peers:
                peer.close()
    assert siege.count("silent") == cut + 42


def test_a_handshake_drop_by_drop_is_cut(siege: Siege) -> None:
    with siege.bounded("silent"), Raw(siege.port) as peer:
        peer.line.settimeout(0.2)
        for drop in itertools.chain(greeting(), ready(b"x" * 250)):
            peer.write(bytes((drop,)))
            try:
                if not peer.line.recv(64):
                    break
            except TimeoutError:
                continue
            except ConnectionError:
                break
        else:
            raise AssertionError("the whole handshake was waited for")


def test_a_guest_that_never_answers_a_ping_is_sent_away_and_meets_nobody(siege: Siege) -> None:
    with siege.bounded("timeout"), Puppet(siege.port, pongs=False).sit("deaf") as peer:
        peer.until(Ping)
        assert peer.until(Bye).why == "timeout"
    assert not [game for game in siege.hall.games() if "deaf" in (game["x"], game["o"])]


@pytest.mark.usefixtures("victim")
def test_a_guest_that_never_gets_ready_is_sent_away(siege: Siege) -> None:
    with siege.bounded("fault"), Puppet(siege.port, readies=False).sit("never-ready") as peer:
        assert peer.until(Bye).why == "start"
        siege.hall.until(lambda: games_of(siege, "never-ready"))
    game = games_of(siege, "never-ready")[0]
    assert game["why"] == "start" and game[game["fault"]] == "never-ready"


@pytest.mark.usefixtures("victim")
def test_a_guest_that_never_moves_is_benched(siege: Siege) -> None:
    with siege.bounded("benched"), Puppet(siege.port).sit("never-moves") as peer:
        while isinstance(heard := peer.until(End, Bye), End):  # each game in a time of its own
            pass
        assert heard.why == "benched"
    games = games_of(siege, "never-moves")
    assert 3 <= len(games) <= 4  # an encounter is played to its end
    assert all(game["why"] == "timeout" and game[game["fault"]] == "never-moves" for game in games)


def games_of(siege: Siege, name: str) -> list[dict[str, Any]]:
    """The games of one bot that have ended."""
    return [game for game in siege.hall.games() if name in (game["x"], game["o"])]
