"""Lays out tables for a terminal: words of strangers made harmless, cut to a width, and aligned in columns."""

import unicodedata
from collections.abc import Collection, Sequence

from donuts_protocol.escape import shown

__all__ = ["aligned", "cut", "shortened", "width", "wrapped"]


def aligned(rows: Sequence[Sequence[str]], left: Collection[int] = ()) -> list[str]:
    """The rows, all equally long and of printable text, as lines; the columns `left` (from 0) begin at their left."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell + " " * (most - width(cell)) if at in left else " " * (most - width(cell)) + cell
            for at, (cell, most) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def cut(text: str, most: int) -> str:
    """What a bot or its operator wrote, harmless and at most `most` columns wide."""
    whole = shown(text[: most + 1], None)
    if max(len(whole), width(whole)) <= most:
        return whole
    while max(len(whole), width(whole)) > most - 3:
        whole = whole[:-1]
    return whole + "..."


def shortened(names: Sequence[str], widths: Sequence[int]) -> list[str]:
    """The names cut to the first of the widths, from narrow to wide, at which they all differ; else to the last."""
    short: list[str] = []
    for most in widths:
        short = [cut(name, most) for name in names]
        if len(set(short)) == len(set(names)):
            break
    return short


def wrapped(text: str, room: int | None) -> list[str]:
    """Printable text as lines of at most `room` columns (None: one line), as far as its words are no longer than that.

    All lines but the first are indented by two more than it is.
    """
    if room is None or width(text) <= room:
        return [text]
    indent = " " * (len(text) - len(text.lstrip(" ")))
    lines: list[str] = []
    line = indent
    for word in text.split():
        if line.strip() and width(line) + 1 + width(word) > room:
            lines.append(line)
            line = indent + "  " + word
        else:
            line = f"{line} {word}" if line.strip() else line + word
    return [*lines, line]


def width(text: str) -> int:
    """Columns that printable text takes on a terminal: two for a wide character, none for a combining one."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
