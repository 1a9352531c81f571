"""Asks one bot one turn of a kept game again: the same position, the same legal squares, the same clocks.

`question` rebuilds the turn from a record; `ask` is a generator of the table (see `channels.link`) that starts the
bot, greets it, makes it ready, sends the turn, judges the answer as a game would, and ends the bot.
"""

from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_protocol.escape import shown
from donuts_protocol.keys import NO_LIMIT
from donuts_protocol.messages import Cancel, End, Hello, Leave, Move, Ready, Resign
from donuts_protocol.questions import FIRST_BELOW
from donuts_protocol.session import RefereeSession
from donuts_referee.channels.link import Arrival
from donuts_referee.records.finding import FoundGame
from donuts_referee.records.reckoning import due
from donuts_referee.records.verify import replay
from donuts_referee.table import listening, sentences
from donuts_referee.table.clock import MS, Allowance
from donuts_referee.table.control import TimeControl
from donuts_referee.table.entrant import Entrant
from donuts_referee.table.finished import Conditions, Side
from donuts_referee.table.player import Fault, Player, Said
from donuts_referee.table.questions import game_question, turn_question

__all__ = ["Asked", "NoSuchTurn", "Passage", "Question", "ask", "question"]

HELLO = TimeControl().hello * MS
"""ns within which `hello` is due (DBP-9.11)."""


class NoSuchTurn(ValueError):
    """The game has no turn at this ply, or does not get so far by the rules; the text says what would be right."""


class Question(NamedTuple):
    """A turn as it was sent, and what `game` said before it."""

    position: Position
    conditions: Conditions
    allowed: Allowance
    oclock: int
    spent: int
    seed: int
    opp: str
    moves: tuple[str, ...]
    """the placements before it"""
    id: int | None
    """the id it had, where it is known"""
    sq: str | None
    """the square that was answered then"""


class Passage(NamedTuple):
    """Bytes that went to the bot (`>`) or came from it (`<`), with their stamp in ns."""

    at: int
    direction: str
    data: bytes


class Asked(NamedTuple):
    """What came of asking."""

    why: str | None
    """the fault or ending that the answer would have been; None for a legal move in time"""
    text: str
    """a sentence"""
    move: Move | None
    raw: str
    used: int | None
    """ns from the turn handed over to the end of the answer, or to the flag; None when it was never sent"""
    passages: tuple[Passage, ...]
    bot: Side


def question(found: FoundGame, ply: int, *, unclocked: bool = False) -> Question:
    """The turn of ply `ply` (from 0) of a kept game; `unclocked` takes every limit away. Raises NoSuchTurn."""
    sheet, record = found.sheet, found.record
    played = replay(sheet, record)
    position = played.before(ply)
    if position is None or outcome(position) is not None:
        most = len(played.steps) - (1 if played.last is not None and outcome(played.last) is not None else 0)
        if played.start is None or most < 0:
            raise NoSuchTurn(f"the game has no turn that can be asked again: {'; '.join(played.faults)}")
        raise NoSuchTurn(f"the game has no turn at ply {ply}; its turns are those of ply 0 to {most}")
    conditions = sheet.conditions
    if unclocked:
        conditions = Conditions(
            main=NO_LIMIT, inc=0, movemax=None, margin=conditions.margin, prep=conditions.prep
        )
    then = due(sheet._replace(conditions=conditions), record, ply)
    turns = {turn.ply: turn for turn in record.turns} if record is not None else {}
    kept = turns.get(ply)
    return Question(
        position=position,
        conditions=conditions,
        allowed=then.allowed,
        oclock=then.oclock,
        spent=then.spent,
        seed=sheet.seed,
        opp=_wire_name(sheet.o if position.you == "x" else sheet.x),
        moves=sheet.moves[:ply],
        id=None if kept is None else kept.id,
        sq=kept.sq if kept is not None else sheet.moves[ply] if ply < len(sheet.moves) else None,
    )


def _wire_name(bot: str) -> str:
    """A bot's name as `opp` may hold it, whatever stands in the file."""
    return (bot if bot.isprintable() else shown(bot))[:40]


def ask(
    asked: Question, entrant: Entrant, now: Callable[[], int]
) -> Generator[int | None, Sequence[Arrival], Asked]:
    """Start the bot, ask it and end it; whatever happens, nothing of it is left behind."""
    return _Asking(asked, entrant, now).run()


class _Over(Exception):
    """The asking is at its end."""

    def __init__(self, why: str | None, text: str) -> None:
        super().__init__(text)
        self.why = why
        self.text = text


