"""The bare round trip over ZeroMQ beside which the arena is measured: ROUTER and DEALER in two processes, over tcp.

`python -m donuts_referee.bench.pingpong` is the DEALER. Both ends wait with `zmq.Poller`, and the messages are as long
as a turn and a move.
"""

import subprocess
import sys
import time
from types import TracebackType

import zmq

from donuts_referee.bench.ply import BenchFault
from donuts_referee.modules import own_modules, running

__all__ = ["PingPong", "main"]

TURN = b"turn".ljust(250, b".")
MOVE = b"move 123456789 a1"
LAST = b""

PATIENCE = 20_000
"""ms that either end waits for the other"""


class PingPong:
    """Two processes, from `with` to the end of the block."""

    def __enter__(self) -> "PingPong":
        """Start the other end; raises BenchFault when it does not speak."""
        self._context = zmq.Context()
        self._router = self._context.socket(zmq.ROUTER)
        self._router.linger = 500
        self._router.bind("tcp://127.0.0.1:*")
        endpoint = self._router.getsockopt_string(zmq.LAST_ENDPOINT).rstrip("\0")
        command = running("donuts_referee.bench.pingpong", endpoint)
        self._other = subprocess.Popen(command, env=own_modules())
        self._poller = zmq.Poller()
        self._poller.register(self._router, zmq.POLLIN)
        self._address = self._heard()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End both."""
        self._router.send_multipart([self._address, LAST])
        with self._other:
            self._context.destroy(linger=500)

    def us(self, trips: int) -> float:
        """Microseconds of a round trip, the mean of so many; raises BenchFault when the other end is silent."""
        router = self._router
        began = time.monotonic_ns()
        for _ in range(trips):
            router.send_multipart([self._address, TURN], zmq.NOBLOCK)
            self._heard()
        return (time.monotonic_ns() - began) / trips / 1000

    def _heard(self) -> bytes:
        """Wait for a move; returns whom it came from."""
        if not self._poller.poll(PATIENCE):
            self._other.kill()
            raise BenchFault("the other end of the ping-pong does not answer; its stderr says why")
        return self._router.recv_multipart(zmq.NOBLOCK)[0]


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
