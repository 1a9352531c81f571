"""What the processes of a bot may take of the machine, asked of the system between fork and exec."""

import sys
from collections.abc import Callable
from typing import NamedTuple

from donuts_referee.channels.link import StartFailure

__all__ = ["MIB", "Limits", "confinement"]

MIB = 1 << 20


class Limits(NamedTuple):
    """What the processes of a bot may take, each of them from 1; None: no limit of ours.

    A bot hands them on to what it starts, and cannot raise them unless it is root. What happens at a limit is the
    system's affair: memory is refused, a fork or an opened file fails, a file that grows too long ends its writer by
    SIGXFSZ. A bot that ends for it has crashed (DBP-9.7).
    """

    memory: int | None = None
    """MiB of address space of each process (RLIMIT_AS); a runtime such as Java or Go reserves far more than it uses"""
    processes: int | None = None
    """processes and threads of the user that runs it, ours included (RLIMIT_NPROC); nothing limits those of root"""
    files: int | None = None
    """open files of each process (RLIMIT_NOFILE)"""
    file_size: int | None = None
    """MiB of the longest file that it writes (RLIMIT_FSIZE)"""

    def __str__(self) -> str:
        """As people read it: `memory 512 MiB, files 20`; `none`."""
        words = (_value(one.name, one.unit, one.value) for one in _asked(self) if one.value is not None)
        return ", ".join(words) or "none"


def confinement(limits: Limits, program: str) -> Callable[[], None] | None:
    """What a bot does between fork and exec to be held to `limits`; None where there are none.

    `program` is its name in a sentence. Raises StartFailure when the system does not allow such limits: nothing is
    started then.
    """
    if limits == Limits():
        return None
    if sys.platform == "win32":
        raise StartFailure(f"cannot start {program}: this system has no limits for a bot; leave them out")
    import resource  # 0.3 ms that a bot without limits need not pay

    due: list[tuple[int, tuple[int, int]]] = []
    for name, constant, unit, value in _asked(limits):
        if value is None:
            continue
        if value < 1:  # the system would take some such numbers for "no limit"
            raise StartFailure(f"cannot start {program}: a limit of {name} is at least 1, not {value}")
        which = getattr(resource, constant, None)
        if which is None:
            raise StartFailure(f"cannot start {program}: this system has no limit of {name}; leave it out")
        most = resource.getrlimit(which)[1]
        wanted = value * unit
        if most != resource.RLIM_INFINITY and wanted > most:
            raise StartFailure(
                f"cannot start {program}: its limit of {_value(name, unit, value)} is above that of the referee "
                f"itself, {_value(name, unit, most // unit)}; lower it, or raise that (ulimit -H{_ULIMIT[constant]})"
            )
        due.append((which, (wanted, wanted)))
    setrlimit = resource.setrlimit

    def confine() -> None:
        for which, pair in due:
            setrlimit(which, pair)

    return confine


_ULIMIT = {"RLIMIT_NPROC": "u", "RLIMIT_NOFILE": "n", "RLIMIT_FSIZE": "f", "RLIMIT_AS": "v"}
"""the option of a shell's ulimit"""


class _Asked(NamedTuple):
    name: str
    constant: str
    unit: int
    value: int | None


def _asked(limits: Limits) -> tuple[_Asked, ...]:
    """Memory last: the copy of the referee that asks for it may be above it already."""
    return (
        _Asked("processes", "RLIMIT_NPROC", 1, limits.processes),
        _Asked("files", "RLIMIT_NOFILE", 1, limits.files),
        _Asked("file_size", "RLIMIT_FSIZE", MIB, limits.file_size),
        _Asked("memory", "RLIMIT_AS", MIB, limits.memory),
    )


def _value(name: str, unit: int, value: int) -> str:
    return f"{name} {value}{' MiB' if unit == MIB else ''}"
