"""Fits the standings into the width of a terminal: names are shortened, and the columns that say least are left out."""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from donuts_referee.columns import aligned, width

__all__ = ["Column", "fitted", "laid_out"]

GAP = 2
"""columns of a terminal between two of a table"""

FIRST = (("as x", "as o"), ("version",), ("byes", "walkovers"), ("+-",))
"""heads that go, in this order, when names and faults are short and what is said of the next row is gone"""

LAST = (("games",), ("rating",), ("W-D-L",), ("faults",))
"""heads that go when those of the format are gone"""

ALWAYS = ("place", "bot", "points")


class Column(NamedTuple):
    """A column of the table, of printable text."""

    head: str
    cells: Sequence[str]
    left: bool = False
    """words, which begin at the left"""
    short: Sequence[Sequence[str]] = ()
    """the cells shorter, and shorter still"""


def laid_out(columns: Sequence[Column]) -> list[str]:
    """The lines of the table, that of the heads first."""
    left = [at for at, column in enumerate(columns) if column.left]
    heads = [column.head for column in columns]
    return aligned([heads, *zip(*(column.cells for column in columns), strict=True)], left)


def fitted(columns: Sequence[Column], room: int) -> list[Column]:
    """The columns that have room, or the least there can be; each step is made only where the last was too little."""
    shape = list(columns)
    for step in _steps(columns):
        if _taken(shape) <= room:
            break
        shape = step(shape)
    return shape


def _taken(columns: Sequence[Column]) -> int:
    return sum(max(map(width, (column.head, *column.cells))) + GAP for column in columns) - GAP


_Step = Callable[[Sequence[Column]], list[Column]]


def _steps(columns: Sequence[Column]) -> Iterator[_Step]:
    known = {*ALWAYS, *(head for group in (("more", "LOS %"), *FIRST, *LAST) for head in group)}
    own = [(column.head,) for column in columns if column.head not in known]
    yield _without(("more",))
    yield _shorter("bot", 0)
    yield _without(("LOS %",))
    yield _shorter("faults", 0)
    yield from map(_without, FIRST)
    yield _shorter("bot", 1)
    yield from map(_without, (*own[::-1], *LAST))


def _without(heads: Sequence[str]) -> _Step:
    return lambda columns: [column for column in columns if column.head not in heads]


def _shorter(head: str, at: int) -> _Step:
    return lambda columns: [
        column._replace(cells=column.short[at]) if column.head == head else column for column in columns
    ]
