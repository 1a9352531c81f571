"""Takes values out of the tables of a settings file and gathers every fault, each with its key and, if known, its line.

A faulty value reads as its default, so that one reading finds all the faults there are.
"""

from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias, TypeVar

from donuts_engine.tiles import TILE, TileSet
from donuts_protocol.escape import shown
from donuts_referee.files import few
from donuts_referee.table.control import MAX_SECONDS, ControlError, TimeControl

__all__ = ["At", "Findings", "Section", "SettingsFault", "move_home", "near", "tile_set"]

Given = TypeVar("Given", int, int | None)

At: TypeAlias = tuple[str | int, ...]
"""Where a value stands: keys, and the places (from 0) of elements of arrays."""


class SettingsFault(Exception):
    """A file that cannot be used: a safe line for each fault. As a text they stand in one line."""

    def __init__(self, *faults: str) -> None:
        super().__init__(*faults)
        self.faults = faults

    def __str__(self) -> str:
        return " | ".join(self.faults)


class Findings:
    """The faults of one file, each with its place; `line` says where a value stands, None: lines are not told."""

    def __init__(self, path: Path, line: Callable[[At], int] | None = None) -> None:
        self.name = shown(str(path))
        self._line = line
        self._faults: list[tuple[int, str]] = []

    def __len__(self) -> int:
        return len(self._faults)

    def line(self, at: At) -> int:
        """Where a value stands; 0 where lines are not told."""
        return 0 if self._line is None else self._line(at)

    def fault(self, at: At, text: str) -> None:
        """Note a fault: `text` says what is wrong and what would be right."""
        line = self.line(at)
        place = f"{self.name}:{line}" if line else self.name
        self._faults.append((line, f"{place}: {_dotted(at)}: {text}" if at else f"{place}: {text}"))

    def listed(self) -> tuple[str, ...]:
        """All of them, a safe line each, by the line that they are about; of very many the first and their number."""
        return few([text for _, text in sorted(self._faults, key=lambda fault: fault[0])])


