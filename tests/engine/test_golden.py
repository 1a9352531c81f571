"""The golden vectors: two independent readings of the rules agree on them, and so must the engine."""

import json
from pathlib import Path
from typing import Any

import pytest

from donuts_engine.board import Board
from donuts_engine.outcome import groups, outcome
from donuts_engine.perft import perft
from donuts_engine.position import Position
from donuts_engine.rules import flipped, flips, play
from donuts_engine.squares import NAMES, index

GOLDEN = Path(__file__).parent.parent / "golden"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


GAMES = rows("games.jsonl")
PERFT = rows("perft.jsonl")
SOLVED = rows("solved.jsonl")


def test_the_vectors_are_all_here() -> None:
    assert (len(GAMES), len(PERFT), len(SOLVED)) == (308, 16, 10)
    assert {(game["size"], game["rings"]) for game in GAMES} >= {(6, 15), (6, 18), (6, 3), (9, 36)}


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_game(number: int) -> None:
    game = GAMES[number]
    size = game["size"]
    names = NAMES[size]
    position = Position.start(Board.of(game["layout"]), game["rings"])
    for square, expected in zip(game["moves"], game["flips"], strict=True):
        assert outcome(position) is None
        assert square in position.legal_names
        before, move = position, index(square, size)
        position = play(before, move)
        assert [names[i] for i in flips(before, move)] == expected
        assert flipped(before, position) == flips(before, move)
    assert position.cells == game["cells"]
    assert outcome(position) == (game["winner"], game["why"])
    assert list(groups(position)) == game["groups"]
    assert position.legal == ()


@pytest.mark.parametrize("number", range(len(PERFT)))
def test_perft(number: int) -> None:
    row = PERFT[number]
    start = Position.start(Board.of(row["layout"]), row["rings"])
    assert start.board.size == row["size"]
    assert perft(start, len(row["perft"])) == row["perft"]
