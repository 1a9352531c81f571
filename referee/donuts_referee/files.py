"""Reads and writes the small files of operators: never waits at a pipe, reads without end or leaves half a file."""

import fcntl
import os
import re
import shlex
import stat
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from donuts_protocol.escape import shown

__all__ = [
    "Document",
    "FileFault",
    "Stamp",
    "check_private",
    "few",
    "listed",
    "locked",
    "read_document",
    "read_small",
    "read_table",
    "stamp",
    "write_whole",
]

MOST = 4 << 20
"""Bytes of the longest file that is read."""

MOST_DOTS = 64
"""Dots in one line of TOML: what reading a key takes grows with the square of its parts."""

MOST_FAULTS = 20
"""Faults of one file that are listed; of a file that is something else altogether every line would be one."""

_LOCK = ".lock"
_NEW = ".new"


class FileFault(Exception):
    """A file that cannot be used; the text is one line: the file, the fault and what would be right."""


class Document(NamedTuple):
    """A TOML file."""

    text: str
    table: dict[str, object]
    stamp: "Stamp"


class Stamp(NamedTuple):
    """What tells one version of a file from the next."""

    mtime_ns: int
    size: int
    inode: int


def few(faults: list[str]) -> tuple[str, ...]:
    """The faults, those beyond MOST_FAULTS as a number."""
    more = len(faults) - MOST_FAULTS
    return (*faults[:MOST_FAULTS], *([f"and {more} more"] if more > 0 else []))


def listed(faults: list[str]) -> str:
    """The same as one line."""
    return "; ".join(few(faults))


def read_small(path: Path, *, private: bool = False, most: int = MOST) -> tuple[bytes, Stamp]:
    """A regular file's bytes, at most `most`, and the stamp of just this version.

    With `private`, a file that others may read or write is refused. Raises FileFault.
    """
    name = shown(str(path))
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
    except (OSError, ValueError) as fault:
        raise FileFault(f"{name}: {_reason(fault)}") from None
    try:
        state = os.fstat(descriptor)
        if not stat.S_ISREG(state.st_mode):
            what = "a directory" if stat.S_ISDIR(state.st_mode) else "a pipe or a device"
            raise FileFault(f"{name}: is {what}; a regular file is needed")
        if private:
            check_private(path, state)
        data = bytearray()
        while len(data) <= most and (part := os.read(descriptor, most + 1 - len(data))):
            data += part
    except OSError as fault:
        raise FileFault(f"{name}: {_reason(fault)}") from None
    finally:
        os.close(descriptor)
    if len(data) > most:
        raise FileFault(f"{name}: has more than {most} bytes; that is no file of this kind")
    return bytes(data), Stamp(state.st_mtime_ns, state.st_size, state.st_ino)


def read_table(path: Path, *, private: bool = False, most: int = MOST) -> tuple[dict[str, object], Stamp]:
    """The table that a TOML file holds, and the file's stamp. Raises FileFault."""
    document = read_document(path, private=private, most=most)
    return document.table, document.stamp


def read_document(path: Path, *, private: bool = False, most: int = MOST) -> Document:
    """The text of a TOML file and the table that it holds. Raises FileFault."""
    data, version = read_small(path, private=private, most=most)
    name = shown(str(path))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise FileFault(f"{name}: line {line}: not UTF-8 text; save it as UTF-8") from None
    for number, row in enumerate(text.split("\n"), 1):
        if row.count(".") > MOST_DOTS:
            raise FileFault(f"{name}: line {number}: has more than {MOST_DOTS} dots; put it on several lines")
    try:
        return Document(text, tomllib.loads(text), version)
    except RecursionError:
        raise FileFault(f"{name}: not TOML: nested too deeply") from None
    except ValueError as fault:  # TOMLDecodeError is one; so is a number of 5000 digits
        raise FileFault(f"{name}: not TOML: {shown(str(fault))}") from None


def stamp(path: Path) -> Stamp | None:
    """The stamp of the file that is there now; None when there is none that can be looked at."""
    try:
        state = path.stat()
    except OSError:
        return None
    return Stamp(state.st_mtime_ns, state.st_size, state.st_ino)


def check_private(path: Path, state: os.stat_result) -> None:
    """FileFault when anyone but the owner may read, write or enter what `state` describes."""
    mode = stat.S_IMODE(state.st_mode)
    if mode & 0o077:
        name = shown(str(path))
        right = f"chmod 600 {shlex.quote(name)}"
        if stat.S_ISDIR(state.st_mode):
            right = f"name a folder for them alone, with chmod 700 {shlex.quote(name)}"
        raise FileFault(f"{name}: others may use it (mode {mode:04o}), and it holds secrets; {right}")


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, so that one writer at a time changes it; waits for another. Raises FileFault."""
    flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
    try:
        descriptor = os.open(folder / _LOCK, flags, 0o600)
    except OSError as fault:
        raise FileFault(f"{shown(str(folder / _LOCK))}: {_reason(fault)}") from None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def write_whole(path: Path, text: str) -> None:
    """Put a private file (mode 0600) in its place, whole or not at all, even through a power cut.

    The folder's lock must be held. Raises FileFault; the file that was there before is then still there.
    """
    fresh = path.with_name(_NEW)
    try:
        fresh.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        with os.fdopen(os.open(fresh, flags, 0o600), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
        _sync(path.parent)
    except OSError as fault:
        with suppress(OSError):
            fresh.unlink()
        raise FileFault(f"{shown(str(path))}: not written: {_reason(fault)}") from None


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _reason(fault: OSError | ValueError) -> str:
    text = fault.strerror if isinstance(fault, OSError) else None
    return re.sub(r"\s+", " ", text or str(fault)).lower()
