"""The wait of the table: what players said in one wake-up, who does not read, and when time is up for good.

A game and the asking of a single turn wait in the same way, so that they judge in the same way.
"""

from collections.abc import Callable, Generator, Sequence

from donuts_referee.channels.link import Arrival
from donuts_referee.table import sentences
from donuts_referee.table.clock import MS
from donuts_referee.table.player import PATIENCE, Fault, Player, Said

__all__ = ["LastLook", "listen"]


def listen(
    players: tuple[Player, ...], deadline: int | None, now: Callable[[], int], ply: int
) -> Generator[int | None, Sequence[Arrival], list[Said]]:
    """Wait once, until `deadline` (ns) at the latest, and return what was heard of these players in that wake-up.

    A bot that has not read for too long is at fault; the sentence names the `ply`.
    """
    watched = False
    for player in players:
        if player.stuck is not None:
            watched = True
            patience = player.stuck + PATIENCE
            deadline = patience if deadline is None or patience < deadline else deadline
    said: list[Said] = []
    for arrival in (yield deadline):
        link = arrival.link
        for player in players:
            if link is player.link:
                player.hear(arrival, said)
                break
    if watched:
        at = now()
        for player in players:
            if player.stuck is not None and at >= player.stuck + PATIENCE:
                text = sentences.unread(ply, PATIENCE // MS, player.shut)
                said.append(Said(player, Fault("unread", text), at))
    return said


class LastLook:
    """Time is up only when a look past the deadline has found nothing that was readable (DBP-8.9)."""

    __slots__ = ("_looked",)

    def __init__(self) -> None:
        self._looked = False

    def over(self, expired: bool) -> bool:
        """To be asked after each wait, with whether the deadline has passed: was this the last look?"""
        over = expired and self._looked
        self._looked = expired and not over
        return over
