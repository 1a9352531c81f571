"""The games of a match in order: pairs on one board with sides swapped, all boards and seeds from one seed.

The derivation is part of what a seed promises and does not change: pair p (from 1) of a match with seed S has the
number P = the first 53 bits of SHA-256 of the text "donuts pair S p", both in decimal. P is the `seed` that the bots
get, and `random.Random(P)` draws the board, again and again until the opening is legal on it.
"""

import random
from hashlib import sha256
from typing import NamedTuple

from donuts_engine.board import Board
from donuts_engine.layout import LETTERS
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import IllegalMove, play
from donuts_engine.squares import name
from donuts_engine.tiles import TileSet
from donuts_referee.table.entrant import Setting

DRAWS = 20_000
"""How many boards are drawn for one pair before an opening is given up."""


class ProgrammeFault(ValueError):
    """No board can be had on which the opening is legal and leaves a game to play."""


class Boards(NamedTuple):
    """Where the boards come from: one `fixed` board (with its number in the tile set, if any), or draws by size."""

    tiles: TileSet
    size: int
    fixed: Board | None = None
    number: int | None = None


def programme(
    games: int, boards: Boards, rings: int, seed: int, opening: tuple[int, ...]
) -> tuple[Setting, ...]:
    """One setting per game; games 2k-1 and 2k share board, seed and opening. Raises ProgrammeFault."""
    settings: list[Setting] = []
    for pair in range(1, (games + 3) // 2):
        settings += (pair_setting(pair, boards, rings, seed, opening),) * 2
    return tuple(settings[:games])


def pair_setting(pair: int, boards: Boards, rings: int, seed: int, opening: tuple[int, ...] = ()) -> Setting:
    """The setting that the two games of pair `pair` (from 1) share. Raises ProgrammeFault."""
    own = pair_seed(seed, pair)
    board, number = _board(boards, rings, own, opening)
    return Setting(board=board, rings=rings, seed=own, number=number, opening=opening)


def pair_seed(seed: int, pair: int) -> int:
    """The number below 2**53 that pair `pair` (from 1) of the match with `seed` has for itself."""
    return int.from_bytes(sha256(f"donuts pair {seed} {pair}".encode()).digest()[:7], "big") >> 3


def _board(boards: Boards, rings: int, seed: int, opening: tuple[int, ...]) -> tuple[Board, int | None]:
    if boards.fixed is not None:
        fault = _illegal(boards.fixed, rings, opening)
        if fault:
            raise ProgrammeFault(f"{fault} on this board")
        return boards.fixed, boards.number
    fault = _impossible(boards.size, rings, opening)
    if fault:
        raise ProgrammeFault(f"{fault} on any board")
    rng = random.Random(seed)
    for _ in range(DRAWS):
        board, number = boards.tiles.draw(boards.size, rng)
        fault = _illegal(board, rings, opening)
        if not fault:
            return board, number
    raise ProgrammeFault(f"legal on none of {DRAWS} boards drawn; on the last of them {fault}")


def _impossible(size: int, rings: int, opening: tuple[int, ...]) -> str:
    """Why the opening can be played on no board, whatever lines it shows; "" when it can on one."""
    if not opening:
        return ""
    if len(opening) > 2 * rings:
        return f"{len(opening)} placements are more than there are rings ({2 * rings})"
    plain = [Board.of(letter * size * size) for letter in LETTERS]
    taken: set[int] = set()
    for ply, square in enumerate(opening, 1):
        where = f"placement {ply}, {name(square, size)}, is not legal"
        if square in taken:
            return f"{where} ({name(square, size)} is taken)"
        if taken:
            last = opening[ply - 2]
            free = [set(board.lines[last]) - taken for board in plain]
            # a line without an empty square leaves the choice among all others (RULES 3.3)
            if not any(square in line or not line for line in free):
                return f"{where} (no line through {name(last, size)} leads there)"
        taken.add(square)
    return ""


def _illegal(board: Board, rings: int, opening: tuple[int, ...]) -> str:
    """Why the opening cannot be played on the board; "" when it can and the game goes on after it."""
    if not opening:
        return ""
    position = Position.start(board, rings)
    for ply, square in enumerate(opening, 1):
        try:
            position = play(position, square)
        except IllegalMove as fault:
            return f"placement {ply}, {name(square, board.size)}, is illegal ({fault})"
    return "the opening ends the game" if outcome(position) is not None else ""
