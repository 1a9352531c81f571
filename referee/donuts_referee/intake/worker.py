"""A worker of the intake: takes tasks from stdin, one line of JSON each, and answers on stdout.

Its lines say how far a task is, and the last what came of it.

It is a process of its own, because what bots leave behind is found among its children, and those of two bots that are
examined at once could not be told apart. It ends when its stdin does.
"""

import os
import signal
import sys
from contextlib import closing
from types import FrameType
from typing import BinaryIO

import msgspec

from donuts_referee.channels.choose import exchange
from donuts_referee.channels.containment import contain
from donuts_referee.intake.examination import Examined, Stage, Task, examine

__all__ = ["main"]


def main() -> int:
    """Work until stdin ends; a signal ends the examination under way, with all that it started."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop)
    source, sink = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)  # so that nothing but answers goes out, whatever is printed here
    os.dup2(2, 1)
    os.close(null)
    contain()
    decoder = msgspec.json.Decoder(Task)
    try:
        with os.fdopen(source, "rb") as tasks, os.fdopen(sink, "wb") as answers:
            for line in tasks:
                with closing(exchange()) as links:
                    answer = examine(decoder.decode(line), links, lambda stage: _say(answers, stage))
                _say(answers, answer)
    except (KeyboardInterrupt, BrokenPipeError):
        return 1
    return 0


def _say(answers: BinaryIO, what: Stage | Examined) -> None:
    answers.write(msgspec.json.encode(what) + b"\n")
    answers.flush()


def _stop(number: int, frame: FrameType | None) -> None:
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
