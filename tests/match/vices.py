"""The table of the hostile suite: one row per program of tests/bots, with the one `why` it must get.

Two games are played, and the vice is x in the first. A vice that sins does so at its second turn as x (ply 2), so the
second game, where it is o, must be played to its end by the rules, by the same process or by a new one as SPEC says.
"""

from dataclasses import dataclass, field

BY_THE_RULES = "five or group"
"""Stands for a game that was played to its end."""

QUICK = ("--movetime", "5")
"""For vices that are found out by the clock; all others get more time still than a loaded machine takes."""


@dataclass(frozen=True, kw_only=True)
class Vice:
    """What is played and what must come of it."""

    bot: str
    """file in tests/bots; further words are passed on"""
    why: str = BY_THE_RULES
    """of the first game; a fault is the vice's own and o wins"""
    then: str | None = BY_THE_RULES
    """of the second game; a fault is again the vice's own and x wins; None: there is one game only"""
    says: tuple[str, ...] = ()
    """regular expressions, all found in the sentence of the first verdict"""
    ply: int | None = None
    """rings on the board when the first game ended"""
    hellos: int = 1
    """how often the vice said hello: 1 when its process was kept, 2 when it was replaced, 0 when it never did"""
    counts: dict[str, int] = field(default_factory=dict)
    """noise, late, state, rate of the vice in the first game, where not 0"""
    counts_then: dict[str, int] = field(default_factory=dict)
    """the same in the second game"""
    late: tuple[tuple[int, str], ...] = ()
    """answers that crossed a cancel and came after the verdict: game and side, as onlookers are told"""
    crossing: bool = False
    """an answer of the honest bot may or may not cross the cancel of its turn, and is late in the next game then"""
    status: int | None = None
    """how the vice's process had ended when the first game was written down"""
    signal: int | None = None
    sent: int | None = None
    """the signal with which the referee had to end it by then, where that is certain"""
    exit: int = 0
    """exit code of the command"""
    against: str = "plain.py"
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.bot.replace(" ", "-").removesuffix(".py")


def fault(bot: str, why: str, *says: str, **rest: object) -> Vice:
    """A row for a bot that sins once, at ply 2, and is then replaced."""
    return Vice(**({"bot": bot, "why": why, "says": says, "ply": 2, "hellos": 2} | rest))


def kept(bot: str, why: str, *says: str, **rest: object) -> Vice:
    """A row for a bot that sins once, at ply 2, and stays."""
    return fault(bot, why, *says, **({"hellos": 1} | rest))


def unstarted(bot: str, *says: str, why: str = "start", hellos: int = 2, **rest: object) -> Vice:
    """A row for a bot that never gets as far as a game."""
    return Vice(
        **({"bot": bot, "why": why, "then": why, "says": says, "ply": 0, "hellos": hellos, "exit": 3} | rest)
    )


def waited(bot: str, *says: str, options: tuple[str, ...], hellos: int = 1) -> Vice:
    """A row for a bot that never gets as far as a game since it keeps silent; one game is long enough."""
    return unstarted(bot, *says, then=None, options=(*options, "--games", "1"), hellos=hellos)


VICES = (
    # Forgiven, some of it counted.
    Vice(bot="plain.py"),
    Vice(bot="crlf.py"),
    Vice(bot="bom.py"),
    Vice(bot="comments.py"),
    Vice(bot="two_writes.py"),
    Vice(bot="noise10.py", counts={"noise": 10}),
    Vice(bot="noise_bytes.py", counts={"noise": 3}),
    Vice(bot="two_replies.py", counts={"late": 1}),
    Vice(bot="pong_for_turn.py", counts={"state": 1}),
    Vice(bot="info_unasked.py", counts={"rate": 5}),
    Vice(bot="error_says.py"),
    Vice(bot="stderr_flood.py"),
    Vice(bot="shows_environment.py"),
    Vice(bot="child_in_own_session.py"),
    Vice(bot="ignores_sigterm.py"),
    Vice(bot="bye_between.py", hellos=2),
    Vice(bot="packed.py"),
    # Answers that lose.
    kept("resigns.py", "resign"),
    fault("bye_in_game.py", "resign", "bye"),
    kept("occupied.py", "illegal", "taken", "legal: "),
    kept("off_line.py", "illegal", "not on the line of", "legal: "),
    kept("off_board.py", "illegal", "i9 is off the 6 x 6 board"),
    kept("z9.py", "malformed", "z9"),
    kept("move_bytes.py", "malformed", r"\\x80\\xff"),
    kept("move_escape.py", "malformed", "text"),
    kept("packed.py trailing", "malformed"),
    kept("packed.py type", "malformed", "eval"),
    fault("no_newline.py", "malformed", status=0),
    # Time.
    kept("late.py", "timeout", r"used \d+ of 5000 ms \+ 50 margin", options=QUICK, late=((1, "x"),)),
    kept("late_next.py", "timeout", "at ply 2", options=QUICK, counts_then={"late": 1}),
    fault("silent.py", "timeout", r"used \d+ of 5000 ms \+ 50 margin", options=QUICK),
    fault("dribble.py", "timeout", r"used \d+ of 5000 ms \+ 50 margin", options=QUICK),
    # The end of the process.
    fault("exit3.py", "crash", "exit status 3", r"\\xff ideas", status=3),
    fault("sigsegv.py", "crash", "SIGSEGV", signal=11),
    fault("reply_exit.py", "crash", "exit status 0", ply=None, status=0, crossing=True),
    fault(
        "dies_off_turn.py", "crash", "exit status 5", ply=3, status=5, against="thinks.py", late=((2, "x"),)
    ),
    fault("closes_stdout.py", "crash", "closed its stdout and lived on", sent=15),
    fault("child_holds_stdout.py", "crash", "exit status 4", status=4),
    fault("child_in_own_session_crash.py", "crash", "exit status 4", status=4),
    # The protocol broken.
    fault("noise11.py", "protocol", "debug", counts={"noise": 11}),
    fault("endless_noise.py", "protocol", counts={"noise": 11}),
    fault("future_id.py", "protocol", "id"),
    fault("second_hello.py", "protocol", "hello", hellos=3),
    fault("long_line.py", "flood", "4096"),
    fault("endless_lines.py", "flood", "2000|262144|256"),
    fault("packed.py length", "flood", "70000"),
    Vice(bot="peeks.py", why="unread", then="unread", says=("1000 ms",), hellos=2, options=("--size", "9")),
    fault("closes_stdin.py", "unread", "closed its stdin", "1000 ms", ply=4, sent=15, against="plain.py"),
    # Never at the table.
    waited("never_flushes.py", "no hello within 10000 ms", "flush", options=("--hello", "10"), hellos=0),
    waited("no_hello.sh", "no hello within 10000 ms", "flush", options=("--hello", "10"), hellos=0),
    unstarted("hello_no_version.py", "donuts"),
    unstarted("hello_escape.py", "name"),
    unstarted("hello_raw_escape.py", r"\\x1b"),
    unstarted("hello_future.py", "8-9", why="version"),
    waited("never_reads.py", "no ready within 5000 ms", options=("--prep", "5")),
    waited("slow_ready.py", "no ready within 5000 ms", options=("--prep", "5")),
    unstarted("exits_at_once.sh", "exit status 7", "weights.bin: no such file", status=7, hellos=0),
    unstarted("syntax_error", "exit status 1", "SyntaxError", status=1, hellos=0),
    unstarted("missing", "127", status=127, hellos=0),
    unstarted("not_executable.sh", "126", "chmod", status=126, hellos=0),
)
