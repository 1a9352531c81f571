"""Checks of the end: exits after `bye` and after the end of stdin, leaves nothing behind; works without a stderr."""

import os
import sys

from donuts_protocol.messages import Bye
from donuts_referee.check.positions import quiet
from donuts_referee.check.rounds import dice, short_game
from donuts_referee.check.stand import Stand, with_stderr_closed
from donuts_referee.check.talk import MS, Talk
from donuts_referee.check.verdicts import Check, Skipped

SECOND = 1000
"""ms within which a bot exits (DBP-6.15)"""


def exits(talk: Talk, right: str) -> str:
    """The process ends by itself within a second of what was sent last. Raises Failed."""
    began = talk.now()
    lives = talk.outlives(began + SECOND * MS)
    waited = (talk.now() - began) // MS
    if lives:
        talk.end()
        raise talk.failed(right, f"it lived on for {SECOND} ms")
    exit = talk.end()
    if exit.closed or exit.sent is not None:
        raise talk.failed(right, "it closed its stdout and lived on")
    return f"after {waited} ms"


def bye(stand: Stand) -> str:
    """Exits after `bye`, whose stdin stays open."""
    if stand.source.transport == "zmq":
        return _bye_dialled(stand)
    asking = stand.fresh()
    asking.game(quiet(dice("bye"), 6))
    asking.over(more=0)
    asking.talk.send(Bye(why="done"))
    return exits(asking.talk, "the process exits within 1000 ms of `bye`, also while stdin stays open")


def _bye_dialled(stand: Stand) -> str:
    from donuts_referee.check.dialled import DialSource

    source = stand.source
    assert isinstance(source, DialSource)
    if source.process is None:
        raise Skipped("needs the COMMAND of the bot after --, to see its process end")
    asking = stand.shared()
    asking.ping()
    talk = asking.talk
    talk.send(Bye(why="done"))
    began = talk.now()
    ended = source.exits(began + SECOND * MS)
    waited = (talk.now() - began) // MS
    stand.spoil()
    if not ended:
        raise talk.failed(
            "the process exits within 1000 ms of `bye why=done`", f"it lived on for {SECOND} ms"
        )
    return f"after {waited} ms"


def eof(stand: Stand) -> str:
    """Exits when stdin ends without a word."""
    asking = stand.fresh()
    asking.game(quiet(dice("eof"), 6))
    talk = asking.talk
    talk.tell("(stdin was closed, without `bye`)")
    talk.link.hang_up()
    return exits(talk, "the process exits when its stdin ends: it would live on when its referee dies")


def nothing_left(stand: Stand) -> str:
    """No process that the bot started outlives it."""
    if not sys.platform.startswith("linux"):
        raise Skipped("only Linux tells which processes a bot left behind")
    asking = stand.fresh()
    short_game(asking, dice("left"), 6)
    talk = asking.talk
    talk.send(Bye(why="done"))
    talk.outlives(talk.now() + SECOND * MS)
    exit = talk.end()
    if exit.sent is not None:
        return "it had to be killed itself: see `bye`"
    if exit.strays:
        raise talk.failed(
            "a bot ends the processes that it started before it exits",
            f"{exit.strays} process{'es' if exit.strays > 1 else ''} lived on after it and had to be killed",
        )
    return ""


def stderr_closed(stand: Stand) -> str:
    """Plays although its stderr takes nothing."""
    if os.name != "posix":
        raise Skipped("needs a POSIX shell to close stderr")
    assert stand.source.program is not None
    asking = stand.fresh(program=with_stderr_closed(stand.source.program))
    short_game(asking, dice("stderr"), 6)
    return ""


CHECKS = (
    Check(
        "stderr-closed",
        "plays when nothing can be written to stderr",
        ("DBP-10.2",),
        stderr_closed,
        over="stdio",
    ),
    Check("left", "leaves no process behind", ("DBP-10.7", "DBP-10.9"), nothing_left, over="stdio"),
    Check("eof", "exits when stdin ends", ("DBP-10.8",), eof, over="stdio"),
    Check("bye", "exits after bye", ("DBP-6.15", "DBP-10.7"), bye),
)
