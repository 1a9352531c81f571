"""`donuts engine`: the rules as a service on stdin and stdout, for programs in any language (SPEC.md, 13)."""

import argparse
import contextlib
import os
import select
import signal
import sys
import threading
from typing import TYPE_CHECKING

from donuts_referee.cli.fault import ExitCode, UsageFault, unwritable
from donuts_referee.service.conversation import RulesService

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

_READ = 65_536
_WRITE = 4096
"""A pipe that polls as writable takes as many bytes without blocking (PIPE_BUF)."""
_UNREAD = 16 * 1024 * 1024
"""Bytes of answers that may wait for a reader; with more of them, no further query is read."""

DESCRIPTION = """\
Answers questions about positions, one a line (or in msgpack), in the order in which they come:

  query 1 layout=AAAV... moves=e3,c3          the position after these placements
  query 2 layout=AAAV... cells=..x. last=c1 you=o     a position as it stands

Each gets a `state` (ply, you, cells, last, legal, flips; winner and why when it is over) or an `error`.
At the end of the input it answers what it has read and ends. SPEC.md, section 13, is the reference.
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    subparsers.add_parser(
        "engine",
        help="the rules as a service on stdin and stdout",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def run(args: argparse.Namespace) -> int:
    """Serve stdin until it ends; returns 0, 2 after a msgpack length that cannot be, 141 when nobody reads stdout."""
    if sys.stdin is not None and sys.stdin.isatty():
        sys.stderr.write(
            "donuts engine reads queries from stdin; try: query 1 layout=LETTERS moves=  (Ctrl-D ends)\n"
        )
    service = RulesService()
    _end_on_ctrl_c()
    try:
        if os.name == "nt" or os.environ.get("DONUTS_CHANNEL") == "threads":
            _serve_with_threads(service)
        else:
            _serve(service, 0, 1)
    except ConnectionError:
        return ExitCode.PIPE
    return service.status or ExitCode.OK


def _end_on_ctrl_c() -> None:
    """Let a thread take Ctrl-C, where it can.

    A signal that comes between two bytecodes and a blocking read would be seen only when the read returns. The
    answers go out by whole writes, so nothing is lost by ending at once.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return

    def end() -> None:
        signal.sigwait({signal.SIGINT})
        os._exit(ExitCode.INTERRUPTED)

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    threading.Thread(target=end, name="ctrl-c", daemon=True).start()


def _serve(service: RulesService, source: int, sink: int) -> None:
    """Read and write whichever is possible, so that a program may write all its queries before it reads an answer."""
    answers = bytearray()
    while answers or service.status is None:
        reading = [source] if service.status is None and len(answers) < _UNREAD else []
        readable, writable, _ = select.select(reading, [sink] if answers else [], [])
        if writable:
            with contextlib.suppress(BlockingIOError):
                del answers[: _write(sink, answers[:_WRITE])]
        if readable:
            with contextlib.suppress(BlockingIOError):
                data = _read(source)
                answers += service.receive(data) if data else service.receive_eof()


def _serve_with_threads(service: RulesService) -> None:
    """The same where pipes cannot be waited for: a thread writes, this one reads."""
    from donuts_referee.cli.writer import Writer

    writer = Writer(1, _UNREAD)
    try:
        while service.status is None:
            data = _read(0)
            writer.write(service.receive(data) if data else service.receive_eof())
        writer.close()
    except ConnectionError:
        raise
    except OSError as error:
        raise unwritable("stdout", error) from None


def _read(source: int) -> bytes:
    try:
        return os.read(source, _READ)
    except (BlockingIOError, ConnectionError):
        raise
    except OSError as error:
        raise UsageFault(f"cannot read stdin: {(error.strerror or str(error)).lower()}") from None


def _write(sink: int, data: bytearray) -> int:
    try:
        return os.write(sink, data)
    except (BlockingIOError, ConnectionError):
        raise
    except OSError as error:
        raise unwritable("stdout", error) from None
