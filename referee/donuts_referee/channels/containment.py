"""Sees to it that nothing a bot started outlives it, and that no bot outlives the referee.

DBP-10.7 and DBP-10.8 ask for it.

On Linux three things work together. A bot gets the parent-death signal: when the referee is killed, so is the
bot. A bot is made a subreaper before it is executed: whatever its offspring do (fork twice, open a session of
their own), they stay its descendants while it lives. And `contain` makes this process a subreaper too: when a
bot dies, what it leaves behind becomes our children, where `sweep` finds it. So an orphan that we adopted can
never belong to a bot that still lives. Where the system has none of this, the process group is what is
killed, and the rest is a no-op.
"""

import contextlib
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36

GRANULE = 1
"""ticks by which start times are uncertain"""


class Known(NamedTuple):
    """A process beyond doubt: numbers are used again, a number with its start time (ticks since boot) is
    not."""

    pid: int
    start: int


class Seen(NamedTuple):
    """One process as /proc shows it."""

    pid: int
    state: str
    ppid: int
    pgrp: int
    sid: int
    start: int

    @property
    def known(self) -> Known:
        return Known(self.pid, self.start)


class Bot(NamedTuple):
    """A bot that was started: the leader of its session; `bound`: its orphans stay with it while it lives."""

    pid: int
    start: int
    bound: bool


