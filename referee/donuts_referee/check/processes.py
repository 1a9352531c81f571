"""What the system tells of a running bot: the time it has used and the memory it holds, its offspring included."""

import os
from pathlib import Path

from donuts_referee.channels.containment import processes

__all__ = ["children", "cpu_seconds", "resident_bytes"]


def children() -> frozenset[int]:
    """The processes that this one started; empty where the system does not tell."""
    own = os.getpid()
    return frozenset(seen.pid for seen in processes().values() if seen.ppid == own)


def cpu_seconds(pid: int) -> float | None:
    """Seconds of CPU time that the process and its offspring have used; None where the system does not tell."""
    total = 0
    for member in _family(pid):
        fields = _read(member, "stat").rpartition(b")")[2].split()
        if len(fields) > 12:
            total += int(fields[11]) + int(fields[12])
        elif member == pid:
            return None
    return total / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid: int) -> int | None:
    """Bytes of memory that the process and its offspring hold; None where the system does not tell."""
    total = 0
    for member in _family(pid):
        fields = _read(member, "statm").split()
        if len(fields) > 1:
            total += int(fields[1])
        elif member == pid:
            return None
    return total * os.sysconf("SC_PAGE_SIZE")


def _family(pid: int) -> list[int]:
    table = processes()
    family = [pid]
    for seen in table.values():
        if seen.sid == pid and seen.pid != pid:
            family.append(seen.pid)
    at = 0
    while at < len(family):
        family += [one.pid for one in table.values() if one.ppid == family[at] and one.pid not in family]
        at += 1
    return family


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
