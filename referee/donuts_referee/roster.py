"""Finds the bot that an operator means by a BOT of the command line, and the program that runs it.

A BOT is looked up in this order:

1. `human`: a person at the terminal;
2. `donuts:NAME`: a bot that comes with the arena; `donuts:NAME:LEVEL` for one that has levels;
3. `zmq:NAME`: a bot that dials in by ZeroMQ, called NAME in this match;
4. a name in `bots.toml` of the current directory;
5. a folder that holds a `bot.toml`, as teams hand them in (see `teams.bot_toml`);
6. a command line, split as the system's own shell would split it; no shell ever runs it.

`bots.toml` holds one table per bot:

    [bots.alpha]
    run = "./alpha --fast"       # a command line, or a list of words: ["./alpha", "--fast"]
    cwd = "engines/alpha"        # where it runs; relative to the folder of bots.toml (default: that folder)
    env = { THREADS = "1" }      # added to the few variables that a bot is given

In a command line a first word that ends in `.py` runs with this Python and one that ends in `.jar` with `java -jar`;
a relative path of a program is resolved against the directory in which the bot runs.
"""

from enum import Enum
from pathlib import Path
from typing import NamedTuple

from donuts_referee.bots_file import NAME, RosterFault, read
from donuts_referee.channels.program import Program
from donuts_referee.commands import is_path, on_path, runnable
from donuts_referee.modules import running
from donuts_referee.words import split

SHIPPED = ("random", "greedy", "alphabeta", "mcts", "perfect")
"""The bots of `donuts_client.bots`, each run as `donuts:NAME`."""

LEVELS = {"alphabeta": 5, "mcts": 5}
"""Those of them that may be told a level, from 1 to the number here: `donuts:NAME:LEVEL`."""

FILE = "bots.toml"

TEAM_FILE = "bot.toml"
"""`teams.bot_toml.FILE`, which is not imported for its name alone"""

ENDINGS = (".py", ".jar", ".js", ".mjs", ".exe", ".sh", ".rb", ".lua", ".pl")
"""Endings of program files that a display name goes without."""

__all__ = ["FILE", "LEVELS", "SHIPPED", "Entry", "Kind", "RosterFault", "find", "team", "unique"]


class Kind(Enum):
    """Where a bot was found."""

    HUMAN = "human"
    SHIPPED = "shipped"
    NAMED = "named"
    FOLDER = "folder"
    COMMAND = "command"
    REMOTE = "remote"


class Entry(NamedTuple):
    """A bot that was found; `program` is None for a person and for one that dials in."""

    name: str
    kind: Kind
    program: Program | None


def find(text: str, folder: Path | None = None) -> Entry:
    """Find the bot that `text` means, seen from `folder` (default: the current directory). Raises RosterFault."""
    try:
        return _find(text, Path.cwd() if folder is None else folder)
    except OSError as error:  # a name too long for a file, a current directory that is gone
        reason = (error.strerror or str(error)).lower()
        raise RosterFault(f"the bot {_plain(text[:60])!r} cannot be looked up here: {reason}") from None


def _find(text: str, folder: Path) -> Entry:
    if text == "human":
        return Entry("human", Kind.HUMAN, None)
    if text.startswith("donuts:"):
        return _shipped(text.removeprefix("donuts:"))
    if text.startswith("zmq:"):
        return _remote(text.removeprefix("zmq:"))
    if not text.strip():
        raise RosterFault('a BOT is empty; name one, such as donuts:greedy or "./mybot -x"')
    if "\0" in text:
        raise RosterFault("a BOT holds a NUL character, which no command line can")
    file = folder / FILE
    if file.is_file():
        entries = read(file)
        if text in entries:
            run = entries[text]
            return Entry(
                text, Kind.NAMED, Program(argv=runnable(run.words, run.cwd), cwd=str(run.cwd), env=run.env)
            )
    return team(folder / text) or _command(text, folder, file)


def team(folder: Path) -> Entry | None:
    """The bot of a team's folder; None where there is none, or no bot.toml in it. Raises RosterFault for its faults."""
    try:
        if not (folder.is_dir() and (folder / TEAM_FILE).exists()):
            return None
    except OSError:  # a command line that is too long for a file, a folder that may not be searched
        return None
    from donuts_referee.teams.bot_toml import TeamFault, read_bot  # 10 ms, for such folders alone

    try:
        bot = read_bot(folder)
    except TeamFault as fault:
        raise RosterFault(str(fault)) from None
    return Entry(bot.name, Kind.FOLDER, bot.program)


def unique(first: str, second: str) -> tuple[str, str]:
    """The names of two bots in one match: the second gets `#2` when both are the same."""
    return (first, second) if first != second else (first, f"{second[:38]}#2")


def _shipped(text: str) -> Entry:
    name, colon, level = text.partition(":")
    if name not in SHIPPED:
        ours = ", ".join(f"donuts:{each}" for each in SHIPPED)
        raise RosterFault(f"no bot {_plain(text)!r} comes with the arena; those that do are {ours}")
    argv = tuple(running(f"donuts_client.bots.{name}"))
    if not colon:
        return Entry(name, Kind.SHIPPED, Program(argv=argv))
    most = LEVELS.get(name)
    if most is None:
        raise RosterFault(f"donuts:{_plain(text)[:40]}: {name} has no levels; write donuts:{name}")
    if level not in map(str, range(1, most + 1)):
        raise RosterFault(
            f"donuts:{_plain(text)[:40]}: the level must be 1 to {most}, as in donuts:{name}:{most}"
        )
    return Entry(f"{name}-{level}", Kind.SHIPPED, Program(argv=(*argv, "--level", level)))


def _remote(name: str) -> Entry:
    if not NAME.fullmatch(name):
        raise RosterFault(
            f"zmq:{_plain(name)[:40]}: name the seat, 1 to 40 letters, digits, _ . + or -, as in zmq:alice"
        )
    return Entry(name, Kind.REMOTE, None)


def _command(text: str, folder: Path, file: Path) -> Entry:
    try:
        words = split(text)
    except ValueError as fault:
        raise RosterFault(f"the command line {_plain(text)!r} cannot be split: {fault}") from None
    if not words or not words[0]:
        raise RosterFault(f"the command line {_plain(text)!r} names no program")
    bare = len(words) == 1 and not is_path(words[0])
    if bare and not (folder / words[0]).is_file() and on_path(words[0]) is None:
        listed = f"{FILE} here" if file.is_file() else f"{FILE} (there is none here)"
        raise RosterFault(
            f"no bot {_plain(text)!r}: it is not human, not donuts:{' or donuts:'.join(SHIPPED)}, not in {listed}, "
            "no folder with a bot.toml, no file in this directory and no program in PATH"
        )
    return Entry(_name(words, folder), Kind.COMMAND, Program(argv=runnable(words, folder)))


def _name(words: tuple[str, ...], folder: Path) -> str:
    """What to call a command line: its program, or the file that an interpreter from PATH was given to run."""
    named = words[0]
    if not is_path(named) and not (folder / named).is_file():
        named = next((word for word in words[1:] if word[:1] != "-" and (folder / word).is_file()), named)
    path = Path(named)
    stem = path.stem if path.suffix.lower() in ENDINGS else path.name
    return _plain(stem)[:40] or "bot"


def _plain(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text[:200])
