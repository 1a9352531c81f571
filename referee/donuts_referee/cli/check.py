"""`donuts check`: asks a bot everything that SPEC.md requires of one, and tells its author what is wrong."""

import argparse
import os
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

from donuts_protocol.escape import shown
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.drive import Brake
from donuts_referee.channels.link import Arrival, Exchange
from donuts_referee.channels.program import Program
from donuts_referee.check.stand import ChildSource, Settings, Stand
from donuts_referee.check.suite import NumberedCheck, UnknownCheck, chosen
from donuts_referee.check.suite import run as made
from donuts_referee.check.talk import Gallery, Switchboard
from donuts_referee.cli.check_report import Report, listing, opening
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault, unwritable
from donuts_referee.cli.interrupt import interruptible
from donuts_referee.cli.parser import Parser
from donuts_referee.cli.play import channel, look_up
from donuts_referee.cli.reading import whole
from donuts_referee.cli.stage import Stage

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

MARGIN, MARGIN_LOCAL = 50, 100
"""ms of margin over pipes, and at a loopback address (DBP-8.7); nobody dials in from elsewhere, for want of keys"""

DESCRIPTION = """\
Starts a bot and asks it everything that the protocol (SPEC.md) requires of one: a line for each check, and for each
that fails what was sent, what came, and what would be right. BOT is a program and its arguments, or any word that
`donuts play` knows: a folder with a bot.toml among them.

It takes under a minute for a bot that answers at once, and minutes for one that is slow or keeps silent. One fault is
told once: a check that fails by what another has told of already is "not reached".

With --connect the checker waits at ENDPOINT for a bot that dials in by ZeroMQ. It starts BOT for that, where one is
given; {endpoint} among its words stands for ENDPOINT with the port that was taken.
"""

