"""The command line that the shipped bots share: as a child of a referee, or at an arena."""

import argparse
from collections.abc import Sequence
from typing import Literal, NamedTuple

from donuts_client.bot import Bot
from donuts_client.running import run


class Options(NamedTuple):
    """What was asked for."""

    encoding: Literal["text", "msgpack"]
    seed: int | None
    connect: str | None
    seat_file: str | None
    games: int | None
    tc: str | None
    name: str | None = None
    level: int | None = None


def options(prog: str, summary: str, argv: Sequence[str] | None = None, *, levels: int = 0) -> Options:
    """Read the command line (default: that of the process); exits with 2 and a line when it is wrong.

    A bot that has `levels` is told one of 1..`levels` by --level.
    """
    parser = argparse.ArgumentParser(
        prog=f"python -m donuts_client.bots.{prog}",
        description=f"{summary} Speaks DBP on stdin and stdout; let a referee start it: donuts play donuts:{prog} ... "
        "With --connect or --seat-file it plays at an arena instead.",
    )
    parser.add_argument("--msgpack", action="store_true", help="speak msgpack instead of text")
    parser.add_argument(
        "--seed",
        type=int,
        metavar="N",
        help="other dice: N beside the seed that the referee sends with each game",
    )
    if levels:
        parser.add_argument(
            "--level",
            type=int,
            metavar="N",
            help=f"1 to {levels}: look at so much a move and no more, whatever the clock says "
            "(default: think for as long as the clock allows)",
        )
    parser.add_argument("--connect", metavar="ENDPOINT", help="dial in to an arena: tcp://127.0.0.1:7464")
    parser.add_argument(
        "--seat-file",
        metavar="FILE",
        help="join file of a seat at an arena; a token alone may stand in the environment variable DONUTS_SEAT",
    )
    parser.add_argument("--games", type=int, metavar="N", help="leave the arena after N games")
    parser.add_argument("--tc", metavar="TC", help="time control to wish for at the arena: 10+0.1")
    parser.add_argument("--name", metavar="NAME", help="the name to sit down under at an arena")
    found = parser.parse_args(argv)
    level: int | None = found.level if levels else None
    if level is not None and not 1 <= level <= levels:
        parser.error(f"--level {level}: must be 1 to {levels}")
    if found.games is not None and found.games < 1:
        parser.error(f"--games {found.games}: must be 1 or more")
    if (found.games or found.tc or found.name) and not (found.connect or found.seat_file):
        parser.error("--games, --tc and --name are for an arena: say which with --connect or --seat-file")
    return Options(
        "msgpack" if found.msgpack else "text",
        found.seed,
        found.connect,
        found.seat_file,
        found.games,
        found.tc,
        found.name,
        level,
    )


def start(bot: Bot, chosen: Options) -> None:
    """Let the bot play where the command line says."""
    run(
        bot,
        encoding=chosen.encoding,
        connect=chosen.connect,
        seat_file=chosen.seat_file,
        games=chosen.games,
        tc=chosen.tc,
        name=chosen.name,
    )
