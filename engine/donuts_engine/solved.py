"""What the first moves of boards are worth that were solved once and for all: how a file reads, and the one shipped.

Reading it needs nothing beside this package; `donuts solve --all` writes such files and goes on with them.

    SolvedFault    a file that is none, of another tile set, cut off, or damaged

A file has a head of 48 bytes and then a record of 12 bytes for each board, in the order in which they were solved;
numbers are big-endian:

    head      8 bytes 89 "DONUTS" 0A; format (1), size (6), rings a side, 0: a byte each; 32 bytes SHA-256 of the
              faces of the first four tiles (see `tiles_digest`); 4 bytes CRC-32 of the 44 before
    record    9 bytes: board number * 3^36 + the values, of which the one of square i has the weight 3^i: 0 loss,
              1 draw, 2 win for x, who makes the move; 3 bytes: the low ones of the CRC-32 of these nine, begun with
              that of the head

A record says all of its board and depends on no other, so that a file grows by being appended to, and what was cut off
in the middle of a record loses that board alone.
"""

from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from struct import Struct
from typing import Final, Literal
from zlib import crc32

from .board import Board
from .layout import reflected_squares, turned_squares
from .position import MAX_RINGS, Position
from .squares import quoted
from .tiles import TileSet

__all__ = [
    "HEAD_BYTES",
    "LETTERS",
    "LETTER_OF",
    "RECORD_BYTES",
    "SHIPPED",
    "WORDS",
    "Solved",
    "SolvedFault",
    "Value",
    "head",
    "known_moves",
    "known_openings",
    "record",
    "shipped",
    "tiles_digest",
]

Value = Literal["win", "draw", "loss"]
"""The end of a game under best play by both, for one side."""

LETTERS: Final = "LDW"
"""A loss, a draw, a win for the side that makes the move; the place of a letter is its digit."""

WORDS: Final[dict[str, Value]] = {"W": "win", "D": "draw", "L": "loss"}
"""What a letter stands for."""

LETTER_OF: Final[dict[str, str]] = {word: letter for letter, word in WORDS.items()} | {"unknown": "?"}
"""The letter of a value, or of one that was not found."""

FORMAT: Final = 1
MAGIC: Final = b"\x89DONUTS\n"
SQUARES: Final = 36

_HEAD = Struct(">8sBBBx32sI")
HEAD_BYTES: Final = _HEAD.size
RECORD_BYTES: Final = 12

SHIPPED: Final = Path(__file__).with_name("solved.bin")
"""The boards of the shipped tiles, 15 rings a side, that come with the package."""


class SolvedFault(ValueError):
    """A file of solved boards that cannot be used; one line that names the file and what is wrong."""


class Solved:
    """Boards of one tile set and number of rings, each with the values of its 36 first moves; immutable.

    Values are 36 letters in index order, W, D or L for x, who makes the move.
    """

    def __init__(self, tiles: TileSet, rings: int, boards: dict[int, int]) -> None:
        self.tiles = tiles
        self.rings = rings
        self._boards = boards

    @classmethod
    def parse(cls, data: bytes, tiles: TileSet, source: str) -> "Solved":
        """Read the bytes of a file; `source` names it in a fault. SolvedFault unless every byte is as it must be."""
        rings = _rings(data, tiles, source)
        checksum = _checksum(data)
        if (len(data) - HEAD_BYTES) % RECORD_BYTES:
            raise SolvedFault(f"{source}: is cut off within a record; restore it, or solve these boards anew")
        boards: dict[int, int] = {}
        for place, at in enumerate(range(HEAD_BYTES, len(data), RECORD_BYTES), start=1):
            said = data[at : at + 9]
            number, values = divmod(int.from_bytes(said, "big"), 3**SQUARES)
            right = _check(said, checksum) == data[at + 9 : at + RECORD_BYTES] and number < tiles.count
            if not right or boards.setdefault(number, values) != values:
                raise SolvedFault(f"{source}: record {place} is damaged; restore the file from a copy")
        return cls(tiles, rings, boards)

    @property
    def version(self) -> str:
        """Sixteen hexadecimal digits that stand for all that is in it, in whatever order it was found."""
        start = head(self.tiles, self.rings)
        records = (record(start, number, self[number]) for number in self)
        return sha256(start + b"".join(records)).hexdigest()[:16]

    def openings(self, board: Board) -> str | None:
        """Return the values of the first moves of a board, of any turn or mirror image of one that is here; or None."""
        for image, mirrored in ((board, False), (board.reflected(), True)):
            number = self.tiles.number(image)
            if number is None or number not in self._boards:
                continue
            solved = self.tiles.board(number)
            quarters = next(turns for turns in range(4) if image.turned(turns) == solved)
            where = turned_squares(6, quarters)
            if mirrored:
                where = tuple(where[square] for square in reflected_squares(6))
            letters = self[number]
            return "".join(letters[square] for square in where)
        return None

    def __getitem__(self, number: int) -> str:
        """The values of the board with this number. KeyError when it is not here."""
        values = self._boards[number]
        letters: list[str] = []
        for _ in range(SQUARES):
            values, digit = divmod(values, 3)
            letters.append(LETTERS[digit])
        return "".join(letters)

    def __contains__(self, number: object) -> bool:
        return number in self._boards

    def __iter__(self) -> Iterator[int]:
        """The numbers of the boards, from the lowest."""
        return iter(sorted(self._boards))

    def __len__(self) -> int:
        return len(self._boards)


