"""Bots that dial in to the checker: one conversation for each connection, with or without a process started here."""

from collections.abc import Callable

from donuts_protocol.framing import Transport
from donuts_protocol.messages import Bye, Hello
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Arrival, Away, Chunk, Exchange, Exit, Gone, Link
from donuts_referee.channels.program import Program
from donuts_referee.channels.router import RouterLink
from donuts_referee.check.doorway import Doorway
from donuts_referee.check.stand import started
from donuts_referee.check.talk import MS, Gallery, Switchboard, Talk
from donuts_referee.check.verdicts import Finding, NotStarted
from donuts_referee.table.listening import LastLook
from donuts_referee.table.sentences import ending, last_words

__all__ = ["ENDPOINT", "DialSource"]

ENDPOINT = "{endpoint}"
"""what stands for the endpoint in the words of a command"""

GLANCE = 50 * MS
"""ns between two looks at the process and at who has dialled in"""

LAST = 3000
"""ms within which a bot that was sent away with `drain` has probably dialled in again"""


class DialSource:
    """See `stand.Source`.

    `exchange` is the doorway's, perhaps with a brake; `wait` is how long (ms) the first frame may take.
    """

    transport: Transport = "zmq"

    def __init__(
        self,
        exchange: Exchange,
        doorway: Doorway,
        channel: Channel,
        program: Program | None,
        gallery: Gallery,
        wait: int,
        tell: Callable[[str], None],
    ) -> None:
        self.board = Switchboard(exchange, self._newcomer)
        self.process: Link | None = None
        self.exit: Exit | None = None
        """how the last process ended"""
        self.ended_at: int | None = None
        """when the process ended (ns)"""
        self.program = None if program is None else self._dialling(program, doorway.endpoint)
        self.doorway = doorway
        self._channel = channel
        self._gallery = gallery
        self._wait = wait
        self._tell = tell
        self._waiting: list[Arrival] = []
        self._pid: int | None = None
        self._comes_back = False

    @staticmethod
    def _dialling(program: Program, endpoint: str) -> Program:
        return program._replace(argv=tuple(word.replace(ENDPOINT, endpoint) for word in program.argv))

    def open(self, program: Program | None) -> Talk:
        """See `Source.open`: the next connection on which something is said. Raises NotStarted."""
        chosen = program if program is not None else self.program
        if chosen is None:
            seconds = f"{self._wait / 1000:g} s (--hello)"
            self._tell(f"start the bot; waiting {seconds} for it to dial in at {self.doorway.endpoint}")
        elif self.process is None:
            self._waiting.clear()
            self.ended_at = None
            self.process, self._pid = started(self._channel, chosen)
        now = self.board.now()
        talk = self.newcomer(now + self._wait * MS)
        if talk is None:
            came = f"nobody dialled in within {self._wait} ms"
            if self.process is not None:
                said, by_itself = last_words(self.process.stderr()), self.ended_at is not None
                exit = self.see_out()
                if by_itself and exit is not None:
                    came = f"nobody dialled in, and the command ended: {ending(exit)}"
                came += said
            raise NotStarted(
                Finding(
                    sent=f"(waited at {self.doorway.endpoint})",
                    came=came,
                    right="the bot opens a DEALER, connects it there and says hello",
                )
            )
        talk.began = now
        return talk

    def newcomer(self, deadline: int) -> Talk | None:
        """The next connection on which something is said, by the deadline (ns); None when there is none."""
        while not (found := [one for one in self._waiting if isinstance(one, Chunk)]):
            now = self.board.now()
            if now >= deadline or self.ended_at is not None:
                return None
            self.board.wait(min(deadline, now + GLANCE))
        link = found[0].link
        talk = Talk(self.board, link, "zmq", self._gallery, self._pid)
        talk.process = self.process
        mine = [one for one in self._waiting if one.link is link]
        self._waiting = [one for one in self._waiting if one.link is not link]
        for arrival in mine:
            talk.take(arrival)
        return talk

    def returned(self, talk: Talk, deadline: int) -> tuple[Talk, Hello] | None:
        """Where the bot says `hello` again: on the connection of `talk` or on a fresh one."""
        while (now := self.board.now()) < deadline:
            heard = talk.hear(min(deadline, now + GLANCE))
            if heard is not None and isinstance(heard.meant, Hello):
                return talk, heard.meant
            if (other := self.newcomer(min(deadline, self.board.now() + GLANCE))) is not None:
                heard = other.hear(deadline)
                if heard is not None and isinstance(heard.meant, Hello):
                    return other, heard.meant
            elif talk.gone:
                self.board.pause(GLANCE)
        return None

    def cut(self, talk: Talk) -> None:
        """End the connection, without a word."""
        link = talk.link
        assert isinstance(link, RouterLink)
        self.doorway.router.cut(link.peer)

    def leave(self, talk: Talk, *, for_good: bool = False) -> None:
        """See `Source.leave`; a bot that was not started here is asked to dial in again, if it is not for good."""
        self._comes_back = not for_good and self.process is None and not talk.gone
        if talk.exit is None and not talk.gone:
            talk.part(Bye(why="drain" if self._comes_back else "done"))
            self.board.wait(self.board.now())
        talk.end()
        if self.process is not None:
            self.board.pause(0)
            self.exits(self.board.now() + 1000 * MS)
            self.see_out()
        self._waiting.clear()

    def exits(self, deadline: int) -> bool:
        """Whether the process ends by itself by then (ns), at a last look."""
        look = LastLook()
        while self.ended_at is None:
            if not self.board.wait(deadline) or look.over(self.board.now() >= deadline):
                break
        return self.ended_at is not None

    def see_out(self) -> Exit | None:
        """End the process and what it left behind."""
        if self.process is not None:
            self.exit, self.process = self.process.reap(), None
        return self.exit

    def close(self) -> None:
        """See `Source.close`; a bot that was asked to dial in again is told that this is over."""
        if self._comes_back and (talk := self.newcomer(self.board.now() + LAST * MS)) is not None:
            talk.part(Bye(why="done"))
        self.see_out()
        self.doorway.close()

    def _newcomer(self, arrival: Arrival) -> None:
        if self.process is not None and arrival.link is self.process:
            if isinstance(arrival, Gone):
                self.ended_at = arrival.at
        elif isinstance(arrival.link, RouterLink) and isinstance(arrival, Chunk | Away):
            self._waiting.append(arrival)
