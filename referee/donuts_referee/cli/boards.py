"""Reads which board is meant: by its layout, or by its number in a tile set; a fault says what would be right."""

from pathlib import Path

from donuts_engine.board import Board
from donuts_engine.notation import NotationError, parse_layout
from donuts_engine.tiles import TILE, TileSet
from donuts_referee.cli.fault import UsageFault

__all__ = ["check_drawing", "named_board", "numbered_board", "tile_set"]


def tile_set(path: str | None) -> TileSet:
    """The tile set of a TOML file, or the shipped one; UsageFault when there is no such file or it holds none."""
    if path is None:
        return TileSet.shipped()
    if not path:
        raise UsageFault("--tiles is empty; name a TOML file of tiles, or leave it out")
    try:
        return TileSet.load(Path(path))
    except OSError as fault:
        raise UsageFault(
            f"--tiles {path}: {fault.strerror or fault}; a readable TOML file is needed"
        ) from None
    except ValueError as fault:
        raise UsageFault(f"--tiles {path}: {' '.join(str(fault).split())}") from None


def check_drawing(tiles: TileSet, size: int) -> None:
    """UsageFault when no board of this size can be drawn from the set."""
    needed = (size // TILE) ** 2
    if len(tiles.tiles) < needed:
        raise UsageFault(
            f"--tiles: a {size} x {size} board takes {needed} tiles; this set has {len(tiles.tiles)}"
        )


def named_board(layout: str, size: int | None) -> Board:
    """The board of --layout, which --size, where it is given, must fit."""
    try:
        board = Board.of(parse_layout(layout))
    except NotationError as fault:
        raise UsageFault(f"--layout: {fault}") from None
    if size not in (None, board.size):
        raise UsageFault(f"--layout: has {len(layout)} letters, but --size {size} takes {size * size}")
    return board


def numbered_board(number: int, size: int | None, tiles: TileSet, option: str = "--board") -> Board:
    """The 6 x 6 board with this number; `option` is what was typed before it."""
    if size not in (None, 6):
        raise UsageFault(
            f"{option}: only 6 x 6 boards have numbers; for --size {size} give --layout or --seed"
        )
    if number >= tiles.count:
        raise UsageFault(
            f"{option}: {number} is not among the boards of this tile set, 0 to {tiles.count - 1}"
        )
    return tiles.board(number)
