"""What an audit says of the PGN that lies beside a journal: its games are those of the journal, in any order."""

from pathlib import Path

import pytest

from competition.kept_event import described, simulate
from donuts_referee.competition.audit.auditing import audit
from donuts_referee.competition.audit.finding import Audit
from donuts_referee.competition.event import RoundRobin


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An event of 6 games."""
    return simulate(tmp_path_factory.mktemp("sound"), described(("alpha", "beta", "gamma"), RoundRobin()))


@pytest.fixture
def event(sound: Path, tmp_path: Path) -> Path:
    """A copy of it to be changed."""
    for path in sound.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    return tmp_path


def check(folder: Path) -> Audit:
    return audit(folder, workers=0)


def test_the_games_of_the_pgn_are_those_of_the_journal_in_any_order(event):
    pgn = event / "games.pgn"
    assert "games.pgn holds the games of the journal" in check(event).checked
    games = pgn.read_bytes().split(b"[Event ")[1:]
    pgn.write_bytes(b"".join(b"[Event " + game for game in games[::-1]))
    assert "games.pgn holds the games of the journal" in check(event).checked
    pgn.unlink()
    assert not any("games.pgn" in one for one in (*check(event).checked, *check(event).unchecked))


@pytest.mark.parametrize("cut", [0, 1, 20, 400, -1, -2])
def test_games_that_a_kill_kept_out_of_the_pgn_are_said_to_be_unchecked(event, cut):
    """It was torn at any byte, and the next start sealed it and went on, or did not."""
    pgn = event / "games.pgn"
    games = [b"[Event " + game for game in pgn.read_bytes().split(b"[Event ")[1:]]
    for then in ([b"\n% torn\n\n", *games[5:]], []):
        pgn.write_bytes(b"".join([*games[:4], games[4][:cut], *then]))
        found = check(event)
        assert (found.holds, found.fault) == (True, None)
        (told,) = [one for one in found.unchecked if "games.pgn" in one]
        assert "`donuts export` writes it whole" in told


def test_a_game_of_the_pgn_that_is_not_in_the_journal_is_named(event):
    pgn = event / "games.pgn"
    kept = pgn.read_bytes()
    games = kept.split(b"[Event ")[1:]
    second = 1 + games[0].count(b"\n")
    line = f"games.pgn:{second}"
    for text in (
        kept.replace(games[1], games[1].replace(b'[White "', b'[White "x')),
        kept.replace(games[1], games[0]),
    ):
        pgn.write_bytes(text)
        found = check(event)
        assert (found.holds, found.place) == (False, line)
