"""The rules of DONUTS as values and pure functions: no IO, no clock, no hidden randomness.

    board = Board.of("HVDA...")              36 or 81 line letters; TileSet.shipped().draw(6, rng) draws one
    position = Position.start(board)
    position = play(position, index("c3", 6))
    position.legal_names, outcome(position)

Squares are indices (`a1` is 0, then row by row); `x` moves first. Everything public is a value that never
changes.
"""

from .board import Board
from .drawing import draw
from .notation import NotationError, format_position, parse_layout, parse_moves, parse_position
from .outcome import Outcome, fives, groups, outcome
from .perft import perft
from .position import DEFAULT_RINGS, MAX_RINGS, Position, PositionError
from .rules import IllegalMove, flips, play
from .squares import NAMES, SIZES, index, name
from .tiles import TileError, TileSet

__all__ = [
    "DEFAULT_RINGS",
    "MAX_RINGS",
    "NAMES",
    "SIZES",
    "Board",
    "IllegalMove",
    "NotationError",
    "Outcome",
    "Position",
    "PositionError",
    "TileError",
    "TileSet",
    "draw",
    "fives",
    "flips",
    "format_position",
    "groups",
    "index",
    "name",
    "outcome",
    "parse_layout",
    "parse_moves",
    "parse_position",
    "perft",
    "play",
]
