"""Matches on a virtual clock: an exchange whose time moves only when the table waits, and bots that follow a script.

A `ScriptedBot` answers every line as an honest bot would, after `think` ms, except where the script says
otherwise: `on("turn", 3, (20, b"move {id} z9\\n"))` replaces its reaction to the third `turn` by those bytes,
20 ms later. `{id}` and `{legal}` are filled in. `GONE` ends the process, `SHUT` closes its stdin, as the write
shows at which it says so.
"""

import heapq
import itertools
from collections.abc import Sequence

from donuts_engine.board import Board
from donuts_referee.channels.drive import drive
from donuts_referee.channels.link import (
    Arrival,
    Chunk,
    Exit,
    Gone,
    Sent,
    Shortage,
    Shut,
    StartFailure,
    Stderr,
)
from donuts_referee.table.adjudication import Adjudication, Oracle
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import Entrant, MatchRules, Setting
from donuts_referee.table.events import Event, GameOver, Score
from donuts_referee.table.finished import FinishedGame
from donuts_referee.table.match import match

MS = 1_000_000
GONE = object()
SHUT = object()
LAYOUT = "VHDDDHVDHVHVDADHHHVADVVHVVDHDDDVHDAD"

Reaction = tuple[float, object]


class VirtualExchange:
    """Time that passes only here; `lag` ms are added once to the next wait: a referee that was not scheduled."""

    def __init__(self) -> None:
        self.time = 1_000 * MS
        self.lag = 0.0
        self.interrupt_at: int | None = None
        self._queue: list[tuple[int, int, Arrival]] = []
        self._tick = itertools.count()

    def now(self) -> int:
        return self.time

    def post(self, delay: float, arrival: Arrival) -> None:
        at = self.time + round(delay * MS)
        heapq.heappush(self._queue, (at, next(self._tick), arrival._replace(at=at)))

    def wait(self, deadline: int | None) -> Sequence[Arrival]:
        queue = self._queue
        if queue and (deadline is None or queue[0][0] <= deadline):
            until = max(self.time, queue[0][0])
        else:
            assert deadline is not None, "the match waits for ever for bots that will never speak"
            until = max(self.time, deadline)
        if self.interrupt_at is not None and until >= self.interrupt_at:
            self.time, self.interrupt_at = self.interrupt_at, None
            raise KeyboardInterrupt
        self.time = until + round(self.lag * MS)
        late, self.lag = self.lag > 0, 0.0
        arrivals: list[Arrival] = []
        while queue and queue[0][0] <= self.time:
            at, _, arrival = heapq.heappop(queue)
            if isinstance(arrival, Sent):
                arrival.link.full = False
            arrivals.append(arrival._replace(at=self.time if late else at))
        return arrivals


class ScriptedLink:
    """The link to one process of a scripted bot."""

    lost: int | None = None

    def __init__(self, bot: "ScriptedBot", exchange: VirtualExchange) -> None:
        self.bot = bot
        self.exchange = exchange
        self.dead = False
        self.hung_up = False
        self.reaped = False
        self.full = False

    def send(self, data: bytes) -> int | None:
        if self.dead or self.hung_up:
            return self.exchange.now()
        for line in data.decode("ascii").splitlines():
            self.bot.heard.append(line)
            self.bot.react(self, line)
        if self.full:
            return None
        return self.exchange.now()

    def say(self, delay: float, what: object) -> None:
        if what is GONE:
            self.exchange.post(delay, Gone(self, 0))
        elif what is SHUT:
            self.full = True
            self.exchange.post(delay, Shut(self, 0))
        else:
            assert isinstance(what, bytes)
            self.exchange.post(delay, Chunk(self, what, 0))

    def drain(self, delay: float) -> None:
        self.exchange.post(delay, Sent(self, 0))

    def hang_up(self) -> None:
        self.hung_up = True

    def reap(self) -> Exit:
        self.reaped = True
        return self.bot.exit

    def stderr(self) -> Stderr:
        return Stderr(self.bot.stderr, b"", len(self.bot.stderr))


