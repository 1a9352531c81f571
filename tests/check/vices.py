"""The table of vices: for every check a bot that breaks it, and what else may then fail."""

from dataclasses import dataclass
from types import ModuleType
from typing import NamedTuple

from check.scene import SETTINGS, SILENT
from donuts_referee.check import asking, games, handshake, leaving, reading, remote, stand, timing
from donuts_referee.check.stand import Settings
from donuts_referee.check.talk import MS

TURNS = frozenset({"legal", "second-game", "stateless", "line-form", "clean-stdout", "hello-once"})
"""checks that ask turns of all kinds"""

WIDE = (
    "hello-first,hello-form,flush,ids,ping,first-ring,last-ring,forced-line,blocked-line,one-legal,stateless,resend,"
    "field-order,unknown-fields,unknown-verbs,error,values,one-write,second-game,hello-once,line-form,clean-stdout"
)
"""the checks that are quick: they are made for every vice, beside the one that it breaks"""


class Time(NamedTuple):
    """A constant of the checks that has another value for one bot."""

    of: ModuleType
    name: str
    value: int


@dataclass(frozen=True)
class Vice:
    """One bot."""

    check: str
    """the check that it breaks"""
    bot: str
    """a class of bots/players.py or bots/habits.py"""
    says: str
    """a regular expression for the three lines of the finding"""
    may: frozenset[str] = frozenset()
    """other checks that may fail as well"""
    alone: bool = False
    """only this check is made"""
    settings: Settings = SETTINGS
    """what the check is asked for"""
    times: tuple[Time, ...] = ()
    """where a bot on a busy machine takes longer than the check would wait"""

    def __str__(self) -> str:
        return f"{self.check}-{self.bot}"


def vice(
    check: str,
    bot: str,
    says: str,
    *may: str,
    alone: bool = False,
    settings: Settings = SETTINGS,
    times: tuple[Time, ...] = (),
) -> Vice:
    """A row."""
    return Vice(check, bot, says, frozenset(may), alone, settings, times)


STARVED = (Time(timing, "NEAR_ZERO", 0),)
"""where a bot never rests, and others let it have little of the processor"""

