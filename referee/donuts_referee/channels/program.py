"""A program that can be started as a bot: what to run, where, and what it sees of the environment."""

import os
import stat
import sys
from pathlib import Path
from typing import NamedTuple

from donuts_referee.channels.limits import Limits

KEPT = frozenset({"PATH", "HOME", "LANG", "TMPDIR", "TZ"})
"""variables of the host a bot sees; every LC_* besides"""

KEPT_ON_WINDOWS = frozenset(
    {"SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "TEMP", "TMP", "USERPROFILE"}
)
"""without these a Windows process does not get as far as its own first line"""

INTERPRETERS = (
    "python",
    "pypy",
    "java",
    "node",
    "deno",
    "bun",
    "ruby",
    "perl",
    "lua",
    "sh",
    "bash",
    "dash",
    "zsh",
)


class Program(NamedTuple):
    """`argv` is run without a shell, in the folder `cwd` (None: ours), with `env` added to the scrubbed
    environment, and held to `limits`."""

    argv: tuple[str, ...]
    cwd: str | None = None
    env: tuple[tuple[str, str], ...] = ()
    limits: Limits = Limits()

    def environment(self) -> dict[str, str]:
        """The whole environment of the bot (DBP-10.3): no token of the host leaks into it, and no
        PYTHONUNBUFFERED hides from the author of a bot that a flush is missing."""
        kept = KEPT | KEPT_ON_WINDOWS if os.name == "nt" else KEPT
        seen = {
            name: value
            for name, value in os.environ.items()
            if name.upper() in kept or name.startswith("LC_")
        }
        seen.update(self.env)
        return seen

    def path(self) -> Path | None:
        """The file that argv[0] names, found as the system would find it; None when there is none."""
        if not self.argv or not self.argv[0]:
            return None
        word = self.argv[0]
        if os.path.dirname(word):  # noqa: PTH120  (Path would drop the "./" that makes it a path)
            path = Path(self.cwd or ".") / word
            return path if mode(path) else None
        import shutil  # 2 ms that the way to the first spawn need not pay

        found = shutil.which(word, path=dict(self.env).get("PATH", os.environ.get("PATH")))
        return Path(found) if found else None

    def file(self) -> Path | None:
        """The file that makes this bot what it is: argv[0], or the script that an interpreter in argv[0] is
        given.

        None when there is no such file, as with `python -m package`.
        """
        path = self.path()
        if path is None or not _interprets(path):
            return path
        for word in self.argv[1:]:
            if word == "-m" or word == "-c":
                return None
            script = Path(self.cwd or ".") / word
            if not word.startswith("-") and stat.S_ISREG(mode(script)):
                return script
        return None

    def digest(self) -> str | None:
        """sha256 of `file()` in hex; None when there is no such file or it cannot be read."""
        import hashlib  # not needed on the way to the first spawn

        path = self.file()
        if path is None or not stat.S_ISREG(mode(path)):
            return None
        try:
            with path.open("rb") as program:
                return hashlib.file_digest(program, "sha256").hexdigest()
        except OSError:
            return None


def mode(path: Path) -> int:
    """Kind and permissions of the file, as `os.stat` has them; 0 when there is none, or none that we may see."""
    try:
        return path.stat().st_mode
    except (OSError, ValueError):  # a folder that may not be searched, a name too long, a NUL
        return 0


def _interprets(path: Path) -> bool:
    """Is this an interpreter, so that it is the script that matters? Versions in the name (python3.11) are
    allowed."""
    name = path.name.lower().removesuffix(".exe").rstrip("0123456789.w-")
    return name in INTERPRETERS or str(path) == sys.executable
