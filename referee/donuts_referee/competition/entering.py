"""Who takes part in an event: the words of `bots`, the [[bot]] tables and the names that are withdrawn."""

import os
import stat
from pathlib import Path
from typing import NamedTuple

from donuts_protocol.escape import shown
from donuts_referee.bots_file import NAME
from donuts_referee.channels.program import mode
from donuts_referee.commands import runnable
from donuts_referee.roster import RosterFault, find
from donuts_referee.settings import At, Section
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.bot_toml import (
    FILE,
    NAME_RULE,
    TeamFault,
    command,
    place,
    program,
    read_bot,
    team_folders,
)
from donuts_referee.teams.startable import unstartable

__all__ = ["BOT_KEYS", "MOST_BOTS", "entered", "withdrawn"]

BOT_KEYS = ("name", "version", "run", "cwd", "env", "limits")

MOST_BOTS = 10_000
"""Bots of one event."""

_WILD = frozenset("*?[")


class _Found(NamedTuple):
    """A bot, and what the file says of it."""

    at: At
    """where its name comes from"""
    bot: Bot
    called: str
    """by the words of the file, safe"""
    run: At
    """where its command comes from"""


def entered(top: Section, least: int = 2) -> tuple[Bot, ...]:
    """The bots of an event in the order of the file, each under a name of its own; faults go to the section.

    `least`: of an event that has begun bots may have left the file, down to none.
    """
    before = len(top.findings)
    found: list[_Found] = []
    words = _words(top)
    left_out = {
        folder.resolve()
        for _, word in words
        if word.startswith("!")
        for folder in team_folders(word[1:], top.folder)
    }
    for at, word in words:
        if not word.startswith("!"):
            for bot in _named(top, at, word, left_out):
                called = word if bot.folder is None else os.path.relpath(bot.folder, top.folder)
                found.append(_Found(at, bot, f"'{shown(called, 60)}'", at))
    for number, table in enumerate(top.sections("bot", BOT_KEYS), 1):
        told = _told(table)
        if told is not None:
            found.append(_Found((*table.at, "name"), told, f"bot[{number}]", (*table.at, "run")))
    if len(found) > MOST_BOTS:
        top.fault("bots", f"are {len(found)}; an event has {MOST_BOTS} at most")
    elif len(found) < least and len(top.findings) == before:
        top.fault("bots", f"{len(found) or 'none'} of them; an event takes at least 2")
    _check_names(top, found)
    gone = _names(top.value("withdrawn"))
    for one in found:
        if one.bot.name not in gone:
            _check_start(top, one)
    return tuple(one.bot for one in found)


def _check_names(top: Section, found: list[_Found]) -> None:
    seen: dict[str, _Found] = {}
    for one in found:
        other = seen.setdefault(one.bot.name.lower(), one)
        if other is not one:
            where = f"its {FILE}" if one.bot.folder is not None else "a [[bot]] table"
            same = other.at == one.at and other.called == one.called
            whose = f"{other.called} on line {top.findings.line(other.at)}" if not same else "another of them"
            top.findings.fault(
                one.at,
                f"{one.called} is called {one.bot.name}, as {whose} is; names must differ by more than case: "
                f"say another in {where}",
            )


def _check_start(top: Section, one: _Found) -> None:
    """A path that leads nowhere is told now; it would cost its bot every game."""
    program = one.bot.program
    if program.cwd is not None and not stat.S_ISDIR(mode(Path(program.cwd))):
        return  # which is a fault of `cwd`
    why = unstartable(program)
    if why is None:
        return
    if one.bot.folder is None:
        top.findings.fault(one.run, why)
    else:
        built = "; `donuts intake` builds what teams hand in" if one.bot.build else ""
        top.findings.fault(one.run, f"{one.called}: {why}{built}")


def withdrawn(top: Section, bots: tuple[Bot, ...]) -> frozenset[str]:
    """The names of bots that take no further part."""
    value = top.value("withdrawn")
    if value is None:
        return frozenset()
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        top.fault("withdrawn", 'must be a list of names, such as ["alpha"]')
        return frozenset()
    names = {bot.name for bot in bots}
    for number, name in enumerate(value):
        if name not in names and bots:
            top.findings.fault(
                ("withdrawn", number),
                f"no bot is called '{shown(name, 60)}'; the bot itself stays below bots",
            )
    return _names(value)


def _names(value: object) -> frozenset[str]:
    """What a list of names holds, as far as it is one."""
    return (
        frozenset(name for name in value if isinstance(name, str)) if isinstance(value, list) else frozenset()
    )


def _words(top: Section) -> list[tuple[At, str]]:
    value = top.value("bots")
    if value is None:
        return []
    entries: list[object] = value if isinstance(value, list) else [value]
    words: list[tuple[At, str]] = []
    for number, entry in enumerate(entries):
        at: At = ("bots", number) if isinstance(value, list) else ("bots",)
        if isinstance(entry, str) and entry.strip() and entry.isprintable():
            words.append((at, entry))
        else:
            top.findings.fault(
                at, 'must be a text or a list of texts, such as "teams/*" or ["donuts:greedy"]'
            )
    return words


def _named(top: Section, at: At, word: str, left_out: set[Path]) -> list[Bot]:
    """The bots that one word of `bots` means."""
    folders: tuple[Path, ...] = ()
    try:
        if _WILD.isdisjoint(word):
            folders = (top.folder / word,) if (top.folder / word).is_dir() else ()
        else:
            folders = team_folders(word, top.folder)
            if not folders:
                top.findings.fault(at, f"'{shown(word)}' finds no folder; each team has one with a {FILE}")
                return []
    except OSError:  # a name too long for a file
        folders = ()
    if folders:
        return _read(top, at, [folder for folder in folders if folder.resolve() not in left_out])
    try:
        entry = find(word, top.folder)
    except RosterFault as fault:
        top.findings.fault(at, shown(str(fault), 1000))
        return []
    if entry.program is None:
        top.findings.fault(
            at, f"'{shown(word, 60)}': an event starts its bots itself; name a program or a folder"
        )
    elif not NAME.fullmatch(entry.name):
        top.findings.fault(
            at, f"'{shown(entry.name, 60)}' is no name ({NAME_RULE}); say one in a [[bot]] table"
        )
    else:
        seen = entry.program if entry.program.cwd else entry.program._replace(cwd=str(top.folder))
        return [Bot(name=entry.name, program=seen)]
    return []


def _read(top: Section, at: At, folders: list[Path]) -> list[Bot]:
    bots: list[Bot] = []
    for folder in folders:
        try:
            bots.append(read_bot(folder))
        except TeamFault as fault:
            for one in fault.faults:
                top.findings.fault(at, one)
    return bots


def _told(table: Section) -> Bot | None:
    """The bot of one [[bot]] table; None where it cannot be made out."""
    name = table.text("name")
    if name is None:
        if not table.has("name"):
            table.fault("name", f"missing; {NAME_RULE}")
    elif not NAME.fullmatch(name):
        table.fault("name", f"'{shown(name, 60)}': {NAME_RULE}")
    cwd = place(table)
    run = table.value("run")
    argv: tuple[str, ...] | None = None
    if isinstance(run, str) and run.startswith("donuts:"):
        try:
            shipped = find(run, table.folder).program
            argv = None if shipped is None else shipped.argv
        except RosterFault as fault:
            table.fault("run", shown(str(fault), 1000))
    else:
        words = command(table, "run")
        argv = None if words is None else runnable(words, cwd)
    made = program(table, argv or (), cwd)
    version = table.text("version")
    return None if name is None or argv is None else Bot(name=name, program=made, version=version)
