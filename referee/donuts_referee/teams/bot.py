"""A bot of a competition: its name, how it is started, and what it may take."""

from dataclasses import dataclass, field
from pathlib import Path

from donuts_referee.channels.program import Program

__all__ = ["Bot", "Limits"]


@dataclass(frozen=True, slots=True)
class Limits:
    """What the processes of a bot may take; None: no limit of ours."""

    memory: int | None = None
    """MiB of address space of each process (RLIMIT_AS)"""
    processes: int | None = None
    """processes and threads of the user that runs it (RLIMIT_NPROC)"""
    files: int | None = None
    """open files of each process (RLIMIT_NOFILE)"""
    file_size: int | None = None
    """MiB of the longest file that it writes (RLIMIT_FSIZE)"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A bot that can be started as often as a competition needs it."""

    name: str
    """unique in the event; see `bots_file.NAME`"""
    program: Program
    version: str | None = None
    """what the team calls this version; the bot's own `hello` has another word for it"""
    limits: Limits = field(default_factory=Limits)
    folder: Path | None = None
    """the team's folder, which holds its bot.toml; None for a bot that is named by a command line"""
    build: tuple[tuple[str, ...], ...] = ()
    """commands that build it, run one after the other in `folder`"""
