"""The arena: who sits where, who meets whom, what is kept of it; everything but the loop and the sockets.

Bots are seated by the `Reception`, paired by `pairing`, refereed on the `Floor` and kept by the `Ledger`. An
encounter is two games on one board with the sides swapped.
"""

import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from donuts_protocol.messages import Error, Hello
from donuts_referee.arena.config import ArenaConfig
from donuts_referee.arena.floor import Floor, Outcome
from donuts_referee.arena.ladder import Ladder, RowKey
from donuts_referee.arena.ledger import Ledger
from donuts_referee.arena.pairing import Candidate, Pair, fair_patience, pairs
from donuts_referee.arena.reception import Reception, Seated
from donuts_referee.arena.seating import Refusal
from donuts_referee.arena.standings import outcome_of
from donuts_referee.programme import Boards, pair_setting
from donuts_referee.records.record import new_match_id
from donuts_referee.table.control import ControlError, TimeControl
from donuts_referee.table.entrant import Entrant, MatchRules
from donuts_referee.table.events import Event, GameOver
from donuts_referee.table.finished import FinishedGame
from donuts_referee.table.match import match

__all__ = ["Arena", "Onlooker"]

MOST_GUESTS = 1000
"""bots that can be seated at once"""

STRIKES = frozenset(("start", "version", "timeout", "unread", "crash", "disconnect", "protocol", "flood"))
"""Codes of games that count towards the bench, as does saying `bye` in a game."""

DEAF_FOR = 60_000_000_000
"""ns that a ping may be unanswered before its bot is sent away"""

LATELY = 50
"""encounters whose length says how long a rematch waits"""

SECOND = 1_000_000_000

MOST_FAULTS = 1 << 20
"""bytes of it after which no more is kept"""

FAULTS = "faults.log"
"""the file of the records in which our own faults are kept, with where they came from"""


class Onlooker(Protocol):
    """Sees what happens, for the operator."""

    def came(self, guest: Seated) -> None:
        """A bot sat down."""
        ...

    def went(self, guest: Seated, why: str) -> None:
        """A bot's session ended."""
        ...

    def saw(self, event: Event, record: str) -> None:
        """An event of a match; `record` is the id of a finished game."""
        ...

    def note(self, text: str) -> None:
        """Something that the operator should know."""
        ...


