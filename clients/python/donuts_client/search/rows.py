"""Judges a position without looking ahead: rows to be, threats, where the next ring may go, groups at the end."""

from math import exp
from typing import NamedTuple

from donuts_engine.bitboard import largest_group, mask_of, squares_of
from donuts_engine.board import Board
from donuts_engine.geometry import STEPS
from donuts_engine.squares import NAMES

WIN = 100_000
"""The value of a game that is won on the empty board; a ply later it is worth 1 less."""

SURE = WIN - 100
"""A value this high, or this low, is no opinion: the game is won, or lost, by the rules."""


class Weights(NamedTuple):
    """What is worth how much, in hundredths of a logit: 100 more make chances of even 73 in 100.

    Fitted by logistic regression to the results of games of the search against itself: 2000 on 6 x 6, 900 on 9 x 9.
    """

    rows: tuple[tuple[int, ...], ...]
    """five squares in a line: by one side's rings there, and the other side's, which are fewer; the rest are empty"""
    ring: int
    """one more ring on the board, rows apart"""
    group: int
    """one more ring in the largest group, once groups count"""
    choice: float
    """one more square to choose from"""
    shown: tuple[int, int]
    """an empty square whose line shows where a side makes five: the side on turn, the other one"""
    only: int
    """to have one move only after which the other side is not shown such a square"""
    cornered: int
    """to have none"""
    turn: int
    """to be on turn"""


WEIGHTS = {
    6: Weights(((0,), (2, 0), (6, 4), (8, 7, 3), (15, 12)), -10, 9, 1.6, (10, 8), -80, -230, 9),
    9: Weights(((0,), (0, 0), (1, 2), (3, 0, 3), (2, 14)), -3, 4, 0.2, (10, 9), -57, -240, 4),
}
"""By size of the board."""

_LATE = 8
"""With so many rings to place, or fewer, groups begin to count."""

_ROW_BOUND = 4096
"""A table of one line is emptied when it holds so many entries; all tables of a board stay below 50 MB."""


def chances(value: int) -> int:
    """A value in permille, from 0 (lost for sure) to 1000 (won for sure)."""
    if abs(value) >= SURE:
        return 1000 if value > 0 else 0
    return min(999, max(1, round(1000 / (1 + exp(-value / 100)))))


class Judged(NamedTuple):
    """One line with rings on it, from the side of the one on turn."""

    worth: int
    mine: int
    """mask of the squares that make five for the side on turn"""
    theirs: int
    """mask of the squares that make five for the other side"""


class Row(dict[int, Judged]):
    """One line of five squares or more: its rings (mine | theirs << squares of the board) -> what they are worth.

    Fills as it is asked.
    """

    __slots__ = ("_line", "_squares", "_worth")

    def __init__(self, line: tuple[int, ...], squares: int, worth: tuple[tuple[int, ...], ...]) -> None:
        super().__init__()
        self._worth = worth
        self._line = line
        self._squares = squares

    def __missing__(self, rings: int) -> Judged:
        if len(self) >= _ROW_BOUND:
            self.clear()
        mine = [rings >> square & 1 for square in self._line]
        theirs = [rings >> square + self._squares & 1 for square in self._line]
        worth = 0
        for at in range(len(self._line) - 4):
            own, other = sum(mine[at : at + 5]), sum(theirs[at : at + 5])
            if own > other:
                worth += self._worth[own][other]
            elif other > own:
                worth -= self._worth[other][own]
        judged = self[rings] = Judged(worth, self._fives(mine, theirs), self._fives(theirs, mine))
        return judged

    def _fives(self, own: list[int], other: list[int]) -> int:
        """The empty squares on which a ring of `own` makes five of them on this line, flips on it included."""
        found = 0
        for at, square in enumerate(self._line):
            if own[at] or other[at]:
                continue
            low = at - 1
            while low >= 0 and own[low]:
                low -= 1
            high = at + 1
            while high < len(own) and own[high]:
                high += 1
            after = list(own)
            after[at] = 1
            if low >= 0 and high < len(own) and other[low] and other[high]:
                after[low] = after[high] = 1
            if "11111" in "".join(map(str, after)):
                found |= 1 << square
        return found