class _Household:
    """What this process knows of its children; a forked copy of this process starts from nothing."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.adopts = False
        self.elders: frozenset[Known] = frozenset()
        self.bots: dict[int, Bot] = {}


_current = _Household()


def _household() -> _Household:
    global _current
    if _current.pid != os.getpid():
        _current = _Household()
    return _current


def _prctl() -> Callable[..., int] | None:
    """The system call, or None where there is none, or as long as no file can be opened for it."""
    try:
        return _loaded()
    except (ImportError, OSError):
        return None


@cache
def _loaded() -> Callable[..., int] | None:
    """ctypes is imported when first needed (3 ms); a failure to do so is not remembered."""
    if not sys.platform.startswith("linux"):
        return None
    import ctypes

    try:
        call: Any = ctypes.CDLL(None).prctl
    except AttributeError:
        return None
    call.argtypes = (ctypes.c_int, *4 * (ctypes.c_ulong,))
    call.restype = ctypes.c_int
    bound: Callable[..., int] = call
    return bound


def contain() -> bool:
    """Let this process adopt what bots leave behind; said once by a command before it starts bots, never on
    import.

    The children there are already (a shell may have left us some) are never touched. True when the system
    does it. As process 1 we adopt the orphans of strangers too, and then only those are swept that were seen
    as a bot's before.
    """
    prctl = _prctl()
    if prctl is None or prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        return False
    house = _household()
    if not house.adopts:
        house.elders = frozenset(p.known for p in processes().values() if p.ppid == house.pid)
    house.adopts = house.pid != 1
    return house.adopts


def binding() -> Callable[[], None] | None:
    """What a bot does between fork and exec, or None where that is impossible.

    The parent-death signal comes when the *thread* that forked ends, so only the main thread may ask for it.
    The call was made ready before the fork: the child runs a system call and a comparison, and takes no lock.
    """
    prctl = _prctl()
    if prctl is None or threading.current_thread() is not threading.main_thread():
        return None
    parent = os.getpid()
    getppid, leave = os.getppid, os._exit
    bound = prctl  # not None, for the closure

    def bind() -> None:
        bound(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        bound(PR_SET_PDEATHSIG, 9, 0, 0, 0)
        if getppid() != parent:  # the referee died before the signal was asked for
            leave(126)

    return bind


def enrol(pid: int, bound: bool) -> Bot:
    """Take a bot that was just started into the household, so that no sweep for another one touches it."""
    seen = _look(pid)
    bot = Bot(pid, seen.start if seen else 0, bound)
    _household().bots[pid] = bot
    return bot


def dismiss(bot: Bot) -> None:
    """Forget a bot that was swept for; its number may now come to mean another process."""
    _household().bots.pop(bot.pid, None)


def processes() -> dict[int, Seen]:
    """All processes there are, by number; empty where there is no /proc."""
    try:
        names = os.listdir("/proc")  # noqa: PTH208
    except OSError:
        return {}
    found = (_look(int(name)) for name in names if name.isdigit())
    return {seen.pid: seen for seen in found if seen is not None}


def _look(pid: int) -> Seen | None:
    try:
        with open(f"/proc/{pid}/stat", "rb", buffering=0) as file:  # noqa: PTH123  (a whole scan is 1 ms so)
            text = file.read(1024)
    except OSError:
        return None
    fields = text[text.rfind(b")") + 2 :].split()
    if len(fields) < 20:
        return None
    return Seen(pid, fields[0].decode(), int(fields[1]), int(fields[2]), int(fields[3]), int(fields[19]))


def kin(bot: Bot, seen_before: Iterable[Known] = ()) -> dict[Known, Seen]:
    """The processes that are there because of `bot`, itself excepted: its session and group, its descendants,
    what we adopted since it started, what of `seen_before` still lives, and the descendants of all these;
    zombies included."""
    house = _household()
    table = processes()
    children: dict[int, list[Seen]] = {}
    for seen in table.values():
        children.setdefault(seen.ppid, []).append(seen)
    others = {pid for pid in house.bots if pid != bot.pid}
    roots = [p for p in table.values() if bot.pid in (p.sid, p.pgrp)]
    roots += children.get(bot.pid, ())
    roots += [table[k.pid] for k in seen_before if k.pid in table and table[k.pid].start == k.start]
    if house.adopts:
        roots += [p for p in children.get(house.pid, ()) if _adopted(p, bot, house)]
    found: dict[Known, Seen] = {}
    while roots:
        seen = roots.pop()
        if seen.known in found or seen.pid in others or seen.pid in (bot.pid, house.pid):
            continue
        found[seen.known] = seen
        roots += children.get(seen.pid, ())
    return found


def remembered(bot: Bot) -> frozenset[Known]:
    """The family of a bot that is about to be ended, where it could not be found afterwards; else nothing."""
    return frozenset() if _household().adopts else frozenset(kin(bot))


def _adopted(child: Seen, bot: Bot, house: _Household) -> bool:
    """Did `bot` leave us this child of ours?

    Children we started ourselves share our session, which nothing a bot starts can join. A bot that could not
    be bound may have orphans of its own: what is younger than such a bot is left until that bot is reaped.
    """
    if child.sid == os.getsid(0) or child.pid in house.bots or child.known in house.elders:
        return False
    if child.start + GRANULE <= bot.start:
        return False
    loose = (b.start for b in house.bots.values() if not b.bound and b.pid != bot.pid)
    return all(child.start < start for start in loose)


DYING = 1.0
"""seconds in which a process ends that was told SIGKILL; one in an uninterruptible sleep takes longer"""

ROUNDS = 100
"""how often SIGKILL goes to processes that were not there before; who forks faster than that is left to its limits"""


def sweep(bot: Bot, seen_before: Iterable[Known], grace: float) -> frozenset[Known]:
    """End what `bot`, which has ended and is not yet reaped, left behind; returns the processes that were
    signalled.

    They get SIGTERM, `grace` seconds to obey, and SIGKILL; those that became our children are reaped.
    """
    if not os.path.isdir("/proc/self"):  # noqa: PTH112
        return frozenset()
    seen_before = tuple(seen_before)
    ended: set[Known] = set()
    end = time.monotonic() + grace
    killed: set[Known] = set()
    rounds = 0
    last = float("inf")
    """when the latest that was told SIGKILL is to have ended"""
    while True:
        found = kin(bot, (*seen_before, *ended))
        alive = [seen for seen in found.values() if seen.state not in "ZX"]
        for seen in found.values():
            if seen.state in "ZX" and seen.ppid == os.getpid():
                with contextlib.suppress(ChildProcessError):
                    os.waitpid(seen.pid, os.WNOHANG)
        now = time.monotonic()
        new = not killed.issuperset(seen.known for seen in alive) and rounds < ROUNDS
        if not alive or (now >= last and not new):
            break
        final = now >= end
        for seen in alive:
            if final or seen.known not in ended:
                _signal(seen.known, signal.SIGKILL if final else signal.SIGTERM)
        ended.update(seen.known for seen in alive)
        if final and new:
            killed.update(seen.known for seen in alive)
            rounds += 1
            last = time.monotonic() + DYING
        _await(alive, (last if final else end) - now)
    return frozenset(ended)


def _signal(known: Known, number: int) -> None:
    """Signal exactly that process: while a descriptor of it is open its number cannot come to mean another.

    Where there is no such thing, or no descriptor is left to be had, its number has to do.
    """
    with contextlib.suppress(OSError, AttributeError):
        held = os.pidfd_open(known.pid)
        try:
            if _lives(known):
                signal.pidfd_send_signal(held, number)
                return
        finally:
            os.close(held)
    with contextlib.suppress(OSError):
        if _lives(known):
            os.kill(known.pid, number)


def _lives(known: Known) -> bool:
    seen = _look(known.pid)
    return seen is not None and seen.start == known.start


def _await(alive: list[Seen], seconds: float) -> None:
    """Return when one of the processes has ended, or after so many seconds."""
    held: list[int] = []
    try:
        for seen in alive[:64]:
            with contextlib.suppress(OSError, AttributeError):
                held.append(os.pidfd_open(seen.pid))
        if len(held) == len(alive[:64]) and max(held) < 1024:
            select.select(held, [], [], max(0.0, seconds))
        else:
            time.sleep(0.005)
    finally:
        for fd in held:
            os.close(fd)
