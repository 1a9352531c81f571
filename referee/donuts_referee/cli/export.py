"""`donuts export`: an event as one zip file for others, or the games of one bot for its author."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.folder import need_numpy, refuse_event_file
from donuts_referee.cli.opened import plain
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import RecordsFault

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

EPILOG = """\
examples:
  donuts export event-records event.zip             journal, PGN, standings and a site to look at
  donuts export event-records alpha.zip --bot alpha its games, its stderr, its faults; nothing of the others' stderr

The same records give the same bytes. The file is written whole or not at all.
exit codes: 0 written, 2 there are no such records, or the file cannot be written or is there already
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "export",
        help="pack an event for others, or one bot's games for its author",
        description="Packs the records of an event, an arena or `donuts play`: everything that others need to look at "
        "it\nand to check it (`donuts verify`), or what the author of one bot should have.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dir", metavar="DIR", help="a directory of records")
    parser.add_argument("file", metavar="FILE.zip", help="the file to write")
    parser.add_argument("--bot", metavar="NAME", help="only the games of this bot, for its author")
    parser.add_argument("--force", action="store_true", help="overwrite the file where it is there already")


def run(args: argparse.Namespace) -> int:
    """Write it and say what it is; UsageFault when that cannot be done."""
    refuse_event_file(args.dir)
    folder, target = Path(args.dir), Path(args.file)
    if not folder.is_dir():
        raise UsageFault(f"{plain(args.dir)} is no directory; name one that holds a {JOURNAL}")
    try:
        if args.bot is not None:
            from donuts_referee.competition.bundle import write_bundle

            count = write_bundle(folder, args.bot, target, force=args.force)
            print(f"wrote {plain(args.file)}: {count} games of {plain(args.bot)}")
        else:
            need_numpy()
            from donuts_referee.web.export import export

            export(folder, target, force=args.force)
            print(f"wrote {plain(args.file)}; anyone can check it with: donuts verify {plain(args.file)}")
    except RecordsFault as fault:
        raise UsageFault(plain(str(fault))) from None
    return ExitCode.OK
