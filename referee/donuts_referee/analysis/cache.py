"""Keeps what was computed in a small SQLite file beside the records, by position, for the next analysis.

    analysis.sqlite3
      application_id   0x444e5541; user_version: FORMAT
      table worth      position (key): 16 bytes of BLAKE2b of the position's notation, `layout cells last you rings`
                       letters: W, D or L for each legal move in index order, for the side on turn
                       plies: NULL, or for each move one byte, the placements to the end
                       seal: 8 bytes of BLAKE2b of position, letters and plies

The file may be removed at any time. A value is believed only if its seal and its form are right; where they are not,
and where SQLite finds the file damaged, it is begun anew. A file that cannot be written, that another process holds
for longer than `PATIENCE`, or that belongs to another program, is left alone and nothing is kept. Each of these is
said once, and none of them ends an analysis.
"""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from donuts_engine.notation import format_position
from donuts_engine.position import Position
from donuts_referee.analysis.worth import Worth, fits

__all__ = ["CACHE", "Cache"]

CACHE = "analysis.sqlite3"
"""The file's name."""

FORMAT = 1
APPLICATION = 0x444E5541

PATIENCE = 10.0
"""Seconds to wait for another process that writes; each write takes milliseconds."""

_DAMAGE = {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_MISMATCH}
"""Error is what SQLite says of a table or column that is not there."""


class _Damaged(Exception):
    pass


class _Foreign(Exception):
    pass


class Cache:
    """The cache at `path`; `tell` gets the one line that says what is wrong with it. No method raises for that."""

    def __init__(self, path: Path, tell: Callable[[str], None], patience: float = PATIENCE) -> None:
        self.path = path
        self._tell = tell
        self._patience = patience
        self._rebuilt = self._off = False
        self._connection: sqlite3.Connection | None = None
        self._guarded(lambda: None)

    @property
    def open(self) -> bool:
        """False when nothing is looked up or kept, for the reason that was told."""
        return not self._off

    def find(self, position: Position, *, plies: bool = False) -> Worth | None:
        """What is known of the position, with plies where they are asked for; None where that is not known."""
        found: list[Worth] = []
        self._guarded(lambda: self._look_up(position, found))
        if not found or (plies and found[0].plies is None):
            return None
        return found[0] if plies else Worth(found[0].letters)

    def keep(self, solved: Iterable[tuple[Position, Worth]]) -> None:
        """Keep these in one go; what is there with plies stays when it comes without."""
        rows = [_row(position, worth) for position, worth in solved]
        if rows:
            self._guarded(lambda: self._insert(rows))

    def close(self) -> None:
        """Close the file until it is needed again; twice is harmless."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def __enter__(self) -> "Cache":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _guarded(self, act: Callable[[], None]) -> None:
        """Do it on an open file, where need be on a new one; otherwise leave it and keep nothing from here on."""
        if self._off:
            return
        try:
            try:
                if self._connection is None:
                    self._connect()
                act()
            except (_Damaged, sqlite3.DatabaseError) as fault:
                if self._rebuilt or not _is_damage(fault):
                    raise
                self._begin_anew(fault)
                act()
        except (_Damaged, _Foreign, sqlite3.Error, OSError) as fault:
            self._off = True
            self.close()
            self._tell(f"{self.path}: {_reason(fault)}; nothing is looked up or kept there")

    def _connect(self) -> None:
        connection = sqlite3.connect(self.path, timeout=self._patience)
        try:
            # in this order: another process may be making the file at this moment
            empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
            application = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if not empty and application != APPLICATION:
                raise _Foreign("belongs to another program")
            if not empty and version > FORMAT:
                raise _Foreign("was written by a later version of donuts-arena")
            if empty:
                with connection:
                    connection.execute("BEGIN IMMEDIATE")
                    connection.execute(
                        "CREATE TABLE IF NOT EXISTS worth "
                        "(position BLOB PRIMARY KEY, letters TEXT, plies BLOB, seal BLOB) WITHOUT ROWID"
                    )
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {FORMAT}")
        except BaseException:
            connection.close()
            raise
        self._connection = connection

    def _begin_anew(self, fault: Exception) -> None:
        self._rebuilt = True
        self.close()
        self.path.unlink(missing_ok=True)
        for suffix in ("-journal", "-wal", "-shm"):
            with suppress(OSError):
                self.path.with_name(self.path.name + suffix).unlink()
        self._tell(f"{self.path}: damaged ({_reason(fault)}); it is begun anew")
        self._connect()

    def _look_up(self, position: Position, found: list[Worth]) -> None:
        assert self._connection is not None
        key = _key(position)
        row = self._connection.execute(
            "SELECT letters, plies, seal FROM worth WHERE position = ?", (key,)
        ).fetchone()
        if row is None:
            return
        letters, plies, seal = row
        if not isinstance(letters, str) or not (plies is None or isinstance(plies, bytes)):
            raise _Damaged("a row holds something else")
        if seal != _seal(key, letters, plies):
            raise _Damaged("a row does not fit its seal")
        worth = Worth(letters, None if plies is None else tuple(plies))
        if not fits(worth, position):
            raise _Damaged("a row does not fit its position")
        found[:] = [worth]

    def _insert(self, rows: "list[_Row]") -> None:
        assert self._connection is not None
        with self._connection:
            self._connection.executemany(
                "INSERT INTO worth VALUES (?, ?, ?, ?) ON CONFLICT (position) DO UPDATE SET "
                "letters = excluded.letters, plies = excluded.plies, seal = excluded.seal "
                "WHERE excluded.plies IS NOT NULL OR plies IS NULL",
                rows,
            )


_Row = tuple[bytes, str, bytes | None, bytes]


def _row(position: Position, worth: Worth) -> _Row:
    key = _key(position)
    plies = None if worth.plies is None else bytes(worth.plies)
    return key, worth.letters, plies, _seal(key, worth.letters, plies)


def _key(position: Position) -> bytes:
    return blake2b(format_position(position).encode(), digest_size=16).digest()


def _seal(key: bytes, letters: str, plies: bytes | None) -> bytes:
    text = key + letters.encode("utf-8", "replace") + (b"" if plies is None else b"|" + plies)
    return blake2b(text, digest_size=8).digest()


def _is_damage(fault: Exception) -> bool:
    code = getattr(fault, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none where text is not UTF-8
    return isinstance(fault, _Damaged) or code & 0xFF in _DAMAGE


def _reason(fault: Exception) -> str:
    if isinstance(fault, OSError):
        return (fault.strerror or str(fault)).lower()
    return str(fault)
