"""The opening of each encounter: a board, the placements that are made for both sides, and the seed the bots are given.

All of it follows from the seed S of the event, its openings and the number n of the encounter. The derivation is part
of what a seed promises and does not change:

- The bots get P, the number of pair n of a match with seed S (see `programme.pair_seed`).
- A list of c entries is gone through again and again. In its pass p (from 0) a shuffled list stands in the order of the
  SHA-256 of the texts "donuts order S p i", i from 0 to c - 1; where the first would be the last of the pass before,
  the first two change places. Two entries keep the order of pass 0.
- Drawn 6 x 6 boards are the list of all boards of the tile set, shuffled. Drawn 9 x 9 boards are those of pair n of a
  match: `random.Random(P)` draws them, out of so many that none comes twice.
- Balanced openings are a shuffled list, see `balanced`.
- Forced plies: ply j (from 1) of attempt a (from 1) is number h mod m of the m legal squares in index order, where h
  is the first 8 bytes of the SHA-256 of "donuts ply P a j", big-endian. The first attempt holds after which the game
  goes on.
"""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple, Protocol

from donuts_engine.board import Board
from donuts_engine.notation import parse_layout, parse_moves
from donuts_engine.position import Position
from donuts_engine.rules import IllegalMove, play
from donuts_engine.squares import name as square_name
from donuts_engine.tiles import TILE, TileSet
from donuts_referee.competition.event import Openings
from donuts_referee.programme import pair_seed

__all__ = ["ATTEMPTS", "Opening", "OpeningFault", "Source", "check_openings", "opening"]

ATTEMPTS = 1000
"""How often forced plies are drawn before they are given up."""

PROBED = 16
"""How many drawn boards a check plays forced plies on."""


class OpeningFault(ValueError):
    """There is no such opening; the text says which part of it cannot be had."""


class Opening(NamedTuple):
    """How both legs of an encounter begin."""

    board: Board
    board_number: int | None
    """in its tile set, where it has one"""
    rings: int
    """per side"""
    seed: int
    """what the bots are given"""
    placements: tuple[int, ...]
    """squares that are filled for both sides before the first turn, x first"""
    name: str
    """what people may call it; "" where it has no name"""


class Source(Protocol):
    """What openings are made from; `event.Event` is one."""

    @property
    def seed(self) -> int:
        """Of the event."""
        ...

    @property
    def size(self) -> int:
        """6 or 9"""
        ...

    @property
    def rings(self) -> int:
        """Per side."""
        ...

    @property
    def tiles(self) -> TileSet:
        """The tiles of drawn and numbered boards."""
        ...

    @property
    def openings(self) -> Openings:
        """Where boards and first plies come from."""
        ...


def opening(event: Source, number: int) -> Opening:
    """The opening of encounter `number` (from 1). Raises OpeningFault; not after `check_openings` found nothing.

    (On drawn boards it may be raised all the same where so many plies are forced that games end within them.)
    """
    own = pair_seed(event.seed, number)
    start = _start(event, number, own)
    placements = start.placements
    if event.openings.plies:
        placements += _forced(start.position(event.rings), event.openings.plies, own)
    return Opening(start.board, start.number, event.rings, own, placements, start.name)


