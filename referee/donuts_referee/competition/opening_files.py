"""Reads a file of openings: one to a line, a layout, then its first placements and a name where it has them.

    # two boards
    HVDAHVDAHVDA... (36 or 81 letters)
    HVDAHVDAHVDA... a1,b2 the long diagonal
    HVDAHVDAHVDA... - no placements, and a name

`#` begins a comment wherever a word could begin. Whether the placements are legal is for `openings.check_openings` to
say, which knows the event.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from donuts_engine.notation import NotationError, parse_layout, parse_moves
from donuts_engine.squares import quoted
from donuts_protocol.escape import shown
from donuts_referee.files import FileFault, listed, read_small

__all__ = ["Entry", "OpeningFile", "parse_openings", "read_openings"]

MOST_LETTERS = 80
"""of a name"""

_COMMENT = re.compile(r"(?:^|\s)#.*")
_SQUARES = re.compile(r"[A-Za-z]\d+|.*,.*")
"""What is meant as placements, well written or not."""

_SIZES = {36: 6, 81: 9}


class Entry(NamedTuple):
    """One opening of a file."""

    layout: str
    placements: tuple[str, ...]
    """names of squares"""
    name: str
    """"" for none"""
    line: int


class OpeningFile(NamedTuple):
    """What a file holds, and everything that is wrong with it, a line each with file and line number."""

    entries: tuple[Entry, ...]
    faults: tuple[str, ...]


def read_openings(path: Path) -> OpeningFile:
    """The openings of a file. Raises FileFault when it cannot be read, or holds no text or any fault."""
    text, _ = read_small(path)
    try:
        lines = text.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError:
        raise FileFault(f"{shown(str(path))}: not UTF-8 text; each line is a layout of H V D A") from None
    file = parse_openings(lines, shown(str(path)))
    if file.faults:
        raise FileFault(listed(list(file.faults)))
    return file


def parse_openings(lines: Iterable[str], source: str) -> OpeningFile:
    """The openings in `lines`; each fault begins with `source` and the number of its line."""
    entries: list[Entry] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        words = _COMMENT.sub("", line).split()
        if not words:
            continue
        try:
            entries.append(_entry(words, number))
        except NotationError as fault:
            faults.append(f"{source}:{number}: {fault}")
    if not entries and not faults:
        faults.append(f"{source}: holds no opening; each line is a layout of 36 or 81 of the letters H V D A")
    return OpeningFile(tuple(entries), tuple(faults))


def _entry(words: list[str], line: int) -> Entry:
    layout = parse_layout(words[0])
    rest = words[1:]
    placements: tuple[str, ...] = ()
    if rest and rest[0] == "-":
        rest = rest[1:]
    elif rest and _SQUARES.fullmatch(rest[0]):
        parse_moves(rest[0], _SIZES[len(layout)])
        placements = tuple(rest[0].split(","))
        rest = rest[1:]
    name = " ".join(rest)
    if len(name) > MOST_LETTERS or not name.isprintable():
        raise NotationError(f"the name {quoted(name)} is not of at most {MOST_LETTERS} printable characters")
    return Entry(layout, placements, name, line)
