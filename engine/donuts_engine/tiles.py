"""Double-sided 3 x 3 tiles, and the boards they make: drawn by chance or looked up by number (RULES 6).

    TileError    a set of tiles cannot be used; `faults` lists everything that is wrong with it

How a board number reads. A quarter turn of the whole board carries the first tile round the four corners, so
of the four boards that are turns of each other exactly one has it in the bottom left corner; that one has the
number. Written in mixed base, most significant first, the number holds:

    6    which of the other three tiles lie bottom right, top left, top right (orders of tiles 2, 3, 4 as in a
    dictionary) 2^4  which side of the tile is up in each of the four places (front 0, back 1; bottom left
    most significant) 4^4  how many quarter turns clockwise each of them makes (bottom left most significant)

so that number 0 shows four fronts, unturned: tile 1 bottom left, 2 bottom right, 3 top left, 4 top right.
"""

from itertools import permutations
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from .board import Board
from .layout import LETTERS, turn_letters
from .squares import quoted

if TYPE_CHECKING:
    from random import Random

TILE = 3
"""Squares along the edge of a tile."""

MAX_BYTES = 1 << 20
"""The longest file of tiles that is read; nine tiles take about one thousand."""

_ORDERS = tuple(permutations((1, 2, 3)))
_TILES_NEEDED = {6: 4, 9: 9}


class TileError(ValueError):
    """A set of tiles cannot be used; message and `faults` name everything that is wrong, with its place."""

    def __init__(self, source: str, faults: tuple[str, ...]) -> None:
        super().__init__("; ".join(f"{source}: {fault}" for fault in faults))
        self.source = source
        self.faults = faults


class Tile(NamedTuple):
    """Two faces, each nine line letters in the order of squares: bottom row first, left to right."""

    front: str
    back: str


class Lie(NamedTuple):
    """How a tile lies: its number in the set from 0, its side (0 front, 1 back), quarter turns clockwise."""

    tile: int
    side: int
    turns: int


class TileSet:
    """A set of four tiles, or of nine of which the first four make the 6 x 6 boards; immutable.

    `TileSet(tiles)` raises TileError when a face equals a turn of another face or of itself, because then two
    numbers would be the same board. `count` is the number of 6 x 6 boards, counting quarter turns of each
    other once.
    """

    __slots__ = ("_faces", "_lies", "tiles")

    count = 6 * 2**4 * 4**4

    tiles: tuple[Tile, ...]
    _faces: tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]
    _lies: dict[str, Lie]

    def __init__(self, tiles: tuple[Tile, ...], source: str = "tiles") -> None:
        faults = _faults(tiles)
        if faults:
            raise TileError(source, faults)
        faces = tuple((_turns(tile.front), _turns(tile.back)) for tile in tiles)
        lies = {
            face: Lie(number, side, turns)
            for number, sides in enumerate(faces)
            for side, turned in enumerate(sides)
            for turns, face in enumerate(turned)
        }
        object.__setattr__(self, "tiles", tiles)
        object.__setattr__(self, "_faces", faces)
        object.__setattr__(self, "_lies", lies)

    @classmethod
    def shipped(cls) -> "TileSet":
        """Return the nine tiles that come with this package."""
        global _shipped
        if _shipped is None:
            from pathlib import Path

            _shipped = cls.load(Path(__file__).with_name("tiles.toml"))
        return _shipped

    @classmethod
    def load(cls, path: str | PathLike[str]) -> "TileSet":
        """Read a set from a TOML file of the form of `tiles.toml`.

        TileError names all faults at once; OSError when the file cannot be read. A pipe or a device, which might
        never end, is refused, and so is a file of more than MAX_BYTES.
        """
        import tomllib

        source = str(path)
        try:
            document = tomllib.loads(_text(source))
        except UnicodeDecodeError:
            raise TileError(source, ("is not UTF-8 text",)) from None
        except tomllib.TOMLDecodeError as fault:
            raise TileError(source, (f"is not TOML: {fault}",)) from None
        except RecursionError:
            raise TileError(source, ("is nested too deeply",)) from None
        tiles, faults = _read(document)
        if faults:
            raise TileError(source, tuple(faults))
        return cls(tuple(tiles), source)

    def board(self, number: int) -> Board:
        """Return the 6 x 6 board with this number, 0 .. count - 1 (the head of this file says how it reads).

        ValueError for any other number.
        """
        if not 0 <= number < self.count:
            raise ValueError(f"board number is {number}; 0 to {self.count - 1} are boards")
        rest, turns = divmod(number, 4**4)
        order, sides = divmod(rest, 2**4)
        lies = [
            Lie(tile, sides >> 3 - place & 1, turns >> 2 * (3 - place) & 3)
            for place, tile in enumerate((0, *_ORDERS[order]))
        ]
        return self._laid(lies, 6)

    def number(self, board: Board) -> int | None:
        """Return the number of the 6 x 6 board that is this one or a quarter turn of it, None if none is."""
        if board.size != 6:
            return None
        for quarters in range(4):
            found = [self._lies.get(face) for face in _cut(board.turned(quarters).layout, 6)]
            lies = [lie for lie in found if lie is not None]
            order = tuple(lie.tile for lie in lies[1:])
            if len(lies) == 4 and lies[0].tile == 0 and order in _ORDERS:
                number = _ORDERS.index(order)
                for lie in lies:
                    number = 2 * number + lie.side
                for lie in lies:
                    number = 4 * number + lie.turns
                return number
        return None

    def draw(self, size: int, rng: "Random") -> tuple[Board, int | None]:
        """Return a board of this size drawn with `rng`, and its number (9 x 9 boards have none: None).

        Every 6 x 6 number, and every lie of the nine tiles, is equally likely. ValueError when the set has
        too few tiles.
        """
        needed = _TILES_NEEDED[size]
        if len(self.tiles) < needed:
            raise ValueError(f"a {size} x {size} board takes {needed} tiles; this set has {len(self.tiles)}")
        if size == 6:
            number = rng.randrange(self.count)
            return self.board(number), number
        order = list(range(needed))
        for last in range(needed - 1, 0, -1):
            other = rng.randrange(last + 1)
            order[last], order[other] = order[other], order[last]
        return self._laid([Lie(tile, rng.randrange(2), rng.randrange(4)) for tile in order], size), None

    def _laid(self, lies: list[Lie], size: int) -> Board:
        """Put tiles side by side, bottom row of tiles first."""
        faces = [self._faces[lie.tile][lie.side][lie.turns] for lie in lies]
        across = size // TILE
        rows = [
            "".join(face[TILE * row : TILE * row + TILE] for face in faces[start : start + across])
            for start in range(0, len(faces), across)
            for row in range(TILE)
        ]
        return Board.of("".join(rows))

    def __setattr__(self, attribute: str, value: object) -> None:
        raise AttributeError(f"a TileSet cannot be changed ({attribute})")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileSet) and self.tiles == other.tiles

    def __hash__(self) -> int:
        return hash(self.tiles)

    def __repr__(self) -> str:
        return f"<TileSet of {len(self.tiles)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return TileSet, (self.tiles,)


