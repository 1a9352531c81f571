"""A worker process: takes jobs from stdin, plays them one after the other, reports on stdout (see `frames`).

It ends when its stdin does, and is ended by the system when whoever started it dies. SIGTERM makes the running game
void and ends the job; SIGINT is the business of whoever started it.
"""

import ctypes
import os
import signal
import sys
from contextlib import closing

from donuts_referee.channels.choose import exchange
from donuts_referee.channels.containment import contain
from donuts_referee.channels.drive import Brake
from donuts_referee.competition.frames import Unframing, framed_report, read_job
from donuts_referee.competition.job import Done, Played
from donuts_referee.competition.playing import play_job

__all__ = ["main"]

PR_SET_PDEATHSIG = 1

CHUNK = 1 << 16


def main() -> int:
    """Work until stdin ends."""
    parent = int(sys.argv[1])
    if len(sys.argv) > 2:
        os.sched_setaffinity(0, {int(word) for word in sys.argv[2].split(",")})
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _die_with(parent)
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)  # so that nothing but frames comes in or goes out, whatever is printed here
    os.dup2(2, 1)
    os.close(null)
    brake = Brake()
    signal.signal(signal.SIGTERM, brake.pull)
    contain()
    unframing = Unframing()
    with closing(exchange()) as links:

        def report(what: Played | Done) -> None:
            rest = memoryview(framed_report(what))
            while rest:
                rest = rest[os.write(sink, rest) :]

        try:
            while data := os.read(source, CHUNK):
                for kind, content in unframing.feed(data):
                    report(play_job(read_job(kind, content), links, report, brake))
        except BrokenPipeError:
            return 1
    return 0


def _die_with(parent: int) -> None:
    """Be killed when the process `parent`, which started us, dies; at once where it is dead already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
