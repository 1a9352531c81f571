"""What the shipped bots that search have in common: a level or the time of the turn, a board they know, reports."""

import gc
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from donuts_client.bot import Bot
from donuts_client.position import Position
from donuts_protocol.messages import Game

if TYPE_CHECKING:
    from donuts_client.search.rows import Ground

LEVELS = 5
"""Levels go from 1 to this one; without a level a bot thinks for as long as its clock allows."""

_LOOK = 32
"""Every so many questions whether to stop it is asked whether anyone still waits, which is a call of the system."""


class Thinker(Bot):
    """A bot that searches; at a level it looks at so much and no more, so that the same game is played again."""

    def __init__(self, level: int | None = None, seed: int | None = None) -> None:
        """ValueError for a level outside 1..5."""
        if level is not None and not 1 <= level <= LEVELS:
            raise ValueError(f"level {level}: must be 1 to {LEVELS}")
        self._level = level
        self._seed = seed
        self._ground: Ground | None = None
        self._known: tuple[str, int] | None = None

    def load(self) -> None:
        """Import rules and searches before the first game, outside of any clock."""
        import donuts_client.search.allowance
        import donuts_client.search.alphabeta
        import donuts_client.search.tree  # noqa: F401

        # A search makes hundreds of thousands of objects and no circle of them; looking for circles would take
        # tenths of a second in the middle of a move.
        gc.disable()

    def prepare(self, game: Game) -> None:
        """Forget the last game, and clean up while no clock runs."""
        self._ground = self._known = None
        gc.collect()

    def ground(self, position: Position) -> "Ground":
        """What a search needs to know of the board of this game."""
        known = (position.layout, position.rings)
        if self._ground is None or self._known != known:
            from donuts_client.search.rows import Ground

            self._ground, self._known = Ground(position.board, position.rings), known
        return self._ground

    def stopper(self, position: Position, most: int | None, keep: float = 0.0) -> Callable[[int], bool]:
        """A function that tells a search to end: after `most` of what it counts, in time, or when nobody waits.

        `keep` seconds of the time, but no more than half of it, are left for what comes afterwards.
        """
        from donuts_client.search.allowance import allowance

        seconds = allowance(position.clock, (2 * position.rings - position.ply + 1) // 2)
        seconds -= min(keep, seconds / 2)
        deadline = monotonic() + seconds - (position.clock.limit - position.left) / 1000
        asked = 0

        def stop(count: int) -> bool:
            nonlocal asked
            asked += 1
            if (most is not None and count >= most) or monotonic() >= deadline:
                return True
            return not asked % _LOOK and self.cancelled

        return stop
