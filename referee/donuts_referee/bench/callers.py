"""Many bots that dial in to an arena, in one process and on one thread: each plays the first legal square at once.

`python -m donuts_referee.bench.callers` is the load of `donuts bench arena`. It plays in bouts: after each it prints
what it measured, one line of JSON, and holds its answer until a line comes on stdin. As little is read of a message as
a bot can do with, so that what is measured is the arena.
"""

import os
import sys
import time
from collections.abc import Callable

import msgspec
import zmq
from msgspec import Struct

from donuts_referee.channels.guard import raise_descriptors
from donuts_referee.channels.poller import READ, poller

__all__ = ["Bout", "Load", "main", "play"]

SILENCE = 30.0
"""seconds without a word from the arena after which the load gives up"""


class Load(Struct, frozen=True, kw_only=True):
    """What is to be played, in plies: a bout of `warm` for the start, then `bouts` of `plies` each."""

    endpoint: str
    bots: int
    warm: int
    plies: int
    bouts: int = 1


class Bout(Struct, frozen=True, kw_only=True):
    """What was measured of one bout."""

    plies: int
    ns: int
    """from its beginning to its end"""
    within_ns: int
    """time between a turn and the next one of the same game, added up; it means something with two bots alone"""
    within: int
    """how many such times there were"""
    sent_away: int
    """bots that were told `bye` or `error` by the arena, in this bout and before"""


def play(load: Load, over: Callable[[Bout], None]) -> None:
    """Dial in with all bots, play, and leave; `over` is called after each bout, and may take its time.

    Raises TimeoutError when nothing comes for a long time.
    """
    with zmq.Context() as context:
        bots = [_dial(context, load.endpoint, number) for number in range(1, load.bots + 1)]
        try:
            _play(bots, load, over)
            for bot in bots:
                bot.send(b"bye", zmq.NOBLOCK)
        finally:
            for bot in bots:
                bot.close()


def _dial(context: zmq.Context[zmq.Socket[bytes]], endpoint: str, number: int) -> zmq.Socket[bytes]:
    bot = context.socket(zmq.DEALER)
    bot.linger = 500
    bot.connect(endpoint)
    bot.send(b"hello donuts=1-1 name=caller%d" % number)
    return bot


def _play(bots: list[zmq.Socket[bytes]], load: Load, over: Callable[[Bout], None]) -> None:
    wait = poller()
    ends = {int(bot.getsockopt(zmq.FD)): (bot.recv, bot.send) for bot in bots}
    for fd in ends:
        wait.register(fd, READ)
    now, nothing, most = time.monotonic_ns, zmq.Again, len(bots)
    left, bouts, plies = load.warm, load.bouts, load.warm
    within = within_ns = sent_away = last = 0
    began = now()
    ready = [(fd, READ) for fd in ends]  # a descriptor tells what is new, so all are looked at once
    try:
        while True:
            for fd, _ in ready:
                recv, send = ends[fd]
                while True:
                    try:
                        heard = recv(zmq.NOBLOCK)
                    except nothing:
                        break
                    verb, _, rest = heard.partition(b" ")
                    if verb == b"turn":
                        at = now()
                        if last:
                            within_ns += at - last
                            within += 1
                        last = at
                        left -= 1
                        if not left:
                            over(
                                Bout(
                                    plies=plies,
                                    ns=at - began,
                                    within_ns=within_ns,
                                    within=within,
                                    sent_away=sent_away,
                                )
                            )
                            if not bouts:
                                return
                            bouts -= 1
                            left = plies = load.plies
                            within = within_ns = 0
                            last = began = now()
                        legal = rest.index(b" legal=") + 7
                        send(b"move %b %b" % (rest[: rest.index(b" ")], rest[legal : legal + 2]), zmq.NOBLOCK)
                    elif verb == b"game":
                        last = 0
                        send(b"ready " + rest[: rest.index(b" ")], zmq.NOBLOCK)
                    elif verb == b"ping":
                        send(b"pong " + rest, zmq.NOBLOCK)
                    elif verb in (b"bye", b"error"):
                        sent_away += 1
            ready = wait.poll(SILENCE, most)
            if not ready:
                raise TimeoutError(f"the arena said nothing for {SILENCE:.0f} s")
    finally:
        wait.close()


def main() -> int:
    """The load is one JSON object on the command line."""
    raise_descriptors()
    load = msgspec.json.decode(sys.argv[1], type=Load)

    def over(bout: Bout) -> None:
        os.write(1, msgspec.json.encode(bout) + b"\n")
        sys.stdin.readline()

    try:
        play(load, over)
    except TimeoutError as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
