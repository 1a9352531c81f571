"""Asks a bot as a referee would: greets it, announces games, sends turns and pings, and waits for what is due."""

import re
from collections.abc import Callable
from typing import NamedTuple

from donuts_engine.position import Position
from donuts_engine.squares import NAMES
from donuts_protocol.messages import (
    BotMessage,
    End,
    Error,
    Game,
    Hello,
    Info,
    Leave,
    Message,
    Move,
    Ping,
    Pong,
    Ready,
    RefereeMessage,
    Resign,
    Turn,
    Welcome,
)
from donuts_referee.check.hearing import Heard
from donuts_referee.check.positions import Study
from donuts_referee.check.talk import MS, Talk
from donuts_referee.check.verdicts import Failed
from donuts_referee.table.clock import Allowance
from donuts_referee.table.finished import Conditions
from donuts_referee.table.questions import game_question, turn_question
from donuts_referee.version import __version__

__all__ = [
    "NO_PONG",
    "PATIENT",
    "QUICK",
    "Answer",
    "Asking",
    "Deliver",
    "Patience",
    "alike",
    "per_move",
    "plainly",
]

PREP = 10_000
"""ms within which `ready` is due (DBP-6.6)"""

PATIENT = 5_000
"""ms beyond its time in which an answer is waited for, where time is not what is checked; twice that is PREP"""

IMPATIENT = 5
"""the part of that for a bot that has kept silent before"""

MOST_MARGIN = 1000
"""ms of a margin that are waited for, unless a larger one was asked for: as a value, a margin may be any"""

ANSWERS: tuple[type[BotMessage], ...] = (Move, Resign)
"""what answers a turn"""

SEED = 4711

NO_PONG = "no pong"
"""cause (see Failed) of all that fails since pings are not answered"""


def per_move(limit: int, margin: int = 50) -> Conditions:
    """So many ms for each move (DBP-8.4)."""
    return Conditions(main=0, inc=limit, movemax=limit, margin=margin, prep=PREP)


QUICK = per_move(30)
"""What a bot is told where time is not what is checked."""


class Patience:
    """How long an answer is waited for: less, once a bot has kept silent twice."""

    def __init__(self, most: int = PATIENT) -> None:
        self.silences = 0
        self._most = most

    @property
    def ms(self) -> int:
        """ms beyond the time that the bot was given."""
        return self._most if self.silences < 2 else self._most // IMPATIENT


class Answer(NamedTuple):
    """The answer to a turn."""

    heard: Heard
    sq: str | None
    """None: it resigned"""
    used: int
    """ns from the turn handed over to the end of the answer, without what the checker was late itself"""
    late: bool
    """it could not be read when limit and margin were over"""


Deliver = Callable[[Talk, RefereeMessage], int]
"""Sends a message in some form; returns when it was handed over (ns)."""


def plainly(talk: Talk, message: RefereeMessage) -> int:
    """Send it as it is."""
    return talk.send(message)


