"""The class a bot's author fills in: one method from position to move, and hooks for those who want them."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from donuts_client.answer import Placement, Proof, Report
from donuts_client.position import Position
from donuts_protocol.messages import End, Game


class Bot:
    """A player of DONUTS. Derive from it, say `name`, write `move`, and hand the class to `run`.

    Nothing here is called from another thread. What the bot prints goes to stderr, never into the protocol.
    """

    name: ClassVar[str] = ""
    """shown to people, 1..40 characters; the name of the class when empty"""
    version: ClassVar[str] = ""
    """the bot's own version, at most 40 characters"""
    author: ClassVar[str] = ""
    """at most 40 characters"""
    caps: ClassVar[tuple[str, ...]] = ("info",)
    """capabilities to ask the referee for; `info` is what `report` needs"""

    game: Game | None = None
    """the running game, None between games"""

    _send_report: Callable[[Report], bool] | None = None
    _given_up: Callable[[], bool] | None = None

    def load(self) -> None:
        """Import and read what is heavy; called once, after `hello` was said and before the first game."""

    def prepare(self, game: Game) -> None:
        """A game is about to begin; called before `ready` is said, and no clock runs. The board is not yet known."""

    def move(self, position: Position) -> Placement:
        """Choose where to place the ring: the name of a square, its index, an `Answer`, or `RESIGN`.

        An exception that leaves this method ends the bot: the traceback goes to stderr, the referee is told.
        """
        raise NotImplementedError(f"{type(self).__name__} has no move()")

    def finish(self, end: End) -> None:
        """A game is over; `end` says how, and holds all moves."""

    def report(
        self,
        *,
        eval: int | None = None,
        proof: Proof | None = None,
        nodes: int | None = None,
        depth: int | None = None,
        pv: Sequence[str] | None = None,
        text: str | None = None,
    ) -> bool:
        """Tell of the search while `move` is at work; call it as often as you like.

        Fields as in `Report`. Returns whether a report was sent: not when the referee has not granted `info`, not
        outside `move`, and not more than one in 50 ms (DBP allows 20 a second).
        """
        if self._send_report is None:
            return False
        return self._send_report(Report(eval=eval, proof=proof, nodes=nodes, depth=depth, pv=pv, text=text))

    @property
    def cancelled(self) -> bool:
        """Whether the referee waits for this move no longer, as when the time is up; for `move` to look at.

        A search that is cancelled may return anything, it is not sent. Always False where stdin cannot be looked at
        without waiting (Windows).
        """
        return self._given_up is not None and self._given_up()
