"""What a bot is shown when it is asked to move: the board, the rings, the legal squares, its clock."""

from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Literal, NamedTuple

from donuts_protocol.messages import Turn

if TYPE_CHECKING:
    from donuts_engine.board import Board
    from donuts_engine.position import Position as Node


class Clock(NamedTuple):
    """The clocks as the referee sees them, all in ms; 2147483647 stands for "no limit"."""

    own: int
    """left to the bot, the increment of this move included"""
    other: int
    """left to the opponent"""
    inc: int
    """added before each move"""
    limit: int
    """what this move may take"""
    margin: int
    """overrun that the referee tolerates; do not plan with it"""
    spent: int
    """charged for the bot's last move; 0 at first"""


class Position:
    """One question of the referee: everything there is to know to answer it.

    Squares are named `a1` ... (`a`-`i` from left to right, `1`-`9` from bottom to top); strings such as `layout` and
    `cells` are in index order, a1 b1 ... a2 b2 ... A search goes on from `node`, the same position as a value of
    `donuts_engine`.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        """the message as it came"""
        self.size: Literal[6, 9] = turn.size
        """squares per edge"""
        self.rings = turn.rings
        """rings per side at the start of the game"""
        self.ply = turn.ply
        """placements made so far"""
        self.you: Literal["x", "o"] = turn.you
        """the side to move, which is the bot's"""
        self.layout = turn.layout
        """the line of every square: H, V, D or A"""
        self.cells = turn.cells
        """what is on every square: x, o or ."""
        self.last = turn.last
        """the square the opponent has just filled; None on an empty board"""
        self.legal = turn.legal
        """the squares that may be filled, never empty, in index order"""
        self._since = monotonic()

    @cached_property
    def clock(self) -> Clock:
        """The clocks when the question was asked."""
        turn = self.turn
        return Clock(turn.clock, turn.oclock, turn.inc, turn.limit, turn.margin, turn.spent)

    @property
    def left(self) -> int:
        """ms of this move's limit that are left now, by the bot's own clock; never below 0."""
        return max(0, self.turn.limit - int((monotonic() - self._since) * 1000))

    def line(self, square: str) -> str:
        """The line shown on a square: H, V, D (the a1 way) or A."""
        return self.layout[self._index(square)]

    def ring(self, square: str) -> str:
        """What is on a square: x, o or . for nothing."""
        return self.cells[self._index(square)]

    def _index(self, square: str) -> int:
        column, row = "abcdefghi".find(square[:1]), "123456789".find(square[1:])
        if len(square) != 2 or not (0 <= column < self.size and 0 <= row < self.size):
            raise ValueError(f"{square!r} is no square of the {self.size} x {self.size} board")
        return row * self.size + column

    @cached_property
    def board(self) -> "Board":
        """The lines as a value of the rules, the same object all through a game."""
        from donuts_engine.board import Board

        return Board.of(self.layout)

    @cached_property
    def node(self) -> "Node":
        """This position as a value of the rules; `donuts_engine.rules.play(node, square)` goes on from it."""
        from donuts_engine.position import Position as Node

        return Node.from_cells(self.board, self.rings, self.cells, self.last, self.you)

    def __str__(self) -> str:
        """The rows from top to bottom, two characters a square: its line, then x, o or ."""
        size = self.size
        squares = [line + ring for line, ring in zip(self.layout, self.cells, strict=True)]
        rows = [" ".join(squares[row * size : row * size + size]) for row in reversed(range(size))]
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"<Position ply {self.ply}, {self.you} to move, {len(self.legal)} legal>"
