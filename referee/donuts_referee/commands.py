"""What a command that somebody wrote into a file means: its words, its variables, the program behind its first word."""

import os
import shutil
import sys
from pathlib import Path

from donuts_referee.words import split

__all__ = ["is_path", "on_path", "runnable", "variables", "words_of"]


def words_of(command: object) -> tuple[str, ...]:
    """The words of a command line or of a list of words; ValueError says what is wrong with it."""
    words: tuple[str, ...] = ()
    if isinstance(command, str):
        words = split(command)
    elif isinstance(command, list) and all(isinstance(word, str) for word in command):
        words = tuple(command)
    elif command is not None:
        raise ValueError("must be a command line or a list of strings")
    if not words or not words[0]:
        raise ValueError(f"{'missing' if command is None else 'empty'}; it says how the bot is started")
    if any("\0" in word for word in words):
        raise ValueError("holds a NUL character")
    return words


def variables(env: object) -> tuple[tuple[tuple[str, str], ...], list[tuple[str, str]]]:
    """The variables of a table of strings, by name; and what is wrong with it: the place below `env`, and the fault."""
    if not isinstance(env, dict):
        return (), [("", "must be a table of strings")]
    faults: list[tuple[str, str]] = []
    for key, value in env.items():
        if not key or "=" in key or "\0" in key:
            faults.append((repr(key), "is no name of a variable"))
        elif not isinstance(value, str) or "\0" in value:
            faults.append((key, f'must be a string, e.g. {key} = "1"'))
    return tuple((key, value) for key, value in env.items() if isinstance(value, str)), faults


def runnable(words: tuple[str, ...], folder: Path) -> tuple[str, ...]:
    """The words of a process that runs in `folder`: an absolute program, and what interprets it."""
    first = words[0]
    ending = Path(first).suffix.lower()
    found = os.path.normpath(folder / first)
    interpreted = ending in (".py", ".jar")
    if not (is_path(first) or (interpreted and _is_file(found))):
        found = on_path(first) or (found if interpreted or _is_file(found) else first)
    if ending == ".py":
        return sys.executable, found, *words[1:]
    if ending == ".jar":
        return on_path("java") or "java", "-jar", found, *words[1:]
    return found, *words[1:]


def _is_file(path: str) -> bool:
    try:
        return Path(path).is_file()
    except OSError:  # a name too long for a file
        return False


def is_path(word: str) -> bool:
    """True for a word that names a file by its path, not a program of PATH."""
    return "/" in word or (os.altsep is not None and os.sep in word)


def on_path(word: str) -> str | None:
    """The program of PATH that a word names; None for a path, and where there is no such program."""
    return None if is_path(word) else shutil.which(word)
