"""A second, slow reading of the rules to hold the engine against: coordinates, a dict of rings, no masks, no tables."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

WAYS = {"H": (1, 0), "V": (0, 1), "D": (1, 1), "A": (1, -1)}


def at(square: str) -> tuple[int, int]:
    return "abcdefghi".index(square[0]), int(square[1]) - 1


def called(place: tuple[int, int]) -> str:
    return "abcdefghi"[place[0]] + str(place[1] + 1)


@dataclass
class SlowGame:
    """One game, changed by `play`."""

    layout: str
    rings: int
    size: int = 0
    on: dict[tuple[int, int], str] = field(default_factory=dict)
    last: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        self.size = {36: 6, 81: 9}[len(self.layout)]

    @property
    def places(self) -> list[tuple[int, int]]:
        return [(c, r) for r in range(self.size) for c in range(self.size)]

    @property
    def mover(self) -> str:
        return "xo"[len(self.on) % 2]

    @property
    def cells(self) -> str:
        return "".join(self.on.get(place, ".") for place in self.places)

    def letter(self, place: tuple[int, int]) -> str:
        return self.layout[place[1] * self.size + place[0]]

    def on_line(self, place: tuple[int, int]) -> bool:
        assert self.last is not None
        (c, r), (lc, lr) = place, self.last
        return {"H": r == lr, "V": c == lc, "D": c - r == lc - lr, "A": c + r == lc + lr}[
            self.letter(self.last)
        ]

    def legal(self) -> list[str]:
        if self.ended():
            return []
        free = [place for place in self.places if place not in self.on]
        if self.last is None:
            return [called(place) for place in free]
        line = [place for place in free if self.on_line(place)]
        return [called(place) for place in line or free]

    def bounding(self, place: tuple[int, int], step: tuple[int, int]) -> tuple[int, int]:
        """The first square from `place` on that holds none of the mover's rings; perhaps beyond the edge."""
        c, r = place[0] + step[0], place[1] + step[1]
        while self.on.get((c, r)) == self.mover:
            c, r = c + step[0], r + step[1]
        return c, r

    def play(self, square: str) -> list[str]:
        """Place a ring and return the squares that flipped, in index order."""
        assert square in self.legal()
        place, mover = at(square), self.mover
        foe = "o" if mover == "x" else "x"
        flipped = set()
        for c, r in WAYS.values():
            ends = self.bounding(place, (c, r)), self.bounding(place, (-c, -r))
            if all(self.on.get(end) == foe for end in ends):
                flipped.update(ends)
        self.on.update(dict.fromkeys((place, *flipped), mover))
        self.last = place
        return [called(p) for p in sorted(flipped, key=lambda p: (p[1], p[0]))]

    def rows(self, side: str) -> set[str]:
        """Every square of every row of five or more."""
        found: set[str] = set()
        for (c, r), (dc, dr) in itertools.product(self.places, WAYS.values()):
            row = [(c + k * dc, r + k * dr) for k in range(5)]
            if all(self.on.get(place) == side for place in row):
                found.update(map(called, row))
        return found

    def group(self, side: str) -> int:
        """The size of the largest group, by joining neighbours into sets."""
        groups: list[set[tuple[int, int]]] = []
        for c, r in (place for place in self.places if self.on.get(place) == side):
            touching = [g for g in groups if {(c - 1, r), (c, r - 1), (c + 1, r), (c, r + 1)} & g]
            groups = [g for g in groups if g not in touching] + [{(c, r)}.union(*touching)]
        return max(map(len, groups), default=0)

    def ended(self) -> tuple[str, str] | None:
        for side in "xo":
            if self.rows(side):
                return side, "five"
        if len(self.on) < 2 * self.rings:
            return None
        x, o = self.group("x"), self.group("o")
        return ("x" if x > o else "o" if o > x else "-"), "group"
