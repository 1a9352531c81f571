"""The command `donuts` with an arena that gives up no connection because a busy machine delays what keeps it up."""

import sys
import time
from collections.abc import Callable
from typing import Any

import zmq

from donuts_referee.arena import server
from donuts_referee.channels.router import Router
from donuts_referee.cli.main import main

PATIENCE = 120_000
"""ms for a handshake and for the answer to a heartbeat, in place of 5 and 3 s"""


class PatientRouter(Router):
    """The ROUTER of the arena, but for its patience."""

    def __init__(self, context: zmq.Context[Any], now: Callable[[], int] = time.monotonic_ns) -> None:
        super().__init__(context, now)
        self.socket.heartbeat_timeout = self.socket.handshake_ivl = PATIENCE


if __name__ == "__main__":
    server.Router = PatientRouter  # type: ignore[attr-defined]
    sys.exit(main())
