"""Reads the [openings] table of an event, or its shorthand `openings = "FILE"`: which boards, and how games begin."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from donuts_referee.competition.event import Openings
from donuts_referee.competition.opening_files import Entry, parse_openings, read_openings
from donuts_referee.competition.openings import Source, check_openings
from donuts_referee.files import FileFault, listed
from donuts_referee.settings import At, Section

__all__ = ["OPENINGS_KEYS", "Asked", "check", "openings_of"]

OPENINGS_KEYS = ("boards", "plies", "order")

RIGHT = 'must be "drawn", a list of numbers, a list of layouts, or the name of a file'


class Asked(NamedTuple):
    """What the file says, and where."""

    openings: Openings
    at: At
    """where the boards stand, or would"""
    places: tuple[str, ...] = ()
    """of the entries of a file, each with its line"""


def openings_of(top: Section) -> Asked:
    """The openings that an event asks for; whether they can be had, `check` says."""
    value = top.value("openings")
    if isinstance(value, str):
        return _boards(top, ("openings",), value)
    table = top.section("openings", OPENINGS_KEYS)
    asked = _boards(top, (*table.at, "boards"), table.value("boards") if table.has("boards") else "drawn")
    order: Literal["sequential", "shuffled"] = "sequential"
    if table.choice("order", ("sequential", "shuffled"), "sequential") == "shuffled":
        order = "shuffled"
    return asked._replace(openings=replace(asked.openings, plies=table.whole("plies", 0, 80, 0), order=order))


def check(top: Section, event: Source, asked: Asked) -> None:
    """Note every opening of the event that cannot be had."""
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
