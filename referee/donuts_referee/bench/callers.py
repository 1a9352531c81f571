"""Many bots that dial in to an arena, in one process and on one thread: each plays the first legal square at once.

`python -m donuts_referee.bench.callers` is the load of `donuts bench arena`. It says `steady` when it has begun to
count, and at its end what it counted, as one line of JSON. As little is read of a message as a bot can do with, so that
what is measured is the arena.
"""

import os
import sys
import time
from collections.abc import Callable

import msgspec
import zmq
from msgspec import Struct

from donuts_referee.channels.poller import READ, poller

__all__ = ["Calls", "Load", "main", "play"]

STEADY = b"steady\n"

SILENCE = 30.0
"""seconds without a word from the arena after which the load gives up"""

DURATIONS = 1_000_000
"""times between two turns that are kept at most"""


class Load(Struct, frozen=True, kw_only=True):
    """What is to be played: `warm` plies that are not counted, then `plies` that are."""

    endpoint: str
    bots: int
    warm: int
    plies: int


class Calls(Struct, frozen=True, kw_only=True):
    """What was played; stamps in ns of the system's monotonic clock."""

    plies: int
    began: int
    ended: int
    within_ns: int
    """time between a turn and the next one of the same game, added up; it means something with two bots alone"""
    within: int
    """how many such times there were"""
    sent_away: int
    """bots that were told `bye` or `error` by the arena"""


def play(load: Load, steady: Callable[[], None]) -> Calls:
    """Dial in with all bots, play, and leave; `steady` is called when counting begins.

    Raises TimeoutError when nothing comes for a long time.
    """
    with zmq.Context() as context:
        bots = [_dial(context, load.endpoint, number) for number in range(1, load.bots + 1)]
        try:
            return _play(bots, load, steady)
        finally:
            for bot in bots:
                bot.close()


def _dial(context: zmq.Context[zmq.Socket[bytes]], endpoint: str, number: int) -> zmq.Socket[bytes]:
    bot = context.socket(zmq.DEALER)
    bot.linger = 500
    bot.connect(endpoint)
    bot.send(b"hello donuts=1-1 name=caller%d" % number)
    return bot


def _play(bots: list[zmq.Socket[bytes]], load: Load, steady: Callable[[], None]) -> Calls:
    wait = poller()
    ends = {int(bot.getsockopt(zmq.FD)): (bot.recv, bot.send) for bot in bots}
    for fd in ends:
        wait.register(fd, READ)
    now, nothing, most = time.monotonic_ns, zmq.Again, len(bots)
    turns = within = within_ns = sent_away = began = last = 0
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
                        if began and last:
                            within_ns += at - last
                            within += 1
                        last = at
                        legal = rest.index(b" legal=") + 7
                        send(b"move %b %b" % (rest[: rest.index(b" ")], rest[legal : legal + 2]), zmq.NOBLOCK)
                        turns += 1
                        if turns == load.warm:
                            began = now()
                            steady()
                        elif turns == load.warm + load.plies:
                            ended = now()
                            _leave(bots)
                            return Calls(
                                plies=load.plies,
                                began=began,
                                ended=ended,
                                within_ns=within_ns,
                                within=within,
                                sent_away=sent_away,
                            )
                    elif verb == b"game":
                        last = 0
                        send(b"ready " + rest[: rest.index(b" ")], zmq.NOBLOCK)
                    elif verb == b"ping":
                        send(b"pong " + rest.partition(b" ")[0], zmq.NOBLOCK)
                    elif verb in (b"bye", b"error"):
                        sent_away += 1
            ready = wait.poll(SILENCE, most)
            if not ready:
                raise TimeoutError(f"the arena said nothing for {SILENCE:.0f} s, after {turns} turns")
    finally:
        wait.close()


def _leave(bots: list[zmq.Socket[bytes]]) -> None:
    for bot in bots:
        bot.send(b"bye", zmq.NOBLOCK)


def main() -> int:
    """The load is one JSON object on the command line."""
    load = msgspec.json.decode(sys.argv[1], type=Load)
    try:
        calls = play(load, lambda: _say(STEADY))
    except TimeoutError as fault:
        sys.stderr.write(f"{fault}\n")
        return 1
    _say(msgspec.json.encode(calls) + b"\n")
    return 0


def _say(line: bytes) -> None:
    os.write(1, line)


if __name__ == "__main__":
    sys.exit(main())
