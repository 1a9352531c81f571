"""`donuts crosstable`: who made how many points against whom."""

import argparse
import json
from typing import TYPE_CHECKING

import msgspec

from donuts_referee.cli import folder
from donuts_referee.cli.fault import ExitCode

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "crosstable",
        help="who made how many points against whom",
        description="Points and games of each bot against each other, of an event or of any journal.",
        epilog="--json and --csv have wins, draws and losses by side.\n"
        "exit codes: 0 printed, 2 there is no journal or it cannot be read",
    )
    parser.add_argument("dir", metavar="DIR", help=folder.DIR)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument("--csv", action="store_true", help="print a row for each pairing, for spreadsheets")


def run(args: argparse.Namespace) -> int:
    """Print the crosstable; UsageFault when there is no journal or it cannot be read."""
    results = folder.results(args.dir)
    from donuts_referee.competition.crosstable import crosstable, crosstable_csv, crosstable_text

    told = crosstable(results)
    if args.json:
        print(json.dumps(msgspec.to_builtins(told)))
    else:
        folder.print_text(crosstable_csv(told) if args.csv else crosstable_text(told, folder.room()))
    return ExitCode.OK