class Asking:
    """One greeted bot; every method raises Failed where what is due does not come."""

    def __init__(self, talk: Talk, patience: Patience, margin: int) -> None:
        self.talk = talk
        self.margin = margin
        self._patience = patience
        self._conditions = QUICK
        self._study: Study | None = None

    # --- what is sent --------------------------------------------------------------------------------------------

    def welcome(self, session: str, granted: tuple[str, ...]) -> None:
        """Answer `hello`."""
        self.talk.session, self.talk.granted = session, granted
        self.talk.send(self.welcoming())

    def welcoming(self) -> Welcome:
        """`welcome`, as the bot has it."""
        return Welcome(
            donuts="1-1",
            session=self.talk.session,
            caps=self.talk.granted,
            maxline=4096,
            ref=f"donuts-check/{__version__}",
        )

    def game(
        self,
        study: Study,
        you: str | None = None,
        conditions: Conditions = QUICK,
        deliver: Deliver = plainly,
    ) -> Heard:
        """Announce a game, after the end of the one before, and wait for `ready`."""
        self.over()
        question = self.announcing(study, you, conditions)
        deliver(self.talk, question)
        cause = f"no ready on a board of {question.size}" if deliver is plainly else ""
        return self.readied(question, cause)

    def readied(self, question: Game, cause: str = "") -> Heard:
        """Wait for the `ready` to a game that was announced; `cause` of a silence, see Failed."""
        return self.expect(question.id, Ready, self._patience.ms, cause=cause)

    def announcing(self, study: Study, you: str | None = None, conditions: Conditions = QUICK) -> Game:
        """`game`, to be sent at once."""
        self._study, self._conditions = study, conditions
        self.talk.game = id = self.talk.issue("game")
        side = study.position.you if you is None else you
        return game_question(id, side, study.position, conditions, "donuts check", SEED)

    def turn(
        self,
        study: Study,
        deliver: Deliver = plainly,
        *,
        limit: int | None = None,
        clock: int | None = None,
        patience: int | None = None,
    ) -> Answer:
        """Send a turn and wait for an answer that is legal."""
        question = self.asking(study, limit=limit, clock=clock)
        at = deliver(self.talk, question)
        return self.answered(question, at, study.position, patience)

    def asking(self, study: Study, *, limit: int | None = None, clock: int | None = None) -> Turn:
        """`turn`, to be sent at once."""
        self._study = study
        conditions = self._conditions
        limit = (conditions.movemax or conditions.main) if limit is None else limit
        clock = limit if clock is None else clock
        assert self.talk.game is not None
        return turn_question(
            self.talk.issue("turn"),
            self.talk.game,
            study.position,
            Allowance(clock, limit, conditions.margin, None),
            max(conditions.inc, clock),
            conditions.inc,
            0,
        )

    def answered(self, question: Turn, at: int, position: Position, patience: int | None = None) -> Answer:
        """Wait for the answer to a turn that was handed over at `at` (ns).

        When limit and margin are over, a last look is taken, and what can be read then is in time (DBP-8.9).
        """
        budget = question.limit + min(question.margin, max(self.margin, MOST_MARGIN))
        wait = budget + (self._patience.ms if patience is None else patience)
        end = self.talk.now() + wait * MS
        heard = self._answer(question.id, ANSWERS, at + budget * MS)
        late = heard is None
        if heard is None and (heard := self._answer(question.id, ANSWERS, end)) is None:
            raise self._silence(question.id, ANSWERS, wait)
        used = max(0, heard.at - at)
        if not late:
            used = min(used, budget * MS)
        if not isinstance(heard.meant, Move):
            return Answer(heard, None, used, late)
        if heard.meant.sq not in position.legal_names:
            legal, reason = ",".join(position.legal_names), _illegality(heard.meant.sq, position)
            raise self.talk.failed(
                f"one of the squares of `legal`: {legal}", f"{heard.words}  ({reason})", cause=reason
            )
        return Answer(heard, heard.meant.sq, used, late)

    def over(self, more: int = 1) -> None:
        """End the game, if there is one."""
        if self.talk.game is not None:
            self.talk.send(self.ending(more))

    def ending(self, more: int = 1) -> End:
        """`end` of the game, void, to be sent at once."""
        assert self._study is not None and self.talk.game is not None
        position, id = self._study.position, self.talk.game
        self.talk.game = None
        return End(
            id=id,
            result="void",
            winner=None,
            why="abort",
            ply=position.ply,
            cells=position.cells,
            moves=self._study.moves,
            more=1 if more else 0,
        )

    def ping(self) -> Heard:
        """Send a ping and wait for its pong."""
        question = Ping(id=self.talk.issue("ping"))
        self.talk.send(question)
        return self.expect(question.id, Pong, 0, cause=NO_PONG)

    # --- what comes ----------------------------------------------------------------------------------------------

    def expect(
        self,
        id: int,
        kind: type[BotMessage],
        given: int,
        patience: int | None = None,
        cause: str = "",
    ) -> Heard:
        """Wait for the answer to the question `id`, for `given` ms and some patience more; `cause` of a silence."""
        wait = given + (self._patience.ms if patience is None else patience)
        heard = self._answer(id, (kind,), self.talk.now() + wait * MS)
        if heard is None:
            raise self._silence(id, (kind,), wait, cause)
        return heard

    def _answer(self, id: int, kinds: tuple[type[BotMessage], ...], deadline: int) -> Heard | None:
        """The answer to the question `id`; None when it has not come by then (ns)."""
        talk = self.talk
        right = _right(kinds[0], id)
        while (heard := talk.hear(deadline)) is not None:
            meant = heard.meant
            if meant is None:
                if heard.verb and any(each.verb == heard.verb for each in kinds):
                    raise talk.failed(
                        right,
                        f"{heard.words}  ({heard.fault})",
                        cause=alike(heard),
                    )
                continue
            if isinstance(meant, Info | Error | Hello):
                continue
            if isinstance(meant, Leave):
                raise talk.failed(f"{right}; `bye` resigns the game (DBP-5.9)")
            if meant.id == id and isinstance(meant, kinds):
                return heard
            if meant.id not in talk.issued:
                raise talk.failed(
                    f"{right}: the id of the question", heard.words, cause=f"the id of {meant.verb}"
                )
        return None

    def _silence(self, id: int, kinds: tuple[type[BotMessage], ...], wait: int, cause: str = "") -> Failed:
        """The finding that the answer to the question `id` did not come."""
        if not self.talk.gone:
            self._patience.silences += 1
        right = _right(kinds[0], id)
        return self.talk.failed(right, self.talk.account(f"nothing within {wait} ms"), cause=cause)

    def only_pong(self, right: str, *, strict: bool = False, expected: int = 0) -> None:
        """Send a ping: its pong, and nothing else, must come; `strict`: no noise either.

        The finding is about what was sent before, to which `expected` lines were the answer.
        """
        talk = self.talk
        told, before = talk.told, talk.since[expected:]
        question = Ping(id=talk.issue("ping"))
        talk.send(question)
        heard = self.expect(question.id, Pong, 0, cause=NO_PONG)
        others = [one for one in before + talk.since if one is not heard and _counts(one, strict)]
        if others:
            raise talk.failed(right, " | ".join(one.words for one in others[:4]), told)

    def silent(self, ms: int) -> list[Heard]:
        """What comes, unasked, in so many ms."""
        deadline = self.talk.now() + ms * MS
        came: list[Heard] = []
        while (heard := self.talk.hear(deadline)) is not None:
            came.append(heard)
        return came


def _illegality(square: str, position: Position) -> str:
    """Why a move to a square that is not in `legal` is none."""
    names = NAMES[position.board.size]
    if square not in names:
        return "off the board" if re.fullmatch("[a-z][0-9]+", square) else "no square"
    if position.cells[names.index(square)] != ".":
        return "taken"
    return "not on the line of `last`"


def alike(heard: Heard) -> str:
    """The cause (see Failed) of all lines that are wrong in the same way as this one."""
    return f"{heard.verb}: {re.sub('[0-9]+', '#', heard.fault)}"


def _counts(heard: Heard, strict: bool) -> bool:
    """Whether a line that was not asked for is one too many."""
    return not isinstance(heard.meant, Info | Error) and (heard.meant is not None or strict)


def _right(kind: type[Message], id: int) -> str:
    return {"move": f"move {id} SQUARE", "ready": f"ready {id}", "pong": f"pong {id}"}.get(
        kind.verb, kind.verb
    )
