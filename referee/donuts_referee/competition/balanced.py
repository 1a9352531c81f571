"""Openings that set both bots the same task: exact draws, or like wins, out of a file of solved boards.

An opening is balanced when, after its forced first placement, the game is a draw under best play by both. On boards
with 15 rings a side about one in seven has such a move, so that a file of some hundred boards holds more of them than
most events have encounters, and nothing else is listed.

With more rings draws are rare. Where a file has not one for every `RARE` boards, empty boards are listed too, on which
x wins: those of which about as many first moves keep the win, see `_tasks`. Each bot then has the same task once, to
find such a move and to hold the win, as every opening is played with sides swapped. The order of a list follows from
the seed.

What an event took is kept in its folder (`openings.json`) with the version of the file of boards, so that the event
goes on with the same openings after an update that brings more boards, and whoever checks it knows them.
"""

from collections import Counter
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from donuts_engine.board import Board
from donuts_engine.notation import parse_layout, parse_moves
from donuts_engine.solved import Solved, SolvedFault, shipped
from donuts_engine.squares import NAMES
from donuts_engine.tiles import TileSet
from donuts_protocol.escape import shown
from donuts_referee.competition.description import FILE as EVENT
from donuts_referee.competition.event import Openings
from donuts_referee.files import FileFault, read_small
from donuts_referee.records.faults import ReadFault, flat

__all__ = [
    "FILE",
    "MOST",
    "RARE",
    "Listing",
    "Row",
    "balanced",
    "chosen",
    "keep",
    "read_listing",
    "read_solved",
    "shipped_for",
]

FILE = "openings.json"

RARE = 20
"""boards for each draw of a file, beyond which boards that are won alike are listed too"""

MOST = 64 << 20
"""bytes of the longest list: every first move of every board would be a tenth of it"""


class Row(Struct, frozen=True):
    """One opening as it is kept."""

    board: int
    """its number in the tile set"""
    layout: str
    placements: tuple[str, ...]
    value: Literal["draw", "x"] = "draw"
    """under best play by both, after the placements: a draw, or x, who is on turn, wins"""
    keeping: int | UnsetType = UNSET
    """how many of x's 36 first moves keep the win"""


class Listing(Struct, frozen=True, kw_only=True):
    """The list of balanced openings that an event plays, in the order of boards; the seed shuffles it."""

    solved: str
    """version of the solved boards it was taken from, see `donuts_engine.solved.Solved.version`"""
    rings: int
    tiles: tuple[str, ...]
    """the tiles, as `description.openings_digest` takes them"""
    openings: tuple[Row, ...]

    def listed(self) -> Openings:
        """The list as an event has it. ValueError where a row is none."""
        for row in self.openings:
            if (row.value == "draw") != (row.keeping is UNSET) or row.keeping == 0:
                raise ValueError(f"board {row.board}: keeping is of wins, and of each of them")
            board = Board.of(parse_layout(row.layout))
            parse_moves(",".join(row.placements), board.size)
        keeping = tuple(row.keeping or 0 for row in self.openings)
        return Openings(
            "balanced",
            numbers=tuple(row.board for row in self.openings),
            entries=tuple((row.layout, row.placements) for row in self.openings),
            order="shuffled",
            solved=self.solved,
            keeping=keeping if any(keeping) else (),
        )


def balanced(solved: Solved) -> Listing:
    """Every first move of these boards that is a draw; where they are few, wins that are alike as well."""
    rows = [row for number in solved for row in _draws(solved, number)]
    if len(rows) * RARE < len(solved):
        rows += _tasks(solved)
    return Listing(
        solved=solved.version,
        rings=solved.rings,
        tiles=tuple(sorted(map(str, solved.tiles.tiles))),
        openings=tuple(rows),
    )


def _draws(solved: Solved, number: int) -> list[Row]:
    layout = solved.tiles.board(number).layout
    return [Row(number, layout, (NAMES[6][at],)) for at, letter in enumerate(solved[number]) if letter == "D"]


def _tasks(solved: Solved) -> list[Row]:
    """The boards of which k or k + 1 first moves win, with the k of most boards, and of several the least."""
    counts = {number: letters.count("W") for number in solved if "W" in (letters := solved[number])}
    boards = Counter(counts.values())
    low = min(boards, key=lambda k: (-boards[k] - boards[k + 1], k), default=0)
    return [
        Row(number, solved.tiles.board(number).layout, (), "x", count)
        for number, count in counts.items()
        if count - low in (0, 1)
    ]


def _holds(solved: Solved, row: Row) -> bool:
    """Whether these boards say the same of an opening."""
    if row.board not in solved:
        return False
    if row.value == "draw":
        return row in _draws(solved, row.board)
    count = solved[row.board].count("W")
    return row == Row(row.board, solved.tiles.board(row.board).layout, (), "x", count)


def chosen(solved: Solved, records: Path) -> Listing:
    """The openings of the event in the folder `records`: what it began with, as long as `solved` says the same of it.

    Else, and where nothing was begun, what is balanced of all that `solved` has. Raises ReadFault and FileFault.
    """
    fresh = balanced(solved)
    if not (records / EVENT).exists() or not (records / FILE).exists():
        return fresh
    data, _ = read_small(records / FILE, most=MOST)
    kept = read_listing(data, shown(str(records / FILE)))
    same = (kept.rings, kept.tiles) == (fresh.rings, fresh.tiles)
    return kept if same and all(_holds(solved, row) for row in kept.openings) else fresh


def shipped_for(tiles: TileSet, rings: int) -> Solved | None:
    """The boards that come with the package, where they are of these tiles and rings."""
    solved = shipped()
    return solved if (solved.tiles, solved.rings) == (tiles, rings) else None


def read_solved(path: Path, tiles: TileSet) -> Solved:
    """The file of solved boards at `path`. Raises FileFault."""
    data, _ = read_small(path)
    try:
        return Solved.parse(data, tiles, shown(str(path)))
    except SolvedFault as fault:
        raise FileFault(str(fault)) from None


def keep(openings: Openings, tiles: TileSet, rings: int) -> bytes:
    """What stands in `openings.json` of an event with these balanced openings."""
    kept = Listing(
        solved=openings.solved,
        rings=rings,
        tiles=tuple(sorted(map(str, tiles.tiles))),
        openings=tuple(
            Row(number, layout, placements, "x", keeping) if keeping else Row(number, layout, placements)
            for number, (layout, placements), keeping in zip(
                openings.numbers,
                openings.entries,
                openings.keeping or (0,) * len(openings.entries),
                strict=True,
            )
        ),
    )
    return msgspec.json.format(msgspec.json.encode(kept), indent=0) + b"\n"


def read_listing(data: bytes, source: str) -> Listing:
    """What `keep` wrote. Raises ReadFault, which names the `source`."""
    try:
        kept = msgspec.json.decode(data, type=Listing)
        kept.listed()
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError) as fault:
        raise ReadFault(
            f"{source}: not the openings of an event ({flat(fault)}); restore it from a copy"
        ) from fault
    return kept