def _lines(size: int) -> list[tuple[int, ...]]:
    """The squares of every line of five or more."""
    lines: list[tuple[int, ...]] = []
    for columns, rows in STEPS.values():
        for start in range(size * size):
            row, column = divmod(start, size)
            if 0 <= row - rows < size and 0 <= column - columns < size:
                continue  # the line begins before
            line: list[int] = []
            while 0 <= row < size and 0 <= column < size:
                line.append(row * size + column)
                row, column = row + rows, column + columns
            if len(line) >= 5:
                lines.append(tuple(line))
    return lines


class Squares(dict[int, tuple[int, ...]]):
    """A mask of squares -> their indices; bounded."""

    __slots__ = ()

    def __missing__(self, mask: int) -> tuple[int, ...]:
        if len(self) >= 50_000:
            self.clear()
        squares = self[mask] = squares_of(mask)
        return squares


class Ground:
    """What a search needs to know of a board, for games of `rings` a side.

    Masks as in `donuts_engine.bitboard`; `mine` is the side on turn, `theirs` the other one, `legal` where the next
    ring may go.
    """

    def __init__(self, board: Board, rings: int) -> None:
        self.size = board.size
        self.squares = board.size * board.size
        self.full = board.full
        self.last_ply = 2 * rings
        """rings on the board when the game is over"""
        weights = WEIGHTS[board.size]
        self.names = NAMES[board.size]
        self.places = tuple((bit, rays, line) for bit, rays, _, line in board.places)
        """for each square its bit, its rays and the mask of the line it shows"""
        self.listed = Squares()
        self._rows = tuple(
            (mask_of(line) | mask_of(line) << self.squares, Row(line, self.squares, weights.rows))
            for line in _lines(board.size)
        )
        self._weights = weights
        self._showing = tuple(
            mask_of([square for square, shown in enumerate(board.lines) if at in shown and square != at])
            for at in range(self.squares)
        )
        """for each square the mask of the others whose line leads there"""

    def judge(self, mine: int, theirs: int, legal: int) -> int:
        """What a position that is not over is worth to the side on turn.

        Beyond `SURE` it is certain: the side on turn makes five with its next ring.
        """
        rings = mine | theirs << self.squares
        worth = wins = dangers = 0
        for mask, row in self._rows:
            value, mine_fives, their_fives = row[rings & mask]
            worth += value
            wins |= mine_fives
            dangers |= their_fives
        own, other = mine.bit_count(), theirs.bit_count()
        if wins & legal:
            return WIN - own - other - 1
        _, ring, group, choice, (good, bad), only, cornered, turn = self._weights
        choices = legal.bit_count()
        worth += turn + ring * (own - other) + int(choice * choices)
        if wins or dangers:
            free = self.full ^ (mine | theirs)
            if wins:
                worth += good * (self._shown(wins) & free).bit_count()
            if dangers:
                shown = self._shown(dangers) & free
                worth -= bad * shown.bit_count()
                unsafe = (shown & legal).bit_count()
                if unsafe >= choices - 1:
                    worth += cornered if unsafe == choices else only
        left = self.last_ply - own - other
        if left <= _LATE:
            worth += group * (largest_group(mine, self.size) - largest_group(theirs, self.size))
        return worth

    def _shown(self, squares: int) -> int:
        """The squares whose line leads to one of these."""
        showing = self._showing
        found = 0
        while squares:
            bit = squares & -squares
            squares ^= bit
            found |= showing[bit.bit_length() - 1]
        return found

    def settled(self, mine: int, theirs: int) -> int:
        """What a game that ended by its groups is worth to the side that would be on turn (RULES 4.2)."""
        more = largest_group(mine, self.size) - largest_group(theirs, self.size)
        if not more:
            return 0
        return WIN - self.last_ply if more > 0 else self.last_ply - WIN
