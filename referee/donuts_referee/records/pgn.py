"""Writes games as PGN (Portable Game Notation), whose tags common tools read.

White is x (Chocolate, who moves first), Black is o. Besides the seven-tag roster stand tags of our own:

    UTCDate UTCTime PlyCount   as other programs use them
    Variant                    "DONUTS", so that no tool takes the placements for chess
    GameId MatchId             the names of the record in the journal
    Size Layout Rings Seed     the game; also Board (its number) and OpeningPlies where there are such
    TimeControl                seconds, "60+0.1"; with MoveMax a time per move; "-" is no limit
    MoveMax Margin Prep        ms, as in the protocol
    Adjudication               what may end the game before its rules do, "resign=900,3 plies=60", where something may
    Termination Fault          the code of the ending, and the side at fault where there is one
    Verdict                    the sentence with the numbers

Behind a placement: `[%clk h:mm:ss.s]` left on the mover's clock, `[%emt h:mm:ss.s]` charged for the move
(both with as many decimals as it takes, ms at most, and neither in a game without a limit), `[%eval n]` the
bot's own chances in permille. An analysis adds `$2` to a mistake and `$4` to a blunder, and says in the
comment what was given away. A result of * is a game that does not count. In the value of a tag `\\"`,
`\\\\` and, for what cannot be printed, `\\uXXXX` are escapes.

A game ends with an empty line; the seal of a torn one (see `appending`) is a line `% torn`, which PGN
ignores.
"""

import os
import unicodedata
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import NamedTuple

from donuts_protocol.keys import NO_LIMIT
from donuts_referee.records.appending import Appender, WriteCall
from donuts_referee.records.record import Record
from donuts_referee.records.sheet import Mark, Sheet
from donuts_referee.table.finished import Conditions

__all__ = ["SEAL", "PgnFile", "Remark", "clock_text", "control_text", "pgn", "quoted"]

SEAL = b"\n% torn\n\n"
"""Stands behind a game that was never finished."""

_ENDS = (b"1-0\n\n", b"0-1\n\n", b"1/2-1/2\n\n", b"*\n\n")

WIDTH = 79
"""Columns of the move text, as PGN's export form has them."""


class Remark(NamedTuple):
    """What somebody else than the bots says of a placement."""

    glyph: int
    """a numeric annotation glyph: 2 a mistake, 4 a blunder"""
    text: str
    """for the comment, without braces"""


_NO_REMARKS: Mapping[int, Remark] = MappingProxyType({})


class PgnFile:
    """A PGN file to add games to; several processes may have the same one open."""

    def __init__(self, path: str | os.PathLike[str], *, write: WriteCall = os.write) -> None:
        """Open or make the file at `path`. Raises WriteFault."""
        self._end = Appender(Path(path), ends=_ENDS, seal=SEAL, write=write)

    @property
    def path(self) -> Path:
        """Where the file is."""
        return self._end.path

    def append(self, game: Record | Sheet) -> None:
        """Add one game in one write; raises WriteFault, after which it may be handed in again."""
        sheet = game if isinstance(game, Sheet) else Sheet.of(game)
        self.append_text(pgn(sheet).encode())

    def append_text(self, text: bytes) -> None:
        """Add one game that `pgn` made, as `append` does."""
        self._end.append(text)

    def close(self) -> None:
        """Close the file; twice is harmless."""
        self._end.close()

    def __enter__(self) -> "PgnFile":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def pgn(sheet: Sheet, remarks: Mapping[int, Remark] = _NO_REMARKS) -> str:
    """The game as PGN, its closing empty line included; `remarks` by ply."""
    lines = [f'[{name} "{quoted(value)}"]' for name, value in _tags(sheet)]
    lines.append("")
    lines.extend(_wrapped(_tokens(sheet, remarks)))
    return "\n".join(lines) + "\n\n"


def quoted(value: str) -> str:
    """The value of a tag, escaped; what is inside the quotes."""
    if value.isascii() and value.isprintable():
        return value.replace("\\", "\\\\").replace('"', '\\"')
    return "".join([_quoted_character(one) for one in value])


