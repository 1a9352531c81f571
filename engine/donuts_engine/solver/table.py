"""The table of the solver: what was found of a position, kept under its exact name, in a bounded array.

A position is one number below 2^63: each square is a digit of base 3 (empty, x, o), and above them the number of the
line that the last ring names, 0 for any square; how many rings are left follows from it. No two positions share one, so
the table never takes one for another. An entry is two words, name ^ finding and finding, so that a finding torn between
two threads fits no name (Hyatt and Mann's lockless table). A bucket of four entries fills one line of the processor's
cache: three keep the findings that cost most, the fourth the newest.

A finding packs, from the lowest bit: lower bound + 1 (2 bits), upper bound + 1 (2), work (6, a logarithm), horizon
(6), proof number (23), disproof number (23). Values are 1, 0, -1 for the side on turn. The horizon is the ply at which
a game without five counts as drawn; at the last ring of the game the groups judge instead.
"""

import numpy as np

from .jit import WORD, Ints, compiled, leading, part, peek, poke, shifted

CELLS = 3**36
"""One more than the highest number of the squares alone; the number of the line is multiplied by it."""
NOTHING = 2 << 2
"""The finding that says nothing: between -1 and 1."""
BUCKET_BYTES = 64
INFINITE = 1 << 22
"""The proof number of what is disproved."""

_ENTRY_BYTES = 16
_NEWEST = BUCKET_BYTES - _ENTRY_BYTES


def make_table(buckets: int) -> Ints:
    """Return an empty table of this many buckets, a power of two, on the lines of the cache.

    Its first bucket is a head, with the shift that leaves a bucket's number of a mixed name.
    """
    words = BUCKET_BYTES // WORD
    room = np.zeros((buckets + 2) * words, np.int64)
    start = -room.ctypes.data % BUCKET_BYTES // WORD
    table = room[start : start + (buckets + 1) * words]
    table[0] = 65 - buckets.bit_length()
    return table


@part
def _bucket(table: int, name: int) -> int:
    # Two odd factors and two shifts scatter all 64 bits; the highest choose the bucket.
    mixed = name * -7046029254386353131
    mixed = (mixed ^ shifted(mixed, 32)) * -4658895280553007687
    mixed ^= shifted(mixed, 29)
    return table + (shifted(mixed, peek(table, 0)) + 1) * BUCKET_BYTES


@part
def find(table: int, name: int, horizon: int) -> int:
    """Return the finding about the position `name` as far as it holds for `horizon`; NOTHING when there is none."""
    bucket = _bucket(table, name)
    for entry in range(bucket, bucket + BUCKET_BYTES, _ENTRY_BYTES):
        finding = peek(entry, 1)
        if peek(entry, 0) ^ finding == name:
            return finding if finding >> 10 & 63 == horizon else _moved(finding, horizon)
    return NOTHING


@part
def _moved(finding: int, horizon: int) -> int:
    """What a finding of another horizon says of this one: a win lasts, and that there is none held before."""
    low = finding & 3
    high = finding >> 2 & 3
    if finding >> 10 & 63 < horizon:
        low = 2 if low == 2 else 0
        high = 0 if high == 0 else 2
    else:
        low = min(low, 1)
        high = max(high, 1)
    return low | high << 2 | finding & 63 << 4 | horizon << 10


@part
def keep(table: int, name: int, finding: int) -> None:
    """Store a finding (see `pack`); bounds already known for the same position stay."""
    bucket = _bucket(table, name)
    horizon = finding >> 10 & 63
    work = finding >> 4 & 63
    least = 64
    place = bucket
    for entry in range(bucket, bucket + BUCKET_BYTES, _ENTRY_BYTES):
        old = peek(entry, 1)
        if peek(entry, 0) ^ old == name:
            known = old if old >> 10 & 63 == horizon else _moved(old, horizon)
            low = max(known & 3, finding & 3)
            high = min(known >> 2 & 3, finding >> 2 & 3)
            finding = finding & ~1023 | low | high << 2 | max(known >> 4 & 63, work) << 4
            place = entry
            least = -1
            break
        if entry < bucket + _NEWEST and old >> 4 & 63 < least:
            least = old >> 4 & 63
            place = entry
    if work < least:
        place = bucket + _NEWEST
    poke(place, 0, name ^ finding)
    poke(place, 1, finding)


@part
def pack(low: int, high: int, nodes: int, horizon: int) -> int:
    """Return the finding that the value is from `low` to `high`, which took this many nodes."""
    return low + 1 | high + 1 << 2 | 64 - leading(nodes | 1) << 4 | horizon << 10


@compiled
def copy(old: int, size: int, new: int) -> None:
    """Carry every finding of a table of `size` bytes into another one."""
    for entry in range(old + BUCKET_BYTES, old + size, _ENTRY_BYTES):
        finding = peek(entry, 1)
        name = peek(entry, 0) ^ finding
        if name != 0:
            keep(new, name, finding)
