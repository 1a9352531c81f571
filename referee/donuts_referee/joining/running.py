"""Runs the bridge on a process and a socket: one wait for both, until the bot has left the arena for good."""

from collections.abc import Callable, Generator, Sequence
from contextlib import closing

from donuts_referee.channels.bell import Bell
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Arrival, Chunk, Exit, Gone, Link, Stderr
from donuts_referee.channels.program import Program
from donuts_referee.joining.bridge import Bridge
from donuts_referee.joining.dealer import Change, Dealer, Frame, NoWay
from donuts_referee.joining.echo import Echo
from donuts_referee.joining.ends import Finish, Seating

__all__ = ["Post", "run"]


class Post:
    """The ends of the bridge: a program that is started as often as it takes, and the socket. See `ends.Ends`."""

    def __init__(
        self, channel: Channel, program: Program, dealer: Dealer, tell: Callable[[str], None], echo: Echo
    ) -> None:
        self.link: Link | None = None
        self.dead_end: NoWay | None = None
        """why the endpoint can never be dialled"""
        self._channel = channel
        self._program = program
        self._dealer = dealer
        self._bell = Bell(channel)
        self._echo = echo
        self._stderr = Stderr(b"", b"", 0)
        self._tell = tell

    def start(self) -> None:
        """See `Ends.start`."""
        self.link = self._channel.spawn(self._program, self._echo.feed)

    def to_bot(self, data: bytes) -> None:
        """See `Ends.to_bot`."""
        if self.link is not None:
            self.link.send(data)

    def end(self) -> Exit:
        """See `Ends.end`."""
        if self.link is None:
            return Exit(None, None)
        link, self.link = self.link, None
        exit_ = link.reap()
        self._stderr = link.stderr()
        self._echo.flush()
        return exit_

    def stderr(self) -> Stderr:
        """See `Ends.stderr`."""
        return self._stderr if self.link is None else self.link.stderr()

    def dial(self) -> None:
        """See `Ends.dial`."""
        self._bell.hang_up()
        try:
            self._dealer.dial()
        except NoWay as fault:
            self.dead_end = fault

    def to_arena(self, frame: bytes) -> None:
        """See `Ends.to_arena`."""
        self._dealer.send(frame)

    def drop(self) -> None:
        """See `Ends.drop`."""
        self._bell.hang_up()
        self._dealer.drop()

    def tell(self, text: str) -> None:
        """See `Ends.tell`."""
        self._tell(text)

    def listen(self) -> None:
        """Let the next wait end when there is news from the arena."""
        self._bell.watch(self._dealer.descriptors())


def run(
    seating: Seating, post: Post, dealer: Dealer, now: Callable[[], int]
) -> Generator[int | None, Sequence[Arrival], Finish]:
    """Hold the seat until the end; to be driven by `channels.drive`. What interrupts it parts from both sides first."""
    bridge = Bridge(seating, post)
    with closing(dealer):
        try:
            bridge.begin(now())
            while bridge.finish is None:
                if _attend(bridge, post, dealer, now):
                    continue
                post.listen()
                for arrival in (yield bridge.due):
                    if arrival.link is not post.link:
                        continue
                    if isinstance(arrival, Chunk):
                        bridge.hear(arrival.data, now())
                    elif isinstance(arrival, Gone):
                        bridge.gone(now())
        except KeyboardInterrupt:
            bridge.stop()
            raise
        return bridge.finish


def _attend(bridge: Bridge, post: Post, dealer: Dealer, now: Callable[[], int]) -> bool:
    """Look at the socket and the clock; True when something was done, so that there may be more to do."""
    done = False
    for one in dealer.news():
        done = True
        match one:
            case Frame(data):
                bridge.receive(data, now())
            case Change.CONNECTED:
                bridge.connected(now())
            case Change.LOST:
                bridge.lost(now())
            case Change.REFUSED:
                bridge.refused(
                    "the arena does not let the keys of the join file in; ask its operator for a new one"
                )
    if post.dead_end is not None:
        bridge.refused(str(post.dead_end))
    due = bridge.due
    if bridge.finish is None and due is not None and now() >= due:
        bridge.tick(now())
        done = True
    return done
