"""`donuts play`: a match between two bots, or a bot and a person, in the terminal."""

import argparse
import sys
from contextlib import closing
from typing import TYPE_CHECKING

from donuts_referee.channels.choose import Channel, UnknownChannel, exchange
from donuts_referee.channels.containment import contain
from donuts_referee.channels.drive import Brake
from donuts_referee.cli import remote
from donuts_referee.cli.conduct import Players, conduct
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.options import MARGIN, add_options, read_options
from donuts_referee.cli.stage import Stage
from donuts_referee.roster import Entry, Kind, RosterFault, find, unique
from donuts_referee.table.entrant import Entrant

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "channel", "entrant", "look_up", "run"]

DESCRIPTION = """\
Plays a match between two bots, judges it and keeps records.

A BOT is looked up in this order:
  human             a person at this terminal
  donuts:random     a bot that comes with the arena; so do donuts:greedy, donuts:alphabeta and donuts:mcts, the
                    last two with levels from weak to strong: donuts:alphabeta:1 ... donuts:alphabeta:5;
                    and donuts:perfect, which makes no mistake on 6 x 6 (needs numba)
  zmq:NAME          a bot that dials in by ZeroMQ (see --listen), called NAME
  NAME              a name in bots.toml of this directory ([bots.NAME] run = "./mybot -x")
  FOLDER            a folder with a bot.toml, as teams hand them in: its command, cwd, env, limits and name
  "COMMAND LINE"    a program of your own: "./mybot -x", mybot.py (this Python), mybot.jar (java)

Games come in pairs: the same board with sides swapped; the first BOT is x in game 1.
"""

EPILOG = """\
examples:
  donuts play donuts:greedy donuts:random --watch
  donuts play "./mybot --depth 4" donuts:greedy --games 100 --movetime 0.1
  donuts play alpha beta --size 9 --tc 30+0.5 --seed 7 --json
  donuts play teams/alpha teams/beta --games 10      two folders with a bot.toml
  donuts play human donuts:greedy
  donuts play zmq:alice mybot.py --games 10          alice dials in: donuts join ... -- ./herbot
  donuts play mybot.py donuts:random --tc inf --wire wire     a bot under a debugger

exit codes:
  0    every game has a verdict        1    with --strict: a bot faulted
  2    usage or configuration          3    a bot would not start (before 0 and 1); a record says why
  4    a fault of this program         130  Ctrl-C: records kept, the unfinished game is void;
                                            also when a person quits and games are left
  143  SIGTERM (129 SIGHUP), as 130    141  the reader of stdout went away, as 130
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "play",
        help="play a match between two bots",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="donuts play BOT BOT [options]",
    )
    parser.add_argument("bots", nargs=2, metavar="BOT", help="who plays, see above")
    add_options(parser)
    parser.add_argument("--watch", action="store_true", help="draw the board after each move")
    remote.add_options(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Play the match; returns the exit code. UsageFault on anything wrong before it starts."""
    first, second = look_up(args.bots[0]), look_up(args.bots[1])
    person = Kind.HUMAN in (first.kind, second.kind)
    names = unique(first.name, second.name)
    dialling = [name for entry, name in zip((first, second), names, strict=True) if entry.kind is Kind.REMOTE]
    if len(dialling) == 2 and first.name == second.name:
        raise UsageFault(
            f"zmq:{first.name} is named twice: a seat has one bot; name two, such as zmq:alice zmq:bob"
        )
    if person and dialling:
        raise UsageFault("a person and a bot that dials in cannot meet here; give the person a bot on pipes")
    if not dialling and (args.listen is not None or args.seats is not None):
        raise UsageFault("--listen and --seats are for bots that dial in: name one as zmq:NAME")
    options = read_options(args, person=person, margin=remote.margin(args) if dialling else MARGIN)
    if person and args.tc is None and args.movetime is None:
        sys.stderr.write("no clock runs, since a person plays and no --tc was given\n")
    with closing(channel()) as links:
        brake = Brake()
        stage, aside = Stage(sys.stdout, brake.pull), Stage(sys.stderr, lambda: None)
        if dialling:
            with remote.opened(dialling, args, links) as door:
                one, other = (
                    door.entrants.get(name) or entrant(entry, name, links)
                    for entry, name in zip((first, second), names, strict=True)
                )
                return conduct(Players(door.exchange, one, other), options, stage, aside, brake)
        if person:
            from donuts_referee.cli.person import seats

            entrants = seats((first, second), names, links, aside if args.json else stage)
        else:
            entrants = entrant(first, names[0], links), entrant(second, names[1], links)
        return conduct(Players(links, *entrants, person=person), options, stage, aside, brake)


def look_up(text: str) -> Entry:
    """The bot that `text` means; UsageFault when there is none."""
    try:
        return find(text)
    except RosterFault as fault:
        raise UsageFault(str(fault)) from None


def entrant(entry: Entry, name: str, links: Channel) -> Entrant:
    """A program as an entrant called `name`, started anew as often as a match needs it."""
    program = entry.program
    assert program is not None
    return Entrant(bot=name, open=lambda: links.spawn(program), argv=program.argv, digest=program.digest())


def channel() -> Channel:
    """The exchange of this system, with which nothing that a bot leaves behind stays (DBP-10.7).

    UsageFault when DONUTS_CHANNEL asks for one that there is not.
    """
    contain()
    try:
        return exchange()
    except UnknownChannel as fault:
        raise UsageFault(str(fault)) from None
