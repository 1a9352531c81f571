"""A round robin of the shipped bots on 6 x 6: random, greedy, alphabeta and perfect stand in this order."""

from collections import Counter
from itertools import combinations

from client.test_thinking import UNLIMITED, asked
from donuts_client.answer import Answer
from donuts_client.bot import Bot
from donuts_client.bots.alphabeta import AlphaBetaBot
from donuts_client.bots.greedy import GreedyBot
from donuts_client.bots.perfect import PerfectBot
from donuts_client.bots.random import RandomBot
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_engine.tiles import TileSet

BOARDS = (53, 63)
"""Two boards of the tile set; which they are does not matter much, but fewer tell less."""

NODES = 1 << 17
"""Positions that perfect may search for a move; no clock is looked at, so that the games are always the same."""


def contest() -> dict[str, Bot]:
    perfect = PerfectBot(seed=1)
    perfect.stopper = lambda _position, _most, _keep=0: lambda nodes: nodes >= NODES  # type: ignore[method-assign]
    alphabeta = AlphaBetaBot(level=2, seed=1)
    alphabeta.stopper = lambda _position, most, _keep=0: lambda nodes: nodes >= most  # type: ignore[method-assign]
    return {
        "random": RandomBot(seed=1),
        "greedy": GreedyBot(seed=1),
        "alphabeta": alphabeta,
        "perfect": perfect,
    }


def winner(x: Bot, o: Bot, board: Board) -> str:
    """The side that wins, `-` for a draw."""
    position = Position.start(board)
    while position.result is None:
        answer = (o if position.ply % 2 else x).move(asked(position, UNLIMITED))
        square = answer.square if isinstance(answer, Answer) else answer
        position = play(position, square if isinstance(square, int) else index(square, 6))
    return position.result.winner


def test_the_shipped_bots_stand_in_order() -> None:
    bots = contest()
    tiles = TileSet.shipped()
    points = Counter[str]()
    for number in BOARDS:
        for one, other in combinations(bots, 2):
            for x, o in ((one, other), (other, one)):
                result = winner(bots[x], bots[o], tiles.board(number))
                points[x] += {"x": 2, "-": 1, "o": 0}[result]
                points[o] += {"x": 0, "-": 1, "o": 2}[result]
    assert points["random"] < points["greedy"] < points["alphabeta"] <= points["perfect"], points
    assert points.total() == 2 * 12 * len(BOARDS)
