"""Bounds what peers can make this process hold: looks at its memory often, and at every connection when it grows.

Memory that was freed hides what is held anew. So after a connection was cut for what it held, all are looked at every
time for a while, and what was freed is given back to the system.
"""

import ctypes
import os
import sys
from pathlib import Path

from donuts_referee.channels.connections import Connections

__all__ = ["Guard", "limit_memory", "raise_descriptors", "resident"]

LOOK_EVERY = 10_000_000
"""ns between two looks at the memory"""

ALERT_FOR = 1_000_000_000
"""ns after a cut in which each look is one at all connections"""

INSPECT_EVERY = 1_000_000_000
"""ns between two looks at all connections"""

JUMP = 4 << 20
"""bytes of growth between two inspections after which all connections are looked at again"""

GROWTH_FOR = 50_000_000
"""ns after such a growth in which each look is one at all connections"""

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


class Guard:
    """Watches over one ROUTER's connections."""

    def __init__(self, connections: Connections, now: int) -> None:
        self._connections = connections
        self._statm = os.open("/proc/self/statm", os.O_RDONLY) if sys.platform == "linux" else -1
        self._held = self._resident()
        self._look = self._inspect = now
        self._alert = now
        self._calm = self._held

    @property
    def due(self) -> int:
        """When `watch` wants to be called next, in ns."""
        return self._look

    def watch(self, now: int) -> None:
        """Look whether it is time to inspect the connections, and do it."""
        if now < self._look:
            return
        self._look = now + LOOK_EVERY
        held = self._resident()
        alert = now < self._alert
        if (alert or now >= self._inspect) and held - self._calm > JUMP:
            _give_back()
            held = self._resident()
        grown = held - self._held > JUMP
        if alert or now >= self._inspect or grown:
            self._inspect = now + INSPECT_EVERY
            self._held = held
            self._connections.inspect()
            if not alert and not self._connections.alarm:
                self._calm = held
        else:
            self._held = min(self._held, held)
        if self._connections.alarm:
            self._connections.alarm = False
            self._alert = now + ALERT_FOR
        elif grown:  # the first inspection may only have noted how much a connection had brought
            self._alert = max(self._alert, now + GROWTH_FOR)

    def _resident(self) -> int:
        if self._statm < 0:
            return 0
        return int(os.pread(self._statm, 100, 0).split()[1]) * _PAGE

    def close(self) -> None:
        """Look no more."""
        if self._statm >= 0:
            os.close(self._statm)
            self._statm = -1


def resident() -> int:
    """Bytes of memory that this process holds now; 0 where the system does not tell."""
    if sys.platform != "linux":
        return 0
    return int(Path("/proc/self/statm").read_bytes().split()[1]) * _PAGE


def limit_memory(mebibytes: int) -> None:
    """Let the system end this process rather than the machine when it wants more than that; 0: no limit.

    The last resort: games that are finished are in the journal, and bots dial in again after a restart.
    """
    if mebibytes and sys.platform == "linux":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        wanted = mebibytes << 20
        if hard != resource.RLIM_INFINITY:
            wanted = min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


def raise_descriptors() -> None:
    """Let this process have as many descriptors as the system allows it: each connection takes one."""
    if os.name == "posix":
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _no_trim(keep: int) -> int:
    return 0


_trim = getattr(ctypes.CDLL(None), "malloc_trim", _no_trim) if sys.platform == "linux" else _no_trim


def _give_back() -> None:
    """Let the allocator return to the system what is free; where it is not that of glibc, it does so as it likes."""
    _trim(0)
