"""`donuts freeze`: records the files of all teams and what runs them, so that an event plays nothing else."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from donuts_protocol.escape import shown
from donuts_referee.cli.event_file import EVENT, event_file
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.files import FileFault, few
from donuts_referee.teams.bot import Bot
from donuts_referee.teams.bot_toml import TeamFault, read_bot, team_folders
from donuts_referee.teams.freeze import FILE, LOOSE, Freeze, check_frozen, freeze, read_freeze, since

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

DESCRIPTION = f"""\
Records sha256 and permissions of every file of every team's folder, and the programs of other folders that run the
bots with what they say to --version, in {FILE} beside the event file. From then on `donuts tournament` refuses to run
what was changed, added or is missing, and names the team and the file.

An event that is frozen again is told what changed since.

EVENT is the event's file or a folder that holds {EVENT}; a folder of teams' folders is recorded in {FILE} beside it.
Bots may write below folders called {", ".join(sorted(LOOSE))}, which are not looked at.
"""

EPILOG = """\
examples:
  donuts freeze event.toml
  donuts freeze teams                   freeze.json beside the folder, for an event.toml that stands there
  donuts freeze --check event.toml

exit codes: 0 recorded, or with --check nothing changed; 1 with --check: something did; 2 usage
"""


class _Field(NamedTuple):
    """Bots that are frozen together, as an event is."""

    file: Path
    bots: tuple[Bot, ...]
    withdrawn: frozenset[str] = frozenset()


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "freeze",
        help="record every file of the teams, so that nothing else is played",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "event", metavar="EVENT", help="an event file, its folder, or a folder of teams' folders"
    )
    parser.add_argument(
        "--check", action="store_true", help="record nothing: say what changed since it was frozen"
    )


def run(args: argparse.Namespace) -> int:
    """Record, or check; UsageFault on what cannot be read."""
    field = _field(Path(args.event))
    home = field.file.parent
    if args.check:
        if not (home / FILE).exists():
            raise UsageFault(
                f"there is no {plain(str(home / FILE))}; run `donuts freeze` without --check first"
            )
        changed = check_frozen(field)
        sys.stdout.write("".join(f"{plain(line)}\n" for line in changed) or "nothing has changed\n")
        return ExitCode.FAULTED if changed else ExitCode.OK
    try:
        before = _before(home)
        news = () if before is None else since(field, before)
        frozen = freeze(field.bots, home)
    except (TeamFault, FileFault) as fault:
        raise UsageFault(plain(str(fault))) from None
    for bot in frozen.bots:
        tools = ", ".join(tool.version or tool.path for tool in bot.tools)
        sys.stdout.write(f"{bot.name}: {len(bot.files)} files{f'; run by {tools}' if tools else ''}\n")
    if before is not None:
        sys.stdout.write(
            "since it was frozen last:\n" if news else "nothing has changed since it was frozen last\n"
        )
        sys.stdout.write("".join(f"  {plain(line)}\n" for line in news))
    sys.stdout.write(f"{len(frozen.bots)} bots in {plain(str(home / FILE))}\n")
    return ExitCode.OK


def _before(home: Path) -> Freeze | None:
    """What was frozen last; a list that cannot be read is told of, and written anew."""
    try:
        return read_freeze(home)
    except FileFault as fault:
        sys.stderr.write(f"donuts: {plain(str(fault))}\n")
        return None


def _field(path: Path) -> _Field:
    """The bots that are meant, and the event file that they play in, be it there or not."""
    if path.is_dir() and not (path / EVENT).exists():
        return _teams(path)
    path = event_file(str(path))
    from donuts_referee.competition.config import ConfigFault, read_event

    try:
        event = read_event(path)
    except ConfigFault as fault:
        raise UsageFault(*map(plain, fault.faults)) from None
    return _Field(event.file, event.bots, event.withdrawn)


def _teams(folder: Path) -> _Field:
    bots: list[Bot] = []
    faults: list[str] = []
    for each in team_folders("*", folder):
        try:
            bots.append(read_bot(each))
        except TeamFault as fault:
            faults += fault.faults
    if faults:
        raise UsageFault(*map(plain, few(faults)))
    if not bots:
        raise UsageFault(f"{shown(str(folder))} holds no {EVENT} and no teams' folders; name an event's file")
    return _Field(folder.absolute().parent / EVENT, tuple(bots))