@lru_cache(maxsize=4096)  # quick bots leave and are charged the same few times over and over
def clock_text(ms: int) -> str:
    """Milliseconds as h:mm:ss.s, with as many decimals as they need and one at least."""
    seconds, rest = divmod(ms, 1000)
    decimals = f"{rest:03d}".rstrip("0") or "0"
    return f"{seconds // 3600}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{decimals}"


def control_text(conditions: Conditions) -> str:
    """The tag TimeControl: `60+0.1` in seconds, `-` without a limit."""
    if conditions.main == NO_LIMIT:
        return "-"
    return f"{_seconds(conditions.main)}+{_seconds(conditions.inc)}"


def _seconds(ms: int) -> str:
    whole, rest = divmod(ms, 1000)
    return f"{whole}.{rest:03d}".rstrip("0").rstrip(".")


def _quoted_character(one: str) -> str:
    if one in '"\\':
        return "\\" + one
    if (
        one != " " and unicodedata.category(one)[0] in "CZ"
    ):  # controls, bidi, surrogates, unassigned, odd spaces
        units = one.encode("utf-16-be", "surrogatepass")
        return "".join(f"\\u{units[i]:02x}{units[i + 1]:02x}" for i in range(0, len(units), 2))
    return one


def _tags(sheet: Sheet) -> Iterable[tuple[str, str]]:
    conditions = sheet.conditions
    yield "Event", f"DONUTS match {sheet.match}"
    yield "Site", "?"
    yield "Date", sheet.date
    yield "Round", str(sheet.number)
    yield "White", sheet.x
    yield "Black", sheet.o
    yield "Result", sheet.result
    yield "UTCDate", sheet.date
    yield "UTCTime", sheet.time
    yield "PlyCount", str(len(sheet.moves))
    yield "Variant", "DONUTS"
    yield "GameId", sheet.id
    yield "MatchId", sheet.match
    yield "Size", str(sheet.size)
    yield "Layout", sheet.layout
    yield "Rings", str(sheet.rings)
    yield "Seed", str(sheet.seed)
    if sheet.board is not None:
        yield "Board", str(sheet.board)
    if sheet.opening:
        yield "OpeningPlies", str(sheet.opening)
    yield "TimeControl", control_text(conditions)
    if conditions.main == NO_LIMIT and conditions.inc:
        yield "Increment", str(conditions.inc)
    if conditions.movemax is not None:
        yield "MoveMax", str(conditions.movemax)
    yield "Margin", str(conditions.margin)
    yield "Prep", str(conditions.prep)
    if conditions.adjudication is not None and (asked := str(conditions.adjudication)):
        yield "Adjudication", asked
    yield "Termination", sheet.why
    if sheet.fault is not None:
        yield "Fault", sheet.fault
    yield "Verdict", sheet.text


def _tokens(sheet: Sheet, remarks: Mapping[int, Remark]) -> Iterable[str]:
    numbered = False
    for ply, (square, mark) in enumerate(zip(sheet.moves, sheet.marks, strict=True)):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        elif not numbered:
            yield f"{ply // 2 + 1}..."
        yield square
        remark = remarks.get(ply)
        if remark is not None:
            yield f"${remark.glyph}"
        numbered = mark is None and remark is None  # after a comment the number of Black's move is said again
        if not numbered:
            yield _comment(mark, remark)
    yield sheet.result


def _comment(mark: Mark | None, remark: Remark | None) -> str:
    """One token, never broken over lines: a line that begins with a bracket is a tag."""
    words = []
    if mark is not None and mark.clock is not None:
        words = [f"[%clk {clock_text(mark.clock)}]", f"[%emt {clock_text(mark.spent)}]"]
    if mark is not None and mark.eval is not None:
        words.append(f"[%eval {mark.eval}]")
    if remark is not None:
        words.append(remark.text)
    return "{" + " ".join(words) + "}"


def _wrapped(tokens: Iterable[str]) -> list[str]:
    lines: list[str] = []
    line = ""
    for token in tokens:
        if line and len(line) + 1 + len(token) > WIDTH:
            lines.append(line)
            line = token
        else:
            line = f"{line} {token}" if line else token
    lines.append(line)
    return lines
