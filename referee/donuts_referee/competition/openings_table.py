"""Reads the [openings] table of an event, or its shorthand `openings = "FILE"`: which boards, and how games begin."""

from typing import Literal

from donuts_engine.board import Board
from donuts_engine.notation import parse_layout, parse_moves
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import name
from donuts_engine.tiles import TileSet
from donuts_protocol.escape import shown
from donuts_referee.competition.event import Openings
from donuts_referee.files import FileFault, listed, read_small
from donuts_referee.settings import At, Section

__all__ = ["OPENINGS_KEYS", "openings_of"]

OPENINGS_KEYS = ("boards", "plies", "order")

LINE = "each line is a layout, or a layout and its first placements"

RIGHT = 'must be "drawn", a list of numbers, a list of layouts, or the name of a file'


def openings_of(top: Section, size: int, tiles: TileSet) -> Openings:
    """The openings of an event on boards of this size."""
    value = top.value("openings")
    if isinstance(value, str):
        return _boards(top, ("openings",), value, size, tiles)
    table = top.section("openings", OPENINGS_KEYS)
    at = (*table.at, "boards")
    chosen = _boards(top, at, table.value("boards") if table.has("boards") else "drawn", size, tiles)
    order: Literal["sequential", "shuffled"] = (
        "shuffled"
        if table.choice("order", ("sequential", "shuffled"), "sequential") == "shuffled"
        else "sequential"
    )
    plies = table.whole("plies", 0, size, 0)
    return Openings(chosen.boards, chosen.numbers, chosen.entries, plies, order)


def _boards(top: Section, at: At, value: object, size: int, tiles: TileSet) -> Openings:
    if value == "drawn":
        return Openings()
    if isinstance(value, str) and value and value.isprintable():
        return _file(top, at, value, size)
    if isinstance(value, list) and value and all(type(one) is int for one in value):
        return _numbers(top, at, value, size, tiles)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return _layouts(top, at, value, size)
    top.findings.fault(at, RIGHT)
    return Openings()


def _numbers(top: Section, at: At, numbers: list[int], size: int, tiles: TileSet) -> Openings:
    if size != 6:
        top.findings.fault(at, "6 x 6 boards alone have numbers; say size = 6 below [games], or name layouts")
        return Openings()
    for place, number in enumerate(numbers):
        if not 0 <= number < tiles.count:
            top.findings.fault(
                (*at, place), f"{shown(str(number)[:40])} is no board; 0 to {tiles.count - 1} are"
            )
    return Openings("numbers", numbers=tuple(numbers))


def _layouts(top: Section, at: At, texts: list[str], size: int) -> Openings:
    entries: list[tuple[str, tuple[str, ...]]] = []
    for place, text in enumerate(texts):
        try:
            entries.append(_entry(text, size))
        except ValueError as fault:
            top.findings.fault((*at, place), str(fault))
    return Openings("layouts", entries=tuple(entries))


def _file(top: Section, at: At, file: str, size: int) -> Openings:
    path = top.folder / file
    shown_name = shown(str(path))
    entries: list[tuple[str, tuple[str, ...]]] = []
    try:
        lines = read_small(path)[0].decode("utf-8-sig").splitlines()
    except FileFault as fault:
        top.findings.fault(at, str(fault))
        return Openings()
    except UnicodeDecodeError:
        top.findings.fault(
            at, f"{shown_name}: not UTF-8 text; {LINE}"
        )
        return Openings()
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        text = line.partition("#")[0].strip()
        if text:
            try:
                entries.append(_entry(text, size))
            except ValueError as fault:
                faults.append(f"{shown_name}:{number}: {fault}")
    if not entries and not faults:
        faults.append(
            f"{shown_name}: holds no opening; {LINE}"
        )
    if faults:
        top.findings.fault(at, listed(faults))
    return Openings("layouts", entries=tuple(entries))


def _entry(text: str, size: int) -> tuple[str, tuple[str, ...]]:
    """A layout and its forced placements, as in `HVDA... a1,b2`; ValueError says what is wrong with them."""
    layout, _, rest = text.partition(" ")
    board = Board.of(parse_layout(layout))
    if board.size != size:
        raise ValueError(f"the layout has {len(layout)} letters, and size = {size} takes {size * size}")
    position = Position.start(board)
    moves = parse_moves(rest.strip(), size)
    for move in moves:
        position = play(position, move)
    if position.result is not None:
        raise ValueError("the placements end the game; give fewer")
    return layout, tuple(name(move, size) for move in moves)