class ScriptedBot:
    """An honest bot that plays its first legal square, except where the script overrides a reaction."""

    def __init__(self, name: str = "bot", *, think: float = 1) -> None:
        self.name = name
        self.think = think
        self.exit = Exit(0, None)
        self.stderr = b""
        self.heard: list[str] = []
        self.links: list[ScriptedLink] = []
        self.failing_starts: dict[int, StartFailure | Shortage] = {}
        self.again = True
        self._script: dict[tuple[str, int], tuple[Reaction, ...]] = {}
        self._seen: dict[str, int] = {}
        self._exchange: VirtualExchange | None = None

    def on(self, verb: str, nth: int, *reactions: Reaction) -> "ScriptedBot":
        """Replace the reaction to the `nth` line (from 1; 0: every one) of that verb; `start` is the process start."""
        self._script[verb, nth] = reactions
        return self

    def open(self) -> ScriptedLink:
        assert self._exchange is not None
        link = ScriptedLink(self, self._exchange)
        self.links.append(link)
        failure = self.failing_starts.get(len(self.links))
        if failure is not None:
            raise failure
        self.react(link, "start")
        return link

    def heard_of(self, verb: str) -> list[str]:
        """The lines of one verb that the bot was sent."""
        return [line for line in self.heard if line.split()[0] == verb]

    def react(self, link: ScriptedLink, line: str) -> None:
        verb, *rest = line.split()
        self._seen[verb] = nth = self._seen.get(verb, 0) + 1
        fields = dict(part.split("=", 1) for part in rest if "=" in part)
        reactions = self._script.get((verb, nth), self._script.get((verb, 0)))
        if reactions is None:
            reactions = self._honest(verb)
        for delay, what in reactions:
            if isinstance(what, bytes):
                legal = fields.get("legal", "").split(",")[0]
                number = rest[0] if rest else ""
                what = what.replace(b"{id}", number.encode()).replace(b"{legal}", legal.encode())
            link.say(delay, what)

    def _honest(self, verb: str) -> tuple[Reaction, ...]:
        replies: dict[str, bytes] = {
            "start": b"hello donuts=1-1 name=%s\n" % self.name.encode(),
            "game": b"ready {id}\n",
            "turn": b"move {id} {legal}\n",
            "ping": b"pong {id}\n",
        }
        return ((self.think, replies[verb]),) if verb in replies else ()

    def entrant(self, exchange: VirtualExchange) -> Entrant:
        self._exchange = exchange
        return Entrant(bot=self.name, open=self.open, argv=("./" + self.name,), again=self.again)


class Played:
    """What came of a scripted match."""

    def __init__(self, events: list[Event], score: Score, exchange: VirtualExchange) -> None:
        self.events = events
        self.score = score
        self.exchange = exchange

    @property
    def games(self) -> list[FinishedGame]:
        return [event.game for event in self.events if isinstance(event, GameOver)]

    def ends(self) -> list[tuple[str, str]]:
        """(winner, why) of every game."""
        return [(game.verdict.winner, game.verdict.why) for game in self.games]


def play(
    x: ScriptedBot,
    o: ScriptedBot,
    *,
    games: int = 1,
    control: TimeControl | None = None,
    on_fault: str = "forfeit",
    exchange: VirtualExchange | None = None,
    rings: int = 15,
    opening: tuple[int, ...] = (),
    each_move: bool = False,
    tap: object = None,
    adjudication: Adjudication | None = None,
    oracle: Oracle | None = None,
) -> Played:
    """A whole match of scripted bots on virtual time."""
    exchange = exchange or VirtualExchange()
    events: list[Event] = []
    setting = Setting(board=Board(LAYOUT), rings=rings, seed=7, number=None, opening=opening)
    rules = MatchRules(
        control=control or TimeControl.parse("60+0.1"),
        on_fault=on_fault,  # type: ignore[arg-type]
        adjudication=adjudication,
        oracle=oracle,
    )
    steps = match(
        x.entrant(exchange),
        o.entrant(exchange),
        [setting] * games,
        rules,
        exchange.now,
        events.append,
        each_move=each_move,
        tap=tap,  # type: ignore[arg-type]
    )
    score = drive(steps, exchange)
    for bot in (x, o):
        opened = [link for number, link in enumerate(bot.links, 1) if number not in bot.failing_starts]
        assert all(link.hung_up or link.dead or link.reaped for link in opened)
        assert all(link.reaped for link in opened)
    return Played(events, score, exchange)
