"""Reads PGN back into score sheets, whether this program wrote it or another tool passed it on.

Comments, glyphs ($1), variations, `;` remarks, CRLF, a BOM and unknown tags of other tools are passed over.
Nothing is checked against the rules: that is `verify`. A torn last game, and a torn one behind which the
next writer put its seal, is reported and skipped; any other fault names file, line and remedy.
"""

import calendar
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from donuts_protocol.keys import MAX_INT, NO_LIMIT
from donuts_referee.records.bounds import MAX_TIME
from donuts_referee.records.faults import BadLine, ReadFault
from donuts_referee.records.journal import Torn
from donuts_referee.records.sheet import Mark, Sheet
from donuts_referee.table.adjudication import Adjudication, AdjudicationError
from donuts_referee.table.finished import Conditions

__all__ = ["PgnEntry", "PgnReader", "unquoted"]

_TAG = re.compile(r'\[\s*([A-Za-z0-9_]+)\s+"((?:\\.|[^"\\])*)"\s*\]\s*\Z')
_ESCAPE = re.compile(r"((?:\\u[0-9a-f]{4})+)|\\(.)")
_TOKEN = re.compile(
    r"\{([^}]*)\}"  # 1 comment
    r"|(;[^\n]*)"
    r"|(\$\d+)"
    r"|(\d+\.+)"
    r"|([()])"  # 5 variation
    r"|(1-0|0-1|1/2-1/2|\*)"  # 6 result
    r"|([a-i][1-9])(?![^\s{};()])"  # 7 square
    r"|(\S)",  # 8 anything else
)
_MARK = re.compile(r"\[%(clk|emt|eval)\s+([0-9:.]+)\]")
_CLOCK = re.compile(r"(\d{1,9}):(\d\d):(\d\d)(?:\.(\d{1,3}))?\Z")
_NUMBER = re.compile(r"(0|[1-9][0-9]{0,15})\Z")
_SECONDS = re.compile(r"(\d{1,9})(?:\.(\d{1,3}))?\Z")
_SEALED = "% torn"


class PgnEntry(NamedTuple):
    """A game of a PGN file and the line on which it begins, from 1."""

    line: int
    sheet: Sheet


class _Section(NamedTuple):
    """The lines of one game: its tags, and its move text with the number of that text's first line."""

    line: int
    tags: Mapping[str, str]
    text: str
    text_line: int
    sealed: bool
    last: bool
    size: int


