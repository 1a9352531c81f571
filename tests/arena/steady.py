"""The command `donuts` with an arena whose clock stands still while its machine does, and which is patient besides."""

import sys
import time
from types import SimpleNamespace

from patient import PatientRouter

from donuts_referee.arena import server
from donuts_referee.cli.main import main

PAUSE = 250_000_000
"""ns that count between two looks at the clock, at most: an arena that runs looks a hundred times a second"""


class SteadyClock:
    """Time as it passes while somebody looks: bots of a machine that stood still have not thought meanwhile."""

    def __init__(self) -> None:
        self._seen = time.monotonic_ns()
        self._lost = 0

    def __call__(self) -> int:
        now = time.monotonic_ns()
        self._lost += max(0, now - self._seen - PAUSE)
        self._seen = now
        return now - self._lost


def run(*, patient: bool = True) -> int:
    """Run the command."""
    if patient:
        server.Router = PatientRouter  # type: ignore[attr-defined]
    server.time = SimpleNamespace(monotonic_ns=SteadyClock())  # type: ignore[attr-defined]
    return main()


if __name__ == "__main__":
    sys.exit(run())