class Arena:
    """The state of an arena; implements `reception.Host`."""

    def __init__(
        self,
        config: ArenaConfig,
        ledger: Ledger,
        ladder: Ladder,
        boards: Boards,
        seed: int,
        onlooker: Onlooker,
    ) -> None:
        self.config = config
        self.ledger = ledger
        self.ladder = ladder
        self.paused = False
        self.draining = False
        self.games = 0
        """finished since the start, the void ones among them"""
        self.whys: Counter[str] = Counter()
        """games since the start, by why they ended"""
        self.plies = 0
        self.encounters = 0
        """begun, over all starts of this arena: they number the boards"""
        self._boards = boards
        self._seed = seed
        self._show = onlooker
        self._last: dict[str, str] = {}
        """seat -> whom it met last"""
        self._strikes: Counter[str] = Counter()
        self._benched: set[str] = set()
        """seats whose bot is to be told at its next `hello` that it was benched"""
        self._took: deque[float] = deque(maxlen=LATELY)
        self.reception: Reception
        self.floor: Floor
        self._now: Callable[[], int]

    def open(self, reception: Reception, floor: Floor, now: Callable[[], int]) -> None:
        """Take up work: with those who greet, and where matches are played."""
        self.reception, self.floor, self._now = reception, floor, now

    # --- who comes and goes (reception.Host) -----------------------------------------------------------------------

    def welcomes(self, seat: str, hello: Hello) -> None:
        """See `Host.welcomes`."""
        if self.draining:
            raise Refusal("drain", "the arena is going down; dial in again later")
        if seat in self._benched:
            self._benched.discard(seat)
            self._strikes[seat] = 0
            raise Refusal("benched", self._bench_text())
        if len(self.reception.guests) >= MOST_GUESTS and seat not in self.reception.guests:
            raise Refusal("busy", f"all {MOST_GUESTS} places are taken; dial in again later")

    def _bench_text(self) -> str:
        return (
            f"{self.config.bench_after} games running were lost by faults of the bot; mend it and join again"
        )

    def came(self, guest: Seated) -> None:
        """See `Host.came`."""
        self._show.came(guest)
        wish = guest.hello.tc
        if wish is not None and self.control_of(guest) is None:
            offered = ", ".join(str(control) for control in self.config.controls)
            text = f"{wish} is not played here; what is: {offered}"
            guest.link.send(guest.session.send(Error(id=None, code="tc", text=text[:200])))

    def went(self, guest: Seated, why: str) -> None:
        """See `Host.went`."""
        self._show.went(guest, why)

    def control_of(self, guest: Seated) -> TimeControl | None:
        """The time control that a bot wished for, where it is offered."""
        try:
            wish = None if guest.hello.tc is None else str(TimeControl.parse(guest.hello.tc))
        except ControlError:
            return None
        return next((control for control in self.config.controls if str(control) == wish), None)

    # --- who meets whom --------------------------------------------------------------------------------------------

    def pair(self) -> None:
        """Begin the encounters that can begin now."""
        if self.paused or self.draining or self.ledger.held:
            return
        room = None if self.config.at_once is None else self.config.at_once - len(self.floor)
        free = [guest for guest in self.reception.guests.values() if self._can_play(guest)]
        if len(free) < 2 or (room is not None and room < 1):
            return
        candidates = [self._candidate(guest) for guest in free]
        seated = sum(guest.link.lost is None for guest in self.reception.guests.values())
        for two in pairs(candidates, seated, fair_patience(self._took), room=room):
            self._begin(two)

    def _can_play(self, guest: Seated) -> bool:
        """Who has answered a ping since its last encounter is there, alive, and has not said `bye` meanwhile."""
        return (
            not guest.playing and guest.link.lost is None and guest.rtt is not None and guest.pinged is None
        )

    def _candidate(self, guest: Seated) -> Candidate:
        row = self.ladder.row(RowKey(guest.name, guest.hello.ver or ""))
        control = self.control_of(guest)
        return Candidate(
            name=guest.name,
            games=row.games,
            rating=row.rating,
            last=self._last.get(guest.name),
            wish=None if control is None else str(control),
            waited=(self._now() - guest.free_since) / SECOND,
        )

    def _begin(self, two: Pair) -> None:
        config, guests = self.config, self.reception.guests
        first, second = guests[two.first], guests[two.second]
        self._last[first.name], self._last[second.name] = second.name, first.name
        self.encounters += 1
        setting = pair_setting(self.encounters, self._boards, config.rings, self._seed)
        rules = MatchRules(self._control(two, first, second), config.on_fault, reveal=config.reveal)
        match_id = new_match_id()
        began = self._now()

        def observe(event: Event) -> None:
            self._observe(event, match_id, (first, second))

        def done(outcome: Outcome) -> None:
            self._took.append((self._now() - began) / SECOND)
            self._done(outcome, (first, second))

        for guest in (first, second):
            guest.playing = True
        steps = match(_entrant(first), _entrant(second), (setting, setting), rules, self._now, observe)
        self.floor.begin(steps, (first.link, second.link), done)

    def _control(self, two: Pair, first: Seated, second: Seated) -> TimeControl:
        """What is played, with the margin for where the bots are (DBP-11.16)."""
        chosen = next((c for c in self.config.controls if str(c) == two.control), self.config.controls[0])
        local = first.remote.peer.local and second.remote.peer.local
        margin = self.config.margin_local if local else self.config.margin_remote
        return replace(chosen, margin=margin)

    # --- what comes of it ------------------------------------------------------------------------------------------

    def _observe(self, event: Event, match_id: str, guests: tuple[Seated, Seated]) -> None:
        if type(event) is not GameOver:
            self._show.saw(event, "")
            return
        game = event.game
        record = self.ledger.keep(game, match_id)
        if self.ledger.fault is not None:
            self._show.note(f"{self.ledger.fault}; {self.ledger.held} games are held and no new one begins")
        self.ladder.count(outcome_of(self.ladder, game))
        self.games += 1
        self.plies += len(game.turns)
        self.whys[game.verdict.why] += 1
        for guest in guests:
            self._count_strike(guest, game)
        self._show.saw(event, record)

    def _count_strike(self, guest: Seated, game: FinishedGame) -> None:
        side = "x" if game.x.bot == guest.name else "o"
        verdict = game.verdict
        if verdict.void and verdict.fault is None:
            return
        at_fault = side in (verdict.fault or "") and verdict.why in STRIKES
        left = verdict.why == "resign" and verdict.winner != side and guest.left
        if at_fault or left:
            self._strikes[guest.name] += 1
        else:
            del self._strikes[guest.name]

    def _done(self, outcome: Outcome, guests: Iterable[Seated]) -> None:
        if outcome.error is not None:
            self._report(outcome.error)
            for guest in guests:  # who knows what state their sessions are in
                self.reception.end(guest, "referee")
        now = self._now()
        for guest in guests:
            guest.playing = False
            guest.free_since = now
            if guest.remote.ended:
                self.reception.end(guest, "left" if guest.left else "fault")
            if self._strikes[guest.name] >= self.config.bench_after:
                self._bench(guest.name)
            elif not guest.remote.ended:
                guest.ping(now)

    def _bench(self, seat: str) -> None:
        """Play no more with a bot that only fails; it is told so now, or else when it dials in again."""
        guest = self.reception.guests.get(seat)
        if guest is not None and guest.playing:
            return  # a new session of it plays already: that game will tell
        if guest is None or guest.link.lost is not None:
            self._benched.add(seat)
        else:
            self._strikes[seat] = 0
        if guest is not None:
            self.reception.end(guest, "benched", text=self._bench_text())
        self._show.note(f"{seat} is benched: {self._bench_text()}")

    def _report(self, error: Exception) -> None:
        """Tell the operator of a fault of ours, and keep where it came from, as far as there is room."""
        path = self.config.records / FAULTS
        with suppress(OSError), path.open("a", encoding="utf-8") as log:
            if log.tell() < MOST_FAULTS:
                log.write("".join(traceback.format_exception(error)))
        self._show.note(
            f"a match failed, its game is void: {type(error).__name__}: {error}; please report it with {path}"
        )

    # --- the passing of time ---------------------------------------------------------------------------------------

    def strikes_of(self, seat: str) -> int:
        """Games running that the bot of this seat lost by its own faults."""
        return self._strikes.get(seat, 0)

    def attend(self, now: int) -> None:
        """What is due from time to time: signs of life, seats that were revoked, games that could not be written."""
        self.reception.attend(now)
        for guest in tuple(self.reception.guests.values()):
            if not guest.playing and guest.pinged is not None and now - guest.pinged > DEAF_FOR:
                self.reception.end(guest, "timeout")
            elif self.reception.seating.claim(guest.name) != guest.claim:
                self.remove(
                    guest, "seat", "this seat was revoked, or given a new join file; ask the operator"
                )
        if self.ledger.held and self.ledger.settle():
            self._show.note("all games that were held are written")

    def remove(self, guest: Seated, why: str, text: str | None = None) -> None:
        """Send a bot away, with a reason; a game that it plays is void."""
        if guest.playing:
            self.floor.stop(guest.link)
        self.reception.end(guest, why, text=text)

    def close(self, why: str) -> None:
        """Make all games void and send everyone away."""
        self.floor.stop()
        for guest in tuple(self.reception.guests.values()):
            self.reception.end(guest, why)


def _entrant(guest: Seated) -> Entrant:
    return Entrant(bot=guest.name, open=lambda: guest.link, again=False, guest=guest, stays=True)
