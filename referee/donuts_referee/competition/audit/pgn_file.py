"""Compares the PGN file of a folder of records with the journal beside it, game by game.

In a folder the PGN follows the journal: a kill between the two leaves a game out of it or a torn one in it, and
processes that share a folder may add to the two files in another order. So each whole game of the PGN is looked for
among those that the journal makes. (In an archive the file was made of the journal, and is the same byte by byte.)
"""

import os
from collections.abc import Iterator
from hashlib import sha256
from typing import IO, NamedTuple

from donuts_referee.competition.audit.finding import Broken
from donuts_referee.competition.audit.sources import LONGEST, Source, journal_lines
from donuts_referee.records.journal import ROSTER
from donuts_referee.records.pgn import SEAL, pgn
from donuts_referee.records.record import decode
from donuts_referee.records.sheet import Sheet

__all__ = ["PgnFound", "check_pgn", "pgn_of"]

_RESULTS = (b"1-0\n", b"0-1\n", b"1/2-1/2\n", b"*\n")


class PgnFound(NamedTuple):
    """How far the PGN follows the journal."""

    games: int
    lacking: int
    """games of the journal that it does not have"""
    torn: int
    """games in it that were never finished"""


def check_pgn(source: Source, name: str, journal: str) -> PgnFound:
    """Every whole game in the file `name` is one of the journal. Raises Broken at the first that is not."""
    with source.open(name) as file:
        # the event may be running: what is in the PGN now is in the journal already, which is read after this
        size = file.seek(0, os.SEEK_END)
        file.seek(0)
        due = {_digest(text) for text in pgn_of(source, journal)}
        games, lacking, torn = 0, set(due), 0
        for line, text in _pieces(file, size, name):
            if text is None:
                torn += 1
                continue
            games += 1
            digest = _digest(text)
            if digest not in due:
                raise Broken(f"{name}:{line}", "a game that the journal does not have, or has otherwise")
            if digest not in lacking:
                raise Broken(f"{name}:{line}", "a game that is there twice")
            lacking.remove(digest)
    return PgnFound(games, len(lacking), torn)


def pgn_of(source: Source, journal: str) -> Iterator[bytes]:
    """Each game of the journal as PGN."""
    with source.open(journal) as file:
        for line in journal_lines(file, journal):
            if not line.torn and not line.data.startswith(ROSTER):
                yield pgn(Sheet.of(decode(line.data))).encode()


def _digest(text: bytes) -> bytes:
    return sha256(text).digest()[:16]


def _pieces(file: IO[bytes], size: int, name: str) -> Iterator[tuple[int, bytes | None]]:
    """Each game with the number of its first line; None for one that was never finished."""
    begin, number, left = 1, 0, size
    piece: list[bytes] = []
    held = 0
    while left > 0 and (line := file.readline(min(LONGEST, left))):
        number, left, held = number + 1, left - len(line), held + len(line)
        if held > LONGEST:
            raise Broken(f"{name}:{begin}", "longer than any game")
        piece.append(line)
        if line != b"\n" or len(piece) < 2:
            continue
        last = piece[-2]
        if last == SEAL.strip() + b"\n":
            yield begin, None
        elif last.endswith(_RESULTS):
            yield begin, b"".join(piece)
        else:
            continue
        begin, held = number + 1, 0
        piece.clear()
    if any(line.strip() for line in piece):
        yield begin, None
