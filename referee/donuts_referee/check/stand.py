"""The stand at which a bot is checked: starts it, or waits for it to dial in, and keeps one conversation going.

Most checks share the conversation `shared`; a check that would ruin it gets a `fresh` one, which ends with the check.
"""

from secrets import token_hex
from typing import NamedTuple, Protocol

from donuts_protocol.framing import Encoding, Transport
from donuts_protocol.messages import Bye, Hello
from donuts_referee.channels.choose import Channel
from donuts_referee.channels.link import Link, StartFailure
from donuts_referee.channels.program import Program
from donuts_referee.check.asking import PATIENT, Asking, Patience
from donuts_referee.check.hearing import Heard
from donuts_referee.check.languages import flushing
from donuts_referee.check.processes import children
from donuts_referee.check.talk import MS, Gallery, Switchboard, Talk
from donuts_referee.check.verdicts import Failed, Finding, NotStarted

__all__ = ["ChildSource", "Greeting", "Settings", "Source", "Stand", "started", "with_stderr_closed"]

PROBE = 3_000
"""ms without `hello` after which it is tried whether it comes when stdin ends; half the time that it has, if less"""

AT_THE_END = 10_000
"""ms within which a process that is left no stdin has said what was not flushed; it may have to start first"""


class Settings(NamedTuple):
    """What was asked for."""

    hello: int = 30_000
    """ms within which `hello` is due (DBP-9.11)"""
    encoding: Encoding | None = None
    """the one the bot must speak; None: whichever it chooses"""
    soak: bool = False
    """the long forms of checks that have one"""
    margin: int = 50
    """ms (DBP-8.7)"""
    patience: int = PATIENT
    """ms beyond its time in which an answer is waited for, where time is not what is checked"""
    at_most: int = 10_000
    """ms that the thousand positions may take"""


class Greeting(NamedTuple):
    """What came before and with the first `hello` of a conversation."""

    before: tuple[Heard, ...]
    hello: Heard | None
    waited: int
    """ns"""


class Source(Protocol):
    """Where conversations come from."""

    transport: Transport
    program: Program | None
    """None: somebody else starts the bot"""

    def open(self, program: Program | None) -> Talk:
        """A new conversation, with `program` in the place of the bot's own where it is given. Raises StartFailure."""
        ...

    def leave(self, talk: Talk, *, for_good: bool = False) -> None:
        """End a conversation; `for_good`: there will be no other."""
        ...

    def close(self) -> None:
        """Give everything back."""
        ...


class ChildSource:
    """Bots that are started here, on pipes."""

    transport: Transport = "stdio"

    def __init__(self, channel: Channel, board: Switchboard, program: Program, gallery: Gallery) -> None:
        self.program: Program | None = program
        self._channel = channel
        self._board = board
        self._gallery = gallery

    def open(self, program: Program | None) -> Talk:
        """See `Source.open`."""
        chosen = program if program is not None else self.program
        assert chosen is not None
        link, pid = started(self._channel, chosen)
        return Talk(self._board, link, "stdio", self._gallery, pid)

    def leave(self, talk: Talk, *, for_good: bool = False) -> None:
        """See `Source.leave`."""
        talk.part(Bye(why="done"))
        talk.end()

    def close(self) -> None:
        """See `Source.close`."""


def started(channel: Channel, program: Program) -> tuple[Link, int | None]:
    """Start a program; its link, and its number where the system tells. Raises StartFailure, Shortage."""
    before = children()
    link = channel.spawn(program)
    new = children() - before
    return link, next(iter(new)) if len(new) == 1 else None


