"""`donuts join`: any bot on pipes holds a seat at an arena that is dialled by ZeroMQ."""

import argparse
import os
import shlex
import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_protocol import text
from donuts_protocol.errors import InvalidMessage
from donuts_protocol.escape import shown
from donuts_protocol.invitation import MOST, Invitation, InvitationFault, parse, render
from donuts_protocol.messages import Hello
from donuts_referee.channels.drive import Brake, drive
from donuts_referee.channels.program import Program
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault
from donuts_referee.cli.interrupt import interruptible
from donuts_referee.cli.parser import Parser
from donuts_referee.cli.play import channel, look_up
from donuts_referee.cli.reading import whole
from donuts_referee.cli.stage import Stage
from donuts_referee.endpoints import EndpointFault, parse_endpoint
from donuts_referee.joining.ends import Seating

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

VARIABLE = "DONUTS_SEAT"
"""where the token may be, if there is no join file"""

DESCRIPTION = """\
Lets a bot on pipes, of any language and either encoding, hold a seat at an arena: it is started as `donuts play` would
start it, and what it says goes to the arena and back unchanged. Lost connections are made anew without its knowing; it
is started again when it ends. Its stderr is shown here.

ENDPOINT is the arena, tcp://HOST:PORT or ipc://PATH; a join file has one too. The seat is claimed by the join file, or
by a token in the environment variable DONUTS_SEAT; never by a word of the command line, which others can see.

BOT is looked up as in `donuts play`: donuts:greedy, a name of bots.toml, or a program and its arguments.
"""

EPILOG = """\
examples:
  donuts join --seat-file alice.join.toml -- ./mybot --depth 4
  donuts join tcp://127.0.0.1:7464 --name alice -- mybot.py
  donuts join ipc://arena.sock --games 10 --tc 10+0.1 -- donuts:greedy

exit codes:
  0    the arena is done with the bot, or --games are played
  2    usage or configuration
  3    the bot does not start or ends again and again, or the arena sent it away for good: a line says why
  130  Ctrl-C: bye to both sides        143  SIGTERM (129 SIGHUP), as 130
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "join",
        help="let a bot on pipes hold a seat at an arena",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="donuts join [ENDPOINT] [options] -- BOT [ARG ...]",
    )
    assert isinstance(parser, Parser)
    parser.tail = "bot"
    parser.add_argument("endpoint", nargs="?", metavar="ENDPOINT", help="where the arena is")
    parser.add_argument("--seat-file", type=Path, metavar="FILE", help="the join file of the seat")
    parser.add_argument(
        "--name", help="the name to sit down under (default: that of the join file, or the bot's own)"
    )
    parser.add_argument(
        "--games",
        type=whole(1, 1_000_000_000),
        metavar="N",
        help="leave after N games (default: stay); an arena plays them in pairs, so an even N leaves none undone",
    )
    parser.add_argument("--tc", metavar="TC", help="the time control to wish for, such as 10+0.1")
    parser.add_argument("--quiet", action="store_true", help="show the bot's stderr and faults only")


def run(args: argparse.Namespace) -> int:
    """Hold the seat; returns the exit code. UsageFault on anything wrong before the bot is started."""
    if not args.bot:
        raise UsageFault(
            "join needs a bot: name it after --, as in `donuts join tcp://127.0.0.1:7464 -- ./mybot`"
        )
    invitation = _invitation(args)
    seating = Seating(
        invitation.endpoint, args.name or invitation.name, invitation.token, args.tc, args.games
    )
    _check(seating)
    return _hold(seating, invitation, _program(args.bot), quiet=args.quiet)


def _hold(seating: Seating, invitation: Invitation, program: Program, *, quiet: bool) -> int:
    try:
        from donuts_referee.joining.dealer import Dealer
    except ModuleNotFoundError as missing:
        if missing.name != "zmq":
            raise
        raise UsageFault("pyzmq is not installed: pip install pyzmq") from None
    from donuts_referee.joining.echo import Echo
    from donuts_referee.joining.running import Post
    from donuts_referee.joining.running import run as steps

    aside = Stage(sys.stderr, lambda: None)

    def tell(line: str) -> None:
        if not quiet:
            aside.write(f"donuts: {line}\n")

    brake = Brake()
    with closing(channel()) as links, interruptible(brake) as interruption:
        dealer = Dealer(invitation)
        post = Post(links, program, dealer, tell, Echo(aside.write))
        try:
            finish = drive(steps(seating, post, dealer, links.now), links, brake)
        except KeyboardInterrupt:
            if interruption.number in (None, signal.SIGINT):
                raise
            raise Terminated(interruption.number) from None
    if not finish.good:
        aside.write(f"donuts: {finish.text}\n")
        return ExitCode.START
    return ExitCode.OK


def _program(words: list[str]) -> Program:
    """The program of a bot; a single word may be the name of one or a whole command line."""
    line = words[0]
    if len(words) > 1:
        line = subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
    entry = look_up(line)
    if entry.program is None:
        raise UsageFault(
            f"join takes a program, and {shown(line)} is none; a person plays with `donuts play human BOT`"
        )
    return entry.program


# --- the seat -----------------------------------------------------------------------------------------------------


def _invitation(args: argparse.Namespace) -> Invitation:
    """What the join file, the command line and the environment say together."""
    invitation = Invitation("") if args.seat_file is None else _read(args.seat_file)
    if args.endpoint is not None:
        invitation = invitation._replace(endpoint=args.endpoint)
    if not invitation.endpoint:
        raise UsageFault(
            "join needs the ENDPOINT of an arena, such as tcp://127.0.0.1:7464, or a --seat-file that has one"
        )
    if invitation.token is None and os.environ.get(VARIABLE):
        invitation = invitation._replace(token=os.environ[VARIABLE])
        try:
            render(invitation)
        except InvitationFault as fault:
            raise UsageFault(f"{VARIABLE}: {fault}") from None
    _check_endpoint(invitation)
    return invitation


def _read(path: Path) -> Invitation:
    name = shown(str(path))
    try:
        with path.open(encoding="utf-8") as file:
            return parse(file.read(MOST + 1))
    except OSError as error:
        raise UsageFault(f"--seat-file {name}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise UsageFault(f"--seat-file {name}: it is not text in UTF-8; is it a join file?") from None
    except InvitationFault as fault:
        raise UsageFault(f"--seat-file {name}: {fault}") from None


def _check_endpoint(invitation: Invitation) -> None:
    """Plain tcp is for loopback addresses only (DBP-11.4)."""
    try:
        local = parse_endpoint(invitation.endpoint, binding=False).local
    except EndpointFault as fault:
        raise UsageFault(f"ENDPOINT: {fault}") from None
    if not local and not invitation.curve:
        raise UsageFault(
            f"{shown(invitation.endpoint)} is no loopback address, and nothing may be said there in the clear: "
            "use a join file with keys (--seat-file), which the arena's operator issues"
        )


def _check(seating: Seating) -> None:
    """What the bot's `hello` cannot hold is refused before the bot is started."""
    try:
        text.encode(seating._replace(token=None).hello(Hello(donuts="1-1", name="bot")))
    except InvalidMessage as fault:
        option = {"name": "--name", "tc": "--tc"}.get(fault.key, fault.key)
        raise UsageFault(f"{option}: {fault.reason}") from None
