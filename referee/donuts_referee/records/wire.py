"""Keeps every line that went over the wire with its stamp, and computes the clocks anew from the stamps.

One file a game, one JSON object a line, in the order in which the referee handed over or read:

    {"ns": 8123456789, "bot": "1", "dir": ">", "text": "turn 732 game=731 ply=1 ..."}
    {"ns": 8124267501, "bot": "1", "dir": "<", "hex": "83a174...", "map": {"t": "move", "id": 732, ...}}

`ns` is a stamp of the referee's monotonic clock: of the write that handed the line's last byte to the
kernel, or of the read that delivered it. `bot` is 1 for the first-named, 2 for the second; `dir` is > to the
bot and < from it. A text line stands without its LF; a backslash in it is `\\\\` and a byte that is not
printable ASCII `\\xNN`. A msgpack payload stands as hex, without its length, and as JSON where it can be
read. `"part": true` marks the start of a line or payload whose end never came.
"""

import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

import msgspec

from donuts_protocol.framing import MAX_BYTES
from donuts_referee.records.faults import BadLine, ReadFault, WriteFault
from donuts_referee.records.record import new_match_id
from donuts_referee.table.clock import SideClock
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import Conditions

__all__ = ["ClockedTurn", "WireLine", "WireLog", "read_wire", "recompute_clocks"]

PENDING = 4096
"""Reads and writes that are kept in memory before they are written out even in the middle of a game."""

_PREFIX = 4
"""Bytes of the length before a msgpack payload (DBP-2)."""


class _Passage(NamedTuple):
    at: int
    bot: str
    direction: str
    data: bytes


class WireLog:
    """A tap (see `table.match`) that writes one file per game into a directory."""

    def __init__(self, directory: str | os.PathLike[str], match: str | None = None) -> None:
        """Make the directory where it is missing; `match` names the files. Raises WriteFault."""
        self.directory = Path(directory)
        self.match = match or new_match_id()
        self._game = 0
        self._pending: list[_Passage] = []
        self._rests: dict[tuple[str, str], _Rest] = {}
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise WriteFault.of(self.directory, error) from error
        if not os.access(self.directory, os.W_OK | os.X_OK):
            raise WriteFault(f"cannot write into {self.directory}: permission denied; name another directory")

    def path(self, number: int) -> Path:
        """The file of the game with this number in the match."""
        return self.directory / f"{self.match}-{number:04d}.wire.jsonl"

    def __call__(self, number: int, at: int, bot: str, direction: str, data: bytes) -> None:
        """Take note of bytes that passed; what is costly is left to the next flush. Raises WriteFault."""
        if number != self._game:
            self._leave_game()
            self._game = number
        self._pending.append(_Passage(at, bot, direction, data))
        if len(self._pending) >= PENDING or (direction == ">" and _ends_game(data)):
            self.flush()

    def flush(self) -> None:
        """Write out what is pending. Raises WriteFault."""
        lines: list[bytes] = []
        for passage in self._pending:
            key = passage.bot, passage.direction
            rest = self._rests.get(key)
            if rest is None:
                rest = self._rests[key] = _Rest()
            for whole in rest.feed(passage):
                lines.append(_line(passage, whole, part=False))
        self._pending.clear()
        self._write(lines)

    def close(self) -> None:
        """Write out all there is, lines without an end included; more may come after it."""
        self._leave_game()

    def __enter__(self) -> "WireLog":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _leave_game(self) -> None:
        """What has no end when the game changes never gets one: its process is gone, or writes no sense."""
        self.flush()
        parts = [
            _line(rest.last, bytes(rest.bytes), part=True)
            for rest in self._rests.values()
            if rest.last and rest.bytes
        ]
        self._rests.clear()
        self._write(parts)

    def _write(self, lines: list[bytes]) -> None:
        if not lines:
            return
        path = self.path(self._game)
        try:
            with path.open("ab") as file:
                file.write(b"".join(lines))
        except OSError as error:
            raise WriteFault.of(path, error) from error


class _Rest:
    """The bytes of one bot in one direction that are not yet a whole line or payload."""

    def __init__(self) -> None:
        self.bytes = bytearray()
        self.last: _Passage | None = None

    def feed(self, passage: _Passage) -> Iterator[bytes]:
        """The lines (without LF) and payloads (with their length) that these bytes complete."""
        buffer = self.bytes
        buffer += passage.data
        self.last = passage
        while buffer:
            # a payload's length is 4096 at most and so begins with a zero byte, as no line of text does
            if buffer[0] == 0:
                if len(buffer) < _PREFIX:
                    return
                size = int.from_bytes(buffer[:_PREFIX], "big")
                if not 1 <= size <= MAX_BYTES:
                    size = len(buffer) - _PREFIX  # out of step for good: kept as it came
                stop = _PREFIX + size
                if len(buffer) < stop:
                    return
            else:
                stop = buffer.find(b"\n") + 1
                if stop == 0:
                    return
            whole = bytes(buffer[:stop])
            del buffer[:stop]
            yield whole


def _line(passage: _Passage, whole: bytes, *, part: bool) -> bytes:
    content: dict[str, object] = {"ns": passage.at, "bot": passage.bot, "dir": passage.direction}
    if whole[:1] == b"\0":
        content["hex"] = whole[_PREFIX:].hex()
        decoded = _decoded(whole[_PREFIX:])
        if decoded is not None:
            content["map"] = decoded
    else:
        content["text"] = _escaped(whole.removesuffix(b"\n"))
    if part:
        content["part"] = True
    return json.dumps(content, separators=(",", ":")).encode() + b"\n"