VICES = (
    vice(
        "hello-time",
        "Mute",
        "nothing within 600 ms.* flush=True",
        alone=True,
        settings=SETTINGS._replace(hello=600),
    ),
    vice(
        "hello-time",
        "Unflushed",
        "stdout is not flushed.*flush=True",
        alone=True,
        times=(Time(stand, "PROBE", 300),),
    ),
    vice("hello-first", "Loading", "loading weights.*stderr", "clean-stdout"),
    vice("hello-form", "BadHello", "bad%zz", "line-form"),
    vice("hello-version", "Future", "donuts=1-1", alone=True),
    vice(
        "encoding",
        "Honest",
        "msgpack.*--encoding",
        alone=True,
        settings=SETTINGS._replace(encoding="msgpack"),
    ),
    vice("version", "StaysAtVersion", "bye why=version.*lived on"),
    vice(
        "flush",
        "BufferedMoves",
        "stdin was closed, and there was ready.*flush=True",
        alone=True,
        settings=SILENT,
        times=(Time(handshake, "CLOSED", 10_000),),
    ),
    vice(
        "flush",
        "ReadsAhead",
        "one more line was sent, and there was ready",
        alone=True,
        settings=SILENT,
        times=(Time(handshake, "NUDGED", 10_000),),
    ),
    vice("ids", "ShortIds", "ready 9876543210"),
    vice(
        "ping",
        "NoPong",
        r"ping \d+.*nothing.*pong",
        *TURNS,
        "unknown-verbs",
        settings=SILENT,
        times=(Time(asking, "IMPATIENT", 1),),
    ),
    vice(
        "legal",
        "Illegal",
        "one of the squares",
        "forced-line",
        "blocked-line",
        "one-legal",
        "last-ring",
        *TURNS,
        settings=SETTINGS._replace(at_most=60_000),
    ),
    vice("first-ring", "NoFirst", "move .* g7.*one of", "legal", *TURNS),
    vice("last-ring", "NoLast", "one of the squares", "one-legal", "blocked-line", "forced-line", *TURNS),
    vice(
        "forced-line",
        "Anywhere",
        "one of the squares",
        "last-ring",
        "one-legal",
        "blocked-line",
        "values",
        *TURNS,
    ),
    vice("blocked-line", "Blocked", "one of the squares", "last-ring", *TURNS),
    vice("one-legal", "OneLegal", "one of the squares", "last-ring", "forced-line", *TURNS),
    vice("one-answer", "TwoAnswers", "move .* move .*exactly one"),
    vice("one-answer", "TwoReadies", "ready .* ready .*exactly one"),
    vice("stateless", "Remembers", "one of the squares"),
    vice("resend", "Once", "resend=1.*nothing", settings=SILENT),
    vice("field-order", "Positional", "move", "unknown-fields", "line-form"),
    vice("unknown-fields", "Strict", "KeyError"),
    vice("unknown-verbs", "Chatty", "hint.*what.*ignored", "clean-stdout"),
    vice("error", "Error", "error.*move .* a1.*no answer"),
    vice("values", "ShortClock", "9007199254740991.*OverflowError"),
    vice("bytes", "Gulps", "byte by byte", settings=SILENT),
    vice(
        "one-write",
        "OneAtATime",
        "cancel .* turn .*nothing",
        alone=True,
        settings=SILENT,
        times=(Time(reading, "APART", 1000 * MS),),
    ),
    vice("time-1000", "Slow1000", r"after \d+ ms.*limit=1000;", alone=True),
    vice("time-200", "Slow200", r"after \d+ ms.*limit=200;"),
    vice("time-50", "Slow50", r"after \d+ ms.*limit=50;"),
    vice("low-clock", "SlowLow", r"after \d+ ms.*limit=0;", settings=SETTINGS._replace(margin=2000)),
    vice("idle", "Busy", "of a processor", times=STARVED),
    vice("idle", "Threads", "of a processor", alone=True, times=STARVED),
    vice("second-game", "OneGame", "game.*nothing", *TURNS, alone=True, settings=SILENT),
    vice(
        "stays",
        "LeavesAtEnd",
        "more=0.*the end: exit status 0",
        times=(Time(games, "AFTERWARDS", 10_000),),
    ),
    vice("cancel", "AnswersCancel", "cancel.*move .* a1"),
    vice(
        "memory",
        "Grows",
        "grew by .* MiB",
        alone=True,
        settings=SETTINGS._replace(at_most=60_000),
    ),
    vice("info-ungranted", "InfoUnasked", "info .* eval=500"),
    vice("info", "InfoOften", "30 `info`.*at most 20"),
    vice("info", "InfoType", r"0\.53"),
    vice("info", "InfoId", "the id of the open turn"),
    vice("hello-once", "HelloAgain", "hello"),
    vice("line-form", "TwoSpaces", "move  ", alone=False),
    vice("line-form", "Capitals", "PONG"),
    vice("clean-stdout", "Debug", "thinking about.*stderr", "info-ungranted"),
    vice("stderr-closed", "Stderr", "game.*the end"),
    vice("left", "Leaves", "1 process lived on", times=(Time(leaving, "SECOND", 10_000),)),
    vice("eof", "Survives", "stdin was closed.*lived on", alone=True),
    vice("bye", "IgnoresBye", "bye why=done.*lived on", alone=True),
    vice("bye", "ClosesStdout", "closed its stdout and lived on", alone=True),
)

PACKED = (
    vice("packed-types", "float", "eval.*float"),
    vice("packed-types", "text_id", "id"),
    vice("packed-types", "trailing", "follow the map"),
    vice("packed-widths", "widths", "uint 64.*the end"),
    vice("packed-none", "last", "turn.*the end", alone=True),
)

DIALLED = (
    vice("dials", "routing", "616c696365"),
    vice("dials", "frames", "messages of several frames"),
    vice("resume-error", "forgets", "hello without a session", times=(Time(remote, "GRACE", 10_000),)),
    vice("resume-lost", "lost", "no hello within"),
    vice("resume-silence", "silent", "no hello within"),
    vice("resume-silence", "early", "hello after", times=(Time(remote, "SILENCE", 8000),)),
    vice("sent-away", "returns", "hello again", times=(Time(remote, "AWAY", 30_000),)),
    vice("bye", "stays", "lived on"),
)