class Section:
    """One table of the file: takes values by their keys; keys that are not among `keys` are faults."""

    def __init__(
        self,
        findings: Findings,
        folder: Path,
        table: dict[str, object],
        keys: Iterable[str],
        at: At = (),
        called: str = "keys",
    ) -> None:
        """`folder`: where paths begin; `at`: where the table stands in the file; `called`: what `keys` are."""
        self.findings = findings
        self.folder = folder
        self.at = at
        self._keys = tuple(keys)
        self._values = {key: value for key, value in table.items() if key in self._keys}
        for key in table:
            if key not in self._keys:
                self.fault(key, f"unknown; {near(key, self._keys, f'the {called} are')}")

    def fault(self, key: str, text: str) -> None:
        """Note a fault of a key."""
        self.findings.fault((*self.at, key), text)

    def has(self, key: str) -> bool:
        """True when the file has the key, be it faulty or not."""
        return key in self._values

    def value(self, key: str) -> object:
        """The value as it stands there; None without it."""
        return self._values.get(key)

    def whole(self, key: str, low: int, high: int, default: Given) -> int | Given:
        """A whole number from `low` to `high`."""
        value = self._values.get(key)
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            self.fault(key, f"must be a whole number from {low} to {high}")
            return default
        return value

    def number(self, key: str, low: float, high: float, default: float) -> float:
        """A number above `low` and below `high`."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low < value < high:
            self.fault(key, f"must be a number above {low:g} and below {high:g}")
            return default
        return float(value)

    def flag(self, key: str, default: bool = False) -> bool:
        """true or false."""
        value = self._values.get(key, default)
        if not isinstance(value, bool):
            self.fault(key, "must be true or false")
            return default
        return value

    def text(self, key: str) -> str | None:
        """A text that is not empty and has no control characters."""
        value = self._values.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or not value or not value.isprintable():
            self.fault(key, "must be a text in quotes, not empty, without control characters")
            return None
        return value

    def path(self, key: str) -> Path | None:
        """A path, taken from the folder of the file; `~` is not expanded."""
        text = self.text(key)
        return None if text is None else self.folder / text

    def texts(self, key: str, default: str) -> list[str]:
        """One text or a list of them, at least one."""
        value = self._values.get(key, default)
        entries: list[object] = value if isinstance(value, list) else [value]
        texts = [text for text in entries if isinstance(text, str)]
        if not texts or len(texts) < len(entries):
            self.fault(key, f'must be a text or a list of texts, such as "{default}"')
            return [default]
        return texts

    def choice(self, key: str, choices: tuple[int | str, ...], default: int | str) -> object:
        """One of `choices`."""
        value = self._values.get(key, default)
        if isinstance(value, bool) or value not in choices:
            self.fault(key, f"must be {' or '.join(map(repr, choices))}".replace("'", '"'))
            return default
        return value

    def milliseconds(self, key: str, default: int) -> int:
        """A number of seconds, as whole ms."""
        value = self._values.get(key)
        if value is None:
            return default
        seconds = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= MAX_SECONDS
        try:
            return TimeControl.each(str(value) if seconds else "").inc
        except ControlError:
            self.fault(key, "must be a number of seconds, at least 0.001, such as 10")
            return default

    def section(self, key: str, keys: Iterable[str]) -> "Section":
        """The table below `key`; an empty one without it."""
        value = self._values.get(key, {})
        if not isinstance(value, dict):
            self.fault(key, f"must be a table, [{_dotted((*self.at, key))}]")
            value = {}
        return Section(self.findings, self.folder, value, keys, (*self.at, key))

    def sections(self, key: str, keys: tuple[str, ...]) -> list["Section"]:
        """The tables that stand below `key` as [[key]]."""
        value = self._values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
            self.fault(key, f"must be tables, [[{_dotted((*self.at, key))}]] above each")
            return []
        return [
            Section(self.findings, self.folder, entry, keys, (*self.at, key, place))
            for place, entry in enumerate(value)
        ]


def tile_set(section: Section, key: str, size: int) -> TileSet | None:
    """The tiles of the file that a key names, when there are enough for boards of this size; None without them."""
    path = section.path(key)
    if path is None:
        return None
    try:
        tiles = TileSet.load(path)
    except OSError as fault:
        section.fault(key, f"{shown(str(path))}: {fault.strerror or fault}; a readable TOML file is needed")
    except ValueError as fault:
        section.fault(key, shown(" ".join(str(fault).split()), 1000))
    else:
        if len(tiles.tiles) >= (size // TILE) ** 2:
            return tiles
        section.fault(
            key,
            f"{shown(str(path))} has {len(tiles.tiles)} tiles, and a {size} x {size} board "
            f"takes {(size // TILE) ** 2}; add tiles, or size = 6",
        )
    return None


def move_home(findings: Findings, table: dict[str, object], homes: Mapping[str, tuple[str, ...]]) -> None:
    """Note, and take out of the table of a whole file, the keys that belong below one of its sections."""
    for key in [key for key in table if key not in homes]:
        home = next((section for section, keys in homes.items() if key in keys), None)
        if home is not None:
            del table[key]
            findings.fault((key,), f"belongs below [{home}]")


def near(key: str, known: tuple[str, ...], all_of_them: str) -> str:
    """What may have been meant by an unknown key."""
    found = get_close_matches(key[:40], known, 1)
    return f"did you mean {found[0]}?" if found else f"{all_of_them} {', '.join(known)}"


def _dotted(at: At) -> str:
    """As people say it: bot[2].run is the run of the second [[bot]]."""
    words = ""
    for part in at:
        words += f"[{part + 1}]" if isinstance(part, int) else f"{'.' if words else ''}{shown(part, 60)}"
    return words
