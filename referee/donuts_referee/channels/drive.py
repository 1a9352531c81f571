"""The loop that joins a generator of the table to an exchange."""

from collections.abc import Generator, Sequence
from typing import TypeVar

from donuts_referee.channels.link import Arrival, Exchange

T = TypeVar("T")


class Brake:
    """Stops a driven match at a safe moment: `pull` may be called by a signal handler at any time.

    While the match waits, KeyboardInterrupt is raised at once; while it works, as soon as it wants to wait
    again. So no record is cut in half and no game is judged twice.
    """

    __slots__ = ("pulled", "waiting")

    def __init__(self) -> None:
        self.pulled = False
        self.waiting = False

    def pull(self, *_: object) -> None:
        """Ask for the stop; fits `signal.signal`."""
        self.pulled = True
        if self.waiting:
            self.waiting = False
            raise KeyboardInterrupt


def drive(
    steps: Generator[int | None, Sequence[Arrival], T], exchange: Exchange, brake: Brake | None = None
) -> T:
    """Run a generator of the table over an exchange until it returns; an interrupted wait is thrown into
    it."""
    brake = Brake() if brake is None else brake
    wait, send = exchange.wait, steps.send
    try:
        deadline = next(steps)
        while True:
            try:
                brake.waiting = True
                if brake.pulled:
                    brake.pulled = brake.waiting = False
                    raise KeyboardInterrupt
                arrivals = wait(deadline)
                brake.waiting = False
            except KeyboardInterrupt as interrupt:
                brake.pulled = brake.waiting = False
                deadline = steps.throw(interrupt)
            else:
                deadline = send(arrivals)
    except StopIteration as done:
        result: T = done.value
        return result
    finally:
        steps.close()
