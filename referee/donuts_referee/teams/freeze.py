"""Records what every team's folder holds and what runs its bot, and says later what is not as it was.

`freeze.json` stands beside the event file. It holds, for each team, every file of its folder (permissions, sha256; of a
link its text), and for each bot the programs of other folders that run it: the program of its command, the files
that its command names, the interpreter that the first line of a script names.

What bots may write while they run stands below a folder called `cache`, `tmp` or `__pycache__`: such folders are
neither recorded nor looked at. Elsewhere a file that was changed, was added or is missing is a fault.
"""

import hashlib
import os
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol, TypeAlias

import msgspec
from msgspec import Struct

from donuts_protocol.escape import shown
from donuts_referee.channels.program import Program
from donuts_referee.files import FileFault, few, locked, read_small, write_whole
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.bot_toml import TeamFault

__all__ = [
    "FILE",
    "LOOSE",
    "Entered",
    "Freeze",
    "FrozenBot",
    "FrozenFile",
    "Sum",
    "Tool",
    "check_frozen",
    "file_sha256",
    "freeze",
    "frozen_bot",
    "frozen_differences",
    "read_freeze",
    "remedy",
    "since",
    "tool_paths",
    "unfrozen",
]

FILE = "freeze.json"

LOOSE = frozenset({"cache", "tmp", "__pycache__"})
"""Folders in which bots may write."""

MOST = 256 << 20
"""Bytes of the longest freeze.json: a million files."""

MOST_FILES = 200_000
"""Files of one team."""

VERSION_TIME = 10
"""seconds that `--version` may take"""


Sum: TypeAlias = Callable[[Path], str]
"""How the sha256 of a regular file is found; raises OSError."""


class FrozenFile(Struct, frozen=True, omit_defaults=True):
    """One file of a team's folder; paths are `shown`, so that any name can be kept."""

    path: str
    mode: str
    """permissions in octal"""
    sha256: str | None = None
    link: str | None = None
    """where it leads, as it says, where it is a link"""


class Tool(Struct, frozen=True):
    """A program outside of the team's folder."""

    path: str
    """as the command names it"""
    resolved: str
    sha256: str
    version: str
    """the first line that it says to --version; "" for what is no program"""


class FrozenBot(Struct, frozen=True):
    """One bot."""

    name: str
    folder: str | None
    """of the team, from the folder of freeze.json; None for a bot that is named by a command line"""
    files: tuple[FrozenFile, ...]
    tools: tuple[Tool, ...]


class Freeze(Struct, frozen=True):
    """What freeze.json holds."""

    bots: tuple[FrozenBot, ...]
    format_version: int = 1


class Entered(Protocol):
    """What an event tells of who takes part."""

    @property
    def file(self) -> Path: ...

    @property
    def bots(self) -> tuple[Bot, ...]: ...

    @property
    def withdrawn(self) -> frozenset[str]: ...


