"""Says on which line of a TOML text a key stands; `tomllib` tells the values alone.

The text is one that `tomllib` has read, so that the walk through it takes every statement for a valid one.
"""

import re
import tomllib
from contextlib import suppress
from typing import TypeAlias

__all__ = ["Lines"]

At: TypeAlias = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY = re.compile(r"""(?:[A-Za-z0-9_-]+|"(?:[^"\\]|\\.)*"|'[^']*'|[ \t]*\.[ \t]*)+""")
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"{3,5}'
    r"|'''(?:[^']|'(?!''))*'{3,5}"
    r'|"(?:[^"\\]|\\.)*"'
    r"|'[^']*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]*")


class Lines:
    """Where everything in one text stands: tables, arrays of tables, keys, dotted keys, inline tables, elements."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._found: dict[At, int] = {}
        self._counts: dict[At, int] = {}
        """arrays of tables, with how many of each there are by now"""
        self._line = 1
        self._seen = 0
        """up to where newlines are counted in `_line`"""
        with suppress(RecursionError):  # what is nested so deeply is told by the table around it
            self._document()

    def line(self, at: At) -> int:
        """The line of the key, from 1; where there is no such key, that of the nearest table around it."""
        while at and at not in self._found:
            at = at[:-1]
        return self._found.get(at, 1)

    def _document(self) -> None:
        text, place = self._text, 0
        table: At = ()
        while (place := self._skip(place)) < len(text):
            if text.startswith("[[", place):
                key, end = self._key(self._skip(place + 2))
                parent = self._resolved(key[:-1])
                array = (*parent, key[-1])
                number = self._counts.get(array, 0)
                self._counts[array] = number + 1
                table = (*array, number)
                self._note(array, place)
                self._found[table] = self._at(place)
                place = text.index("]]", end) + 2
            elif text[place] == "[":
                key, end = self._key(self._skip(place + 1))
                table = self._resolved(key)
                self._note(table[:-1], place)
                self._found[table] = self._at(place)
                place = text.index("]", end) + 1
            else:
                place = self._pair(place, table)

    def _pair(self, place: int, table: At) -> int:
        """A key and its value; returns the place behind."""
        key, end = self._key(place)
        self._note((*table, *key), place)
        return self._value(self._skip(self._text.index("=", end) + 1), (*table, *key))

    def _value(self, place: int, at: At) -> int:
        opening = self._text[place]
        if opening in "\"'":
            found = _STRING.match(self._text, place)
            assert found is not None
            return found.end()
        if opening not in "[{":
            found = _SCALAR.match(self._text, place)
            assert found is not None
            return found.end()
        closing, number = "]" if opening == "[" else "}", 0
        place = self._skip(place + 1)
        while self._text[place] != closing:
            if opening == "[":
                self._note((*at, number), place)
                place = self._value(place, (*at, number))
                number += 1
            else:
                place = self._pair(place, at)
            place = self._skip(place)
            if self._text[place] == ",":
                place = self._skip(place + 1)
        return place + 1

    def _key(self, place: int) -> tuple[tuple[str, ...], int]:
        """The parts of a dotted key, and the place behind it."""
        found = _KEY.match(self._text, place)
        assert found is not None
        words = found.group().strip(" \t")
        if _BARE.fullmatch(words):
            return (words,), found.end()
        parts: list[str] = []
        table: object = tomllib.loads(f"{words} = 0")  # it knows what escapes in quotes mean
        while isinstance(table, dict):
            ((part, table),) = table.items()
            parts.append(part)
        return tuple(parts), found.end()

    def _resolved(self, key: tuple[str, ...]) -> At:
        """The table that a header means: within an array of tables, its last one."""
        at: At = ()
        for part in key:
            at = (*at, part)
            if at in self._counts:
                at = (*at, self._counts[at] - 1)
        return at

    def _note(self, at: At, place: int) -> None:
        """Here is `at`, and the tables around it that were not there before."""
        line = self._at(place)
        while at and at not in self._found:
            self._found[at] = line
            at = at[:-1]

    def _at(self, place: int) -> int:
        """The line of a place that is not before the one asked for last."""
        self._line += self._text.count("\n", self._seen, place)
        self._seen = place
        return self._line

    def _skip(self, place: int) -> int:
        found = _BLANK.match(self._text, place)
        assert found is not None
        return found.end()
