"""Openings that nobody has won: first moves that are exact draws, out of a file of solved boards.

An opening is balanced when, after its forced first placement, the game is a draw under best play by both. Nothing less
is taken: on the empty board x wins wherever it has been solved, and of the 35 other first moves most give o the win.
About one board in seven has such a move; a file of some hundred boards holds more of them than most events have
encounters. Their order follows from the seed, as that of any shuffled list does, and each is played with sides swapped.

What an event took is kept in its folder (`openings.json`) with the version of the file of boards, so that the event
goes on with the same openings after an update that brings more boards, and whoever checks it knows them.
"""

from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

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
    "Listing",
    "Row",
    "chosen",
    "drawn",
    "keep",
    "read_listing",
    "read_solved",
    "shipped_for",
]

FILE = "openings.json"

MOST = 64 << 20
"""bytes of the longest list: every first move of every board would be a tenth of it"""


class Row(Struct, frozen=True):
    """One opening as it is kept."""

    board: int
    """its number in the tile set"""
    layout: str
    placements: tuple[str, ...]
    value: Literal["draw"] = "draw"
    """under best play by both, after the placements"""


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
            board = Board.of(parse_layout(row.layout))
            parse_moves(",".join(row.placements), board.size)
        return Openings(
            "balanced",
            numbers=tuple(row.board for row in self.openings),
            entries=tuple((row.layout, row.placements) for row in self.openings),
            order="shuffled",
            solved=self.solved,
        )


def drawn(solved: Solved) -> Listing:
    """Every first move of these boards that is a draw."""
    names = NAMES[6]
    rows = []
    for number in solved:
        letters = solved[number]
        if "D" in letters:
            layout = solved.tiles.board(number).layout
            rows += [Row(number, layout, (names[at],)) for at, letter in enumerate(letters) if letter == "D"]
    return Listing(
        solved=solved.version,
        rings=solved.rings,
        tiles=tuple(sorted(map(str, solved.tiles.tiles))),
        openings=tuple(rows),
    )


def chosen(solved: Solved, records: Path) -> Listing:
    """The openings of the event in the folder `records`: what it began with, as long as `solved` has all of it.

    Else, and where nothing was begun, every draw that `solved` has. Raises ReadFault and FileFault.
    """
    fresh = drawn(solved)
    if not (records / EVENT).exists() or not (records / FILE).exists():
        return fresh
    data, _ = read_small(records / FILE, most=MOST)
    kept = read_listing(data, shown(str(records / FILE)))
    same = (kept.rings, kept.tiles) == (fresh.rings, fresh.tiles)
    return kept if same and set(kept.openings) <= set(fresh.openings) else fresh


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
            Row(number, layout, placements)
            for number, (layout, placements) in zip(openings.numbers, openings.entries, strict=True)
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