_shipped: TileSet | None = None


def _text(source: str) -> str:
    """Read the whole of a regular file that is not too long."""
    from pathlib import Path
    from stat import S_ISREG

    path = Path(source)
    if not S_ISREG(path.stat().st_mode):
        raise TileError(source, ("is not a regular file; a TOML file of tiles is needed",))
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise TileError(source, (f"has more than {MAX_BYTES} bytes; nine tiles take about a thousand",))
    return data.decode().replace("\r\n", "\n")


def _turns(face: str) -> tuple[str, ...]:
    """Return the face after 0, 1, 2 and 3 quarter turns clockwise."""
    return tuple(turn_letters(face, TILE, quarters) for quarters in range(4))


def _cut(layout: str, size: int) -> list[str]:
    """Cut a layout into its tiles, bottom row of tiles first."""
    return [
        "".join(layout[(bottom + row) * size + left :][:TILE] for row in range(TILE))
        for bottom in range(0, size, TILE)
        for left in range(0, size, TILE)
    ]


def _faults(tiles: tuple[Tile, ...]) -> tuple[str, ...]:
    """Find what keeps boards from being all different: a face equal to a turn of another, or of itself."""
    if len(tiles) not in _TILES_NEEDED.values():
        return (f"{len(tiles)} tiles; 4 (for 6 x 6) or 9 (for 9 x 9 too) are needed",)
    faults: list[str] = []
    seen: dict[str, str] = {}
    for number, tile in enumerate(tiles, start=1):
        for side, face in (("front", tile.front), ("back", tile.back)):
            place = f"tile {number} {side}"
            turned = _turns(face)
            if turned[0] in turned[1:]:
                faults.append(f"{place} equals a turn of itself")
            if face in seen:
                faults.append(f"{place} equals a turn of {seen[face]}")
            else:
                seen.update(dict.fromkeys(turned, place))
    return tuple(faults)


def _read(document: dict[str, Any]) -> tuple[list[Tile], list[str]]:
    """Take the tiles out of a parsed file, with one sentence for each thing that is not as it should be."""
    faults = [f"unknown key {quoted(key)}; only [[tile]] is known" for key in document if key != "tile"]
    tables: Any = document.get("tile", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        return [], [*faults, "tile must be written as [[tile]], once for each tile"]
    if len(tables) not in _TILES_NEEDED.values():
        faults.append(f"{len(tables)} tiles; 4 (for 6 x 6) or 9 (for 9 x 9 too) are needed")
    tiles: list[Tile] = []
    for number, table in enumerate(tables, start=1):
        faults += [
            f"tile {number}: unknown key {quoted(key)}; front and back are known"
            for key in table
            if key not in Tile._fields
        ]
        faces: list[str] = []
        for side in Tile._fields:
            face, face_faults = _read_face(table.get(side))
            faces.append(face)
            faults += [f"tile {number} {side}: {fault}" for fault in face_faults]
        tiles.append(Tile(*faces))
    return tiles, faults


def _read_face(value: Any) -> tuple[str, list[str]]:
    """Read three rows, the top row first as a person sees them."""
    if value is None:
        return "", ["is missing"]
    if not isinstance(value, list) or len(value) != TILE:
        return "", ['must be three rows, like ["HVD", "DAH", "VVA"]']
    faults: list[str] = []
    for number, row in enumerate(value, start=1):
        if not isinstance(row, str) or len(row) != TILE or row.strip(LETTERS):
            faults.append(f"row {number} is {quoted(str(row))}; three of the letters H V D A are needed")
    return "" if faults else "".join(reversed(value)), faults
