"""A bot of a competition: its name, how it is started, and what it may take."""

from dataclasses import dataclass
from pathlib import Path

from donuts_referee.channels.limits import Limits
from donuts_referee.channels.program import Program

__all__ = ["Bot", "Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bot:
    """A bot that can be started as often as a competition needs it."""

    name: str
    """unique in the event; see `bots_file.NAME`"""
    program: Program
    """how it is started; what it may take is `program.limits`, `Program(..., limits=Limits(memory=512))`, and nowhere
    else"""
    version: str | None = None
    """what the team calls this version; the bot's own `hello` has another word for it"""
    folder: Path | None = None
    """the team's folder, which holds its bot.toml; None for a bot that is named by a command line"""
    build: tuple[tuple[str, ...], ...] = ()
    """commands that build it, run one after the other in `folder`"""
