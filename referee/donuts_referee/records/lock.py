"""Keeps a second arena or event out of a folder of records: two would write over each other and mix their games.

A process that is killed can leave a child behind that was forked and has not begun its own program yet. Until it does,
all that was open in the dead is open in the child, and an flock(2) on it stays. A record lock is of one process alone
and ends with it, but also when that process closes the file anywhere: it serves for files that nobody else opens.
"""

import os
from pathlib import Path
from time import sleep

__all__ = ["LINGERING", "FolderLock", "FolderTaken", "claimed"]

LINGERING = 3.0
"""seconds within which the child of a process that was killed begins its own program"""

LOOK = 0.02
"""seconds between two looks whether it has"""

_held: set[tuple[int, int]] = set()
"""device and inode of the files by which this process holds folders: the system lets one process lock a file twice"""


class FolderTaken(Exception):
    """Somebody else keeps records there; the text is one line."""


class FolderLock:
    """Holds a folder as long as the process lives, however it ends; to be made and closed by one thread of it."""

    def __init__(self, folder: Path, kind: str) -> None:
        """Take the folder for a `kind`, such as "arena". Raises FolderTaken, and OSError where it cannot be written."""
        import fcntl

        taken = FolderTaken(
            f"an {kind} that runs already, this one or another, keeps its records in {folder}; stop it, or name "
            f"another folder in {kind}.toml"
        )
        path = folder / f"{kind}.lock"
        if path.exists() and _identity(path.stat()) in _held:  # to open and close it would let go of it
            raise taken
        self._fd = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
        try:
            fcntl.lockf(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            os.close(self._fd)
            # systems say either of a file that is locked
            if isinstance(fault, BlockingIOError | PermissionError):
                raise taken from None
            raise
        self._identity = _identity(os.fstat(self._fd))
        _held.add(self._identity)

    def close(self) -> None:
        """Let go of the folder; twice is harmless."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
            _held.discard(self._identity)


def claimed(fd: int) -> bool:
    """Take an flock(2) on an open file, as long as it is open; False when somebody has it for LINGERING seconds.

    So long it may be in the hands of a child that a killed process left; a machine that stands still takes one LOOK of
    them. Raises OSError where the file cannot be locked.
    """
    import fcntl

    for _ in range(round(LINGERING / LOOK)):
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sleep(LOOK)
        else:
            return True
    return False


def _identity(state: os.stat_result) -> tuple[int, int]:
    return state.st_dev, state.st_ino
