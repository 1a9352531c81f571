"""`donuts tournament`: run a competition that a file describes, or go on with it from where it stood."""

import argparse
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from donuts_referee.channels.affinity import allowed
from donuts_referee.channels.link import Shortage
from donuts_referee.cli.event_file import EVENT, event_file
from donuts_referee.cli.extras import need
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault, unwritable
from donuts_referee.cli.folder import room
from donuts_referee.cli.interrupt import caught
from donuts_referee.cli.opened import plain
from donuts_referee.cli.reading import whole
from donuts_referee.cli.stage import Stage

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers
    from donuts_referee.competition.books import EventBooks
    from donuts_referee.competition.event import Event
    from donuts_referee.competition.happenings import Onlooker
    from donuts_referee.competition.job import Executor
    from donuts_referee.competition.runner import Outcome

__all__ = ["add_parser", "run"]

DEFAULT = EVENT

MOST_WORKERS = 1024

DESCRIPTION = f"""\
Runs the competition that EVENT describes: who plays, in which format, on which boards, by which rules. Begin with

  donuts tournament --init                 writes a commented {DEFAULT} to start from
  donuts tournament {DEFAULT} --plan     games, hours, cores and disk, before anything is played
  donuts tournament {DEFAULT}            plays it

The same command goes on where a run was ended, however it was: no game is lost and none is played twice. Bots may be
added to the file, or withdrawn in it, while it runs. What is kept (journal, PGN, event.json) is what `standings`,
`crosstable`, `compare`, `export`, `verify`, `rerun`, `replay` and `explain` read.
"""

