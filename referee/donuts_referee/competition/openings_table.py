"""Reads the [openings] table of an event, or its shorthand `openings = "FILE"`: which boards, and how games begin."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal, NamedTuple

from donuts_engine.solved import SolvedFault
from donuts_engine.tiles import TileSet
from donuts_referee.competition.balanced import chosen, read_solved, shipped_for
from donuts_referee.competition.event import Openings
from donuts_referee.competition.opening_files import Entry, parse_openings, read_openings
from donuts_referee.competition.openings import Source, check_openings
from donuts_referee.files import FileFault, listed
from donuts_referee.records.faults import ReadFault
from donuts_referee.settings import At, Section

__all__ = ["OPENINGS_KEYS", "Asked", "balance", "check", "openings_of"]

OPENINGS_KEYS = ("boards", "plies", "order", "table")

RIGHT = 'must be "drawn", "balanced", a list of numbers, a list of layouts, or the name of a file'


class Asked(NamedTuple):
    """What the file says, and where."""

    openings: Openings
    at: At
    """where the boards stand, or would"""
    places: tuple[str, ...] = ()
    """of the entries of a file, each with its line"""
    table: Path | None = None
    """a file of solved boards, which balanced openings are taken from; None: those that come with the arena"""


def openings_of(top: Section) -> Asked:
    """The openings that an event asks for; whether they can be had, `check` says."""
    value = top.value("openings")
    if isinstance(value, str):
        return _boards(top, ("openings",), value)
    table = top.section("openings", OPENINGS_KEYS)
    asked = _boards(top, (*table.at, "boards"), table.value("boards") if table.has("boards") else "drawn")
    balanced = asked.openings.boards == "balanced"
    usual = "shuffled" if balanced else "sequential"
    order: Literal["sequential", "shuffled"] = "sequential"
    if table.choice("order", ("sequential", "shuffled"), usual) == "shuffled":
        order = "shuffled"
    if table.has("table") and not balanced:
        table.fault("table", 'balanced openings are taken from it; say boards = "balanced", or remove it')
    openings = replace(asked.openings, plies=table.whole("plies", 0, 80, 0), order=order)
    return asked._replace(openings=openings, table=table.path("table"))


def balance(top: Section, asked: Asked, tiles: TileSet, rings: int, records: Path) -> Openings:
    """The openings, with their list where they are balanced: of these tiles, of an event in the folder `records`."""
    openings = asked.openings
    at = asked.at if asked.table is None else (*asked.at[:-1], "table")
    try:
        solved = shipped_for(tiles, rings) if asked.table is None else read_solved(asked.table, tiles)
        if solved is None or solved.rings != rings:
            theirs = "none comes with the arena" if solved is None else f"these have {solved.rings}"
            top.findings.fault(
                at,
                f"it takes solved boards of the event's tiles with {rings} rings, and {theirs}; make some with `donuts "
                f"solve --all --rings {rings} --boards 0-499 --out FILE` (--tiles for other tiles), and say boards = "
                '"balanced" and table = "FILE" below [openings]',
            )
            return openings
        taken = chosen(solved, records).listed()
    except (FileFault, ReadFault, SolvedFault) as fault:
        top.findings.fault(at, str(fault))
        return openings
    return replace(taken, plies=openings.plies, order=openings.order)


def check(top: Section, event: Source, asked: Asked) -> None:
    """Note every opening of the event that cannot be had."""
    if event.openings.boards == "balanced":
        for fault in check_openings(event):
            top.findings.fault(asked.at, fault)
        return
    if asked.places:
        faults = check_openings(event, asked.places)
        if faults:
            top.findings.fault(asked.at, listed(list(faults)))
        return
    count = len(event.openings.numbers) + len(event.openings.entries)
    places = {f"boards[{number + 1}]": number for number in range(count)}
    for fault in check_openings(event, tuple(places)):
        place, _, text = fault.partition(": ")
        number = places.get(place)
        if number is not None:
            top.findings.fault((*asked.at, number), text)
        else:
            at: At = (*asked.at[:-1], "plies") if event.openings.plies else asked.at
            top.findings.fault(at, fault)


def _boards(top: Section, at: At, value: object) -> Asked:
    if value == "drawn":
        return Asked(Openings(), at)
    if value == "balanced":
        return Asked(Openings("balanced", order="shuffled"), at)
    if isinstance(value, str) and value and value.isprintable():
        return _file(top, at, value)
    if (
        isinstance(value, list)
        and value
        and all(type(one) is int and -1 << 63 <= one < 1 << 63 for one in value)
    ):
        return Asked(Openings("numbers", numbers=tuple(value)), at)
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return _layouts(top, at, value)
    top.findings.fault(at, RIGHT)
    return Asked(Openings(), at)


def _file(top: Section, at: At, file: str) -> Asked:
    try:
        entries = read_openings(top.folder / file).entries
    except FileFault as fault:
        top.findings.fault(at, str(fault))
        return Asked(Openings(), at)
    return Asked(_listed(entries), at, tuple(f"{file}:{entry.line}" for entry in entries))


def _layouts(top: Section, at: At, texts: Sequence[str]) -> Asked:
    """Each text is what a line of a file would be."""
    found: list[Entry] = []
    for number, text in enumerate(texts):
        lines = text.splitlines() if len(text.splitlines()) == 1 else ["?"]
        entries, faults = parse_openings(lines, "")
        if entries and not faults:
            found += entries
        else:
            top.findings.fault((*at, number), faults[0].partition(": ")[2])
    return Asked(_listed(found), at)


def _listed(entries: Sequence[Entry]) -> Openings:
    names = tuple(entry.name for entry in entries)
    return Openings(
        "layouts",
        entries=tuple((entry.layout, entry.placements) for entry in entries),
        names=names if any(names) else (),
    )
