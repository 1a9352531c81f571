"""`run`: makes a bot of whatever it is given, and lets it play over its pipes or at an arena that it dials in to."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

from donuts_client.bot import Bot
from donuts_client.player import Player
from donuts_client.wire import RefereeGone
from donuts_protocol.messages import Hello
from donuts_protocol.version import PROTOCOL_VERSION

if TYPE_CHECKING:
    from pathlib import Path

Maker: TypeAlias = Bot | Callable[[], Bot] | str


def run(
    bot: Maker,
    *,
    encoding: Literal["text", "msgpack"] = "text",
    name: str | None = None,
    version: str | None = None,
    author: str | None = None,
    connect: str | None = None,
    seat_file: "str | Path | None" = None,
    games: int | None = None,
    tc: str | None = None,
) -> None:
    """Play on stdin and stdout, or, with `connect` or `seat_file`, at an arena, until the referee says `bye`.

    `bot` is a `Bot`, a class of them, any callable that makes one, or `"module:Class"`; all but the first are imported
    and made only after `hello` was said, so a slow import never costs the start. `name`, `version` and `author`
    override what the class says, and are needed where the class is not known yet (else a callable's or the class's
    own name is said).

    `connect="tcp://127.0.0.1:7464"` dials in to an arena; `seat_file` is the join file of a seat there, which says
    where to dial (unless `connect` does) and holds the secret that claims the seat. Without a token in a file the
    environment variable DONUTS_SEAT is shown; without either an arena with open seats lets the bot in by its name. The
    bot dials again whenever the connection is lost. `games` is how many it plays before it leaves, between two games;
    `tc` a wish for a time control, such as "10+0.1".

    Raises SystemExit: 1 after an exception in the bot or nonsense of the referee; and at an arena 2 where it cannot be
    dialled (pyzmq, join file, endpoint), 3 where it sends the bot away for good, and 130 after Ctrl-C. ValueError where
    the arguments do not fit together.
    """
    if games is not None and games < 1:
        raise ValueError(f"games={games}: must be 1 or more")
    hello, make = _hello(bot, name, version, author), partial(_made, bot)
    if connect is not None or seat_file is not None:
        from donuts_client.calling import Call, call_in

        call_in(make, Call(hello, connect, seat_file, games, tc, encoding, named=name is not None))
        return
    if games is not None or tc is not None:
        raise ValueError("games= and tc= are for an arena: say which with connect= or seat_file=")
    from donuts_client.pipes import PipedWire, Pipes

    wire = PipedWire(Pipes.taken(), encoding)
    with suppress(RefereeGone):  # then nobody is left to be told
        wire.write(hello)
        Player(wire).play(make)


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
