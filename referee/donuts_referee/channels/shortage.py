"""Tells a shortage of the system, which is the referee's own fault, from a program that cannot be started."""

import errno
from typing import NamedTuple

from donuts_referee.channels.link import Shortage

__all__ = ["no_thread", "shortage"]


class _Lack(NamedTuple):
    """What is lacking and what helps, each as a piece of a sentence."""

    what: str
    remedy: str


_PROCESSES = _Lack(
    "no more processes or threads", "raise the limit of processes (ulimit -u, or that of the container)"
)

_LACKS = {
    errno.EMFILE: _Lack("no more open files", "raise the limit of open files (ulimit -n)"),
    errno.ENFILE: _Lack(
        "no more open files on this system", "close other programs or raise the system's limit (fs.file-max)"
    ),
    errno.EAGAIN: _PROCESSES,
    errno.ENOMEM: _Lack(
        "not enough memory", "free some or raise its limit (ulimit -v, or that of the container)"
    ),
}


def shortage(doing: str, error: OSError) -> Shortage | None:
    """The shortage that kept the referee from `doing` (such as "start ./bot"); None when `error` is of another kind."""
    lack = _LACKS.get(error.errno or 0)
    if lack is None:
        return None
    return _sentence(doing, lack)


def no_thread(doing: str) -> Shortage:
    """The shortage for which Python has a RuntimeError: a thread cannot be started."""
    return _sentence(doing, _PROCESSES)


def _sentence(doing: str, lack: _Lack) -> Shortage:
    return Shortage(f"cannot {doing}: the referee has {lack.what}; {lack.remedy}")
