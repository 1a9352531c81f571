"""The board and the rules of DONUTS.

A square is a number: 0 is a1, 1 is b1, and so on, row by row from the bottom. A cell holds ".", "x" or "o".
"""

import re

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Steps in column and row: along a row, a column, and the two diagonals."""

IN_COMMON = {
    "H": lambda column, row: row,
    "V": lambda column, row: column,
    "D": lambda column, row: column - row,
    "A": lambda column, row: column + row,
}
"""What all squares of a line have in common, by the letter that the line has in a layout."""


def other(side):
    return "o" if side == "x" else "x"


class Board:
    """What never changes in a game. All that depends on the layout alone is worked out once, here."""

    def __init__(self, layout, rings=None):
        if not re.fullmatch("[HVDA]{36}|[HVDA]{81}", layout):
            raise ValueError("a layout has 36 or 81 letters of H, V, D and A")
        self.size = size = 6 if len(layout) == 36 else 9
        self.rings = rings or (15 if size == 6 else 36)
        """rings of each side"""
        squares = range(size * size)
        where = [(square % size, square // size) for square in squares]
        self.lines = [[at for at in squares if IN_COMMON[letter](*where[at]) == IN_COMMON[letter](*where[square])]
                      for square, letter in enumerate(layout)]
        """for each square: the squares of the line that it shows"""
        self.ways = [[(self._way(square, right, up), self._way(square, -right, -up)) for right, up in DIRECTIONS]
                     for square in squares]
        """for each square and direction: the squares one way and the other way, from the nearest to the edge"""
        self.beside = [[way[0] for one_and_other in self.ways[square][:2] for way in one_and_other if way]
                       for square in squares]
        """for each square: the two, three or four squares beside it"""
        rows = [[square, *way[:4]] for square in squares for way, _ in self.ways[square]]
        self.fives = [row for row in rows if len(row) == 5]
        """all rows of five squares"""

    def _way(self, square, right, up):
        column, row = square % self.size + right, square // self.size + up
        found = []
        while 0 <= column < self.size and 0 <= row < self.size:
            found.append(row * self.size + column)
            column, row = column + right, row + up
        return found

    def name(self, square):
        """"c4" for 20 on the small board."""
        return "abcdefghi"[square % self.size] + str(square // self.size + 1)

    def square(self, name):
        """20 for "c4" on the small board."""
        return (int(name[1]) - 1) * self.size + "abcdefghi".index(name[0])


class Position:
    """What changes in a game. `play` and `undo` change it in place, which is faster than to copy it."""

    def __init__(self, board):
        self.board = board
        self.cells = ["."] * board.size**2
        self.mover = "x"
        self.last = None
        """the square that was filled last"""
        self.ply = 0
        """how many rings are on the board"""

    def is_full(self):
        """Whether all rings are placed."""
        return self.ply == 2 * self.board.rings

    def legal(self):
        """The squares where the mover may place a ring; none when all rings are placed."""
        if self.is_full():
            return []
        line = [] if self.last is None else [at for at in self.board.lines[self.last] if self.cells[at] == "."]
        return line or [at for at, cell in enumerate(self.cells) if cell == "."]

    def play(self, square):
        """Place a ring of the mover. Returns what `undo` needs, and at last whether this ring wins the game."""
        cells, mine = self.cells, self.mover
        flips = self.flips(square)
        before = square, self.last, flips
        for at in (square, *flips):
            cells[at] = mine
        five = any(self._makes_five(at) for at in (square, *flips))
        self.last, self.mover, self.ply = square, other(mine), self.ply + 1
        return before, five

    def undo(self, before):
        """Take the ring back."""
        square, self.last, flips = before
        for at in flips:
            self.cells[at] = self.mover
        self.cells[square] = "."
        self.mover, self.ply = other(self.mover), self.ply - 1

    def flips(self, square):
        """The rings that turn when the mover places one here.

        In each direction, over the mover's own rings: where the first other square at both ends holds an opponent's
        ring, those two turn. All is looked at before anything turns.
        """
        found = []
        for one, two in self.board.ways[square]:
            ends = self._end(one), self._end(two)
            if None not in ends and all(self.cells[end] != "." for end in ends):
                found += ends
        return found

    def _end(self, way):
        """The first square on this way that holds no ring of the mover; None at the edge."""
        return next((at for at in way if self.cells[at] != self.mover), None)

    def _makes_five(self, square):
        side = self.cells[square]
        for one, two in self.board.ways[square]:
            count = 1
            for way in (one, two):
                for at in way:
                    if self.cells[at] != side:
                        break
                    count += 1
            if count >= 5:
                return True
        return False

    def largest_group(self, side):
        """How many rings of this side are in its largest group, connected over the edges of squares."""
        left = {at for at, cell in enumerate(self.cells) if cell == side}
        largest = 0
        while left:
            group, count = [left.pop()], 0
            while group:
                count += 1
                near = left.intersection(self.board.beside[group.pop()])
                left -= near
                group += near
            largest = max(largest, count)
        return largest


def perft(position, depth):
    """How many sequences of `depth` placements there are from here; games that end before are not counted."""
    if depth == 0:
        return 1
    count = 0
    for square in position.legal():
        before, five = position.play(square)
        if depth == 1 or not five:
            count += perft(position, depth - 1)
        position.undo(before)
    return count
