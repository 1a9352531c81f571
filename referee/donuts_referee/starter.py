"""The starter bots that come with the arena: what they need, how they are built, and how a copy is written.

A starter is a folder below `starters` with a `starter.toml`, which is not copied:

    needs = ["cargo"]                             programs that build or run it
    build = [["cargo", "build", "--release"]]     commands, run in the folder; may be empty
    run = ["target/release/@NAME@"]               the bot
    perft = ["target/release/@NAME@", "perft"]    with LAYOUT and DEPTH behind it: counts move sequences
    depth = 4                                     a depth that takes seconds at most (default 4)
    script = "bot.py"                             the file that is called after the bot, where it is the program itself

In a copy `"NAME"`, quotes included, becomes the name of the bot, and @NAME@ that of its program: the same name, or
`bot` where that would be another file's, or more than a build tool puts up with. A README.md comes with it, and the
bot.toml that hands it in to a competition.
"""

import json
import re
import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from donuts_protocol.escape import shown

__all__ = ["Starter", "StarterFault", "starter", "steps", "write"]

FOLDER = Path(__file__).parent / "starters"
TABLE = "starter.toml"
TEAM = "bot.toml"
PLACE = b'"NAME"'
PROGRAM = "@NAME@"
LAYOUT = "AAAVVAVHADVHHAAVHHHHVVHADAVVDAHHADAH"
"""the board of the perft that is proposed"""

IGNORE = ".gitignore"

PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
RESERVED = frozenset({"build", "clean", "deps", "examples", "incremental", "makefile", "target", "test"})
"""names in lower case that mean something to make, CMake or cargo"""


class StarterFault(Exception):
    """A copy cannot be written; the text is one line."""


class Starter(NamedTuple):
    """One starter."""

    folder: Path
    needs: tuple[str, ...]
    build: tuple[tuple[str, ...], ...]
    run: tuple[str, ...]
    perft: tuple[str, ...]
    depth: int = 4
    script: str | None = None

    def for_bot(self, name: str) -> "Starter":
        """The same with the commands of a bot of this name."""
        program = self.program(name)

        def named(words: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(word.replace(PROGRAM, program) for word in words)

        return self._replace(
            build=tuple(map(named, self.build)), run=named(self.run), perft=named(self.perft)
        )

    def program(self, name: str) -> str:
        """What the program of a bot of this name is called."""
        taken = {path.name.partition(".")[0].lower() for path in self.files()} | RESERVED
        if self.script is not None and self.script.endswith(".py"):
            taken |= (
                sys.stdlib_module_names
            )  # a bot called random.py would be imported by its own `import random`
        return name if PLAIN.fullmatch(name) and name.lower() not in taken else "bot"

    def lacking(self) -> list[str]:
        """The programs it needs that are not here."""
        return [program for program in self.needs if shutil.which(program) is None]

    def files(self) -> list[Path]:
        """The files of a copy, without what a build leaves in the folder."""
        ignored = {TABLE, "__pycache__"}
        if (self.folder / IGNORE).is_file():
            lines = (self.folder / IGNORE).read_text("utf-8").splitlines()
            ignored |= {
                line.strip().strip("/") for line in lines if line.strip() and not line.startswith("#")
            }
        found = []
        for path in sorted(self.folder.rglob("*")):
            parts = path.relative_to(self.folder).parts
            kept = ignored.isdisjoint(parts) and not any(path.match(pattern) for pattern in ignored)
            if kept and path.is_file():
                found.append(path)
        return found


def starter(language: str) -> Starter:
    """The starter of a language."""
    import tomllib

    folder = FOLDER / language
    table = tomllib.loads((folder / TABLE).read_text("utf-8"))
    return Starter(
        folder=folder,
        needs=tuple(table["needs"]),
        build=tuple(tuple(step) for step in table["build"]),
        run=tuple(table["run"]),
        perft=tuple(table["perft"]),
        depth=table.get("depth", 4),
        script=table.get("script"),
    )


def write(chosen: Starter, folder: Path, name: str) -> int:
    """Write a copy for a bot of this name; returns how many files it has. Raises StarterFault, with nothing left."""
    begun = False
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise StarterFault(
                f"{_shown(folder)} is there and no empty folder; name one that is not there yet"
            )
        begun = True
        files = chosen.files()
        for path in files:
            copy = folder / path.relative_to(chosen.folder)
            if path.name == chosen.script:
                copy = copy.with_name(chosen.program(name) + path.suffix)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(_adapted(path.read_bytes(), chosen, name))
            copy.chmod(path.stat().st_mode & 0o777 | 0o200)
        (folder / "README.md").write_text(_readme(chosen.for_bot(name), name), "utf-8")
        (folder / TEAM).write_text(_team(chosen.for_bot(name), name), "utf-8")
    except OSError as error:
        if begun:
            _empty(folder)
        place = _shown(Path(error.filename or folder))
        reason = (error.strerror or str(error)).lower()
        raise StarterFault(f"cannot write {place}: {reason}; name another folder") from None
    return len(files) + 2


def _empty(folder: Path) -> None:
    """Take back what was written into a folder that was empty, so that it can be tried again."""
    with suppress(OSError):
        for path in folder.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def _shown(path: Path) -> str:
    return shown(str(path), None)


def _adapted(data: bytes, chosen: Starter, name: str) -> bytes:
    program = chosen.program(name)
    data = data.replace(PLACE, f'"{name}"'.encode()).replace(PROGRAM.encode(), program.encode())
    if chosen.script is not None:
        data = data.replace(chosen.script.encode(), (program + Path(chosen.script).suffix).encode())
    return data


def steps(chosen: Starter) -> list[tuple[str, str]]:
    """What to do with a copy, as commands in its folder and what each is for; `chosen` is that `for_bot`."""
    bot = shlex.join(chosen.run)
    perft = f"{shlex.join(chosen.perft)} {LAYOUT} {chosen.depth}"
    return [
        *((shlex.join(step), "build it") for step in chosen.build),
        (perft, "count move sequences"),
        (f"donuts perft {LAYOUT} --depth {chosen.depth}", "the same number, if the rules are right"),
        (f"donuts check -- {bot}", "ask it all that the protocol requires"),
        (f"donuts play {shlex.quote(bot)} donuts:greedy --watch", "watch it play"),
    ]


def _team(chosen: Starter, name: str) -> str:
    """The bot.toml of a copy; see `teams.bot_toml` for its keys."""
    build = [shlex.join(step) for step in chosen.build]
    lines = [f"build = {json.dumps(build[0] if len(build) == 1 else build)}\n"] if build else []
    return (
        "# By this a competition builds and runs the bot; `donuts intake` on the folder above tries it.\n"
        f'name = "{name}"\nversion = "0.1"\n{"".join(lines)}run = {json.dumps(shlex.join(chosen.run))}\n'
    )


def _readme(chosen: Starter, name: str) -> str:
    commands = "\n".join(f"# {what}\n{command}" for command, what in steps(chosen))
    return f"""\
# {name}

A bot that plays DONUTS. In this folder:

```sh
{commands}
```

What is in which file stands at the head of the one that speaks with the referee. The place to begin is the search: a
better evaluation is a better bot. Options are words on its command line. What it prints to stderr is kept in the record
of a game; stdout belongs to the protocol, which `protocol/SPEC.md` of DONUTS arena describes.

At an arena it plays with `donuts join ENDPOINT -- {shlex.join(chosen.run)}`. To a competition this folder is handed in
as it is: {TEAM} says how it is built and run.
"""