class PgnReader:
    """Reads a PGN file game by game; games torn are found in `torn` afterwards."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._torn: list[Torn] = []

    @property
    def torn(self) -> Sequence[Torn]:
        """The torn games that the last complete reading skipped, each with the line on which it begins."""
        return tuple(self._torn)

    def __iter__(self) -> Iterator[PgnEntry]:
        """Every game in order. Raises ReadFault, and BadLine where a game is neither whole nor torn."""
        self._torn.clear()
        try:
            text = self.path.read_bytes().decode("utf-8-sig", "surrogateescape")
        except OSError as error:
            raise ReadFault.of(self.path, error, "name a journal or a PGN file") from error
        for section in self._sections(text.replace("\r\n", "\n")):
            sheet = self._sheet(section)
            if sheet is None:
                self._torn.append(Torn(section.line, section.size))
            else:
                yield PgnEntry(section.line, sheet)

    def _sections(self, text: str) -> Iterator[_Section]:
        lines = text.split("\n")
        starts = [
            number
            for number, line in enumerate(lines)
            if _is_tag(line) and (number == 0 or not _is_tag(lines[number - 1]))
        ]
        if not starts:
            if text.strip():
                raise self._bad(0, "no game begins here", "a PGN game begins with a tag such as [Event ...]")
            return
        for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
            yield self._section(lines, start, stop, last=stop == len(lines))

    def _section(self, lines: list[str], start: int, stop: int, *, last: bool) -> _Section:
        own = lines[start:stop]
        sealed = _SEALED in own
        size = sum(len(line.encode("utf-8", "surrogateescape")) + 1 for line in own)
        tags: dict[str, str] = {}
        at = 0
        while at < len(own) and _is_tag(own[at]):
            tag = _TAG.match(own[at])
            if tag is None:
                if sealed or (last and not any(own[at + 1 :])):
                    return _Section(start + 1, {}, "", start + 1, sealed, last, size)
                raise self._bad(start + at, "not a tag", 'a tag is [Name "value"], the value escaped with \\')
            tags[tag[1]] = unquoted(tag[2])
            at += 1
        text = "\n".join("" if line.startswith("%") else line for line in own[at:])
        return _Section(start + 1, tags, text, start + at + 1, sealed, last, size)

    def _sheet(self, section: _Section) -> Sheet | None:
        """The game of a section, or None when it is torn."""
        torn = section.sealed or section.last
        moves, marks, result = self._moves(section, torn)
        if result is None:
            if torn:
                return None
            raise self._bad(
                section.line - 1, "the game has no result", "end its moves with 1-0, 0-1, 1/2-1/2 or *"
            )
        return _Tags(self, section).sheet(moves, marks, result)

    def _moves(
        self, section: _Section, torn: bool
    ) -> tuple[tuple[str, ...], tuple[Mark | None, ...], str | None]:
        moves: list[str] = []
        marks: list[Mark | None] = []
        depth = 0
        for token in _TOKEN.finditer(section.text):
            comment, paren, result, square, other = token[1], token[5], token[6], token[7], token[8]
            if paren:
                depth += 1 if paren == "(" else -1
            elif depth > 0:
                continue
            elif comment is not None and marks:
                marks[-1] = _mark(comment) or marks[-1]
            elif result:
                return tuple(moves), tuple(marks), result
            elif square:
                moves.append(square)
                marks.append(None)
            elif other and torn:
                break  # what a crash left
            elif other:
                line = section.text_line - 1 + section.text.count("\n", 0, token.start())
                word = section.text[token.start() :].split(None, 1)[0][:20]
                raise self._bad(line, f"{word!a} is not a placement", "placements are squares such as c1")
        return tuple(moves), tuple(marks), None

    def _bad(self, line: int, fault: str, remedy: str) -> BadLine:
        return BadLine(f"{self.path}:{line + 1}", fault, remedy)


class _Tags:
    """Reads the tags of one game, each fault with file and line."""

    def __init__(self, reader: PgnReader, section: _Section) -> None:
        self._place = f"{reader.path}:{section.line}"
        self._stem = reader.path.stem
        self._line = section.line
        self._tags = section.tags

    def sheet(self, moves: tuple[str, ...], marks: tuple[Mark | None, ...], result: str) -> Sheet:
        layout = self._tags.get("Layout")
        if not layout:
            raise self._bad("the tag Layout is missing", "without the board there is no game to play over")
        size = self._number("Size", 9 if len(layout) == 81 else 6)
        void = result == "*"
        return Sheet(
            id=self._tags.get("GameId") or f"{self._stem}-{self._line}",
            match=self._tags.get("MatchId", ""),
            number=self._number("Round", 1),
            started=self._started(),
            x=self._tags.get("White", "?"),
            o=self._tags.get("Black", "?"),
            size=size,
            layout=layout,
            board=self._optional("Board"),
            rings=self._number("Rings", {6: 15, 9: 36}.get(size, 15)),
            seed=self._number("Seed", 0),
            conditions=self._conditions(),
            opening=self._number("OpeningPlies", 0),
            moves=moves,
            marks=marks,
            winner={"1-0": "x", "0-1": "o"}.get(result, "-"),
            why=self._tags.get("Termination", "abort" if void else "group"),
            text=self._tags.get("Verdict", ""),
            fault=self._tags.get("Fault"),
            void=void,
        )

    def _conditions(self) -> Conditions:
        text = self._tags.get("TimeControl", "-")
        if text in ("-", "?", ""):
            main, inc = NO_LIMIT, self._number("Increment", 0, MAX_TIME)
        else:
            first, plus, second = text.partition("+")
            main, inc = self._seconds(first), self._seconds(second) if plus else 0
        return Conditions(
            main=main,
            inc=inc,
            movemax=self._optional("MoveMax", MAX_TIME),
            margin=self._number("Margin", 50, MAX_TIME),
            prep=self._number("Prep", 10_000, MAX_TIME),
            adjudication=self._adjudication(),
        )

    def _adjudication(self) -> Adjudication | None:
        try:
            return Adjudication.parse(self._tags.get("Adjudication", "").split())
        except AdjudicationError as fault:
            raise self._bad(f"the tag Adjudication: {fault}", "leave the tag out for none") from None

    def _seconds(self, text: str) -> int:
        found = _SECONDS.match(text)
        if found is None:
            raise self._bad(f"TimeControl {text!a} is not in seconds", 'write "60+0.1", or "-" for none')
        return int(found[1]) * 1000 + int((found[2] or "").ljust(3, "0"))

    def _number(self, tag: str, default: int, most: int = MAX_INT) -> int:
        found = self._optional(tag, most)
        return default if found is None else found

    def _optional(self, tag: str, most: int = MAX_INT) -> int | None:
        text = self._tags.get(tag, "")
        if text in ("?", "-", ""):
            return None
        if _NUMBER.match(text) is None or int(text) > most:
            raise self._bad(f"the tag {tag} is {text[:40]!a}", f"it holds a whole number up to {most}")
        return int(text)

    def _started(self) -> int:
        text = f"{self._tags.get('UTCDate', '')} {self._tags.get('UTCTime', '')}"
        try:
            return calendar.timegm(time.strptime(text, "%Y.%m.%d %H:%M:%S"))
        except ValueError:
            return 0

    def _bad(self, fault: str, remedy: str) -> BadLine:
        return BadLine(self._place, fault, remedy)


def unquoted(value: str) -> str:
    """The value of a tag, its escapes undone."""
    return _ESCAPE.sub(_unescape, value)


def _unescape(found: re.Match[str]) -> str:
    if found[1] is None:
        return found[2]
    return bytes.fromhex(found[1].replace("\\u", "")).decode("utf-16-be", "surrogatepass")


def _is_tag(line: str) -> bool:
    return line.startswith("[") and not line.startswith("[%")  # move text is wrapped inside comments too


def _mark(comment: str) -> Mark | None:
    found = dict(_MARK.findall(comment))
    clock, spent = _ms(found.get("clk")), _ms(found.get("emt"))
    permille = found.get("eval")
    chances = int(permille) if permille is not None and _NUMBER.match(permille) is not None else None
    if clock is None:  # no clock runs
        return None if chances is None else Mark(None, 0, chances)
    return Mark(clock, spent or 0, chances)


def _ms(text: str | None) -> int | None:
    found = _CLOCK.match(text) if text is not None else None
    if found is None:
        return None
    hours, minutes, seconds, decimals = found.groups()
    return (int(hours) * 3600 + int(minutes) * 60 + int(seconds)) * 1000 + int((decimals or "").ljust(3, "0"))