def known_openings(board: Board, rings: int = 15) -> str | None:
    """Return what the 36 first moves of a board are worth for x, in index order: W, D or L; None when unknown.

    Looks only at the boards that come with the package, or are turns or mirror images of these. No search.
    """
    if board.size != 6:
        return None
    solved = shipped()
    return solved.openings(board) if rings == solved.rings else None


def known_moves(position: Position) -> str | None:
    """Return what each legal move is worth, in their order, before the first placement on such a board; else None."""
    return None if position.ply else known_openings(position.board, position.rings)


@lru_cache(maxsize=1)
def shipped() -> Solved:
    """Return the boards that come with the package. SolvedFault when the installation is damaged."""
    try:
        data = SHIPPED.read_bytes()
    except OSError as fault:
        reason = (fault.strerror or str(fault)).lower()
        raise SolvedFault(f"cannot read {SHIPPED}: {reason}; install donuts-arena again") from fault
    return Solved.parse(data, TileSet.shipped(), str(SHIPPED))


def head(tiles: TileSet, rings: int) -> bytes:
    """Return the head of a file of boards of these tiles with so many rings a side."""
    start: bytes = _HEAD.pack(MAGIC, FORMAT, 6, rings, tiles_digest(tiles), 0)[:-4]
    return start + crc32(start).to_bytes(4, "big")


def record(start: bytes, number: int, letters: str) -> bytes:
    """Return the record of a board for a file with the head `start`; `letters` are its 36 values."""
    values: int = sum(LETTERS.index(letter) * 3**square for square, letter in enumerate(letters))
    said: bytes = (number * 3**SQUARES + values).to_bytes(9, "big")
    return said + _check(said, _checksum(start))


def tiles_digest(tiles: TileSet) -> bytes:
    """Return the SHA-256 of the faces that make the 6 x 6 boards: front and back of tiles 1 to 4, in ASCII."""
    return sha256("".join(tile.front + tile.back for tile in tiles.tiles[:4]).encode()).digest()


def _rings(data: bytes, tiles: TileSet, source: str) -> int:
    """How many rings the head says. SolvedFault when it is not the head of such a file."""
    if not data.startswith(MAGIC):
        raise SolvedFault(
            f"{source}: is no file of solved boards (it begins with {quoted(data[:8].decode('latin-1'))})"
        )
    if len(data) < HEAD_BYTES:
        raise SolvedFault(f"{source}: is cut off within its head; restore it, or solve its boards anew")
    _, form, size, rings, digest, _ = _HEAD.unpack_from(data)
    if crc32(data[: HEAD_BYTES - 4]) != _checksum(data):
        raise SolvedFault(f"{source}: its head is damaged; restore the file from a copy")
    if (form, size) != (FORMAT, 6) or not 1 <= rings <= MAX_RINGS[6]:
        raise SolvedFault(f"{source}: has format {form}; this version of donuts-arena reads format {FORMAT}")
    if digest != tiles_digest(tiles):
        raise SolvedFault(f"{source}: holds boards of another tile set; name that set with --tiles")
    return int(rings)


def _checksum(start: bytes) -> int:
    return int.from_bytes(start[HEAD_BYTES - 4 : HEAD_BYTES], "big")


def _check(said: bytes, checksum: int) -> bytes:
    return (crc32(said, checksum) & 0xFFFFFF).to_bytes(3, "big")
