"""The examination of one team's folder: bot.toml, links, the build, and the checks of the protocol."""

import os
import stat
import time
from collections.abc import Callable
from contextlib import closing
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from donuts_protocol.escape import shown
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Shortage
from donuts_referee.check.stand import ChildSource, Settings, Stand
from donuts_referee.check.suite import chosen, run
from donuts_referee.check.talk import Gallery, Switchboard
from donuts_referee.check.verdicts import Outcome, Verdict
from donuts_referee.files import few, stamp
from donuts_referee.intake.building import Step, build
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.bot_toml import FILE, TeamFault, read_bot
from donuts_referee.teams.freeze import FrozenBot, frozen_bot, frozen_differences

__all__ = ["QUICK", "Cause", "Examined", "Stage", "Task", "Why", "examine", "leads_out"]

QUICK = (
    "hello-time", "hello-first", "hello-form", "hello-version", "encoding", "version", "flush", "ids",
    "ping", "first-ring", "last-ring", "forced-line", "blocked-line", "one-legal", "resend", "field-order",
    "unknown-fields", "unknown-verbs", "error", "one-write", "time-200", "time-50", "second-game",
    "hello-once", "line-form", "clean-stdout", "left", "eof", "bye",
)  # fmt: skip
"""The checks that are made unless others are asked for: all that lose games, and little that takes long."""

MARGIN = 50
"""ms (DBP-8.7)"""

MOST_FILES = 200_000
"""Files of one team whose kind is looked at."""


class Why(StrEnum):
    """Why a team is refused."""

    MISSING = "missing"
    """there is no bot.toml"""
    CONFIG = "config"
    """bot.toml has faults"""
    NAME = "name"
    """another team's bot has the name"""
    LINKS = "links"
    """a link leads out of the folder"""
    BUILD = "build"
    START = "start"
    """it does not start, or ends before hello"""
    SILENT = "silent"
    """no hello comes in time"""
    CHECK = "check"
    """it starts, and a check fails"""
    OURS = "referee"
    """a fault of ours, or of this machine; the team is not to blame"""


class Cause(Struct, frozen=True):
    """Why, and what about it; the text is one safe line."""

    why: Why
    text: str


class Task(Struct, frozen=True, kw_only=True):
    """What is to be done for one folder."""

    folder: str
    checks: tuple[str, ...]
    """ids; () for all of them"""
    hello: int
    """ms"""
    seconds: int
    """that each command of the build may take"""


class Stage(Struct, frozen=True, tag=True):
    """How far an examination is."""

    at: str
    """in safe words"""


