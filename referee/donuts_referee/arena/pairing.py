"""Which of the bots that are free meet next: those with the fewest games first, each the nearest in rating.

Every second encounter that a bot chooses is with whoever waited longest, near or far, and drawn among equals. Bots
that met only their neighbours would never be measured against the rest: in simulations of months their ratings
spread one and a half times too wide and stayed so.

Pure: times and ratings are passed in and nothing is remembered. An encounter is a pair of games on one board with the
sides swapped, so that sides and boards are balanced whoever comes first in a `Pair`.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple
from zlib import crc32

__all__ = ["SLACK", "Candidate", "Pair", "fair_patience", "pairs"]

SLACK = 2
"""Games (one encounter) by which an opponent may be ahead of the least played one before its rating is looked at."""


class Candidate(NamedTuple):
    """A bot that is free to play."""

    name: str
    """its seat; no two candidates share one"""
    games: int
    """games it has finished, in whatever way the server counts them"""
    rating: float
    """on any scale, the same for all"""
    last: str | None
    """whom it met last; None before its first encounter"""
    wish: str | None
    """the time control it insists on, as `str(TimeControl)` spells it; None: any"""
    waited: float
    """seconds since it became free"""


class Pair(NamedTuple):
    """Two bots that meet now."""

    first: str
    """plays x in the first game and o in the second"""
    second: str
    control: str | None
    """the time control one of them wished for; None: the server's default"""


def pairs(
    free: Sequence[Candidate], seated: int, patience: float = 1.0, *, room: int | None = None
) -> list[Pair]:
    """The encounters to begin now, the most urgent first; whoever is in none of them goes on waiting.

    `seated` counts the bots that can come free, those in `free` among them; `room` is how many encounters there is
    room for (None: any number). The least played bot chooses first (then who waited longest, then by name). Of those
    whose wish agrees with its own and who are at most `SLACK` games ahead of the least played of them, it takes the
    nearest in rating (ties: fewest games, longest wait, name), and in its 2nd, 4th, ... encounter the one that
    waited longest. Two bots that met last do not meet again while another arrangement of those free is found, and,
    where more than two are seated, not before both have waited `patience` seconds (see `fair_patience`).
    """
    most = len(free) // 2 if room is None else min(room, len(free) // 2)
    queue = sorted(free, key=_urgency)
    found: list[tuple[Candidate, Candidate]] = []
    left: list[Candidate] = []
    while queue and len(found) < most:
        chooser = queue.pop(0)
        others = [one for one in queue if _agree(chooser, one) and not _rematch(chooser, one)]
        if not others:
            left.append(chooser)
            continue
        other = _chosen(chooser, others)
        queue.remove(other)
        found.append((chooser, other))
    left = sorted([*left, *queue], key=_urgency)
    _rearrange(found, left, most)
    _allow_rematches(found, left, most, 0.0 if seated <= 2 else patience)
    found.sort(key=lambda two: _urgency(two[0]))
    return [Pair(one.name, other.name, one.wish or other.wish) for one, other in found]


def fair_patience(seconds: Iterable[float], least: float = 1.0, most: float = 120.0) -> float:
    """The patience (s) that suits encounters that lately took so many seconds: their median, within bounds.

    Two bots that come free together find others if they wait as long as an encounter takes, for whatever else is
    going on began before. With less patience two pairs that never end at the same moment would meet only among
    themselves for ever, and their ratings would say nothing of each other.
    """
    lately = sorted(seconds)
    return min(max(lately[len(lately) // 2], least), most) if lately else least


def _urgency(one: Candidate) -> tuple[int, float, str]:
    return (one.games, -one.waited, one.name)


def _agree(one: Candidate, other: Candidate) -> bool:
    return one.wish is None or other.wish is None or one.wish == other.wish


def _rematch(one: Candidate, other: Candidate) -> bool:
    return one.last == other.name or other.last == one.name


def _chosen(chooser: Candidate, others: Sequence[Candidate]) -> Candidate:
    """Whom `chooser` takes of `others`, of which there is at least one."""
    limit = min(one.games for one in others) + SLACK
    spared = [one for one in others if one.games <= limit]
    if chooser.games // 2 % 2:
        return min(spared, key=lambda one: (-one.waited, one.games, _stirred(chooser, one), one.name))
    return min(spared, key=lambda one: (abs(one.rating - chooser.rating), *_urgency(one)))


def _stirred(chooser: Candidate, other: Candidate) -> int:
    """Another number in each encounter, so that bots that keep step do not meet the same ones for ever."""
    return crc32(f"{chooser.name} {chooser.games} {other.name}".encode("utf-8", "backslashreplace"))


def _rearrange(found: list[tuple[Candidate, Candidate]], left: list[Candidate], most: int) -> None:
    """Break up a pair of `found` where its two can meet two of `left` instead, so that four play and not two."""
    at = 0
    while at < len(left) and len(found) < most:
        swap = _swap(found, left, left[at])
        if swap is None:
            at += 1
            continue
        place, two, more = swap
        found[place : place + 1] = [two, more]
        placed = {one.name for one in (*two, *more)}
        left[:] = [one for one in left if one.name not in placed]


def _swap(
    found: Sequence[tuple[Candidate, Candidate]], left: Sequence[Candidate], one: Candidate
) -> tuple[int, tuple[Candidate, Candidate], tuple[Candidate, Candidate]] | None:
    """Which pair of `found` to break for `one` and another of `left`, and the two pairs instead, nearest in rating."""
    best: tuple[float, int, tuple[Candidate, Candidate], tuple[Candidate, Candidate]] | None = None
    for place, (a, b) in enumerate(found):
        for mine, theirs in ((a, b), (b, a)):
            if not _may_meet(one, mine):
                continue
            for other in left:
                if other is one or not _may_meet(other, theirs):
                    continue
                apart = abs(one.rating - mine.rating) + abs(other.rating - theirs.rating)
                if best is None or apart < best[0]:
                    best = (apart, place, _ordered(one, mine), _ordered(other, theirs))
    return None if best is None else best[1:]


def _may_meet(one: Candidate, other: Candidate) -> bool:
    return _agree(one, other) and not _rematch(one, other)


def _ordered(one: Candidate, other: Candidate) -> tuple[Candidate, Candidate]:
    return (one, other) if _urgency(one) <= _urgency(other) else (other, one)


def _allow_rematches(
    found: list[tuple[Candidate, Candidate]], left: list[Candidate], most: int, patience: float
) -> None:
    """Let those of `left` meet again that waited long enough; no two of them can meet otherwise."""
    waiting = [one for one in left if one.waited >= patience]
    while waiting and len(found) < most:
        chooser = waiting.pop(0)
        others = [one for one in waiting if _agree(chooser, one)]
        if others:
            other = _chosen(chooser, others)
            waiting.remove(other)
            found.append((chooser, other))
