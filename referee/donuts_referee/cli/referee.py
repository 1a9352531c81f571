"""`donuts referee`: the referee as a child; the bot is our parent, on our own stdin and stdout (DBP, "as a child")."""

import argparse
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from donuts_referee.channels.drive import Brake
from donuts_referee.cli.conduct import Players, conduct
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.options import add_options, read_options
from donuts_referee.cli.play import channel, entrant, look_up
from donuts_referee.cli.stage import Stage
from donuts_referee.roster import Kind, unique
from donuts_referee.table.entrant import Entrant

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

PARENT = "parent"
"""What the bot on our stdin and stdout is called in records and events."""

DESCRIPTION = """\
Referees a match in which the bot is the program that started us: it writes its messages to our stdin and reads ours
from our stdout. It says hello first and is x in game 1. Only the protocol is on stdout; JSON events and text for people
go to stderr. So ssh, socat, an IDE or a training script can have a referee without being started by one.
"""

EPILOG = """\
examples:
  donuts referee --against donuts:greedy --games 10 --movetime 0.1
  socat EXEC:./mybot EXEC:"donuts referee --against donuts:random"
  ssh host donuts referee --against ./mybot --margin 500

exit codes: as `donuts play`. A fault of the parent that would have its process replaced ends the run: exit 3, and the
other games are not played. End of file from the parent is a crash before the last `end`, and no fault after it.
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "referee",
        help="referee a match against the program that started us",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="donuts referee --against BOT [options]",
    )
    parser.add_argument("--against", required=True, metavar="BOT", help="the opponent, as in `donuts play`")
    add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the match; returns the exit code. UsageFault on anything wrong before it starts."""
    opponent = look_up(args.against)
    if opponent.kind is Kind.HUMAN:
        raise UsageFault("--against human: stdin belongs to the parent here; use `donuts play` at a terminal")
    options = read_options(args)
    first, second = unique(PARENT, opponent.name)
    with closing(channel()) as links:
        parent = Entrant(bot=first, open=links.parent, again=False)
        players = Players(links, parent, entrant(opponent, second, links), needed=parent)
        stage = Stage(sys.stderr, lambda: None)
        return conduct(players, options, stage, stage, Brake())
