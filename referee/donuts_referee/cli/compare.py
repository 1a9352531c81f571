"""`donuts compare`: two bots head to head."""

import argparse
import json
from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import msgspec

from donuts_referee.cli import folder
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.opened import plain

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

EPILOG = """\
The difference is on the scale of Elo: 400 points are ten to one. It lies with 95 % within the points after +-; LOS is
the likelihood that A is the stronger. An encounter is two games on one opening with sides swapped; its two results are
never taken for independent. The sequential tests (SPRT) look at the encounters in their order, with +0 against +10
points and risks of 5 %, on the logistic scale and on the normalized one, where draws do not stretch a test.
exit codes: 0 printed, 2 there is no journal, it cannot be read, or it has no such bot
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "compare",
        help="two bots head to head",
        description="What two bots made against each other and what it says of their strength.",
        epilog=EPILOG,
    )
    parser.add_argument("dir", metavar="DIR", help=folder.DIR)
    parser.add_argument("one", metavar="A", help="a bot, by its name in the records")
    parser.add_argument("other", metavar="B", help="another")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Print the comparison; UsageFault when there is no journal, it cannot be read, or it has no such bot."""
    results = folder.results(args.dir)
    for word in (args.one, args.other):
        if word not in results.bots:
            raise UsageFault(_unknown(word, results.bots, args.dir))
    if args.one == args.other:
        raise UsageFault(f"{plain(args.one)} is named twice; name two bots")
    from donuts_referee.competition.comparison import compare, comparison_text

    told = compare(results, args.one, args.other)
    if args.json:
        print(json.dumps(msgspec.to_builtins(told)))
    else:
        folder.print_text(comparison_text(told, folder.room()))
    return ExitCode.OK


def _unknown(word: str, bots: Sequence[str], where: str) -> str:
    near = get_close_matches(word, bots, 1)
    if near:
        hint = f"did you mean {plain(near[0])}?"
    else:
        hint = f"there are {', '.join(map(plain, bots[:20]))}" + (" ..." if len(bots) > 20 else "")
    return f"there is no bot {plain(word)} in {plain(where)}: {hint}"