class _Asking:
    def __init__(self, asked: Question, entrant: Entrant, now: Callable[[], int]) -> None:
        self._asked = asked
        self._now = now
        self._passages: list[Passage] = []
        self._player = Player(entrant, "1", self._note, lambda player, why, what: None, now)
        self._move: Move | None = None
        self._used: int | None = None
        self._turn: int | None = None
        """the id of the turn, once it is sent"""

    def _note(self, game: int, at: int, bot: str, direction: str, data: bytes) -> None:
        self._passages.append(Passage(at, direction, data))

    def run(self) -> Generator[int | None, Sequence[Arrival], Asked]:
        player = self._player
        player.new_game(1, self._asked.position.you)
        over = _Over(None, "")
        try:
            yield from self._prepare()
            yield from self._send_turn()
        except _Over as end:
            over = end
        finally:
            self._part(over)
            player.bury()
        text = over.text
        if over.why == "crash":
            text = sentences.crash(self._asked.position.ply, player.exit, player.stderr())
        return Asked(
            over.why, text, self._move, player.raw, self._used, tuple(self._passages), player.as_side()
        )

    # --- the conversation ------------------------------------------------------------------------------------

    def _prepare(self) -> Generator[int | None, Sequence[Arrival], None]:
        """From nothing to `ready`."""
        player, asked = self._player, self._asked
        fault = player.start()
        if fault is not None:
            raise _Over(fault.why, fault.text)
        if asked.id is not None and 0 < asked.id < FIRST_BELOW:
            player.session = RefereeSession(first_id=asked.id - 1)  # so that the turn has the id it had
        yield from self._await(Hello, self._now() + HELLO)
        conditions = asked.conditions
        player.game_id = player.session.next_id()
        player.playing = True
        position = asked.position
        player.send(
            game_question(player.game_id, position.you, position, conditions, asked.opp or None, asked.seed)
        )
        yield from self._await(Ready, self._now() + conditions.prep * MS)

    def _await(
        self, kind: type[Hello | Ready], deadline: int
    ) -> Generator[int | None, Sequence[Arrival], None]:
        """Wait for `hello` or `ready`; past the deadline one last look is taken at what is readable (DBP-8)."""
        look = listening.LastLook()
        while True:
            for one in (yield from self._listen(deadline)):
                if isinstance(one.what, kind):
                    return
                self._raise_fault(one)
            if look.over(self._now() >= deadline):
                raise _Over("start", self._not_ready(kind))

    def _not_ready(self, kind: type[Hello | Ready]) -> str:
        player = self._player
        if kind is Hello:
            return sentences.no_hello(HELLO // MS, None, player.stderr(), player.heard)
        return sentences.no_ready(self._asked.conditions.prep, player.stderr())

    def _send_turn(self) -> Generator[int | None, Sequence[Arrival], None]:
        """Ask, wait and judge; always ends in `_Over`."""
        player, asked, position = self._player, self._asked, self._asked.position
        allowed, conditions = asked.allowed, asked.conditions
        self._turn = player.session.next_id()
        start = player.send(
            turn_question(
                self._turn, player.game_id, position, allowed, asked.oclock, conditions.inc, asked.spent
            )
        )
        look = listening.LastLook()
        while True:
            deadline = None if start is None or allowed.budget is None else start + allowed.budget
            said = yield from self._listen(deadline)
            if start is None and player.stuck is None:
                start = player.sent_at
            for one in said:
                if isinstance(one.what, Move | Resign):
                    self._used, _ = allowed.owed(0 if start is None else max(0, one.at - start))
                    self._judge(one.what)
                self._raise_fault(one)
            if look.over(deadline is not None and self._now() >= deadline):
                self._used = 0 if start is None else self._now() - start
                late = self._used - (allowed.budget or 0)
                raise _Over("timeout", sentences.timeout(position.ply, self._used, allowed, late))

    def _judge(self, answer: Move | Resign) -> None:
        position = self._asked.position
        if isinstance(answer, Resign):
            raise _Over("resign", f"resign at ply {position.ply}: {position.you} gave up")
        self._move = answer
        if answer.sq not in position.legal_names:
            raise _Over("illegal", sentences.illegal(position.ply, answer.sq, position))
        raise _Over(None, f"{answer.sq} at ply {position.ply} is legal and in time")

    def _listen(self, deadline: int | None) -> Generator[int | None, Sequence[Arrival], list[Said]]:
        """Wait once, as a game does."""
        return listening.listen((self._player,), deadline, self._now, self._asked.position.ply)

    def _raise_fault(self, one: Said) -> None:
        if isinstance(one.what, Leave):
            if self._turn is None:
                raise _Over("start", "start: said bye instead of getting ready")
            raise _Over("resign", f"resign at ply {self._asked.position.ply}: the bot said bye")
        if isinstance(one.what, Fault):
            fault = one.what
            if fault.why == "crash":
                self._player.bury()
            if fault.why == "crash" and self._player.hello is None:
                text = sentences.no_hello(
                    HELLO // MS, self._player.exit, self._player.stderr(), self._player.heard
                )
                raise _Over("start", text)
            raise _Over(fault.why, fault.text)

    # --- the end ---------------------------------------------------------------------------------------------

    def _part(self, over: _Over) -> None:
        """Close what is open and say goodbye: `cancel`, `end`, `bye`."""
        player, position = self._player, self._asked.position
        if not player.alive:
            return
        if player.playing:
            if self._turn is not None and player.session.question == self._turn:
                player.send(Cancel(id=self._turn, why=over.why or "abort"))
            player.send(
                End(
                    id=player.game_id,
                    result="void",
                    winner=None,
                    why="abort",
                    text="one turn was asked again; no game is played",
                    ply=position.ply,
                    cells=position.cells,
                    moves=self._asked.moves,
                    more=0,
                )
            )
            player.playing = False
        player.dismiss("version" if over.why == "version" else "done")
