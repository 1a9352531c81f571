"""Keeps a second arena out of a folder of records: two would take each other's control socket and mix their ladders."""

import os
from pathlib import Path

__all__ = ["FolderLock", "FolderTaken"]

LOCK = "arena.lock"


class FolderTaken(Exception):
    """Another arena keeps its records there; the text is one line."""


class FolderLock:
    """Holds a folder as long as the process lives, however it ends."""

    def __init__(self, folder: Path) -> None:
        """Raises FolderTaken."""
        import fcntl

        self._fd = os.open(folder / LOCK, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._fd)
            raise FolderTaken(
                f"another arena keeps its records in {folder}; name another folder in arena.toml, or stop that one"
            ) from None

    def close(self) -> None:
        """Let go of the folder."""
        os.close(self._fd)