def _decoded(payload: bytes) -> object | None:
    """The payload as JSON can hold it; None when it is no msgpack or holds what JSON does not know."""
    if len(payload) > MAX_BYTES:
        return None
    try:
        value: object = msgspec.msgpack.decode(payload)
        json.dumps(value, allow_nan=False)
    except (msgspec.DecodeError, ValueError, TypeError, RecursionError):
        return None
    return value


_ODD = re.compile(rb"[^\x20-\x5b\x5d-\x7e]")


def _escaped(line: bytes) -> str:
    text = _ODD.sub(lambda found: b"\\\\" if found[0] == b"\\" else b"\\x%02x" % found[0][0], line)
    return text.decode("ascii")


def _ends_game(data: bytes) -> bool:
    return data.startswith(b"end ") or (data[:1] == b"\0" and b"\xa1t\xa3end" in data[:16])


# --- reading back ------------------------------------------------------------------------------------------


class WireLine(msgspec.Struct, frozen=True):
    """One line of a wire log."""

    ns: int
    bot: str
    dir: str
    text: str | None = None
    hex: str | None = None
    map: object = None
    part: bool = False

    def words(self) -> tuple[str, Mapping[str, str]]:
        """The verb and its values as text, whichever encoding it was; ("", {}) for noise."""
        if isinstance(self.map, dict):
            return str(self.map.get("t", "")), {str(key): str(value) for key, value in self.map.items()}
        if self.text is None or self.part:
            return "", {}
        verb, *rest = self.text.removesuffix("\\x0d").split(" ")
        fields = dict(word.split("=", 1) for word in rest if "=" in word)
        if rest and "=" not in rest[0]:
            fields["id"] = rest[0]
        return verb, fields


_lines = msgspec.json.Decoder(WireLine)


def read_wire(path: str | os.PathLike[str]) -> Iterator[WireLine]:
    """The lines of a wire log in order; a torn last one is left out. Raises ReadFault and BadLine."""
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise ReadFault.of(path, error) from error
    whole, _, _ = data.rpartition(b"\n")
    for number, line in enumerate(whole.split(b"\n") if whole else (), 1):
        try:
            yield _lines.decode(line)
        except msgspec.DecodeError as error:
            raise BadLine(
                f"{path}:{number}", f"not a line of a wire log ({error})", "take it out of the file"
            ) from error


class ClockedTurn(NamedTuple):
    """A turn as its stamps tell it; `used` (ns), `spent` and `clock` (ms) are None without an answer."""

    attempt: int
    """1, and more when the game was void and played again under its number"""
    ply: int
    side: str
    id: int
    limit: int
    margin: int
    used: int | None
    spent: int | None
    clock: int | None


class _Open(NamedTuple):
    ply: int
    side: str
    id: int
    bot: str
    at: int


def recompute_clocks(wire: str | os.PathLike[str], conditions: Conditions) -> list[ClockedTurn]:
    """What every turn used, was charged and left, from the stamps of a wire log and the rules alone.

    `limit`, `margin` and the clocks are worked out, not read from the turns. An answer in time is the first
    `move` or `resign` with the open id that stands before a `cancel` of it; when its stamp lies past limit +
    margin the referee was late, and just limit + margin count as used (DBP-8). Raises ReadFault and BadLine.
    """
    control = TimeControl(
        conditions.main, conditions.inc, conditions.movemax, conditions.margin, conditions.prep
    )
    turns: list[ClockedTurn] = []
    clocks = {"x": SideClock(control), "o": SideClock(control)}
    attempt, asked = 1, False
    opened: _Open | None = None
    for line in read_wire(wire):
        verb, fields = line.words()
        if line.dir == ">":
            if opened is not None and verb in ("turn", "cancel", "end", "bye") and line.bot == opened.bot:
                turns.append(_closed(attempt, opened, None, clocks[opened.side]))
                opened = None
            if verb == "game" and asked:
                attempt, asked = attempt + 1, False
                clocks = {"x": SideClock(control), "o": SideClock(control)}
            elif verb == "turn":
                asked = True
                opened = _Open(int(fields["ply"]), fields["you"], int(fields["id"]), line.bot, line.ns)
        elif (
            opened is not None
            and line.bot == opened.bot
            and verb in ("move", "resign")
            and fields.get("id") == str(opened.id)
        ):
            turns.append(_closed(attempt, opened, line.ns, clocks[opened.side]))
            opened = None
    if opened is not None:
        turns.append(_closed(attempt, opened, None, clocks[opened.side]))
    return turns


def _closed(attempt: int, turn: _Open, answered: int | None, clock: SideClock) -> ClockedTurn:
    allowed = clock.begin()
    used = spent = left = None
    if answered is not None:
        used = max(0, answered - turn.at)
        if allowed.budget is not None:
            used = min(used, allowed.budget)
        charge = clock.charge(used)
        spent, left = charge.spent, charge.left
    return ClockedTurn(
        attempt, turn.ply, turn.side, turn.id, allowed.limit, allowed.margin, used, spent, left
    )
