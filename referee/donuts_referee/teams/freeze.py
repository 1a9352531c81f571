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
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from donuts_protocol.escape import shown
from donuts_referee.channels.program import Program
from donuts_referee.files import MOST_FAULTS, FileFault, locked, read_small, write_whole
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.bot_toml import TeamFault

__all__ = ["FILE", "LOOSE", "Entered", "Freeze", "FrozenBot", "FrozenFile", "Tool", "check_frozen", "freeze"]

FILE = "freeze.json"

LOOSE = frozenset({"cache", "tmp", "__pycache__"})
"""Folders in which bots may write."""

MOST = 256 << 20
"""Bytes of the longest freeze.json: a million files."""

MOST_FILES = 200_000
"""Files of one team."""

VERSION_TIME = 10
"""seconds that `--version` may take"""


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
    found = Freeze(tuple(_frozen(bot, home) for bot in bots))
    with locked(home):
        write_whole(home / FILE, msgspec.json.format(msgspec.json.encode(found), indent=1).decode() + "\n")
    return found


def check_frozen(event: Entered) -> tuple[str, ...]:
    """What is not as it was when the event was frozen, each with the team and the file; () also when it never was."""
    home = event.file.parent
    path = home / FILE
    if not os.path.lexists(path):
        return ()
    name = shown(str(path))
    try:
        kept = msgspec.json.decode(read_small(path, most=MOST)[0], type=Freeze)
    except FileFault as fault:
        return (str(fault),)
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        return (f"{name}: not what `donuts freeze` writes ({shown(str(fault))}); freeze the event again",)
    known = {bot.name: bot for bot in kept.bots}
    faults: list[str] = []
    for bot in event.bots:
        if bot.name in event.withdrawn:
            continue
        was = known.get(bot.name)
        faults += [f"{bot.name}: not in {name}"] if was is None else _differences(bot, was, home)
    if not faults:
        return ()
    more = len(faults) - MOST_FAULTS
    counted = [f"and {more} more"] if more > 0 else []
    remedy = f"put back what was frozen, or, if this is right, run `donuts freeze {shown(event.file.name)}`"
    return (*faults[:MOST_FAULTS], *counted, remedy)


def _differences(bot: Bot, was: FrozenBot, home: Path) -> list[str]:
    try:
        now = _frozen(bot, home, versions=False)
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
        return f"added; what a bot writes belongs below {', '.join(sorted(LOOSE))}"
    if after is None:
        return "missing"
    if (before.sha256, before.link) != (after.sha256, after.link):
        return "changed"
    return "" if before.mode == after.mode else f"mode {before.mode} became {after.mode}"


def _frozen(bot: Bot, home: Path, *, versions: bool = True) -> FrozenBot:
    folder = bot.folder
    files = () if folder is None else tuple(_files(bot.name, folder))
    seen = None if folder is None else shown(os.path.relpath(folder, home), None)
    return FrozenBot(bot.name, seen, files, tuple(_tools(bot, versions)))


def _files(name: str, folder: Path) -> Iterable[FrozenFile]:
    count = 0

    def fail(error: OSError) -> None:
        raise TeamFault(f"{name}: {shown(str(error.filename))}: {(error.strerror or str(error)).lower()}")

    for here, folders, files in os.walk(folder, onerror=fail):
        links = [each for each in folders if Path(here, each).is_symlink()]
        folders[:] = sorted(each for each in folders if each not in LOOSE)
        for each in sorted((*files, *links)):
            count += 1
            if count > MOST_FILES:
                raise TeamFault(
                    f"{name}: {shown(str(folder))}: more than {MOST_FILES} files; remove what is not needed"
                )
            path = Path(here, each)
            try:
                yield _file(path, shown(str(path.relative_to(folder)), None))
            except OSError as error:
                fail(error)


def _file(path: Path, name: str) -> FrozenFile:
    state = path.lstat()
    mode = f"{stat.S_IMODE(state.st_mode):04o}"
    if stat.S_ISLNK(state.st_mode):
        return FrozenFile(name, mode, link=shown(str(path.readlink()), None))
    return FrozenFile(name, mode, _sha256(path) if stat.S_ISREG(state.st_mode) else None)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _tools(bot: Bot, versions: bool) -> Iterable[Tool]:
    """The files outside of what is recorded anyway that run the bot."""
    program = bot.program
    first = program.path()
    script = program.file()
    # an interpreter can be asked for its version; a bot would begin to play
    words = [] if first is None else [(first, script != first)]
    words += [
        (Path(program.cwd or ".") / word, False) for word in program.argv[1:] if not word.startswith("-")
    ]
    if script is not None:
        words += [(each, True) for each in _interpreters(script)]
    told: set[Path] = set()
    for path, runs in words:
        try:
            resolved = path.resolve()
            if not resolved.is_file() or path in told or _recorded(path, resolved, bot.folder):
                continue
            told.add(path)
            asked = versions and runs and not _inside(resolved, bot.folder)
            version = _version(path, program) if asked else ""
            yield Tool(shown(str(path), None), shown(str(resolved), None), _sha256(resolved), version)
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
