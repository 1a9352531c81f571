"""Games that the solver ends: not before the eighth placement, for whom the position is won, and verified."""

import sys
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from competition.running_event import run
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_engine.tiles import TileSet
from donuts_referee.competition import config, oracle
from donuts_referee.competition.audit import auditing, judging
from donuts_referee.competition.audit.auditing import audit
from donuts_referee.competition.audit.judging import judge
from donuts_referee.competition.config import ConfigFault, read_event
from donuts_referee.competition.oracle import FIRST_PLY, known, oracle_of, proved
from donuts_referee.records.journal import JournalReader
from donuts_referee.records.record import Record
from donuts_referee.table.adjudication import Adjudication, Resignation
from donuts_referee.table.sentences import too_long

TEXT = """
bots = ["donuts:greedy", "donuts:random"]
[format]
cycles = 2
[games]
size = 6
tc = "inf"
[adjudication]
solver = true
"""


def last(record: Record) -> Position:
    position = Position.start(Board(record.layout), record.rings)
    for square in record.moves:
        position = play(position, index(square, record.size))
    return position


def test_an_event_whose_games_the_solver_ends_verifies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.toml"
    path.write_text(TEXT)
    run(path)
    folder = tmp_path / "event-records"
    games = [entry.record for entry in JournalReader(folder / "journal.jsonl")]
    assert len(games) == 4
    ended = [game for game in games if game.verdict.why == "adjudicated"]
    assert ended  # a game between these two is never open to its end
    for game in ended:
        position = last(game)
        assert position.ply >= FIRST_PLY and position.result is None
        assert game.verdict.winner == proved(position)
        assert game.verdict.text.startswith(f"adjudicated at ply {position.ply}: the solver knows that")
        assert judge(game) is None
    assert audit(folder, workers=0).holds
    other = {"x": "o", "o": "-", "-": "x"}[ended[0].verdict.winner]
    forged = replace(ended[0], verdict=replace(ended[0].verdict, winner=other))
    assert judge(forged) == (
        f"the verdict is adjudicated, winner {other}, but under best play it is {ended[0].verdict.winner}"
    )
    with monkeypatch.context() as later:
        later.setattr(judging, "FIRST_PLY", 36)
        assert judge(ended[0]) == (
            f"the verdict is adjudicated at ply {last(ended[0]).ply}, but the solver is asked from ply 36 on"
        )
    monkeypatch.setattr(judging, "installed", lambda: False)
    monkeypatch.setattr(auditing, "obstacle", lambda: "the solver needs numba")
    assert judge(forged) is None
    assert any("a solver ended" in note for note in audit(folder, workers=0).unchecked)


def test_the_oracle_says_the_same_whatever_was_asked_before() -> None:
    rng = Random(5)
    tiles = TileSet.shipped()
    positions = []
    while len(positions) < 30:
        position = Position.start(tiles.board(rng.randrange(tiles.count)))
        while position.result is None and position.ply < FIRST_PLY + rng.randrange(4):
            position = play(position, rng.choice(position.legal))
        if position.result is None:
            positions.append(position)
            if position.ply < FIRST_PLY:
                assert known(position) is None
    said = [known(position) for position in positions]
    assert [known(position) for position in reversed(positions)] == said[::-1]
    for position, value in zip(positions, said, strict=True):
        assert value is None or value == proved(position)


def test_a_position_that_takes_too_long_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oracle, "FIRST_PLY", 0)
    monkeypatch.setattr(oracle, "NODES", 0)
    start = Position.start(TileSet.shipped().board(0))
    assert known(start) is None and proved(start) == "x"


def test_without_a_solver_the_event_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "event.toml"
    path.write_text(TEXT)
    monkeypatch.setattr(config, "obstacle", lambda: "the solver needs numba: pip install it")
    with pytest.raises(ConfigFault, match=r"adjudication\.solver: the solver needs numba: pip install"):
        read_event(path)
    for module in [each for each in sys.modules if each.startswith("donuts_engine.solver")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match="the solver needs numba"):
        oracle_of(Adjudication(solver=True))
    assert oracle_of(Adjudication(Resignation())) is None and oracle_of(None) is None


def test_where_another_rule_ends_a_game_too_the_solver_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    path.write_text(TEXT.replace("cycles = 2", "").replace("solver = true", "solver = true\nmax_plies = 8"))
    run(path)
    games = [entry.record for entry in JournalReader(tmp_path / "event-records" / "journal.jsonl")]
    assert {game.verdict.why for game in games} == {"adjudicated"}
    for game in games:
        assert judge(game) is None and len(game.moves) == 8
        value = known(last(game))
        assert game.verdict.winner == (value or "-")
        by_length = replace(game, verdict=replace(game.verdict, winner="-", text=too_long(8, 8)))
        assert judge(by_length) is None  # on a slower solver that may have been so
        other = "x" if game.verdict.winner == "o" else "o"
        assert "but under best play" in str(judge(replace(game, verdict=replace(game.verdict, winner=other))))