def freeze(bots: Iterable[Bot], home: Path) -> Freeze:
    """Record the bots in `home`/freeze.json. Raises TeamFault where a file cannot be read, FileFault for our own."""
    home = home.absolute()
    found = Freeze(tuple(frozen_bot(bot, home, file_sha256, versions=True) for bot in bots))
    with locked(home):
        write_whole(home / FILE, msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n")
    return found


def read_freeze(home: Path) -> Freeze | None:
    """What `home`/freeze.json holds; None where there is none. Raises FileFault."""
    path = home / FILE
    if not os.path.lexists(path):
        return None
    try:
        return msgspec.json.decode(read_small(path, most=MOST)[0], type=Freeze)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        raise FileFault(
            f"{shown(str(path))}: not what `donuts freeze` writes ({shown(str(fault))}); freeze the event again"
        ) from None


def unfrozen(event: Entered) -> frozenset[str]:
    """The bots that take part and are not among those that are frozen; none where nothing is frozen."""
    try:
        kept = read_freeze(event.file.parent)
    except FileFault:
        return frozenset()  # which is told where the files are compared
    if kept is None:
        return frozenset()
    return frozenset(bot.name for bot in event.bots) - event.withdrawn - {bot.name for bot in kept.bots}


def check_frozen(event: Entered) -> tuple[str, ...]:
    """What is not as it was when the event was frozen, each with the team and the file, then the remedy.

    () where nothing changed, and where the event never was frozen.
    """
    home = event.file.parent
    try:
        kept = read_freeze(home)
    except FileFault as fault:
        return (str(fault),)
    faults = [] if kept is None else _changes(event, kept, home)
    return (*few(faults), remedy(event.file)) if faults else ()


def remedy(file: Path) -> str:
    """What to do about something that changed, for the event of this file."""
    loose = " or ".join(sorted(LOOSE))
    return (
        f"put back what was frozen, or, if this is right, run `donuts freeze {shown(file.name)}`; a bot that writes by "
        f"itself is to do so below folders called {loose}, or to be withdrawn"
    )


def since(event: Entered, kept: Freeze) -> tuple[str, ...]:
    """What changed since the event was frozen as `kept` says, for one that is frozen again."""
    names = {bot.name for bot in event.bots} - event.withdrawn
    gone = [f"{bot.name}: takes no part any more" for bot in kept.bots if bot.name not in names]
    return few([*_changes(event, kept, event.file.parent), *gone])


def _changes(event: Entered, kept: Freeze, home: Path) -> list[str]:
    known = {bot.name: bot for bot in kept.bots}
    faults: list[str] = []
    for bot in event.bots:
        if bot.name not in event.withdrawn:
            faults += frozen_differences(bot, known.get(bot.name), home)
    return faults


def frozen_differences(bot: Bot, was: FrozenBot | None, home: Path, sha256: Sum | None = None) -> list[str]:
    """What of a bot is not as it was frozen (None: it was not); `sha256` may know sums already."""
    if was is None:
        return [f"{bot.name}: not in {shown(str(home / FILE))}"]
    try:
        now = frozen_bot(bot, home, sha256 or file_sha256)
    except TeamFault as fault:
        return [str(fault)]
    if now.folder != was.folder:
        return [f"{bot.name}: was frozen in {was.folder or 'no folder'} and is in {now.folder or 'none'} now"]
    faults: list[str] = []
    before = {file.path: file for file in was.files}
    after = {file.path: file for file in now.files}
    for path in sorted(before.keys() | after.keys()):
        what = _difference(before.get(path), after.get(path))
        if what:
            faults.append(f"{bot.name}: {now.folder}/{path}: {what}")
    tools = {tool.path: tool for tool in was.tools}
    present = {tool.path: tool for tool in now.tools}
    for path in sorted(tools.keys() | present.keys()):
        old, new = tools.get(path), present.get(path)
        if old is None:
            faults.append(f"{bot.name}: {path}: runs it now, and did not when it was frozen")
        elif new is None:
            faults.append(f"{bot.name}: {path}: missing, or no longer what runs it")
        elif old.sha256 != new.sha256:
            version = f" (it was {old.version})" if old.version else ""
            faults.append(f"{bot.name}: {path}: changed{version}")
    return faults


def _difference(before: FrozenFile | None, after: FrozenFile | None) -> str:
    if before is None:
        return "added"
    if after is None:
        return "missing"
    if (before.sha256, before.link) != (after.sha256, after.link):
        return "changed"
    return "" if before.mode == after.mode else f"mode {before.mode} became {after.mode}"


def frozen_bot(bot: Bot, home: Path, sha256: Sum, *, versions: bool = False) -> FrozenBot:
    """What stands in `home`/freeze.json of a bot; `versions`: of its tools as well. Raises TeamFault."""
    folder = bot.folder
    files = () if folder is None else tuple(_files(bot.name, folder, sha256))
    seen = None if folder is None else shown(os.path.relpath(folder, home), None)
    return FrozenBot(bot.name, seen, files, tuple(_tools(bot, sha256, versions)))


def _files(name: str, folder: Path, sha256: Sum) -> Iterable[FrozenFile]:
    count = 0

    def fail(error: OSError) -> None:
        raise TeamFault(f"{name}: {shown(str(error.filename))}: {(error.strerror or str(error)).lower()}")

    for here, folders, files in os.walk(folder, onerror=fail):
        links = [each for each in folders if os.path.islink(os.path.join(here, each))]  # noqa: PTH114, PTH118
        folders[:] = sorted(each for each in folders if each not in LOOSE)
        for each in sorted((*files, *links)):
            count += 1
            if count > MOST_FILES:
                raise TeamFault(
                    f"{name}: {shown(str(folder))}: more than {MOST_FILES} files; remove what is not needed"
                )
            path = Path(here, each)
            try:
                yield _file(path, shown(str(path.relative_to(folder)), None), sha256)
            except OSError as error:
                fail(error)


def _file(path: Path, name: str, sha256: Sum) -> FrozenFile:
    state = path.lstat()
    mode = f"{stat.S_IMODE(state.st_mode):04o}"
    if stat.S_ISLNK(state.st_mode):
        return FrozenFile(name, mode, link=shown(str(path.readlink()), None))
    return FrozenFile(name, mode, sha256(path) if stat.S_ISREG(state.st_mode) else None)


def file_sha256(path: Path) -> str:
    """sha256 of a file in hex. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def tool_paths(bot: Bot) -> Iterator[tuple[Path, bool]]:
    """The paths by which a bot's command may name files, and whether each is run as a program; most name none."""
    program = bot.program
    first = program.path()
    script = program.file()
    if first is not None:  # an interpreter can be asked for its version; a bot would begin to play
        yield first, script != first
    for word in program.argv[1:]:
        if not word.startswith("-"):
            yield Path(program.cwd or ".") / word, False
    for path in [] if script is None else _interpreters(script):
        yield path, True


def _tools(bot: Bot, sha256: Sum, versions: bool) -> Iterator[Tool]:
    """The files outside of what is recorded anyway that run the bot."""
    told: set[Path] = set()
    for path, runs in tool_paths(bot):
        try:
            resolved = path.resolve()
            if not resolved.is_file() or path in told or _recorded(path, resolved, bot.folder):
                continue
            told.add(path)
            asked = versions and runs and not _inside(resolved, bot.folder)
            version = _version(path, bot.program) if asked else ""
            yield Tool(shown(str(path), None), shown(str(resolved), None), sha256(resolved), version)
        except (OSError, RuntimeError, ValueError) as error:
            raise TeamFault(f"{bot.name}: {shown(str(path))}: {str(error).lower()}") from None


def _inside(resolved: Path, folder: Path | None) -> bool:
    return folder is not None and resolved.is_relative_to(folder.resolve())


def _recorded(path: Path, resolved: Path, folder: Path | None) -> bool:
    """True for a file of the team's folder, if it is none that bots may write."""
    if folder is None or not _inside(resolved, folder):
        return False
    return LOOSE.isdisjoint(resolved.relative_to(folder.resolve()).parts)


def _interpreters(script: Path) -> list[Path]:
    """What the first line of a script names; with env, also what that looks up."""
    try:
        with script.open("rb") as file:
            line = file.read(256).split(b"\n", 1)[0]
    except OSError:
        return []
    if not line.startswith(b"#!"):
        return []
    words = [os.fsdecode(word) for word in line[2:].split() if not word.startswith(b"-")]
    found = [Path(word) for word in words[:1]]
    if words and Path(words[0]).name == "env" and len(words) > 1:
        other = shutil.which(words[1])
        found += [] if other is None else [Path(other)]
    return found


def _version(path: Path, program: Program) -> str:
    """The first line that a program says to --version; "" when it says none."""
    try:
        done = subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=program.environment(),
            timeout=VERSION_TIME,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return shown(done.stdout.strip().split(b"\n", 1)[0], 120)
