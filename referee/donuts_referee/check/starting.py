"""Checks of the beginning: `hello` in time, first and well-formed, and a refused version taken gracefully."""

from donuts_protocol.messages import Bye, Hello
from donuts_referee.check.asking import alike
from donuts_referee.check.leaving import exits
from donuts_referee.check.stand import Greeting, Stand
from donuts_referee.check.talk import MS
from donuts_referee.check.verdicts import Check, Failed, Finding, Skipped

HELLO = "hello donuts=1-1 name=NAME"
BEGAN = "(the bot was started; nothing is sent before hello)"


def _failed(came: str, right: str, cause: str = "") -> Failed:
    return Failed(Finding(sent=BEGAN, came=came, right=right), cause)


def _greeting(stand: Stand) -> tuple[Greeting, str]:
    greeting = stand.greeting()
    if greeting.hello is None:
        raise Skipped("there was no hello")
    return greeting, greeting.hello.words


def hello_time(stand: Stand) -> str:
    """A `hello`, whatever its form, comes in time."""
    greeting = stand.greeting()
    waited = greeting.waited // MS
    if greeting.hello is not None:
        return f"after {waited} ms"
    if stand.unflushed:
        raise _failed(
            f"nothing within {waited} ms; in a second process it came when stdin was closed: stdout is not flushed",
            f"{HELLO} at once: {stand.flushing}",
        )
    if greeting.before:
        came = " | ".join(heard.words for heard in greeting.before[:4])
        raise _failed(f"{came}, and no hello within {waited} ms", HELLO)
    raise _failed(
        f"nothing within {waited} ms",
        f"{HELLO} at once, before anything heavy is loaded and before stdin is read; {stand.flushing}",
    )


def hello_first(stand: Stand) -> str:
    """Nothing but comments and empty lines comes before it."""
    greeting, words = _greeting(stand)
    if greeting.before:
        said = [heard.words for heard in greeting.before[:3]]
        raise _failed(
            " | ".join([*said, words]),
            f"{HELLO} as the first line; all that is for people goes to stderr",
            alike(greeting.before[0]),
        )
    return ""


def hello_form(stand: Stand) -> str:
    """It is a valid message."""
    greeting, words = _greeting(stand)
    assert greeting.hello is not None
    if greeting.hello.fault:
        raise _failed(f"{words}  ({greeting.hello.fault})", HELLO, alike(greeting.hello))
    return words


def encoding(stand: Stand) -> str:
    """The first byte chooses the encoding that was asked for."""
    _greeting(stand)
    chosen = stand.shared().talk.encoding
    wanted = stand.settings.encoding
    if wanted is not None and chosen != wanted:
        first = "0x00, the first byte of a length" if wanted == "msgpack" else "a letter"
        if stand.source.transport == "zmq":
            first = "a map (0x80-0x8F)" if wanted == "msgpack" else "h"
        raise _failed(f"{chosen}", f"{wanted}, as --encoding asks for: its first byte is {first}")
    return chosen


def hello_version(stand: Stand) -> str:
    """The range of versions holds the one that there is."""
    greeting, words = _greeting(stand)
    assert greeting.hello is not None
    hello = greeting.hello.message
    if not isinstance(hello, Hello):
        raise Skipped("hello is not well-formed")
    low, high = map(int, hello.donuts.split("-"))
    if not low <= 1 <= high:
        raise _failed(words, "a range that holds version 1: donuts=1-1")
    return hello.donuts


def version_refused(stand: Stand) -> str:
    """A bot whose versions are refused leaves."""
    if stand.source.transport == "zmq" and stand.source.program is None:
        raise Skipped("needs the COMMAND of the bot after --, to start it anew")
    asking, greeting = stand.ungreeted()
    if greeting.hello is None:
        raise asking.talk.failed("hello", asking.talk.account("nothing"))
    asking.talk.send(Bye(why="version", min=2, max=3))
    if stand.source.transport == "zmq":
        if asking.silent(1000) and asking.talk.since[-1].meant is not None:
            raise asking.talk.failed("nothing more on this connection")
        return "nothing more was said"
    return exits(
        asking.talk, "the process ends within 1000 ms of `bye`: this referee speaks versions 2 to 3 only"
    )


CHECKS = (
    Check("hello-time", "hello comes in time", ("DBP-9.11", "DBP-10.4"), hello_time, gate=True),
    Check("hello-first", "hello comes first", ("DBP-6.3", "DBP-10.4"), hello_first),
    Check("hello-form", "hello is well-formed", ("DBP-6.3", "DBP-10.4"), hello_form),
    Check("hello-version", "hello offers version 1", ("DBP-6.3", "DBP-12.1"), hello_version, gate=True),
    Check("encoding", "the first byte chooses the encoding", ("DBP-2.2",), encoding, gate=True),
    Check("version", "leaves when its version is refused", ("DBP-12.2", "DBP-6.15"), version_refused),
)