EPILOG = """\
exit codes:
  0    everything is played            1    on_fault = "stop" and a bot faulted, or frozen files were changed
  2    usage or configuration          4    a fault of this program or of its workers
  130  Ctrl-C: games under way are void and will be played again; the command to go on is printed
  143  SIGTERM (129 SIGHUP), as 130
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "tournament",
        help="run a competition that a file describes, or go on with it",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="donuts tournament [EVENT] [options]",
    )
    parser.add_argument(
        "event",
        nargs="?",
        metavar="EVENT",
        help=f"the file, or the folder of {DEFAULT} (with --init: default {DEFAULT})",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--init", action="store_true", help="write a commented event file and play nothing")
    what.add_argument("--plan", action="store_true", help="say what it will take, after a few probe games")
    running = parser.add_argument_group("how the games are run")
    running.add_argument(
        "--workers",
        type=whole(1, MOST_WORKERS),
        metavar="N",
        help="games at once (default: what the file says, else half the processors)",
    )
    running.add_argument(
        "--executor",
        choices=("local", "dask"),
        default="local",
        help="play on this machine (default), or on a Dask cluster",
    )
    running.add_argument(
        "--scheduler", metavar="ADDRESS", help="the cluster's scheduler, such as tcp://host:8786"
    )
    shown = parser.add_argument_group("what is shown")
    shown.add_argument(
        "--events", metavar="FILE", help="add what happens to FILE as JSON lines (-: to stdout)"
    )
    shown.add_argument("--quiet", action="store_true", help="show nothing but the standings at the end")


class _Signals:
    """How often SIGINT, SIGTERM or SIGHUP asked the event to end, and by which signal first."""

    def __init__(self) -> None:
        self.count = 0
        self.first: int | None = None

    def catch(self, number: int, frame: FrameType | None) -> None:
        """The handler; what a signal ends is looked after by the runner, and by hooks."""
        self.count += 1
        self.first = number if self.first is None else self.first

    def counted(self) -> int:
        """How often."""
        return self.count


def run(args: argparse.Namespace) -> int:
    """Do it; UsageFault on anything wrong before the first game."""
    if args.init:
        return _init(Path(args.event or DEFAULT))
    if args.event is None:
        raise UsageFault(
            f"which event? name its file, as in `donuts tournament {DEFAULT}`; --init writes one to start from"
        )
    if args.scheduler is not None and args.executor != "dask":
        raise UsageFault("--scheduler is for a Dask cluster; say --executor dask too")
    if args.executor == "dask" and args.scheduler is None:
        raise UsageFault("--executor dask needs --scheduler ADDRESS, such as tcp://127.0.0.1:8786")
    event = _read(event_file(args.event))
    if args.plan:
        from donuts_referee.cli.tournament_plan import plan

        return plan(event, _workers(args, event))
    return _play(args, event)


def _init(path: Path) -> int:
    from donuts_referee.competition.template import TEMPLATE

    try:
        with path.open("x") as file:
            file.write(TEMPLATE)
    except FileExistsError:
        raise UsageFault(f"{plain(str(path))} is there already; name another file, or remove it") from None
    except OSError as fault:
        raise UsageFault(
            f"cannot write {plain(str(path))}: {(fault.strerror or str(fault)).lower()}"
        ) from None
    sys.stdout.write(
        f"{plain(str(path))} is written: name your bots in it, then\n  donuts tournament {plain(str(path))}\n"
    )
    return ExitCode.OK


def _read(path: Path) -> "Event":
    need("tournament", "numpy", "scipy", "rich")  # at the end
    from donuts_referee.competition.config import ConfigFault, read_event
    from donuts_referee.teams.freeze import check_frozen

    try:
        event = read_event(path)
    except ConfigFault as fault:
        raise UsageFault(*map(plain, fault.faults)) from None
    changed = check_frozen(event)
    if changed:
        raise UsageFault(*map(plain, changed))
    return event


def _workers(args: argparse.Namespace, event: "Event") -> int:
    """Games at once; a word on stderr where they are more than this machine plays without haste."""
    cores = allowed()
    calm = max(1, cores // 2)
    wanted: int = args.workers or event.running.workers or calm
    if wanted > calm and args.executor == "local":
        sys.stderr.write(
            f"donuts: {wanted} games at once on {cores} processor{'s' if cores > 1 else ''}: a game takes up to two "
            f"at a time, so that bots may take each other's; {calm} at once would be fair\n"
        )
    return wanted


def _play(args: argparse.Namespace, event: "Event") -> int:
    from donuts_referee.cli.tournament_live import LiveTable, onlooker
    from donuts_referee.competition.books import EventBooks
    from donuts_referee.competition.onlooking import Onlookers
    from donuts_referee.competition.runner import Runner
    from donuts_referee.records.faults import RecordsFault
    from donuts_referee.records.lock import FolderTaken
    from donuts_referee.teams.frozen import FrozenWatch

    aside = Stage(sys.stderr, lambda: None)
    stage = aside if args.events == "-" else Stage(sys.stdout, lambda: None)

    _check_hooks(event)
    signals = _Signals()
    frozen = FrozenWatch(event.file).changed
    table: LiveTable | None = None

    def note(text: str) -> None:
        if table is not None:  # it draws on the terminal that the note would go to
            table.note(text)
        else:
            aside.write(f"donuts: {plain(text)}\n")

    with ExitStack() as stack:
        try:
            books = stack.enter_context(EventBooks(event))
            for torn in books.kept.torn:
                note(
                    f"{books.folder}: line {torn.line} is a game that was never finished ({torn.size} bytes), skipped"
                )
            executor = _executor(args, event, books, note)
            stack.callback(executor.close)
            looking = [*_onlookers(args, event, books, note, signals)]
            if not args.quiet:
                shown = onlooker(stage)
                looking.append(shown)
                table = shown if isinstance(shown, LiveTable) else None
            onlookers = Onlookers(looking, note)
            stack.callback(onlookers.close)
            with caught(signals.catch):
                with stack.pop_all():  # all is closed while signals are counted: hooks may be waited for
                    outcome = Runner(event, books, executor, onlookers, note, signals.counted, frozen).run()
                if stage.fault is not None:
                    raise unwritable(stage.name, stage.fault)
                return _ended(outcome, args, event, stage, signals)
        except (RecordsFault, FolderTaken) as fault:
            raise UsageFault(plain(str(fault))) from None
        except OSError as fault:
            if fault.filename is None:
                raise
            raise UsageFault(
                f"cannot write {plain(str(fault.filename))}: {(fault.strerror or str(fault)).lower()}"
            ) from None


def _check_hooks(event: "Event") -> None:
    from donuts_referee.competition.event import Hooks
    from donuts_referee.competition.hooks import unrunnable

    if event.running.hooks != Hooks() and (faults := unrunnable(event)):
        raise UsageFault(*map(plain, faults))


def _executor(
    args: argparse.Namespace, event: "Event", books: "EventBooks", note: "Callable[[str], None]"
) -> "Executor":
    if args.executor == "dask":
        need("dask", "distributed")
        from donuts_referee.competition.cluster import Cluster, ClusterFault

        try:
            return Cluster(args.scheduler, note)
        except ClusterFault as fault:
            raise UsageFault(plain(str(fault))) from None
    from donuts_referee.competition.local import LocalWorkers

    running = event.running
    try:
        return LocalWorkers(
            _workers(args, event), books.folder, affinity=running.affinity, stagger=running.stagger
        )
    except Shortage as lack:
        raise UsageFault(str(lack)) from None


def _onlookers(
    args: argparse.Namespace,
    event: "Event",
    books: "EventBooks",
    note: "Callable[[str], None]",
    signals: _Signals,
) -> "Iterator[Onlooker]":
    from donuts_referee.competition.event import Hooks
    from donuts_referee.competition.hooks import HookRunner
    from donuts_referee.competition.stream import open_stream

    if args.events is not None:
        if args.events != "-" and Path(args.events).resolve().parent == books.folder.resolve():
            raise UsageFault(f"--events {plain(args.events)} is among the records; name a file elsewhere")
        yield open_stream(args.events)
    if event.running.hooks != Hooks():
        yield HookRunner(event.running.hooks, event.file.parent, books.folder, note, signals.counted)


def _ended(
    outcome: "Outcome", args: argparse.Namespace, event: "Event", stage: Stage, signals: _Signals
) -> int:
    """Print the standings, what can be done with them, and where something is left, why and how to go on.

    Returns the exit code.
    """
    from donuts_referee.competition.reading import read_event
    from donuts_referee.competition.runner import Ending
    from donuts_referee.competition.standings import report, table

    kept = read_event(event.records)
    stage.write(table(report(kept), room(stage.stream)))
    over = outcome.ending is Ending.OVER
    if not args.quiet:
        stage.write(_next(event.records, over=over))
    if over:
        return ExitCode.OK
    if outcome.text:
        stage.write(f"ended early: {plain(outcome.text)}\n")
    stage.write(f"to go on: {shlex.join(['donuts', *_command(args)])}\n")
    if outcome.ending is Ending.STOPPED:
        return ExitCode.FAULTED
    if outcome.ending is Ending.FAILED:
        return ExitCode.INTERNAL
    if signals.first in (None, signal.SIGINT):
        return ExitCode.INTERRUPTED
    raise Terminated(signals.first)


def _next(records: Path, *, over: bool) -> str:
    """Where the records are and, of an event that is over, what is made of them."""
    folder = str(records.relative_to(Path.cwd())) if records.is_relative_to(Path.cwd()) else str(records)
    told = f"records: {plain(folder)}\n"
    if over:
        site = shlex.join(["donuts", "standings", folder, "--html", "site"])
        export = shlex.join(["donuts", "export", folder, f"{records.name.removesuffix('-records')}.zip"])
        told += f"a site to look at: {plain(site)}\nall in one file: {plain(export)}\n"
    return told


def _command(args: argparse.Namespace) -> list[str]:
    words = ["tournament", args.event]
    for option in ("workers", "scheduler", "events"):
        if getattr(args, option) is not None:
            words += [f"--{option}", str(getattr(args, option))]
    if args.executor != "local":
        words += ["--executor", args.executor]
    return words + (["--quiet"] if args.quiet else [])
