"""`donuts verify`: goes through an event or a journal and names the first line that does not hold."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from donuts_referee.cli.extras import absent
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.folder import refuse_event_file
from donuts_referee.cli.opened import plain
from donuts_referee.cli.reading import whole
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import RecordsFault

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers
    from donuts_referee.competition.audit.finding import Audit

__all__ = ["add_parser", "run"]

EPILOG = """\
What is checked: the chain of hashes from line to line; every move, flip, row and group by the rules; every answer
against what the bot sent; every clock from the times used; every verdict, as far as a record tells; the schedule and
both games of an encounter; that the games of games.pgn are those of the journal; of a zip file also that standings
follow from it, and that no file was added, changed or taken away.

The last link of the chain stands for the whole journal. Whoever was told it when the event ended, and finds the same
one here, has the same journal; without that, a journal that was written anew from its first line cannot be told.

exit codes: 0 it holds, 1 it does not (one line says where), 2 there is nothing of the kind
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "verify",
        help="check an event, line by line",
        description="Checks an event.zip that `donuts export` wrote, a directory of records, or a journal, and names "
        "the first line\nthat does not hold.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("path", metavar="EVENT.zip|DIR|JOURNAL", help="what to check")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument(
        "--workers",
        type=whole(0, 64),
        metavar="N",
        help="processes that judge games (default: one per processor)",
    )


def run(args: argparse.Namespace) -> int:
    """Check it and say what was found; UsageFault when there is nothing to check."""
    from donuts_referee.competition.audit.auditing import audit

    refuse_event_file(args.path)
    _refuse_pgn(Path(args.path))
    try:
        found = audit(Path(args.path), workers=args.workers)
    except RecordsFault as fault:
        raise UsageFault(plain(str(fault))) from None
    except ModuleNotFoundError as fault:
        # standings and sequential tests need numpy, and nothing else here does
        if fault.name not in ("numpy", "scipy"):
            raise
        raise absent(fault.name, "tournament") from None
    if args.json:
        print(msgspec.json.encode(found).decode())
    else:
        print("\n".join(plain(line) for line in _words(args.path, found)))
    return ExitCode.OK if found.holds else ExitCode.FAULTED


def _refuse_pgn(path: Path) -> None:
    """UsageFault for a PGN file: it is none of what can be checked, which must not look like a fault of its games."""
    if path.suffix.lower() == ".pgn" and path.is_file():
        raise UsageFault(
            f"{plain(str(path))} is a PGN file, which has no chain, no answers and no times to check; "
            f"name the folder of the records or its {JOURNAL} (`donuts replay` plays its moves over)"
        )


def _words(path: str, found: "Audit") -> list[str]:
    if not found.holds:
        return [f"{path} DOES NOT HOLD", f"{found.place}: {found.fault}"]
    void = f", {found.voids} void" if found.voids else ""
    lines = [
        f"{path} holds: {found.games} game{'' if found.games == 1 else 's'}{void}",
        f"  games: {found.plies} moves played over; answers, clocks and verdicts are right",
    ]
    if found.chain is not None:
        lines.append(f"  the chain is whole and ends in {found.chain}")
    lines += [f"  {one}" for one in found.checked]
    lines += [f"  not checked: {one}" for one in found.unchecked]
    return lines