EPILOG = """\
examples:
  donuts check -- ./mybot --depth 4
  donuts check teams/alpha
  donuts check --only legal,time-50 -- mybot.py
  donuts check --connect 'tcp://127.0.0.1:*' --encoding msgpack -- ./mybot --connect {endpoint}
  donuts check --list

exit codes: 0 nothing is wrong, 1 a check failed, 2 usage, 3 the bot could not be started or ended before hello
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "check",
        help="check a bot against the protocol",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="donuts check [options] -- BOT [ARG ...]",
    )
    assert isinstance(parser, Parser)
    parser.tail = "bot"
    parser.add_argument("words", nargs="*", metavar="BOT", help="the bot; its own options come after --")
    parser.add_argument("--connect", metavar="ENDPOINT", help="let the bot dial in here")
    parser.add_argument(
        "--encoding", choices=("text", "msgpack"), help="what the bot must speak (default: what it chooses)"
    )
    parser.add_argument("--only", metavar="IDS", help="make these checks alone: ids or numbers, with commas")
    parser.add_argument("--soak", action="store_true", help="the long forms: 200 games, 15 s of silence")
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object for each check, and a summary as the last one",
    )
    parser.add_argument("--list", action="store_true", help="list the checks and make none")
    parser.add_argument(
        "--hello",
        type=whole(1, 3600),
        default=30,
        metavar="SECONDS",
        help="how long to wait for hello, and for a bot to dial in (default 30, as SPEC.md has it)",
    )
    parser.add_argument(
        "--margin",
        type=whole(0, 60_000),
        metavar="MS",
        help=f"ms over a limit that are forgiven; more for a busy machine (default {MARGIN}, with --connect "
        f"{MARGIN_LOCAL})",
    )


def run(args: argparse.Namespace) -> int:
    """Make the checks; UsageFault on anything wrong before that."""
    selection = _selection(args.only)
    if args.list:
        sys.stdout.write(listing(selection, json=args.json))
        return ExitCode.OK
    program = _program([*args.words, *args.bot])
    if program is None and args.connect is None:
        raise UsageFault("check needs a bot: name it after --, as in `donuts check -- ./mybot`")
    brake = Brake()
    stage = Stage(sys.stdout, brake.pull)
    code = ExitCode.OK
    with closing(channel()) as links, interruptible(brake) as interruption:
        try:
            with _stand(args, program, links, brake) as stand:
                if not args.json:
                    _say(opening(len(selection)))
                code = _report(stand, selection, Report(stage, json=args.json, whole=args.only is None))
        except KeyboardInterrupt:
            if interruption.number not in (None, signal.SIGINT):
                raise Terminated(interruption.number) from None
            if interruption.number is not None or not stage.left:
                raise
    if stage.fault is not None:
        raise unwritable(stage.name, stage.fault)
    return ExitCode.PIPE if stage.left else code


def _selection(only: str | None) -> tuple[NumberedCheck, ...]:
    words = [word.strip() for word in (only or "").split(",") if word.strip()]
    if only is not None and not words:
        raise UsageFault("--only names no check; `donuts check --list` names them all")
    try:
        return chosen(words)
    except UnknownCheck as fault:
        raise UsageFault(f"--only: {shown(str(fault), None)}") from None


def _program(words: Sequence[str]) -> Program | None:
    """The program of a bot; a single word may be the name of one or a whole command line. None: no words."""
    if not words:
        return None
    line = words[0]
    if len(words) > 1:
        line = subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
    entry = look_up(line)
    if entry.program is None:
        raise UsageFault("check takes a program; for a bot that dials in say --connect ENDPOINT")
    return entry.program


class _Braked:
    """An exchange whose waits end when the brake is pulled."""

    def __init__(self, exchange: Exchange, brake: Brake) -> None:
        self.now = exchange.now
        self._exchange = exchange
        self._brake = brake

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        """See `Exchange.wait`."""
        brake = self._brake
        brake.waiting = True
        try:
            if brake.pulled:
                raise KeyboardInterrupt
            return self._exchange.wait(deadline)
        finally:
            brake.waiting = False


@contextmanager
def _stand(
    args: argparse.Namespace, program: Program | None, links: Channel, brake: Brake
) -> Iterator[Stand]:
    gallery = Gallery()
    settings = Settings(hello=args.hello * 1000, encoding=args.encoding, soak=args.soak)
    if args.connect is not None:
        with _dialled(args, program, links, gallery, settings, brake) as stand:
            yield stand
        return
    assert program is not None
    board = Switchboard(_Braked(links, brake))
    stand = Stand(
        board, ChildSource(links, board, program, gallery), gallery, _forgiving(settings, args, MARGIN)
    )
    with closing(stand):
        yield stand


@contextmanager
def _dialled(
    args: argparse.Namespace,
    program: Program | None,
    links: Channel,
    gallery: Gallery,
    settings: Settings,
    brake: Brake,
) -> Iterator[Stand]:
    try:
        import zmq  # noqa: F401
    except ModuleNotFoundError:
        raise UsageFault("pyzmq is not installed: pip install pyzmq") from None
    from pathlib import Path

    from donuts_referee.arena.ipc import IpcFault, prepare
    from donuts_referee.channels.router import BindFault
    from donuts_referee.check.dialled import DialSource
    from donuts_referee.check.doorway import Doorway
    from donuts_referee.endpoints import EndpointFault, parse_endpoint

    try:
        endpoint = parse_endpoint(args.connect, binding=True).resolved(Path.cwd())
        if endpoint.curve:
            raise UsageFault(
                "--connect: the checker has no keys; use a loopback address, such as tcp://127.0.0.1:*"
            )
        prepare(endpoint)
        doorway = Doorway(links, endpoint.text)
    except (EndpointFault, BindFault, IpcFault) as fault:
        raise UsageFault(f"--connect: {fault}") from None
    source = DialSource(
        _Braked(doorway, brake),
        doorway,
        links,
        program,
        gallery,
        settings.hello,
        _say,
    )
    with closing(Stand(source.board, source, gallery, _forgiving(settings, args, MARGIN_LOCAL))) as stand:
        yield stand


def _forgiving(settings: Settings, args: argparse.Namespace, usual: int) -> Settings:
    return settings._replace(margin=usual if args.margin is None else args.margin)


def _say(line: str) -> None:
    """To the person who waits; who does not listen misses nothing of the report."""
    Stage(sys.stderr, lambda: None).write(f"donuts: {line}\n")


def _report(stand: Stand, selection: Sequence[NumberedCheck], report: Report) -> ExitCode:
    began = stand.board.now()
    try:
        for verdict in made(stand, selection):
            report.show(verdict)
    except KeyboardInterrupt:  # what was found by now is worth the wait that was broken off
        report.close((stand.board.now() - began) / 1e9, broken_off=True)
        raise
    summary = report.close((stand.board.now() - began) / 1e9)
    if stand.absent:
        return ExitCode.START
    return ExitCode.FAULTED if summary.failed else ExitCode.OK
