"""Keeps a second arena or event out of a folder of records: two would write over each other and mix their games."""

import os
from pathlib import Path

__all__ = ["FolderLock", "FolderTaken"]


class FolderTaken(Exception):
    """Somebody else keeps records there; the text is one line."""


class FolderLock:
    """Holds a folder as long as the process lives, however it ends."""

    def __init__(self, folder: Path, kind: str) -> None:
        """Take the folder for a `kind`, such as "arena". Raises FolderTaken, and OSError where it cannot be written."""
        import fcntl

        self._fd = os.open(folder / f"{kind}.lock", os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self.close()
            raise FolderTaken(
                f"an {kind} that runs already, this one or another, keeps its records in {folder}; stop it, or name "
                f"another folder in {kind}.toml"
            ) from None

    def close(self) -> None:
        """Let go of the folder; twice is harmless."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
