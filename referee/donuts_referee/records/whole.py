"""Puts a file in its place whole or not at all: whoever reads sees the old one or the new one."""

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from donuts_referee.records.faults import WriteFault

__all__ = ["put_whole"]


def put_whole(path: Path, parts: Iterable[bytes], *, durable: bool = False) -> None:
    """Write the parts beside `path` and move them there; `durable`: so that it stays through a power cut.

    Raises WriteFault; what was there before is then still there, and nothing beside it.
    """
    fresh = path.with_suffix(".new")
    try:
        with fresh.open("wb") as file:
            file.writelines(parts)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        fresh.replace(path)
        if durable:
            _sync(path.parent)
    except OSError as error:
        with suppress(OSError):
            fresh.unlink()
        raise WriteFault.of(path, error) from error


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
