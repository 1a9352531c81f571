"""The starter bots that come with the arena: what they need, how they are built, and how a copy is written.

A starter is a folder below `starters` with a `starter.toml`, which is not copied:

    needs = ["cargo"]                             programs that build or run it
    build = [["cargo", "build", "--release"]]     commands, run in the folder; may be empty
    run = ["target/release/bot"]                  the bot
    perft = ["target/release/bot", "perft"]       with LAYOUT and DEPTH behind it: counts move sequences
    depth = 4                                     a depth that takes seconds at most (default 4)

The text `"NAME"`, quotes included, stands for the name of the bot.
"""

import shutil
from pathlib import Path
from typing import NamedTuple

__all__ = ["Starter", "StarterFault", "starter", "write"]

FOLDER = Path(__file__).parent / "starters"
TABLE = "starter.toml"
PLACE = b'"NAME"'
IGNORE = ".gitignore"


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
    )


def write(chosen: Starter, folder: Path, name: str) -> int:
    """Write a copy for a bot of this name; returns how many files it has. Raises StarterFault."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise StarterFault(f"{folder} is there and not empty; name a folder that is not there yet")
        files = chosen.files()
        for path in files:
            copy = folder / path.relative_to(chosen.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes().replace(PLACE, f'"{name}"'.encode()))
            copy.chmod(path.stat().st_mode & 0o777 | 0o200)
    except OSError as error:
        raise StarterFault(
            f"cannot write {error.filename or folder}: {(error.strerror or str(error)).lower()}; name another folder"
        ) from None
    return len(files)