class Examined(Struct, frozen=True, kw_only=True, tag=True):
    """What came of it."""

    folder: str
    name: str | None = None
    version: str | None = None
    run: tuple[str, ...] = ()
    cwd: str = ""
    """where it runs"""
    cause: Cause | None = None
    """None: entered"""
    steps: tuple[Step, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    wrote: tuple[str, ...] = ()
    """what of its files an entered bot wrote to while it was checked, or why it cannot be frozen; safe lines"""
    ms: int = 0


def examine(task: Task, links: Channel, tell: Callable[[Stage], None] = lambda _: None) -> Examined:
    """Examine one folder, on the main thread of a process that contains what bots leave behind.

    `tell` is told of the build and of each check before it begins.
    """
    began = time.monotonic_ns()
    folder = Path(task.folder)
    steps: tuple[Step, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    wrote: list[str] = []
    bot: Bot | None = None
    cause = _unfit(folder)
    if cause is None:
        try:
            bot = read_bot(folder)
        except TeamFault as fault:
            cause = Cause(Why.CONFIG, str(fault))
    if bot is not None:
        if bot.build:
            tell(Stage("its build"))
        steps = build(bot, task.seconds)
        if steps and not steps[-1].ok:
            cause = Cause(Why.BUILD, f"{steps[-1].command}: {steps[-1].ended}")
        else:
            try:
                bot = read_bot(folder)  # a build may have written it anew, and this is what will be run
            except TeamFault as fault:
                cause = Cause(Why.CONFIG, f"after the build: {fault}")
            else:
                before = _held(bot)
                verdicts, cause = _checked(bot, task, links, tell)
                if cause is None:
                    wrote = _changes(bot, before)
    return Examined(
        folder=task.folder,
        name=bot.name if bot is not None else None,
        version=bot.version if bot is not None else None,
        run=bot.program.argv if bot is not None else (),
        cwd=(bot.program.cwd or "") if bot is not None else "",
        cause=cause,
        steps=steps,
        verdicts=verdicts,
        wrote=few(wrote),
        ms=(time.monotonic_ns() - began) // 1_000_000,
    )


def _written(path: Path) -> str:
    """What changes when somebody writes to a file, however long it is, in place of its sum."""
    return str(stamp(path))


def _held(bot: Bot) -> FrozenBot | str:
    """What its folder holds; a line that says why it cannot be frozen."""
    assert bot.folder is not None
    try:
        return frozen_bot(bot, bot.folder.parent, _written)
    except TeamFault as fault:
        return str(fault)


def _changes(bot: Bot, before: FrozenBot | str) -> list[str]:
    """What is not as it was `before`, a line each, or why that cannot be said."""
    if isinstance(before, str):
        return [before]
    assert bot.folder is not None
    seen = frozen_differences(bot, before, bot.folder.parent, _written)
    return [line.removeprefix(f"{bot.name}: {before.folder}/") for line in seen]


def _unfit(folder: Path) -> Cause | None:
    """What keeps a folder from being looked at any further."""
    if not os.path.lexists(folder / FILE):
        return Cause(Why.MISSING, f"there is no {FILE} in the folder")
    link = leads_out(folder)
    return None if link is None else Cause(Why.LINKS, link)


def leads_out(folder: Path) -> str | None:
    """The first link of a folder that leads out of it to anything but a program, in words; None without one.

    A link to a program elsewhere is how a virtual environment names its interpreter.
    """
    home = folder.resolve()
    seen = 0
    for here, folders, files in os.walk(folder):
        for name in sorted((*folders, *files)):
            path = Path(here, name)
            seen += 1
            if seen > MOST_FILES:
                return f"the folder has more than {MOST_FILES} files"
            if not os.path.islink(path):  # noqa: PTH114 (a path that is too long is none, and no error)
                continue
            try:
                target = path.resolve()
                mode = path.stat().st_mode
            except (OSError, RuntimeError):  # it leads nowhere, or round and round
                continue
            if not target.is_relative_to(home) and not (stat.S_ISREG(mode) and mode & 0o111):
                return f"{shown(str(path.relative_to(folder)))} is a link out of the folder"
    return None


def _checked(
    bot: Bot, task: Task, links: Channel, tell: Callable[[Stage], None]
) -> tuple[tuple[Verdict, ...], Cause | None]:
    gallery = Gallery()
    board = Switchboard(links)
    source = ChildSource(links, board, bot.program, gallery)
    verdicts: list[Verdict] = []
    selection = chosen(task.checks)
    stages = [f"check {one.check.id} ({at} of {len(selection)})" for at, one in enumerate(selection, 1)]
    try:
        with closing(Stand(board, source, gallery, Settings(hello=task.hello, margin=MARGIN))) as stand:
            made = run(stand, selection)
            for stage in stages:
                tell(Stage(stage))
                verdicts.append(next(made))
            absent = stand.absent
    except Shortage as fault:
        return tuple(verdicts), Cause(Why.OURS, shown(str(fault), 400))
    failed = [verdict for verdict in verdicts if verdict.outcome == Outcome.FAILED]
    if not failed:
        return tuple(verdicts), None
    first = failed[0]
    came = shown(first.finding.came, 300) if first.finding is not None else first.note
    if absent:
        return tuple(verdicts), Cause(Why.START, came.replace("then the end: ", "it ended before hello: ", 1))
    if first.id == "hello-time":
        return tuple(verdicts), Cause(Why.SILENT, came)
    more = f", and {len(failed) - 1} more" if len(failed) > 1 else ""
    right = shown(first.finding.right, 300) if first.finding is not None else ""
    return tuple(verdicts), Cause(Why.CHECK, f"{first.id}{more}: came {came}; right would be {right}")
