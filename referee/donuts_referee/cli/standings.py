"""`donuts standings`: who stands where, by the rules of an event, or rated from the games of a journal."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from donuts_referee.arena.ladder import FEW, WIDE, LadderFault
from donuts_referee.arena.standings import read_standings, report, table
from donuts_referee.cli import folder
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.contest import DESCRIPTION, JOURNAL
from donuts_referee.records.faults import RecordsFault

if TYPE_CHECKING:
    from donuts_referee.analysis.bots import BotFigures
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

EPILOG = f"""\
The directory of an event (it holds {DESCRIPTION}) has places by the rules of its format, with points, games won, drawn
and lost on either side, faults by kind, and ratings that are computed from all games at once:
  rating   1500 is the middle; 400 points are ten to one. The strength lies with 95 % within the points of the column
           +-, which know that the two games on an opening are not independent.
  LOS      how likely it is that the bot is stronger than the one of the next line; above 97.5 % (or below 2.5 %) the
           two are told apart, since then their difference has the same sign within its 95 %, which are of two sides
  more     about how many more games between these two would tell them apart; - where they are told apart. Not for a
           knockout or a sequential test, which settle places themselves
Below stands who cannot be told apart, and between whom there is no chain of games, so that nothing can be compared.
A terminal that is too narrow has shorter names and fewer columns; into a file or a pipe all are printed.

The games of `donuts play` and of an arena have a ladder instead:
rating: openskill's, on the scale of chess. Everyone begins at 1500; of two settled bots 400 points apart the stronger
is expected to score ten to one. The strength lies with about 95 % within the points of the column +-. A new version of
a bot (the ver of its hello) has a row of its own, which begins with the latest rating of its seat and the widest +-.
order: by rating, the settled rows first. A ? marks a provisional row: fewer than {FEW} games, or +- over {WIDE:.0f}.
Void games count in the column void alone; who has no other game has no row.

--analysis adds how well each bot played by the exact values of 6 x 6 boards, see `donuts analyse`: its accuracy, its
mistakes a game and what it made of won positions; all games of the journal count that are not void.
exit codes: 0 printed, 2 there is no journal or it cannot be read
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "standings",
        help="who stands where",
        description="The standings of an event, or of all games of a journal.",
        epilog=EPILOG,
    )
    parser.add_argument("dir", metavar="DIR", help=folder.DIR)
    parser.add_argument(
        "--analysis",
        action="store_true",
        help="add accuracy, mistakes and won positions; needs the extra solver",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print one JSON object")
    form.add_argument(
        "--csv", action="store_true", help="print a row for each bot, for spreadsheets (events only)"
    )
    form.add_argument(
        "--html", metavar="OUT", help="write a site that can be opened from disk into the directory OUT"
    )


def run(args: argparse.Namespace) -> int:
    """Print the standings; UsageFault when there is no journal or it cannot be read."""
    if args.analysis and args.html is not None:
        raise UsageFault("--analysis and --html: the site has no such columns; give one of them")
    try:
        if args.html is not None:
            _site(args.dir, args.html)
        elif (event := folder.event(args.dir)) is not None:
            _event(event, args)
        else:
            _ladder(args)
    except (LadderFault, RecordsFault) as fault:
        raise UsageFault(plain(str(fault))) from None
    return ExitCode.OK


def _site(word: str, out: str) -> None:
    path = folder.event(word) or folder.journal(word)
    if not path.is_dir() and path.name != JOURNAL:
        raise UsageFault(
            f"{plain(word)} is a file, and a site is written of a directory of records; name that"
        )
    folder.need_numpy()
    from donuts_referee.web.site import write_site

    write_site(path if path.is_dir() else path.parent, Path(out))
    folder.print_text(f"{plain(str(Path(out) / 'index.html'))}\n")


def _event(path: Path, args: argparse.Namespace) -> None:
    folder.need_numpy()
    from donuts_referee.competition import standings
    from donuts_referee.competition.reading import read_event

    kept = read_event(path)
    folder.tell_torn(path, kept.torn)
    told = standings.report(kept)
    played = _figures(path / JOURNAL, args)
    if args.json:
        print(json.dumps(msgspec.to_builtins(told) | _analysis(played)))
    elif args.csv:
        folder.print_text(_widened(standings.csv(told), played))
    else:
        folder.print_text(standings.table(told, folder.room()) + _below(played))


def _ladder(args: argparse.Namespace) -> None:
    path = folder.journal(args.dir)
    if args.csv:
        raise UsageFault(f"--csv is for events, and {plain(args.dir)} holds no {DESCRIPTION}; use --json")
    standings = read_standings(path)
    folder.tell_torn(path, standings.torn)
    played = _figures(path, args)
    if args.json:
        print(json.dumps(msgspec.to_builtins(report(standings, path)) | _analysis(played)))
    else:
        folder.print_text(table(standings) + _below(played))


# --- what --analysis adds; without it nothing of that room is imported -------------------------------------------


def _figures(journal: Path, args: argparse.Namespace) -> "tuple[BotFigures, ...] | None":
    if not args.analysis:
        return None
    from donuts_referee.cli.analysing import figures

    return figures(journal)


def _analysis(played: "tuple[BotFigures, ...] | None") -> dict[str, object]:
    return {} if played is None else {"analysis": msgspec.to_builtins(played)}


def _widened(text: str, played: "tuple[BotFigures, ...] | None") -> str:
    if played is None:
        return text
    from donuts_referee.analysis.table import widened

    return widened(text, played)


def _below(played: "tuple[BotFigures, ...] | None") -> str:
    if played is None:
        return ""
    from donuts_referee.analysis.table import table as table_of

    return f"\n{table_of(played)}"
