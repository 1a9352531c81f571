"""Looks again at what is frozen before each game: whether files were touched, and their bytes where they were.

A look costs a `stat` for each file and folder of the bots that are to play; a file is read again when its times, size,
permissions or inode are not what they were when it was read last.
"""

import os
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from donuts_referee.files import FileFault, Stamp, stamp
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.freeze import (
    FILE,
    LOOSE,
    FrozenBot,
    file_sha256,
    frozen_differences,
    read_freeze,
    remedy,
    tool_paths,
)

__all__ = ["FrozenWatch"]

RECENT = 100_000_000
"""ns since a change within which another might leave the same times; file systems count time in steps of some ms"""


class _Look(NamedTuple):
    """How a file or folder looked."""

    mtime_ns: int
    ctime_ns: int
    size: int
    inode: int
    mode: int


class FrozenWatch:
    """The frozen files of one event; what freeze.json holds at each look is what counts."""

    def __init__(self, file: Path) -> None:
        """`file` is that of the event."""
        self._file = file
        self._home = file.parent
        self._stamp: Stamp | None = None
        self._kept: dict[str, FrozenBot] | None = None
        self._looks: dict[str, dict[str, _Look | None]] = {}
        """by bot: how all that belongs to it looked when it was found unchanged"""
        self._sums: dict[Path, tuple[_Look, str]] = {}

    def changed(self, bots: Iterable[Bot]) -> str | None:
        """What of these bots is not as it was frozen, with the team, the file and the remedy; None where all is."""
        try:
            self._read()
        except FileFault as fault:
            return str(fault)
        if self._kept is None:
            return None
        for bot in bots:
            looks = self._looks.get(bot.name)
            if looks is not None and all(_look(path) == look for path, look in looks.items()):
                continue
            faults = self._compared(bot, self._kept.get(bot.name))
            if faults:
                more = f" (and {len(faults) - 1} more)" if len(faults) > 1 else ""
                return f"{faults[0]}{more}; {remedy(self._file)}"
        return None

    def _read(self) -> None:
        """Read freeze.json where it is another; one that is gone still counts."""
        now = stamp(self._home / FILE)
        if now is None or now == self._stamp:
            return
        kept = read_freeze(self._home)
        if kept is not None:
            self._kept = {bot.name: bot for bot in kept.bots}
            self._stamp = now
            self._looks.clear()

    def _compared(self, bot: Bot, was: FrozenBot | None) -> list[str]:
        """What differs, by the bytes; how everything looked before they were read is kept."""
        looks = {path: _look(path) for path in _paths(bot)}
        faults = frozen_differences(bot, was, self._home, self._sha256)
        if not faults and not any(_recent(look) for look in looks.values()):
            self._looks[bot.name] = looks
        return faults

    def _sha256(self, path: Path) -> str:
        look = _look(str(path))
        known = self._sums.get(path)
        if known is not None and known[0] == look:
            return known[1]
        found = file_sha256(path)
        if look is not None and not _recent(look):
            self._sums[path] = look, found
        return found


def _paths(bot: Bot) -> Iterator[str]:
    """Every folder and file that belongs to a bot, and what its command names."""
    if bot.folder is not None:
        for here, folders, files in os.walk(bot.folder):
            folders[:] = [each for each in folders if each not in LOOSE]
            yield here
            yield from (os.path.join(here, each) for each in files)  # noqa: PTH118  (many of them)
    for path, _ in tool_paths(bot):
        yield str(path)


def _look(path: str) -> _Look | None:
    """How it looks now, seen through links; a link itself cannot change unless its folder does."""
    try:
        state = os.stat(path)  # noqa: PTH116  (many of them)
    except (OSError, ValueError):
        return None
    return _Look(state.st_mtime_ns, state.st_ctime_ns, state.st_size, state.st_ino, state.st_mode)


def _recent(look: _Look | None) -> bool:
    return look is not None and time.time_ns() - max(look.mtime_ns, look.ctime_ns) < RECENT