def check_openings(event: Source, places: Sequence[str] = ()) -> tuple[str, ...]:
    """Everything that is wrong with the openings of an event; () when every one of them can be had.

    `places`: where each entry of the list stands (`openings.txt:12`), to begin its fault with; entries without are
    counted from 1.
    """
    openings = event.openings
    if openings.boards == "drawn":
        needed = (event.size // TILE) ** 2
        if len(event.tiles.tiles) < needed:
            have = len(event.tiles.tiles)
            return (f"a {event.size} x {event.size} board takes {needed} tiles; the tile set has {have}",)
        drawn = (_drawn(event, number, pair_seed(event.seed, number)) for number in range(1, PROBED + 1))
        faults = (_fault(event, start) for start in (drawn if openings.plies else ()))
        return tuple(fault for fault in faults if fault)[:1]
    if openings.boards == "balanced":
        return tuple(_unbalanced(event))
    if openings.boards == "numbers" and event.size != 6:
        return ("only 6 x 6 boards have numbers; name layouts, or boards that are drawn",)
    count = len(openings.numbers if openings.boards == "numbers" else openings.entries)
    if not count:
        return ("the list of boards is empty",)
    return tuple(_list_faults(event, [*places, *(f"entry {at}" for at in range(len(places) + 1, count + 1))]))


class _Start(NamedTuple):
    """An opening before its forced plies."""

    board: Board
    number: int | None = None
    placements: tuple[int, ...] = ()
    name: str = ""

    def position(self, rings: int) -> Position:
        """After its placements. Raises OpeningFault where one is not legal, or the game is over after them."""
        position = Position.start(self.board, rings)
        for ply, square in enumerate(self.placements, 1):
            try:
                position = play(position, square)
            except IllegalMove as fault:
                where = square_name(square, self.board.size)
                raise OpeningFault(f"placement {ply}, {where}, is illegal ({fault})") from None
        if position.result is not None:
            raise OpeningFault("its placements end the game; give fewer")
        return position


def _start(event: Source, number: int, own: int) -> _Start:
    openings = event.openings
    match openings.boards:
        case "drawn":
            return _drawn(event, number, own)
        case "numbers":
            return _numbered(event.tiles, openings.numbers[_turn(event, len(openings.numbers), number)])
        case "layouts":
            return _entry(openings, _turn(event, len(openings.entries), number))
        case "balanced":
            at = _turn(event, len(openings.entries), number)
            return _entry(openings, at)._replace(number=openings.numbers[at])


def _drawn(event: Source, number: int, own: int) -> _Start:
    if event.size == 6:
        lap, place = divmod(number - 1, event.tiles.count)
        return _numbered(event.tiles, _shuffled(event.seed, event.tiles.count, lap)[place])
    return _Start(event.tiles.draw(event.size, random.Random(own))[0])


def _numbered(tiles: TileSet, number: int) -> _Start:
    return _Start(tiles.board(number), number)


def _entry(openings: Openings, at: int) -> _Start:
    """Raises ValueError where a word of the entry is none."""
    layout, words = openings.entries[at]
    board = Board.of(parse_layout(layout))
    name = openings.names[at] if at < len(openings.names) else ""
    return _Start(board, None, parse_moves(",".join(words), board.size), name)


def _turn(event: Source, count: int, number: int) -> int:
    """Which entry of a list of `count` it is."""
    lap, place = divmod(number - 1, count)
    return _shuffled(event.seed, count, lap)[place] if event.openings.order == "shuffled" else place


@lru_cache(maxsize=8)
def _shuffled(seed: int, count: int, lap: int) -> tuple[int, ...]:
    """The order of a list in pass `lap`."""
    if count == 2:
        lap = 0
    order = _by_digest(seed, count, lap)
    # the swap of another pass never reaches its last entry, unless there are only two
    if lap and count > 2 and order[0] == _by_digest(seed, count, lap - 1)[-1]:
        order[0], order[1] = order[1], order[0]
    return tuple(order)


def _by_digest(seed: int, count: int, lap: int) -> list[int]:
    return sorted(
        range(count), key=lambda each: sha256(f"donuts order {seed} {lap} {each}".encode()).digest()
    )


def _forced(start: Position, plies: int, own: int) -> tuple[int, ...]:
    """Raises OpeningFault where every attempt ended the game."""
    for attempt in range(1, ATTEMPTS + 1):
        position = start
        squares: tuple[int, ...] = ()
        for ply in range(1, plies + 1):
            if position.result is not None:
                break
            digest = sha256(f"donuts ply {own} {attempt} {ply}".encode()).digest()
            square = position.legal[int.from_bytes(digest[:8], "big") % len(position.legal)]
            position = play(position, square)
            squares += (square,)
        if position.result is None:
            return squares
    raise OpeningFault(
        f"each of {ATTEMPTS} attempts to make {plies} placements at random ended the game; force fewer plies"
    )


def _unbalanced(event: Source) -> Iterator[str]:
    """Why these openings are not balanced; each of them is what its file of solved boards says."""
    if event.size != 6:
        yield "balanced openings are of 6 x 6 boards; say size = 6 below [games]"
    if event.openings.plies:
        yield "a balanced opening that goes on at random is not balanced; remove plies"
    if event.openings.order == "sequential":
        yield 'the seed shuffles balanced openings; remove order, or say "shuffled"'
    if event.size == 6 and not event.openings.entries:
        yield "on none of these solved boards is a first move a draw or a win; solve more boards"


def _list_faults(event: Source, places: Sequence[str]) -> Iterator[str]:
    openings = event.openings
    seen: dict[tuple[Board, tuple[int, ...]], str] = {}
    for at, place in enumerate(places):
        fault = ""
        if openings.boards == "numbers":
            number = openings.numbers[at]
            if not 0 <= number < event.tiles.count:
                yield f"{place}: {number} is no board; 0 to {event.tiles.count - 1} are"
                continue
            start = _numbered(event.tiles, number)
        else:
            try:
                start = _entry(openings, at)
            except ValueError as error:
                yield f"{place}: {error}"
                continue
        fault = _fault(event, start)
        same = seen.setdefault((start.board, start.placements), place)
        if fault:
            yield f"{place}: {fault}"
        elif same != place:
            yield f"{place}: is the same as {same}; leave one of them out"


def _fault(event: Source, start: _Start) -> str:
    """What keeps encounters from beginning so; "" for nothing."""
    size = start.board.size
    if size != event.size:
        return f"the layout is of a {size} x {size} board, and the games are {event.size} x {event.size}"
    left = 2 * event.rings - len(start.placements) - event.openings.plies
    if left < 1:
        return f"{2 * event.rings - left} placements at the start leave no game; there are {2 * event.rings} rings"
    try:
        _forced(start.position(event.rings), event.openings.plies, pair_seed(event.seed, 1))
    except OpeningFault as fault:
        return str(fault)
    return ""
