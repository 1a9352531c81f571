"""Where `donuts` begins: looks at the first word, imports that one command, runs it and words every failure.

A command is a module of this package with `add_parser(subparsers)` and `run(args) -> int`. Only the module that is
asked for is imported, so that `donuts play` does not pay for the others.
"""

import errno
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from donuts_referee.channels.link import Shortage
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault, unwritable

if TYPE_CHECKING:
    import argparse

    from donuts_referee.cli.parser import Subparsers

COMMANDS: dict[str, str] = {
    "play": "play a match between two bots",
    "tournament": "run a competition that a file describes, or go on with it",
    "arena": "bots dial in, hold a seat and play a ladder: serve, seats, status ...",
    "board": "show a board: by number, by seed or by layout",
    "perft": "count the move sequences of a board",
    "position": "show a position and judge it",
    "solve": "who wins a board or a position under best play, and by which moves",
    "replay": "step through the games of a record",
    "standings": "who stands where, rated from the games of a record",
    "crosstable": "who made how many points against whom",
    "compare": "two bots head to head: score, strength, how sure that is",
    "export": "pack an event for others, or one bot's games for its author",
    "verify": "check an event, line by line: moves, verdicts, clocks, the chain of hashes",
    "rerun": "play a game of a record again and show where it differs",
    "analyse": "what was right and wrong in a game, move by move, and how well each bot played",
    "explain": "explain a verdict: the clause, the lines, the clocks",
    "check": "check a bot against the protocol: what is wrong, and what would be right",
    "intake": "build and check the bots of all teams, with a private report for each",
    "freeze": "record every file of the teams, so that an event plays nothing else",
    "probe": "ask a bot one turn of a record again",
    "referee": "referee a match on our own stdin and stdout: the parent is the bot",
    "join": "let a bot on pipes hold a seat at an arena",
    "engine": "the rules as a service on stdin and stdout",
    "new": "write a starter bot in a language of your choice",
    "bench": "measure the referee",
}
"""Every command with the line that `donuts` prints for it."""

UNWRITABLE = {getattr(errno, name, None) for name in ("ENOSPC", "EDQUOT", "EFBIG", "EIO", "EBADF")} - {None}
"""What the system says of a stdout on a full disk or opened for reading; books have their own words for it."""

EXAMPLES = """\
examples:
  donuts play donuts:greedy donuts:random --watch
  donuts play "./mybot -x" donuts:greedy --games 100 --movetime 0.1
  donuts play human donuts:greedy
  donuts explain donuts-records/journal.jsonl
"""


class Command(Protocol):
    """What a command's module offers."""

    def add_parser(self, subparsers: "Subparsers") -> object:
        """Add the command's parser, with its help, to `subparsers`."""
        ...

    def run(self, args: "argparse.Namespace") -> int:
        """Do it; returns the exit code."""
        ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line `argv` (default: that of the process) and return its exit code, see `ExitCode`."""
    words = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    try:
        code = _guarded(lambda: _dispatch(words))
    except BrokenPipeError:
        _forget(1)
        return ExitCode.PIPE
    for stream, number in ((sys.stdout, 1), (sys.stderr, 2)):
        try:
            stream.flush()
        except OSError:  # what could not be written was told of, as far as that was possible
            _forget(number)
    return code


def _open_closed_streams() -> None:
    """Put the null device where the process was started without a stdin, stdout or stderr.

    Python has None for such a stream, and the next file or pipe to be opened would take its descriptor.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            descriptor = os.open(os.devnull, os.O_RDWR)
            if descriptor != number:
                os.dup2(descriptor, number)
                os.close(descriptor)
            setattr(sys, name, os.fdopen(number, "w" if number else "r", closefd=False))


def _guarded(job: Callable[[], int]) -> int:
    try:
        code = job()
        sys.stdout.flush()
        return code
    except UsageFault as fault:
        for line in fault.lines:
            _say(line)
        return ExitCode.USAGE
    except Shortage as lack:
        _say(str(lack))
        return ExitCode.INTERNAL
    except Terminated as ended:
        return 128 + ended.number
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except BrokenPipeError:
        raise
    except Exception as error:
        if isinstance(error, OSError) and error.errno in UNWRITABLE and error.filename is None:
            _say(str(unwritable("stdout", error)))
            _forget(1)
            return ExitCode.USAGE
        _say(_internal(error))
        raise SystemExit(ExitCode.INTERNAL) from error


def _dispatch(words: list[str]) -> int:
    first = words[0] if words else ""
    if first in COMMANDS:
        return _run(first, words)
    if first in ("", "-h", "--help", "help"):
        sys.stdout.write(_overview())
        return ExitCode.OK
    if first in ("-V", "--version", "version"):
        from donuts_referee.version import __version__

        sys.stdout.write(f"donuts {__version__}\n")
        return ExitCode.OK
    raise UsageFault(_unknown(first))


def _run(name: str, words: list[str]) -> int:
    from donuts_referee.cli.parser import Parser

    command = cast("Command", import_module(f"donuts_referee.cli.{name}"))
    parser = Parser(prog=f"donuts {name}")  # what it refuses itself are words that the command does not know
    command.add_parser(
        cast("Subparsers", parser.add_subparsers(dest="command", required=True, prog="donuts"))
    )
    return command.run(parser.parse_args(words))


def _overview() -> str:
    lines = "".join(f"  {name:<12}{summary}\n" for name, summary in COMMANDS.items())
    return (
        "donuts referees bots that play DONUTS.\n\n"
        f"usage: donuts COMMAND ...     (donuts COMMAND --help says more; donuts --version)\n\n{lines}\n{EXAMPLES}"
    )


def _unknown(word: str) -> str:
    from difflib import get_close_matches

    from donuts_protocol.escape import shown

    near = get_close_matches(word, COMMANDS, 1)
    hint = f"did you mean {near[0]!r}?" if near else f"the commands are {', '.join(COMMANDS)}"
    return f"there is no command '{shown(word)}': {hint}"


def _say(line: str) -> None:
    """One line on stderr, whatever it holds and whether or not anyone reads it."""
    flat = " ".join(line.split("\n"))
    try:
        sys.stderr.write(f"donuts: {flat}\n")
        sys.stderr.flush()
    except (OSError, ValueError):
        pass


def _internal(error: Exception) -> str:
    """The one line for a fault of our own; its traceback goes to a file, or to stderr with DONUTS_TRACEBACK=1."""
    import tempfile
    import traceback

    what = f"internal error: {type(error).__name__}: {error}; please report"
    trace = "".join(traceback.format_exception(error))
    if os.environ.get("DONUTS_TRACEBACK") == "1":
        sys.stderr.write(trace)
        return what
    try:
        with tempfile.NamedTemporaryFile("w", prefix="donuts-", suffix=".traceback", delete=False) as file:
            file.write(trace)
    except OSError:
        return f"{what} (DONUTS_TRACEBACK=1 shows where)"
    return f"{what} it with {file.name}"


def _forget(number: int) -> None:
    """Keep the interpreter from complaining about what it could not flush."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, number)
    os.close(null)
