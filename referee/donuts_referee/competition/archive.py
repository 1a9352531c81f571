"""Zip files that say the same whenever and wherever they are made, and the reading of those that come from strangers.

An archive is written beside its place and moved there when it is whole: a kill, a full disk or a fault on the way
leaves nothing there. Names are sorted, every time is that of the zip format's first day, and nothing tells whose
machine it was. A stranger's archive is looked at before anything of it is read (see `Archive`).
"""

import io
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import IO

import msgspec

from donuts_referee.competition.faults import ArchiveFault
from donuts_referee.records.faults import ReadFault, WriteFault

__all__ = ["MANIFEST", "Archive", "Chunks", "file_chunks", "write_archive"]

MANIFEST = "manifest.json"
"""The last member: the sha256 of every other, by name."""

EPOCH = (1980, 1, 1, 0, 0, 0)

INFLATION = 200
"""times that a member may grow when it is unpacked; journals grow by 10 to 30"""

SMALL = 1 << 20
"""bytes that any member may have, however small it is packed"""

MEMBERS = 200_000

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}(/[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}){0,4}")

_BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    struct.error,
    UnicodeDecodeError,
    ValueError,
)
"""What the library says of a file that is no archive, or not one any more."""

Chunks = Callable[[], Iterable[bytes]]
"""Begins the bytes of a member anew at each call."""


def file_chunks(path: Path) -> Iterator[bytes]:
    """The bytes of a file. Raises ReadFault."""
    try:
        with path.open("rb") as file:
            while data := file.read(1 << 16):
                yield data
    except OSError as error:
        raise ReadFault.of(path, error) from error


def write_archive(target: Path, members: Mapping[str, Chunks], *, force: bool = False) -> None:
    """Write the members and a manifest of them, or nothing at all. Raises WriteFault.

    What is there already stays unless `force`; a folder stays in any case.
    """
    if target.is_dir() or (target.exists() and not force):
        raise WriteFault(
            f"{target} is there already; name another file" + (" or say --force" if target.is_file() else "")
        )
    fresh = target.with_name(f".{target.name}.{os.getpid()}.new")
    try:
        try:
            with zipfile.ZipFile(fresh, "x", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                digests = {name: _add(archive, name, members[name]()) for name in sorted(members)}
                _add(archive, MANIFEST, [msgspec.json.format(msgspec.json.encode(digests)) + b"\n"])
            _settle(fresh, target, force)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise WriteFault.of(target, error) from error


def _add(archive: zipfile.ZipFile, name: str, chunks: Iterable[bytes]) -> str:
    member = zipfile.ZipInfo(name, EPOCH)
    member.compress_type = zipfile.ZIP_DEFLATED
    member.create_system = 3  # Unix, on every system
    member.external_attr = 0o644 << 16
    digest = sha256()
    with archive.open(member, "w", force_zip64=True) as file:
        for data in chunks:
            file.write(data)
            digest.update(data)
    return digest.hexdigest()


def _settle(fresh: Path, target: Path, force: bool) -> None:
    """Put the file in its place; one that came there in the meantime is not overwritten without `force`."""
    with fresh.open("rb") as file:
        os.fsync(file.fileno())
    if force:
        fresh.replace(target)
        return
    try:
        os.link(fresh, target)
    except FileExistsError:
        raise WriteFault(f"{target} is there already; name another file or say --force") from None
    except OSError:  # a file system without links
        fresh.replace(target)


class Archive:
    """A zip file for reading whose directory has been found sound: plain names, each once, nothing that swells.

    Use as a context manager; raises ReadFault where there is no such file and ArchiveFault where it is not sound.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            size = path.stat().st_size
            self._zip = zipfile.ZipFile(path)
        except OSError as error:
            raise ReadFault.of(path, error) from error
        except _BROKEN as error:
            raise ArchiveFault(f"{path}: not a whole zip file ({error}); get it again") from error
        try:
            self._members = _sound(path, self._zip.infolist(), size)
        except BaseException:
            self._zip.close()
            raise

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self._zip.close()

    @property
    def names(self) -> tuple[str, ...]:
        """The files in it, in the order of the directory."""
        return tuple(self._members)

    @contextmanager
    def open(self, name: str) -> Iterator[IO[bytes]]:
        """The bytes of a member, to be read in order. Raises ArchiveFault, also while they are read."""
        try:
            with self._zip.open(self._members[name]) as file, io.BufferedReader(file) as buffered:  # type: ignore[type-var]
                yield buffered
        except _BROKEN as error:
            raise ArchiveFault(f"{self.path}: {name}: damaged ({error}); get the file again") from error

    def read(self, name: str, most: int = SMALL) -> bytes:
        """A small member whole. Raises ArchiveFault."""
        with self.open(name) as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise ArchiveFault(f"{self.path}: {name}: longer than {most} bytes, which no {name} is")
        return data

    def digest(self, name: str) -> str:
        """The sha256 of a member. Raises ArchiveFault."""
        digest = sha256()
        with self.open(name) as file:
            while data := file.read(1 << 16):
                digest.update(data)
        return digest.hexdigest()


def _sound(path: Path, members: list[zipfile.ZipInfo], size: int) -> dict[str, zipfile.ZipInfo]:
    found: dict[str, zipfile.ZipInfo] = {}
    folded: set[str] = set()
    if len(members) > MEMBERS:
        raise ArchiveFault(f"{path}: {len(members)} members; an event has {MEMBERS} at most")
    for one in members:
        folder = one.filename.endswith("/")  # other programs list folders too; they hold nothing
        name = one.filename.removesuffix("/")
        word = ascii(name if len(name) <= 60 else name[:60] + "...")
        if not _NAME.fullmatch(name) or one.orig_filename != one.filename:
            raise ArchiveFault(f"{path}: a member is called {word}, which is no name for a file of an event")
        kind = stat.S_IFMT(one.external_attr >> 16)
        if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG) or (folder and one.file_size):
            raise ArchiveFault(f"{path}: {word} is no plain file{' or folder' if folder else ''}")
        if name.lower() in folded:
            raise ArchiveFault(f"{path}: {word} is there twice")
        if one.flag_bits & 1:
            raise ArchiveFault(f"{path}: {word} is encrypted")
        if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ArchiveFault(f"{path}: {word} is packed in a way that no event is")
        if one.file_size > max(SMALL, INFLATION * one.compress_size):
            raise ArchiveFault(
                f"{path}: {word} would grow from {one.compress_size} to {one.file_size} bytes, as no event does"
            )
        folded.add(name.lower())
        if not folder:
            found[name] = one
    if sum(one.compress_size for one in members) > size:
        raise ArchiveFault(f"{path}: its members overlap, or the file is cut off; get it again")
    return found
