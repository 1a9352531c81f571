"""The conversation of a bot with its referee: reads, answers, and shields the bot's code from both."""

import sys
from collections import deque
from collections.abc import Callable
from time import monotonic
from typing import NoReturn, ParamSpec, TypeVar

from donuts_client.answer import Placement, Report, as_message
from donuts_client.bot import Bot
from donuts_client.position import Position
from donuts_client.wire import RefereeGone, Wire
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.messages import (
    Bye,
    End,
    Error,
    Game,
    Info,
    Ping,
    Pong,
    Ready,
    RefereeMessage,
    Turn,
    Welcome,
)

P = ParamSpec("P")
T = TypeVar("T")

REPORT_GAP = 0.05
"""Seconds between two `info` messages at least: 20 a second are allowed (DBP-6)."""


class Player:
    """A bot at its wire. `hello` is said already, or said by the wire itself."""

    def __init__(self, wire: Wire, games: int | None = None) -> None:
        self._wire = wire
        self._games = games
        """games until the bot leaves; None: as many as come"""
        self._token = ""
        """token of the session"""
        self._waiting: deque[RefereeMessage] = deque()
        """messages that were looked at while `move` was at work"""
        self._thinking: int | None = None
        """id of the turn that `move` is at work on"""
        self._reported = 0.0

    def play(self, make: Callable[[], Bot]) -> None:
        """Make and load the bot once welcome, answer everything; returns after `bye`, the end, or the last game.

        Raises SystemExit(1) after an exception in the bot and where the referee cannot be understood.
        """
        bot: Bot | None = None
        while self._games != 0 and (message := self._next()) is not None:
            match message:
                case Bye():
                    return
                case Error():
                    sys.stderr.write(f"the referee says: {message.code or 'error'}: {message.text or ''}\n")
                case Ping():
                    if self._wire.awaits(message.id):
                        self._wire.write(Pong(id=message.id))
                case Welcome():
                    if bot is None:
                        bot = self._shield(None, self._load, make)
                    elif message.session != self._token and bot.game is not None:
                        self._over(bot)  # a new session: nobody will tell how that game ended
                    self._token = message.session
                case _ if bot is not None:
                    self._answer(bot, message)

    def _answer(self, bot: Bot, message: RefereeMessage) -> None:
        match message:
            case Game():
                if bot.game is None or bot.game.id != message.id:  # else it is sent again
                    bot.game = message
                    self._shield(message.id, bot.prepare, message)
                if self._wire.awaits(message.id):
                    self._wire.write(Ready(id=message.id))
            case Turn() if self._wire.awaits(message.id):
                self._think(bot, message)
            case End():
                self._shield(message.id, bot.finish, message)
                self._over(bot)
            case _:
                pass  # a question that was closed before it could be answered

    def _over(self, bot: Bot) -> None:
        bot.game = None
        if self._games is not None:
            self._games -= 1

    def _think(self, bot: Bot, turn: Turn) -> None:
        position = Position(turn)
        self._thinking = turn.id
        placement = self._shield(turn.id, bot.move, position)
        self._thinking = None
        self._look()
        if self._wire.awaits(turn.id):
            self._shield(turn.id, self._place, placement, position)

    def _place(self, placement: Placement, position: Position) -> None:
        self._wire.write(as_message(placement, position))

    def _load(self, make: Callable[[], Bot]) -> Bot:
        bot = make()
        bot._send_report = self._report
        bot._given_up = self._given_up
        bot.load()
        return bot

    # --- offered to the bot --------------------------------------------------------------------------------------

    def _report(self, report: Report) -> bool:
        question, now = self._thinking, monotonic()
        if question is None or not self._wire.reportable(question) or now - self._reported < REPORT_GAP:
            return False
        self._reported = now
        self._wire.write(
            Info(
                id=question,
                eval=report.eval,
                proof=report.proof,
                nodes=report.nodes,
                depth=report.depth,
                pv=None if report.pv is None else tuple(report.pv),
                text=report.text,
            )
        )
        return True

    def _given_up(self) -> bool:
        """Whether nobody waits any longer for what `move` is at work on."""
        self._look()
        return self._wire.ended or (self._thinking is not None and not self._wire.awaits(self._thinking))

    # --- words ---------------------------------------------------------------------------------------------------

    def _look(self) -> None:
        """Read what has come in, without waiting."""
        try:
            while self._wire.readable() and (message := self._wire.read()) is not None:
                self._waiting.append(message)
        except RemoteProtocolError as fault:
            self._complain(fault)

    def _next(self) -> RefereeMessage | None:
        """The next message; None when there will be none."""
        if self._waiting:
            return self._waiting.popleft()
        try:
            return self._wire.read()
        except RemoteProtocolError as fault:
            self._complain(fault)

    def _complain(self, fault: RemoteProtocolError) -> NoReturn:
        """What cannot be understood ends the bot; the referee is told."""
        sys.stderr.write(f"{fault.text}\n")
        self._wire.write(Error(id=None, code=fault.why, text=_printable(fault.text)))
        raise SystemExit(1) from fault

    def _shield(self, question: int | None, job: Callable[P, T], /, *args: P.args, **named: P.kwargs) -> T:
        """Run the bot's own code; an exception is told to people and to the referee, and ends the process."""
        try:
            return job(*args, **named)
        except RefereeGone:
            raise
        except Exception as error:
            import traceback

            traceback.print_exc()
            sys.stderr.flush()
            reason = f"{type(error).__name__}: {error}"
            self._wire.write(Error(id=question, code="exception", text=_printable(reason)))
            raise SystemExit(1) from error


def _printable(text: str) -> str:
    """One line of at most 200 characters that every reader of the protocol accepts."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:200])
