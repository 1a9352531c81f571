"""`donuts intake`: builds and checks the bots of all teams, and tells each team in private what is to be mended."""

import argparse
import json
import os
import sys
from contextlib import closing
from glob import escape
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from donuts_protocol.escape import shown
from donuts_referee.channels.affinity import allowed
from donuts_referee.check.suite import UnknownCheck, chosen
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.interrupt import terminable
from donuts_referee.cli.opened import plain
from donuts_referee.cli.reading import whole
from donuts_referee.cli.stage import Stage
from donuts_referee.files import FileFault
from donuts_referee.intake.crew import Slow, examinations
from donuts_referee.intake.examination import QUICK, Examined, Task
from donuts_referee.intake.report import title
from donuts_referee.intake.summary import distinct, summary_text, write_reports
from donuts_referee.teams.bot_toml import FILE, team_folders

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

REPORTS = "intake-reports"

DESCRIPTION = f"""\
Takes in what teams handed in. Every folder of DIR is a team's and holds a bot.toml:

  name = "alpha"              default: the name of the folder
  version = "1.2"
  build = "make"              a command line or a list of them, run without a shell; none by default
  run = "./alpha --fast"      a command line or a list of words
  cwd = "bin"                 where it runs, within the folder
  env = {{ THREADS = "1" }}
  limits = {{ memory = 1024, processes = 64, files = 64, file_size = 100 }}

Each bot is built in its folder and checked against the protocol. REPORTS gets a private report for each team (NAME.md,
mode 0600), with nothing of another team in it, and a summary (summary.txt, summary.json).

The checks are {len(QUICK)} quick ones, a few seconds for a bot:
{fill(", ".join(QUICK), 110, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)}
"""

EPILOG = """\
examples:
  donuts intake teams
  donuts intake teams --out reports --jobs 2 --full
  donuts intake teams --only hello-time,forced-line,eof --json

exit codes: 0 every team is entered, 1 a team is refused, 2 usage, 4 a team could not be examined by a fault of ours,
            130 Ctrl-C, 143 SIGTERM
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "intake",
        help="build and check the bots of all teams",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of the teams' folders")
    parser.add_argument("--out", default=REPORTS, metavar="REPORTS", help=f"default ./{REPORTS}")
    parser.add_argument(
        "--jobs", type=whole(1, 256), metavar="N", help="teams at once (default: half the processors)"
    )
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--quick", action="store_true", help="the quick checks (the default)")
    which.add_argument(
        "--full", action="store_true", help="every check of `donuts check`: up to a minute for a bot"
    )
    which.add_argument("--only", metavar="IDS", help="these checks alone: ids or numbers, with commas")
    parser.add_argument(
        "--hello",
        type=whole(1, 3600),
        default=30,
        metavar="SECONDS",
        help="how long to wait for hello (default 30)",
    )
    parser.add_argument(
        "--build",
        type=whole(1, 86_400),
        default=300,
        metavar="SECONDS",
        help="how long each command of a build may take (default 300)",
    )
    parser.add_argument("--json", action="store_true", help="print summary.json instead of lines")


def run(args: argparse.Namespace) -> int:
    """Examine every folder; UsageFault on anything wrong before that."""
    base = Path(args.folder)
    _refuse_team(base)
    folders = team_folders("*", base) if base.is_dir() else ()
    if not folders:
        what = "has no folders in it" if base.is_dir() else "is no folder"
        raise UsageFault(f"{shown(str(base))} {what}; name the folder that holds the teams' folders")
    reports = Path(args.out).absolute()
    folders = tuple(folder for folder in folders if folder.absolute() != reports)
    ids = _ids(args)
    tasks = [
        Task(folder=os.fspath(folder.absolute()), checks=ids, hello=args.hello * 1000, seconds=args.build)
        for folder in folders
    ]
    jobs = args.jobs or max(1, allowed() // 2)
    stage = Stage(sys.stderr if args.json else sys.stdout, lambda: None)
    found = distinct(_examined(tasks, jobs, stage))
    try:
        summary = write_reports(found, reports)
    except FileFault as fault:
        raise UsageFault(f"--out: {fault}") from None
    if args.json:
        sys.stdout.write((reports / "summary.json").read_text("utf-8"))
    else:
        stage.write(f"\n{summary_text(found)}reports: {plain(str(reports))}\n{_entries(base, found)}")
    if stage.left:
        return ExitCode.PIPE
    if any(line.cause == "referee" for line in summary.teams):
        return ExitCode.INTERNAL
    return ExitCode.FAULTED if summary.refused else ExitCode.OK


def _refuse_team(base: Path) -> None:
    """UsageFault for a folder that is itself a team's, such as `teams/alpha`."""
    if not (base / FILE).is_file():
        return
    above = base.absolute().parent if base.name in ("", "..") else base.parent
    raise UsageFault(
        f"{shown(str(base))} is itself a team's folder, it holds a {FILE}; name the folder above it, "
        f"{shown(str(above))}"
    )


def _ids(args: argparse.Namespace) -> tuple[str, ...]:
    if args.full:
        return ()
    if args.only is None:
        return QUICK
    words = [word.strip() for word in args.only.split(",") if word.strip()]
    if not words:
        raise UsageFault("--only names no check; `donuts check --list` names them all")
    try:
        return tuple(one.check.id for one in chosen(words))
    except UnknownCheck as fault:
        raise UsageFault(f"--only: {shown(str(fault), None)}") from None


def _examined(tasks: list[Task], jobs: int, stage: Stage) -> tuple[Examined, ...]:
    """The results in the order of the tasks; a line for each as it comes, and for what takes long."""
    found: dict[str, Examined] = {}
    with terminable(), closing(examinations(tasks, jobs)) as coming:
        for one in coming:
            if isinstance(one, Slow):
                name = shown(Path(one.folder).name, 60)
                stage.write(f"slow: {name}: still at {one.at} after {one.seconds:.0f} s\n")
                continue
            found[one.folder] = one
            # what about it is said once, at the end
            word = "fine" if one.cause is None else f"refused, {one.cause.why}"
            stage.write(f"{len(found)}/{len(tasks)} {title(one)}: {word} ({one.ms / 1000:.1f} s)\n")
    return tuple(found[task.folder] for task in tasks)


def _entries(base: Path, found: tuple[Examined, ...]) -> str:
    """The line of an event file beside the folder that enters all but those that are refused."""
    name = base.absolute().name
    out = [f"!{name}/{escape(Path(one.folder).name)}" for one in found if one.cause is not None]
    if not out or len(out) == len(found):
        return ""
    return f"in event.toml, as it stands: bots = {plain(json.dumps([f'{name}/*', *out]))}\n"
