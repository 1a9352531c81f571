"""The bridge between a bot on pipes and a seat at an arena, sans-IO: when to start it, to dial again, to give up.

    bridge.begin(now)
    while bridge.finish is None:
        ...                  # hear, gone, connected, lost, receive as it happens; tick when bridge.due has come

Times are nanoseconds of any monotonic clock; what is to be done is done by `Ends`, at once.
"""

from enum import Enum

from donuts_protocol.dialling import AGAIN, Dialling
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.escape import shown
from donuts_protocol.messages import Bye, End, Error, Game, Hello, Leave, RefereeMessage, Turn, Welcome
from donuts_referee.channels.link import Shortage, StartFailure
from donuts_referee.joining import sentences
from donuts_referee.joining.child import Child, Unfit
from donuts_referee.joining.ends import Ends, Finish, Seating
from donuts_referee.joining.relay import Relay
from donuts_referee.table.sentences import last_words, no_hello

__all__ = ["Bridge"]

SECOND = 1_000_000_000
HELLO = 30 * SECOND
"""ns within which `hello` is due (DBP-9.11)."""

LONGEST_PAUSE = 30
"""Seconds before the bot dials in again, at most; the first time it is 1, and it doubles."""

PARTING = SECOND
"""ns that an arena has for the `end` of a game that the bot has left."""

DEATHS = 3
"""So often in a row the bot may end without a game played to its end."""


class _Stage(Enum):
    AWAY = "no socket"
    DIALLING = "a socket without a connection"
    GREETED = "hello is said"
    SEATED = "welcome came"
    LEAVING = "bye is said, in a game; its end may still come"


