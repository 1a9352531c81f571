"""Says why a bot cannot be started as its command stands, such as a mistyped path, before it costs games."""

import os
import stat
from pathlib import Path

from donuts_protocol.escape import shown
from donuts_referee.channels.program import Program, mode
from donuts_referee.commands import is_path

__all__ = ["unstartable"]

SCRIPTS = (".py", ".jar", ".js", ".mjs", ".cjs", ".sh", ".rb", ".lua", ".pl")
"""Endings by which the file that an interpreter runs is known among the words behind it."""

RUNS_NO_FILE = frozenset({"-m", "-c", "-e", "-cp", "-classpath"})
"""Words by which an interpreter runs what is no such file."""


def unstartable(program: Program) -> str | None:
    """Why the program cannot be started on this machine, in safe words; None where nothing speaks against it."""
    path = program.path()
    word = program.argv[0]
    if path is None:
        if is_path(word):
            return f"there is no file {_shown(word, program)}"
        return f"there is no program {shown(word, 60)} in PATH"
    kind = mode(path)
    if stat.S_ISDIR(kind):
        return f"{shown(str(path))} is a folder; name the program in it"
    if not stat.S_ISREG(kind):
        return f"{shown(str(path))} is no regular file"
    if not os.access(path, os.X_OK):
        return f"{shown(str(path))} is not executable; chmod +x makes it so"
    if program.file() is not None or not RUNS_NO_FILE.isdisjoint(program.argv):
        return None
    # an interpreter that is given no file which is there
    script = next((word for word in program.argv[1:] if word.lower().endswith(SCRIPTS)), None)
    return None if script is None else f"there is no file {_shown(script, program)}"


def _shown(word: str, program: Program) -> str:
    return shown(os.path.normpath(Path(program.cwd or ".") / word))
