"""`donuts standings`: who stands where, rated from the games of a journal."""

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from donuts_referee.arena.ladder import FEW, WIDE, LadderFault
from donuts_referee.arena.standings import read_standings, report, table
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import RecordsFault

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

REMEDY = f"name the directory of records of an arena or of `donuts play`, or its {JOURNAL}"

EPILOG = f"""\
rating: openskill's, on the scale of chess. Everyone begins at 1500; of two settled bots 400 points apart the stronger
is expected to score ten to one. The strength lies with about 95 % within the points of the column +-. A new version of
a bot (the ver of its hello) has a row of its own, which begins with the latest rating of its seat and the widest +-.
order: by rating, the settled rows first. A ? marks a provisional row: fewer than {FEW} games, or +- over {WIDE:.0f}.
Void games count in the column void alone; who has no other game has no row.
exit codes: 0 printed, 2 there is no journal or it cannot be read
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "standings",
        help="who stands where",
        description="The standings of all games of a journal: rating, games, score and faults of each bot and version.",
        epilog=EPILOG,
    )
    parser.add_argument("dir", metavar="DIR", help=f"a directory of records, or its {JOURNAL}")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the standings; UsageFault when there is no journal or it cannot be read."""
    path = _journal(args.dir)
    try:
        standings = read_standings(path)
    except (LadderFault, RecordsFault) as fault:
        raise UsageFault(plain(str(fault))) from None
    for torn in standings.torn:
        sys.stderr.write(
            f"donuts: {plain(str(path))}:{torn.line}: a game that was never finished ({torn.size} bytes), skipped\n"
        )
    if args.json:
        print(json.dumps(msgspec.to_builtins(report(standings, path))))
    else:
        encoding = sys.stdout.encoding or "ascii"
        sys.stdout.write(table(standings).encode(encoding, "backslashreplace").decode(encoding))
    return ExitCode.OK


def _journal(word: str) -> Path:
    """The journal that DIR names."""
    path = Path(word)
    try:
        if path.is_dir():
            path = path / JOURNAL
            if not path.exists():
                raise UsageFault(f"{plain(word)} holds no {JOURNAL}; {REMEDY}")
        elif not path.exists():
            raise UsageFault(f"there is no {plain(word)}; {REMEDY}")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageFault(f"cannot look at {plain(word)}: {reason}; {REMEDY}") from None
    if path.suffix.lower() == ".pgn":
        raise UsageFault(f"{plain(word)} is a PGN file, which knows no versions and no faults; {REMEDY}")
    return path
