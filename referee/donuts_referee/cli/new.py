"""`donuts new`: writes a starter bot in a language of your choice, with rules, a search and a build file."""

import argparse
import re
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_protocol.escape import shown
from donuts_referee.cli.fault import ExitCode, UsageFault

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers
    from donuts_referee.starter import Starter

__all__ = ["add_parser", "run"]

LANGUAGES = ("python", "c", "cpp", "rust", "go", "java", "js", "sh")

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,39}")

EPILOG = """\
examples:
  donuts new rust mybot
  donuts new python bots/alpha --name alpha
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "new",
        help="write a starter bot",
        description="Writes a bot to begin with: the protocol, the rules, a small search, a build file, and the "
        "bot.toml that hands\nit in to a competition. It plays at once, needs no library, and is yours to change.",
        epilog=EPILOG,
    )
    parser.add_argument("language", choices=LANGUAGES, metavar="LANGUAGE", help=" ".join(LANGUAGES))
    parser.add_argument("folder", metavar="DIR", help="a folder that is empty or not there yet")
    parser.add_argument("--name", help="what the bot calls itself (default: the name of the folder)")


def run(args: argparse.Namespace) -> int:
    """Write it and say what comes next; UsageFault when the folder cannot be used."""
    from donuts_referee.starter import StarterFault, starter, write

    folder = Path(args.folder)
    name = args.name or folder.absolute().name
    if not NAME.fullmatch(name):
        raise UsageFault(
            f"'{shown(name)}' is no name for a bot: 1 to 40 letters, digits, _ . + or -, a letter or digit first; "
            "say another with --name"
        )
    chosen = starter(args.language)
    try:
        count = write(chosen, folder, name)
    except StarterFault as fault:
        raise UsageFault(str(fault)) from None
    sys.stdout.write(_next(chosen.for_bot(name), folder, name, count))
    return ExitCode.OK


def _next(chosen: "Starter", folder: Path, name: str, count: int) -> str:
    from donuts_referee.starter import steps

    lines = [
        f"wrote {name} to {shown(str(folder), None)}: {count} files; README.md says this, too",
        "",
        "what to do next:",
        f"  cd {shlex.quote(str(folder))}",
    ]
    lines += [f"  {command}    # {what}" for command, what in steps(chosen)]
    lines.append("bot.toml says how it is built and run; with it, this folder is handed in to a competition")
    lacking = chosen.lacking()
    if lacking:
        lines.append(f"not found on this machine, and needed to build it: {', '.join(lacking)}")
    return "\n".join(lines) + "\n"
