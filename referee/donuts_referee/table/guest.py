"""A remote bot that holds a seat: its session outlives connections, matches and opponents (DBP-11.10)."""

from donuts_protocol.messages import Hello, Ping
from donuts_protocol.session import RefereeSession
from donuts_protocol.states import State
from donuts_referee.channels.link import Link

__all__ = ["Guest"]


class Guest:
    """A bot that was greeted before any match asked for it."""

    def __init__(self, name: str, link: Link, session: RefereeSession, hello: Hello) -> None:
        self.name = name
        """the seat it holds"""
        self.link = link
        self.session = session
        self.hello = hello
        self.rtt: int | None = None
        """the round trip that was measured last, in ns"""
        self.pinged: int | None = None
        """when the ping was sent that has not been answered yet, in ns"""
        self.left = False
        """it has said `bye`"""
        self._ping = 0
        """its id"""

    def ping(self, now: int) -> bool:
        """Ask for a sign of life, unless a question is open (DBP-11.7); True when that was done."""
        session = self.session
        if session.question is not None or session.state not in (State.IDLE, State.PLAYING):
            return False
        self.pinged, self._ping = now, session.next_id()
        self.link.send(session.send(Ping(id=self._ping)))
        return True

    def pong(self, id: int, at: int) -> None:
        """A ping was answered at `at` (ns), perhaps after a question had closed it; only the last one counts."""
        if self.pinged is not None and id == self._ping:
            self.rtt = at - self.pinged
            self.pinged = None