class Bridge:
    """One seat and the bot that holds it, over all its processes and connections; `finish` says when it is over."""

    def __init__(self, seating: Seating, ends: Ends) -> None:
        self.finish: Finish | None = None
        self._seating = seating
        self._ends = ends
        self._relay = Relay(ends)
        self._stage = _Stage.AWAY
        self._hello: Hello | None = None
        """what was said, or is to be said, to the arena"""
        self._welcome: Welcome | None = None
        self._error: Error | None = None
        self._game: Game | None = None
        self._playing: int | None = None
        """id of the game that the arena counts as ours"""
        self._games = 0
        self._deaths = 0
        self._pause = 1
        self._missed = False
        """people were told that the arena does not answer"""
        self._hello_due: int | None = None
        self._dial_at: int | None = None
        self._notice_at: int | None = None
        self._parting: int | None = None

    # --- time ----------------------------------------------------------------------------------------------------

    @property
    def due(self) -> int | None:
        """When `tick` has something to do (ns)."""
        times = [self._hello_due, self._dial_at, self._notice_at, self._parting]
        if self._stage in (_Stage.GREETED, _Stage.SEATED):
            times.append(self._dialling.due)
        return min((time for time in times if time is not None), default=None)

    def tick(self, now: int) -> None:
        """Do what is due, one thing a call."""
        if self._hello_due is not None and now >= self._hello_due:
            child = self._relay.child
            heard = child is not None and child.heard
            self._unfit(no_hello(HELLO // 1_000_000, None, self._ends.stderr(), heard), now)
        elif self._parting is not None and now >= self._parting:
            self._depart(now)
        elif self._dial_at is not None and now >= self._dial_at:
            self._dial_at = None
            if self._relay.child is None:
                self._start(now)
            elif self._relay.child.hello is not None:
                self._dial(now)
        elif self._notice_at is not None and now >= self._notice_at:
            self._notice_at = None
            self._miss(f"{shown(self._seating.endpoint)} does not answer, or wants (other) keys; trying on")
        elif self._stage in (_Stage.GREETED, _Stage.SEATED) and self._dialling.stale(now):
            self._miss("no word from the arena; dialling again")
            self._dial(now)

    def begin(self, now: int) -> None:
        """Start the bot; all else follows from what it says."""
        self._start(now)

    def stop(self) -> None:
        """The operator ends it: `bye` to both sides."""
        self._conclude(Finish(), "stopped by its operator", "abort")

    # --- the bot -------------------------------------------------------------------------------------------------

    def hear(self, data: bytes, now: int) -> None:
        """The bot has written."""
        child = self._relay.child
        if child is None:
            return
        child.hear(data)
        try:
            while self._relay.child is child and (line := child.next_line()) is not None:
                if line.message is child.hello:
                    self._introduced(child, now)
                elif isinstance(line.message, Leave):
                    self._ends.end()
                    self._died(child, "the bot said bye", line.frame, now)
                else:
                    self._relay.say(line, child)
        except Unfit as fault:
            self._unfit(f"{fault}{last_words(self._ends.stderr())}", now)

    def gone(self, now: int) -> None:
        """The bot's process has ended, or its stdout has."""
        child = self._relay.child
        if child is None:
            return
        exit_ = self._ends.end()
        if child.hello is None:
            self._unfit(no_hello(HELLO // 1_000_000, exit_, self._ends.stderr(), child.heard), now)
        else:
            self._died(child, sentences.died(exit_), None, now)

    def _start(self, now: int) -> None:
        self._relay.begin()
        self._hello_due = now + HELLO
        try:
            self._ends.start()
        except (StartFailure, Shortage) as failure:
            self._relay.child = None
            self._conclude(Finish(str(failure), good=False), "the bot cannot be started")

    def _unfit(self, text: str, now: int) -> None:
        """No valid `hello` came; the first time that is final."""
        self._ends.end()
        self._relay.child = self._hello_due = None
        self._deaths += 1
        if self._hello is None or self._deaths >= DEATHS:
            self._conclude(Finish(text, good=False), "the bot does not start")
        else:
            self._start(now)

    def _introduced(self, child: Child, now: int) -> None:
        """The bot's `hello` is there; one who is seated with the same goes on as if nothing had happened."""
        self._hello_due = None
        assert child.hello is not None
        hello = self._seating.hello(child.hello)
        old = self._relay.dialling
        same = old is not None and hello == self._hello and old.session.encoding == child.encoding
        if not same:
            self._relay.dialling = Dialling(hello, child.encoding)
            self._relay.dialling.token = None if old is None else old.token
            self._hello = hello
        if self._stage is _Stage.AWAY:
            if self._dial_at is None:
                self._dial(now)
        elif self._stage is _Stage.SEATED and same:
            assert self._welcome is not None
            self._relay.welcome(self._welcome)
        elif self._stage in (_Stage.SEATED, _Stage.GREETED) and not same:
            self._dial(now)

    def _died(self, child: Child, what: str, bye: bytes | None, now: int) -> None:
        """The bot is gone: in a game that is its loss, between games it is nobody's business."""
        self._relay.child = None
        self._deaths += 1
        if child.inside:
            self._ends.tell(f"{what} in a game, which is lost by it{last_words(self._ends.stderr())}")
            self._resign(what, bye, now)
        else:
            self._relay.restore(child)
        if self._deaths >= DEATHS:
            text = f"{what}, {DEATHS} times without a finished game{last_words(self._ends.stderr())}"
            self._conclude(Finish(text, good=False), what)
        else:
            self._start(now)

    def _resign(self, what: str, bye: bytes | None, now: int) -> None:
        """Leave the arena in a game; where that cannot be said, the new session will tell."""
        self._relay.forsake()
        if self._stage is _Stage.SEATED:
            if bye is None:  # its process has ended: a crash, not a resignation (DBP-11.18)
                self._ends.to_arena(self._dialling.send(Error(id=None, code="crash", text=what[:200])))
                bye = self._dialling.send(Leave(text=what))
            self._ends.to_arena(bye)
            self._enter(_Stage.LEAVING)
            self._parting = now + PARTING
        else:
            self._away()
        self._dialling.token = None

    def _depart(self, now: int) -> None:
        """The last word about a game that the bot has left was spoken, or was waited for long enough."""
        self._away()
        if self._playing is not None:
            self._count()
        child = self._relay.child
        if child is not None and child.hello is not None:
            self._dial(now)

    # --- the arena -----------------------------------------------------------------------------------------------

    def connected(self, now: int) -> None:
        """The fresh socket has its connection."""
        if self._stage is _Stage.DIALLING:
            self._enter(_Stage.GREETED)
            self._notice_at = None
            self._relay.reconnected()
            self._ends.to_arena(self._dialling.greet(now))

    def lost(self, now: int) -> None:
        """The connection is gone."""
        if self._stage is _Stage.LEAVING:
            self._depart(now)
        elif self._stage is _Stage.SEATED:
            self._ends.tell("the connection to the arena is lost; dialling again")
            self._dial(now)
        elif self._stage is _Stage.GREETED:
            self._rest(now)

    def refused(self, text: str) -> None:
        """The arena will never take a connection of ours."""
        self._conclude(Finish(text, good=False), "")

    def receive(self, frame: bytes, now: int) -> None:
        """A frame came."""
        if self._stage in (_Stage.AWAY, _Stage.DIALLING):
            return
        dialling = self._dialling
        dialling.receive(frame, now)
        try:
            message = dialling.next_event()
        except RemoteProtocolError as fault:
            # The text quotes the frame, which may hold a secret (DBP-11.13).
            self._miss(f"the arena broke the protocol ({fault.why}, {fault.clause}); dialling again")
            self._rest(now)
            return
        payload = frame
        if dialling.session.encoding == "text":
            payload = frame.removesuffix(b"\n").removesuffix(b"\r")
        if message is not None:
            self._obey(message, payload, now)
        elif payload:
            self._relay.pass_on(payload)

    def _obey(self, message: RefereeMessage, payload: bytes, now: int) -> None:
        match message:
            case Welcome():
                self._welcomed(message, payload)
            case Error():
                self._complained(message, payload)
            case Bye():
                self._sent_away(message, payload, now)
            case End():
                self._ended(message, payload)
            case _ if self._stage is _Stage.SEATED:
                if isinstance(message, Game):
                    self._game, self._playing = message, message.id
                elif isinstance(message, Turn):
                    self._playing = message.game
                self._relay.offer(message, payload)
            case _:
                pass

    def _welcomed(self, welcome: Welcome, payload: bytes) -> None:
        assert self._hello is not None
        again = self._welcome is not None
        renewed = self._dialling.renewed
        self._enter(_Stage.SEATED)
        self._welcome, self._missed = welcome, False
        lost = False
        if renewed:
            self._game = self._playing = None
            lost = self._relay.renew()
        words = "seated at" if renewed else "back at"
        news = "; the game before is gone" if lost else "; a new session" if renewed and again else ""
        self._ends.tell(
            f"{words} {shown(self._seating.endpoint)} as {shown(welcome.name or self._hello.name)}{news}"
        )
        self._relay.welcome(welcome, payload)

    def _complained(self, error: Error, payload: bytes) -> None:
        """What is said about the dialling is for people, all else for the bot."""
        self._error = error
        if error.id is not None or error.code not in ("hello", "seat", "tc", "frames"):
            self._relay.pass_on(payload)
        elif error.code == "tc":
            self._ends.tell(f"the arena does not offer this time control: {shown(error.text or '')}")

    def _ended(self, end: End, payload: bytes) -> None:
        if self._relay.ended(end, payload):
            self._deaths = 0
            self._pause = 1
        self._ends.tell(sentences.result(self._games + 1, end, self._game))
        self._count()

    def _count(self) -> None:
        self._game = self._playing = None
        self._games += 1
        if self._games == self._seating.games:
            self._conclude(Finish(), f"{self._games} games are played")

    def _sent_away(self, bye: Bye, payload: bytes, now: int) -> None:
        again = bye.why in AGAIN
        if self._stage is _Stage.LEAVING and (again or bye.why in (None, "done", "resign")):
            self._depart(now)
            return
        self._dialling.token = None
        self._away()
        self._relay.forsake()
        child = self._relay.child
        if child is not None and (child.greeted or not again):
            if child.hello is not None:
                self._ends.to_bot(child.wrapped(payload))
            self._ends.end()
            self._relay.child = self._hello_due = None
        if again:
            seconds = self._rest(now)
            self._ends.tell(sentences.away(bye, seconds))
        elif bye.why == "done":
            self._conclude(Finish(), "")
        else:
            self._conclude(Finish(sentences.farewell(bye, self._error), good=False), "")

    # --- connections ---------------------------------------------------------------------------------------------

    @property
    def _dialling(self) -> Dialling:
        assert self._relay.dialling is not None
        return self._relay.dialling

    def _enter(self, stage: _Stage) -> None:
        self._stage = stage
        self._relay.seated = stage is _Stage.SEATED

    def _dial(self, now: int) -> None:
        if self.finish is None:
            self._enter(_Stage.DIALLING)
            self._notice_at = None if self._missed else now + SECOND
            self._ends.dial()

    def _away(self) -> None:
        self._parting = self._notice_at = None
        if self._stage is not _Stage.AWAY:
            self._enter(_Stage.AWAY)
            self._ends.drop()

    def _rest(self, now: int) -> int:
        """Dial in again after a pause, whose seconds are returned; the next one is twice as long."""
        self._away()
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        self._dial_at = now + pause * SECOND
        return pause

    def _miss(self, text: str) -> None:
        """Tell people once that the arena is not there as it should be."""
        if not self._missed:
            self._missed = True
            self._ends.tell(text)

    def _conclude(self, finish: Finish, text: str, why: str = "done") -> None:
        """Part from both sides."""
        if self.finish is not None:
            return
        self.finish = finish
        if self._stage in (_Stage.GREETED, _Stage.SEATED):
            self._ends.to_arena(self._dialling.send(Leave(text=text or None)))
        self._away()
        child, self._relay.child = self._relay.child, None
        self._hello_due = self._dial_at = None
        if child is not None:
            if child.hello is not None:
                self._ends.to_bot(child.written(Bye(why=why)))
            self._ends.end()