class Stand:
    """What the checks work with."""

    def __init__(self, board: Switchboard, source: Source, gallery: Gallery, settings: Settings) -> None:
        self.board = board
        self.source = source
        self.gallery = gallery
        self.settings = settings
        self.patience = Patience(settings.patience)
        self.first: Greeting | None = None
        """how the first conversation of all began"""
        self.hello: Hello | None = None
        """what the bot says of itself, as far as it could be made out"""
        self.unflushed = False
        """the first `hello` was written, but not flushed"""
        self.absent = False
        """there is no bot: it did not start, or ended before `hello`"""
        self._shared: Asking | None = None
        self._others: list[Talk] = []

    @property
    def flushing(self) -> str:
        """How this bot flushes stdout."""
        return flushing(self.source.program)

    def greeting(self) -> Greeting:
        """How the first conversation began; begins it if need be. Raises NotStarted."""
        if self.first is None:
            self._begin()
        assert self.first is not None
        return self.first

    def shared(self) -> Asking:
        """The conversation that goes on from check to check; a new one where that has ended. Raises Failed."""
        if self._shared is None or self._shared.talk.gone:
            self.spoil()
            self._begin()
        assert self._shared is not None
        return self._shared

    def renewed(self) -> Asking:
        """The shared conversation, begun anew."""
        self.spoil()
        return self.shared()

    def spoil(self, *, for_good: bool = False) -> None:
        """End the shared conversation; the next one begins anew."""
        if self._shared is not None:
            talk, self._shared = self._shared.talk, None
            self.source.leave(talk, for_good=for_good)

    def fresh(self, granted: tuple[str, ...] = (), program: Program | None = None) -> Asking:
        """A conversation for this check alone, greeted. Raises Failed, NotStarted."""
        asking, greeting = self.ungreeted(program)
        if greeting.hello is None:
            raise asking.talk.failed(
                "hello", asking.talk.account(f"no hello within {self.settings.hello} ms")
            )
        self._welcome(asking, granted)
        return asking

    def ungreeted(self, program: Program | None = None) -> tuple[Asking, Greeting]:
        """A conversation for this check alone in which `hello` was said and not answered."""
        if self.source.transport == "zmq":
            self.spoil()  # so that it is clear who dials in
        talk = self._open(program)
        self._others.append(talk)
        asking = Asking(talk, self.patience, self.settings.margin)
        return asking, self._hear_hello(talk)

    def tidy(self) -> None:
        """End the conversations of the check that is over."""
        while self._others:
            self.source.leave(self._others.pop())

    def close(self) -> None:
        """End everything."""
        self.tidy()
        self.spoil(for_good=True)
        self.source.close()

    # --- the beginning -------------------------------------------------------------------------------------------

    def _begin(self) -> None:
        talk = self._open(None)
        asking = self._shared = Asking(talk, self.patience, self.settings.margin)
        greeting = self._hear_hello(talk)
        first = self.first is None
        if first:
            self.first = greeting
        if greeting.hello is not None:
            meant = greeting.hello.meant
            self.hello = meant if isinstance(meant, Hello) else None
            self._welcome(asking, ())
        elif talk.gone and first:
            raise NotStarted(Finding(sent=talk.told, came=talk.account(), right="hello donuts=1-1 name=NAME"))
        elif not first:
            raise talk.failed("hello", talk.account(f"no hello within {self.settings.hello} ms"))

    def _welcome(self, asking: Asking, granted: tuple[str, ...]) -> None:
        asking.welcome(token_hex(16), granted)

    def _open(self, program: Program | None) -> Talk:
        try:
            return self.source.open(program)
        except StartFailure as failure:
            finding = Finding(
                sent="(the command was started)",
                came=str(failure),
                right="a program that can be started",
            )
            raise (Failed(finding) if program is not None else NotStarted(finding)) from None

    def _hear_hello(self, talk: Talk) -> Greeting:
        """Wait for `hello`; after a while, find out in a second process whether it is only not flushed."""
        before: list[Heard] = []
        end = talk.began + self.settings.hello * MS
        probe = talk.began + min(PROBE, self.settings.hello // 2) * MS
        probed = 0
        """until when the second process was waited for (ns), and the first one was looked at"""
        while True:
            heard = talk.hear(min(probe, end))
            if heard is not None and heard.at > end and probed > end:
                heard = None  # it was looked at when its time was over, and had said nothing
            if heard is not None and isinstance(heard.meant, Hello):
                return Greeting(tuple(before), heard, heard.at - talk.began)
            if heard is not None:
                before.append(heard)
            elif talk.gone or talk.now() >= end:
                return Greeting(tuple(before), None, min(talk.now(), end) - talk.began)
            elif talk.now() >= probe:
                probe = end
                if not before and self.source.transport == "stdio":
                    probed = self._see_end(talk)
                    if self.unflushed:
                        return Greeting((), None, talk.now() - talk.began)

    def _see_end(self, first: Talk) -> int:
        """Start a second process and end its stdin: `unflushed` if it says something then and the first one, which
        lives, still does not. Until when it was waited for (ns)."""
        talk = self._open(None)
        try:
            talk.link.hang_up()
            heard = talk.hear(talk.now() + AT_THE_END * MS)
            self.unflushed = heard is not None and not first.has_more and not first.gone
            return talk.now()
        finally:
            talk.end()

    def adopt(self, talk: Talk) -> Asking:
        """Share this conversation from now on; it goes on where the one before it stood (DBP-11.10)."""
        if self._shared is not None:
            old = self._shared.talk
            talk.session, talk.granted, talk.game = old.session, old.granted, old.game
            talk.issued, talk.next_id = old.issued, old.next_id
            if old is not talk:
                old.end()
        return self._take_over(talk)

    def _take_over(self, talk: Talk) -> Asking:
        if self._shared is None:
            self._shared = Asking(talk, self.patience, self.settings.margin)
        self._shared.talk = talk
        return self._shared


def with_stderr_closed(program: Program) -> Program:
    """The same bot with a stderr that takes nothing, as a closed one does; for systems with a shell.

    Descriptor 2 is there, as DBP-10.2 promises, but every write to it fails with EBADF.
    """
    return program._replace(argv=("/bin/sh", "-c", 'exec "$0" "$@" 2</dev/null', *program.argv))
