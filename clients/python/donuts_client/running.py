"""`run`: says hello, loads the bot, and answers the referee until it says `bye`."""

import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from time import monotonic
from typing import Literal, ParamSpec, TypeAlias, TypeVar

from donuts_client.answer import Placement, Report, as_message
from donuts_client.bot import Bot
from donuts_client.pipes import Pipes, RefereeGone
from donuts_client.position import Position
from donuts_protocol.bot_session import BotSession
from donuts_protocol.errors import RemoteProtocolError
from donuts_protocol.messages import (
    BotMessage,
    Bye,
    End,
    Error,
    Game,
    Hello,
    Info,
    Ping,
    Pong,
    Ready,
    RefereeMessage,
    Turn,
    Welcome,
)
from donuts_protocol.version import PROTOCOL_VERSION

P = ParamSpec("P")
T = TypeVar("T")
Maker: TypeAlias = Bot | Callable[[], Bot] | str

REPORT_GAP = 0.05
"""Seconds between two `info` messages at least: 20 a second are allowed (DBP-6)."""


def run(
    bot: Maker,
    *,
    encoding: Literal["text", "msgpack"] = "text",
    name: str | None = None,
    version: str | None = None,
    author: str | None = None,
) -> None:
    """Play on stdin and stdout until the referee says `bye` or is gone.

    `bot` is a `Bot`, a class of them, any callable that makes one, or `"module:Class"`; all but the first are imported
    and made only after `hello` was said, so a slow import never costs the start. `name`, `version` and `author`
    override what the class says, and are needed where the class is not known yet (else a callable's or the class's
    own name is said). Raises SystemExit(1) after an exception in the bot.
    """
    pipes = Pipes.taken()
    with suppress(RefereeGone):  # then nobody is left to be told
        _Player(pipes, BotSession(encoding=encoding)).play(bot, _hello(bot, name, version, author))


def _hello(bot: Maker, name: str | None, version: str | None, author: str | None) -> Hello:
    """The first message, from what is known of the bot before it is loaded."""
    known: Bot | type[Bot] = Bot
    if isinstance(bot, Bot):
        known, called = bot, type(bot).__name__
    elif isinstance(bot, str):
        called = bot.rpartition(":")[2]
    else:
        called = str(getattr(bot, "__name__", "bot"))
        if isinstance(bot, type) and issubclass(bot, Bot):
            known = bot
    return Hello(
        donuts=f"{PROTOCOL_VERSION}-{PROTOCOL_VERSION}",
        name=(name or known.name or (called if called.isidentifier() else "bot"))[:40],
        ver=(version or known.version)[:40] or None,
        author=(author or known.author)[:40] or None,
        caps=known.caps or None,
    )


def _made(bot: Maker) -> Bot:
    """The bot itself, whatever it was given as. Raises TypeError when that makes no `Bot`."""
    if isinstance(bot, str):
        from importlib import import_module

        module, colon, called = bot.partition(":")
        if not colon:
            raise TypeError(f"run({bot!r}): write 'module:Class'")
        make = getattr(import_module(module), called)
    else:
        make = bot
    made = make if isinstance(make, Bot) else make()
    if not isinstance(made, Bot):
        raise TypeError(f"run() was given {bot!r}, which makes no Bot")
    return made


class _Player:
    """The conversation: reads, answers, and shields the bot's code from it."""

    def __init__(self, pipes: Pipes, session: BotSession) -> None:
        self._pipes = pipes
        self._session = session
        self._waiting: deque[RefereeMessage] = deque()
        """messages that were looked at while `move` was at work"""
        self._ended = False
        """stdin is at its end"""
        self._thinking: int | None = None
        """id of the turn that `move` is at work on"""
        self._reported = 0.0

    def play(self, maker: Maker, hello: Hello) -> None:
        """Say hello, load the bot, answer everything."""
        self._say(hello)
        bot: Bot | None = None
        while (message := self._next()) is not None:
            match message:
                case Bye():
                    return
                case Error():
                    sys.stderr.write(f"the referee says: {message.code or 'error'}: {message.text or ''}\n")
                case Ping():
                    if self._is_open(message.id):
                        self._say(Pong(id=message.id))
                case Welcome():
                    if bot is None:
                        bot = self._shield(None, self._load, maker)
                case _ if bot is not None:
                    self._answer(bot, message)

    def _answer(self, bot: Bot, message: RefereeMessage) -> None:
        match message:
            case Game():
                bot.game = message
                self._shield(message.id, bot.prepare, message)
                if self._is_open(message.id):
                    self._say(Ready(id=message.id))
            case Turn() if self._is_open(message.id):
                self._think(bot, message)
            case End():
                self._shield(message.id, bot.finish, message)
                bot.game = None
            case _:
                pass  # a question that was closed before it could be answered

    def _think(self, bot: Bot, turn: Turn) -> None:
        position = Position(turn)
        self._thinking = turn.id
        placement = self._shield(turn.id, bot.move, position)
        self._thinking = None
        self._look()
        if self._is_open(turn.id):
            self._pipes.write(self._shield(turn.id, self._encoded, placement, position))

    def _is_open(self, question: int) -> bool:
        """Whether the referee still waits for the answer, as far as was read (DBP-8: a late answer is dropped)."""
        return self._session.question == question

    def _encoded(self, placement: Placement, position: Position) -> bytes:
        return self._session.send(as_message(placement, position))

    def _load(self, maker: Maker) -> Bot:
        bot = _made(maker)
        bot._send_report = self._report
        bot._given_up = self._given_up
        bot.load()
        return bot

    # --- offered to the bot --------------------------------------------------------------------------------------

    def _report(self, report: Report) -> bool:
        question, now = self._thinking, monotonic()
        if question is None or not self._is_open(question) or "info" not in self._session.granted:
            return False
        if now - self._reported < REPORT_GAP:
            return False
        self._reported = now
        self._say(
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
        return self._ended or (self._thinking is not None and not self._is_open(self._thinking))

    def _look(self) -> None:
        """Read what has come in, without waiting."""
        while not self._ended and self._pipes.readable():
            self._take()
        while (message := self._event()) is not None:
            self._waiting.append(message)

    # --- words ---------------------------------------------------------------------------------------------------

    def _say(self, message: BotMessage) -> None:
        self._pipes.write(self._session.send(message))

    def _next(self) -> RefereeMessage | None:
        """The next message; None when stdin is at its end."""
        if self._waiting:
            return self._waiting.popleft()
        while (message := self._event()) is None and not self._ended:
            self._take()
        return message

    def _take(self) -> None:
        """Read once, waiting for it if need be."""
        data = self._pipes.read()
        self._ended = not data
        self._session.receive(data)

    def _event(self) -> RefereeMessage | None:
        """The next message among what was read. What cannot be understood ends the bot; the referee is told."""
        try:
            return self._session.next_event()
        except RemoteProtocolError as fault:
            sys.stderr.write(f"{fault.text}\n")
            self._say(Error(id=None, code=fault.why, text=_printable(fault.text)))
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
            self._say(Error(id=question, code="exception", text=_printable(reason)))
            raise SystemExit(1) from error


def _printable(text: str) -> str:
    """One line of at most 200 characters that every reader of the protocol accepts."""
    return "".join(letter if letter.isprintable() else "?" for letter in text[:200])
