"""The table of vices: for every check a bot that breaks it, and what else may then fail."""

from dataclasses import dataclass

TURNS = frozenset({"legal", "second-game", "stateless", "line-form", "clean-stdout", "hello-once"})
"""checks that ask turns of all kinds"""

WIDE = (
    "hello-first,hello-form,flush,ids,ping,first-ring,last-ring,forced-line,blocked-line,one-legal,stateless,resend,"
    "field-order,unknown-fields,unknown-verbs,error,values,one-write,second-game,hello-once,line-form,clean-stdout"
)
"""the checks that are quick: they are made for every vice, beside the one that it breaks"""


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
    encoding: str | None = None
    """what was asked for"""

    def __str__(self) -> str:
        return f"{self.check}-{self.bot}"


def vice(
    check: str, bot: str, says: str, *may: str, alone: bool = False, encoding: str | None = None
) -> Vice:
    """A row."""
    return Vice(check, bot, says, frozenset(may), alone, encoding)


VICES = (
    vice("hello-time", "Mute", "nothing within .* flush=True", alone=True),
    vice("hello-time", "Unflushed", "stdout is not flushed.*flush=True", alone=True),
    vice("hello-first", "Loading", "loading weights.*stderr", "clean-stdout"),
    vice("hello-form", "BadHello", "bad%zz", "line-form"),
    vice("hello-version", "Future", "donuts=1-1", alone=True),
    vice("encoding", "Honest", "msgpack.*--encoding", alone=True, encoding="msgpack"),
    vice("version", "StaysAtVersion", "bye why=version.*lived on"),
    vice("flush", "BufferedMoves", "stdin was closed, and there was ready.*flush=True", alone=True),
    vice("flush", "ReadsAhead", "one more line was sent, and there was ready", alone=True),
    vice("ids", "ShortIds", "ready 9876543210"),
    vice("ping", "NoPong", r"ping \d+.*nothing.*pong", *TURNS, "unknown-verbs"),
    vice(
        "legal",
        "Illegal",
        "one of the squares",
        "forced-line",
        "blocked-line",
        "one-legal",
        "last-ring",
        *TURNS,
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
    vice("resend", "Once", "resend=1.*nothing"),
    vice("field-order", "Positional", "move", "unknown-fields", "line-form"),
    vice("unknown-fields", "Strict", "KeyError"),
    vice("unknown-verbs", "Chatty", "hint.*what.*ignored", "clean-stdout"),
    vice("error", "Error", "error.*move .* a1.*no answer"),
    vice("values", "ShortClock", "9007199254740991.*OverflowError"),
    vice("bytes", "Gulps", "byte by byte"),
    vice("one-write", "OneAtATime", "cancel .* turn .*nothing", alone=True),
    vice("time-1000", "Slow1000", "after 1[2-9].. ms.*limit=1000", alone=True),
    vice("time-200", "Slow200", "after [4-9].. ms.*limit=200"),
    vice("time-50", "Slow50", "after [2-9].. ms.*limit=50"),
    vice("low-clock", "SlowLow", "limit=0"),
    vice("idle", "Busy", "of a processor"),
    vice("idle", "Threads", "of a processor", alone=True),
    vice("second-game", "OneGame", "game.*nothing", *TURNS, alone=True),
    vice("stays", "LeavesAtEnd", "more=0.*the end: exit status 0"),
    vice("cancel", "AnswersCancel", "cancel.*move .* a1"),
    vice("memory", "Grows", "grew by .* MiB", alone=True),
    vice("info-ungranted", "InfoUnasked", "info .* eval=500"),
    vice("info", "InfoOften", "30 `info`.*at most 20"),
    vice("info", "InfoType", r"0\.53"),
    vice("info", "InfoId", "the id of the open turn"),
    vice("hello-once", "HelloAgain", "hello"),
    vice("line-form", "TwoSpaces", "move  ", alone=False),
    vice("line-form", "Capitals", "PONG"),
    vice("clean-stdout", "Debug", "thinking about.*stderr", "info-ungranted"),
    vice("stderr-closed", "Stderr", "game.*the end"),
    vice("left", "Leaves", "1 process lived on"),
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
    vice("resume-error", "forgets", "hello without a session"),
    vice("resume-lost", "lost", "no hello within"),
    vice("resume-silence", "silent", "no hello within"),
    vice("resume-silence", "early", "hello after"),
    vice("sent-away", "returns", "hello again"),
    vice("bye", "stays", "lived on"),
)
