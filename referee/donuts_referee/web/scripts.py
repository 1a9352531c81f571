"""The games of a site as files of JavaScript: a list of all, and chunks of whole games that are loaded when asked for.

A page that is opened from a disk may load scripts and nothing else, so that each file is one call of a function that
the page has defined: `donutsList(...)` once, `donutsGames(chunk, [...])` for each chunk.
"""

from collections.abc import Sequence
from typing import NamedTuple

from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Sheet, conditions_text
from donuts_referee.web.markup import readable, script

__all__ = ["CHUNK", "Line", "chunk_name", "chunk_script", "line", "list_script", "whole"]

CHUNK = 200
"""Games in a file; some hundred kilobytes."""


class Line(NamedTuple):
    """A game as the list has it; its number is its place in the journal, from 1."""

    x: int
    """of the bots of the site, from 0"""
    o: int
    result: str
    """x, o, - or v (void)"""
    why: str
    plies: int
    place: str
    """encounter and leg, and what people call it; "" for a game of no competition"""
    fault: str | None


def line(record: Record, x: int, o: int) -> Line:
    """The line of a game between these bots."""
    verdict, place = record.verdict, record.place
    where = "" if place is None else f"{place.encounter}.{place.leg} {readable(place.label)}".strip()
    return Line(
        x,
        o,
        "v" if verdict.void else verdict.winner,
        readable(verdict.why),
        len(record.moves),
        where,
        verdict.fault,
    )


def whole(record: Record) -> dict[str, object]:
    """A game as a chunk has it: what it takes to step through it, per placement where there is a list."""
    sheet = Sheet.of(record)
    marks = sheet.marks
    return {
        "layout": sheet.layout,
        "rings": sheet.rings,
        "opening": sheet.opening,
        "moves": "".join(sheet.moves),
        "clocks": [None if mark is None else mark.clock for mark in marks],
        "spent": [None if mark is None or mark.clock is None else mark.spent for mark in marks],
        "evals": [None if mark is None else mark.eval for mark in marks],
        "text": readable(sheet.text),
        "about": readable(_about(sheet, record)),
    }


def _about(sheet: Sheet, record: Record) -> str:
    place = record.place
    words = [f"{sheet.size} × {sheet.size}", f"{sheet.rings} rings each", conditions_text(sheet.conditions)]
    if sheet.board is not None:
        words.append(f"board {sheet.board}")
    if place is not None:
        words.append(f"round {place.round}, encounter {place.encounter}, leg {place.leg}")
    words += [f"{sheet.date} {sheet.time} UTC", f"game {sheet.id}"]
    return ", ".join(words)


def list_script(bots: Sequence[str], pages: Sequence[str], lines: Sequence[Line]) -> bytes:
    """The list of all games; `pages` lead from the page of games to those of the bots."""
    games = [[one.x, one.o, one.result, one.why, one.plies, one.place] for one in lines]
    return script(
        "donutsList",
        {"bots": [readable(bot) for bot in bots], "pages": list(pages), "chunk": CHUNK, "games": games},
    )


def chunk_script(number: int, games: Sequence[dict[str, object]]) -> bytes:
    """Chunk `number`, from 0."""
    return script("donutsGames", number, games)


def chunk_name(number: int) -> str:
    """The file of chunk `number`, from 0."""
    return f"data/games-{number + 1:04d}.js"
