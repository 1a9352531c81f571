"""Reads the names of the teams from a roster, a CSV file of a spreadsheet, and reports all of its faults at once."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from donuts_protocol.escape import shown
from donuts_referee.arena.seats import NAME, NAME_RULE
from donuts_referee.files import FileFault, listed, read_small

__all__ = ["MOST_TEAMS", "RosterFault", "read_roster"]

MOST_TEAMS = 10_000
"""Teams of one roster, and seats of one arena."""

_COLUMNS = ("name", "team")


class RosterFault(Exception):
    """A roster that cannot be used; the text is one line that names every fault with its line number."""


def read_roster(path: Path) -> tuple[str, ...]:
    """The teams' names in the order of the file. RosterFault names all faults at once.

    The first line is a header with a column `name` or, without one, `team`; other columns are ignored. Cells are
    separated by commas, semicolons or tabs.
    """
    file = shown(str(path))
    try:
        data, _ = read_small(path)
    except FileFault as fault:
        raise RosterFault(str(fault)) from None
    rows = _rows(file, _text(file, data))
    header = next(rows, None)
    if header is None:
        raise RosterFault(f"{file}: empty; the first line is a header with a column name, below it the teams")
    column = _column(f"{file}: line {header[0]}", header[1])
    lines: dict[str, int] = {}
    names: list[str] = []
    faults: list[str] = []
    for line, cells in rows:
        name = cells[column].strip() if column < len(cells) else ""
        first = lines.setdefault(name.lower(), line)
        if not name:
            faults.append(f"line {line}: has no name in column {column + 1}")
        elif not NAME.fullmatch(name):
            faults.append(f"line {line}: '{shown(name, 60)}': {NAME_RULE}")
        elif first != line:
            faults.append(
                f"line {line}: {name} is in line {first} already; names must differ by more than case"
            )
        names.append(name)
    if not names:
        faults.append("names no team; below its header each line is one")
    if len(names) > MOST_TEAMS:
        faults.append(f"names {len(names)} teams; an arena has {MOST_TEAMS} seats at most")
    if faults:
        raise RosterFault(f"{file}: {listed(faults)}")
    return tuple(names)


def _text(file: str, data: bytes) -> str:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise RosterFault(f"{file}: UTF-16 text; save it as CSV UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise RosterFault(f"{file}: line {line}: not UTF-8 text; save it as CSV UTF-8") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise RosterFault(f"{file}: line {line}: holds a NUL character; that is no CSV file")
    return text


def _rows(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    """The rows that are not blank, each with the number of its first line."""
    head = text.lstrip().partition("\n")[0]
    separator = max(",;\t", key=head.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    line = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as fault:
        raise RosterFault(f"{file}: line {line}: not CSV: {shown(str(fault))}") from None


def _column(at: str, header: list[str]) -> int:
    titles = [title.strip().lower() for title in header]
    for wanted in _COLUMNS:
        if titles.count(wanted) > 1:
            raise RosterFault(
                f"{at}: has {titles.count(wanted)} columns {wanted}; which one names the teams?"
            )
        if wanted in titles:
            return titles.index(wanted)
    raise RosterFault(
        f"{at}: has no column name (or team) but {shown(', '.join(titles))}; the first line is a header"
    )
