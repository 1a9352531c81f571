"""The bare round trip over ZeroMQ beside which the arena is measured: ROUTER and DEALER in two processes, over tcp.

`python -m donuts_referee.bench.pingpong` is the DEALER. Both ends wait with `zmq.Poller`, and the messages are as long
as a turn and a move.
"""

import subprocess
import sys
import time

import zmq

from donuts_referee.bench.ply import BenchFault
from donuts_referee.bench.workers import own_modules

__all__ = ["main", "pingpong_us"]

TURN = b"turn".ljust(250, b".")
MOVE = b"move 123456789 a1"
LAST = b""

PATIENCE = 20_000
"""ms that either end waits for the other"""


def pingpong_us(trips: int) -> float:
    """Microseconds of a round trip, the mean of so many; raises BenchFault when the other end does not answer."""
    with zmq.Context() as context, context.socket(zmq.ROUTER) as router:
        router.linger = 500
        router.bind("tcp://127.0.0.1:*")
        endpoint = router.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0")
        command = [sys.executable, "-P", "-m", "donuts_referee.bench.pingpong", endpoint]
        with subprocess.Popen(command, env=own_modules()) as other:
            try:
                _trips(router, max(1, trips // 10))
                began = time.monotonic_ns()
                address = _trips(router, trips)
                ended = time.monotonic_ns()
                router.send_multipart([address, LAST])
            except BenchFault:
                other.terminate()
                raise
    return (ended - began) / trips / 1000


def _trips(router: zmq.Socket[bytes], trips: int) -> bytes:
    """Take a move and answer it with a turn, so many times; returns whom it came from."""
    poller = zmq.Poller()
    poller.register(router, zmq.POLLIN)
    address = b""
    for _ in range(trips):
        if not poller.poll(PATIENCE):
            raise BenchFault("the other end of the ping-pong does not answer; its stderr says why")
        address, _ = router.recv_multipart(zmq.NOBLOCK)
        router.send_multipart([address, TURN], zmq.NOBLOCK)
    return address


def main() -> int:
    """The other end: the endpoint is on the command line."""
    with zmq.Context() as context, context.socket(zmq.DEALER) as dealer:
        dealer.linger = 0
        dealer.connect(sys.argv[1])
        poller = zmq.Poller()
        poller.register(dealer, zmq.POLLIN)
        dealer.send(MOVE)
        while poller.poll(PATIENCE):
            if dealer.recv(zmq.NOBLOCK) == LAST:
                return 0
            dealer.send(MOVE, zmq.NOBLOCK)
    return 1


if __name__ == "__main__":
    sys.exit(main())
