"""What must be refused, byte by byte, with what comes of it; every expectation is written by hand from the clauses.

`turn`, `idle` and `first` are the situations of vectors/README.md: turn 732 is open; nothing is open, 732 is closed;
nothing was said yet. `bot` cases are judged by a referee; `referee` cases by a bot, which can but call them invalid.
"""

from collections.abc import Iterator
from typing import NamedTuple


class Refusal(NamedTuple):
    """One line or payload that is no valid message."""

    name: str
    clause: str
    encoding: str
    sender: str
    data: bytes
    turn: str = ""
    """what comes of it while turn 732 is open; "" where the case is of another situation"""
    idle: str = ""
    first: str = ""


def refusals() -> Iterator[Refusal]:
    """All refusals in a fixed order."""
    for name, clause, line in _ANSWERS:
        yield Refusal(name, clause, "text", "bot", line, "malformed", "noise")
    for name, clause, line in _NOISE:
        yield Refusal(name, clause, "text", "bot", line, "noise", "noise")
    for name, clause, line in _INFOS:
        yield Refusal(name, clause, "text", "bot", line, "rate", "rate")
    for name, clause, line, turn in _OTHER_IDS:
        yield Refusal(name, clause, "text", "bot", line, turn, "noise")
    for name, clause, line in _HELLOS:
        yield Refusal(name, clause, "text", "bot", line, first="start")
    for name, clause, line in _FROM_REFEREE:
        yield Refusal(name, clause, "text", "referee", line)


_M = b"move 732 e1"

_ANSWERS = (
    ("no id and no square", "DBP-6.1", b"move"),
    ("no square", "DBP-6.1", b"move 732"),
    ("no id, the square in its place", "DBP-6.1", b"move e1"),
    ("the id as a field", "DBP-3.4", b"move id=732 e1"),
    ("the id as a field as well", "DBP-3.3", _M + b" id=732"),
    ("two spaces before the id", "DBP-3.1", b"move  732 e1"),
    ("two spaces before the square", "DBP-3.1", b"move 732  e1"),
    ("two spaces before a field", "DBP-3.1", _M + b"  eval=1"),
    ("a space at the end", "DBP-3.1", _M + b" "),
    ("a tab between tokens", "DBP-3.1", b"move 732\te1"),
    ("a second CR", "DBP-3.12", _M + b"\r\r"),
    ("a CR inside the line", "DBP-3.6", _M + b" text=a\rb"),
    ("NUL", "DBP-3.6", _M + b" text=a\0b"),
    ("ESC", "DBP-3.6", _M + b" text=\x1b[2J"),
    ("DEL", "DBP-3.6", _M + b" text=\x7f"),
    ("UTF-8 that is not escaped", "DBP-3.6", _M + b" text=\xc3\xa9"),
    ("a byte that is no UTF-8", "DBP-3.6", _M + b" text=\xff"),
    ("a token without =", "DBP-3.3", _M + b" fast"),
    ("a second square", "DBP-3.3", _M + b" f1"),
    ("an empty key", "DBP-3.4", _M + b" =1"),
    ("a key in upper case", "DBP-3.4", _M + b" Eval=1"),
    ("a key that begins with a digit", "DBP-3.4", _M + b" 1st=1"),
    ("a key with a dash", "DBP-3.4", _M + b" x-a=1"),
    ("an escape in a key", "DBP-3.4", _M + b" %65val=1"),
    ("a key twice", "DBP-3.3", _M + b" eval=1 eval=1"),
    ("an unknown key twice", "DBP-3.11", _M + b" x_a=1 x_a=2"),
    ("% at the end", "DBP-3.6", _M + b" text=100%"),
    ("% and one digit", "DBP-3.6", _M + b" text=%2"),
    ("% and no hexadecimal digits", "DBP-3.6", _M + b" text=%zz"),
    ("% and a sign", "DBP-3.6", _M + b" text=%+1"),
    ("%%", "DBP-3.6", _M + b" text=%%"),
    ("a bad escape in an unknown field", "DBP-3.11", _M + b" x_a=%G0"),
    ("escapes that are half a character", "DBP-3.6", _M + b" text=%C3"),
    ("escapes in an overlong form", "DBP-3.6", _M + b" text=%C0%80"),
    ("escapes beyond U+10FFFF", "DBP-3.6", _M + b" text=%F4%90%80%80"),
    ("an escaped surrogate", "DBP-3.10", _M + b" text=%ED%A0%80"),
    ("escapes of no UTF-8 in an unknown field", "DBP-3.11", _M + b" x_a=%FF"),
    ("an escaped NUL", "DBP-3.10", _M + b" text=%00"),
    ("an escaped LF", "DBP-3.10", _M + b" text=a%0Ab"),
    ("an escaped ESC", "DBP-3.10", _M + b" text=%1b[2J"),
    ("an escaped DEL", "DBP-3.10", _M + b" text=%7F"),
    ("an escaped C1 control", "DBP-3.10", _M + b" text=%C2%9B"),
    ("an escaped right-to-left override", "DBP-3.10", _M + b" text=%E2%80%AE"),
    ("an escaped left-to-right mark", "DBP-3.10", _M + b" text=%E2%80%8E"),
    ("an escaped isolate", "DBP-3.10", _M + b" text=%E2%81%A6"),
    ("an escaped Arabic letter mark", "DBP-3.10", _M + b" text=%D8%9C"),
    ("a bidi control in an unknown field", "DBP-3.11", _M + b" x_a=%E2%80%AE"),
    ("an id with a leading zero", "DBP-3.7", b"move 0732 e1"),
    ("an id with a sign", "DBP-3.7", b"move +732 e1"),
    ("a negative id", "DBP-3.7", b"move -732 e1"),
    ("an id with a point", "DBP-3.7", b"move 732.0 e1"),
    ("an id in hexadecimal", "DBP-3.7", b"move 0x2dc e1"),
    ("an id beyond 2^53 - 1", "DBP-3.7", b"move 9007199254740992 e1"),
    ("an id of - where there must be one", "DBP-3.9", b"move - e1"),
    ("an escaped id", "DBP-3.6", b"move %3732 e1"),
    ("a square in upper case", "DBP-3.8", b"move 732 E1"),
    ("a square of row 0", "DBP-3.8", b"move 732 e0"),
    ("a square of column j", "DBP-3.8", b"move 732 j1"),
    ("z9", "DBP-3.8", b"move 732 z9"),
    ("a square of three characters", "DBP-3.8", b"move 732 e10"),
    ("an escaped square", "DBP-3.6", b"move 732 %651"),
    ("eval with a leading zero", "DBP-3.7", _M + b" eval=01"),
    ("eval with a sign", "DBP-3.7", _M + b" eval=+1"),
    ("eval of -0", "DBP-3.7", _M + b" eval=-0"),
    ("eval as a fraction", "DBP-3.7", _M + b" eval=0.5"),
    ("eval with an exponent", "DBP-3.7", _M + b" eval=1e2"),
    ("eval with an underscore", "DBP-3.7", _M + b" eval=1_0"),
    ("eval empty", "DBP-3.7", _M + b" eval="),
    ("eval of none", "DBP-3.9", _M + b" eval=-"),
    ("eval above 1000", "DBP-6.1", _M + b" eval=1001"),
    ("nodes beyond 2^53 - 1", "DBP-3.7", _M + b" nodes=9007199254740992"),
    ("nodes of thirty digits", "DBP-3.7", _M + b" nodes=" + b"9" * 30),
    ("proof of another word", "DBP-6.1", _M + b" proof=maybe"),
    ("proof in upper case", "DBP-6.1", _M + b" proof=WIN"),
    ("pv with an empty item", "DBP-3.8", _M + b" pv=a1,,b2"),
    ("pv with a comma at its end", "DBP-3.8", _M + b" pv=a1,"),
    ("pv with an item that is no square", "DBP-3.8", _M + b" pv=a1,b0"),
    ("pv with an escaped comma", "DBP-3.6", _M + b" pv=a1%2Cb2"),
    ("pv of 82 items", "DBP-6.1", _M + b" pv=" + b",".join([b"a1"] * 82)),
    ("text of 201 characters", "DBP-6.1", _M + b" text=" + b"a" * 201),
    ("resign without its id", "DBP-6.1", b"resign"),
    ("resign with a word", "DBP-3.3", b"resign 732 now"),
)

_NOISE = (
    ("an unknown verb", "DBP-5.6", b"debug 5"),
    ("an unknown verb with fields", "DBP-5.6", b"option name=hash value=64"),
    ("a verb in upper case", "DBP-5.6", b"MOVE 732 e1"),
    ("a verb and a tab", "DBP-5.6", b"move\t732\te1"),
    ("a verb with an escape", "DBP-5.6", b"mov%65 732 e1"),
    ("a verb with more after it", "DBP-5.6", b"moves 732 e1"),
    ("a space before the verb", "DBP-5.6", b" move 732 e1"),
    ("a space alone", "DBP-5.6", b" "),
    ("a square alone", "DBP-5.6", b"e1"),
    ("a line of the referee", "DBP-5.6", b"ping 733"),
    ("a query of the service", "DBP-5.6", b"query 1 layout=" + b"H" * 36),
    ("a # that is not the first byte", "DBP-5.6", b" # thinking"),
    ("a byte order mark that is not the first", "DBP-5.6", b"\xef\xbb\xbfmove 732 e1"),
    ("UTF-16", "DBP-5.6", b"m\0o\0v\0e\0 \x007\x003\x002\0 \0e\x001\0"),
    ("ready without its id", "DBP-5.6", b"ready"),
    ("ready with a bad id", "DBP-5.6", b"ready x"),
    ("pong with a bad id", "DBP-5.6", b"pong 07"),
    ("pong with a word", "DBP-5.6", b"pong 731 yes"),
    ("error without its id", "DBP-5.6", b"error"),
    ("error with a code in upper case", "DBP-5.6", b"error - code=Bad"),
    ("bye with a word", "DBP-5.6", b"bye bye"),
    ("bye with a bad escape", "DBP-5.6", b"bye text=%"),
    ("bye with a text that is too long", "DBP-5.6", b"bye text=" + b"a" * 201),
    ("an invalid hello in a session", "DBP-5.6", b"hello name=again"),
)

_INFOS = (
    ("info without its id", "DBP-5.4", b"info"),
    ("info with a bad id", "DBP-5.4", b"info x eval=1"),
    ("info with a bad value", "DBP-5.4", b"info 732 eval=2000"),
    ("info with a word", "DBP-5.4", b"info 732 thinking hard"),
    ("info with a bad escape", "DBP-5.4", b"info 732 text=100%"),
    ("info for a closed question", "DBP-5.4", b"info 731"),
    ("info for an id never issued", "DBP-5.4", b"info 999"),
)

_OTHER_IDS = (
    ("a bad square for an id of another kind", "DBP-5.3", b"move 731 z9", "state"),
    ("a bad square for an id never issued", "DBP-5.3", b"move 999 z9", "protocol"),
    ("a bad field for an id never issued", "DBP-5.3", b"resign 999 now", "protocol"),
)

_HELLOS = (
    ("hello alone", "DBP-10.4", b"hello"),
    ("hello without version", "DBP-10.4", b"hello name=a"),
    ("hello without name", "DBP-10.4", b"hello donuts=1-1"),
    ("hello with a version that is no range", "DBP-10.4", b"hello donuts=1 name=a"),
    ("hello with half a range", "DBP-10.4", b"hello donuts=1- name=a"),
    ("hello with a leading zero in its range", "DBP-10.4", b"hello donuts=01-1 name=a"),
    ("hello with a version of seven digits", "DBP-10.4", b"hello donuts=1-1000000 name=a"),
    ("hello with an empty name", "DBP-10.4", b"hello donuts=1-1 name="),
    ("hello with a name of 41 characters", "DBP-10.4", b"hello donuts=1-1 name=" + b"a" * 41),
    ("hello with a name of 41 characters, escaped", "DBP-10.4", b"hello donuts=1-1 name=" + b"%C3%A9" * 41),
    ("hello with a ver of 41 characters", "DBP-10.4", b"hello donuts=1-1 name=a ver=" + b"1" * 41),
    ("hello with an author of 41 characters", "DBP-10.4", b"hello donuts=1-1 name=a author=" + b"b" * 41),
    ("hello with an empty seat", "DBP-10.4", b"hello donuts=1-1 name=a seat="),
    ("hello with a capability in upper case", "DBP-10.4", b"hello donuts=1-1 name=a caps=Info"),
    ("hello with an empty capability", "DBP-10.4", b"hello donuts=1-1 name=a caps=info,"),
    ("hello with an argument", "DBP-10.4", b"hello 1 donuts=1-1 name=a"),
    ("hello with a name with a space", "DBP-10.4", b"hello donuts=1-1 name=my bot"),
    ("hello with its name twice", "DBP-10.4", b"hello donuts=1-1 name=a name=b"),
    ("hello with an escaped ESC in its name", "DBP-10.4", b"hello donuts=1-1 name=%1B[31m"),
)

_FROM_REFEREE = (
    ("game without its seed", "DBP-6.1", b"game 1 you=x size=6 rings=15 main=0 inc=0 margin=0 prep=0"),
    ("game of size 7", "DBP-6.1", b"game 1 you=x size=7 rings=15 main=0 inc=0 margin=0 prep=0 seed=0"),
    ("game of 0 rings", "DBP-6.1", b"game 1 you=x size=6 rings=0 main=0 inc=0 margin=0 prep=0 seed=0"),
    ("game of 41 rings", "DBP-6.1", b"game 1 you=x size=9 rings=41 main=0 inc=0 margin=0 prep=0 seed=0"),
    ("game for side -", "DBP-3.9", b"game 1 you=- size=6 rings=15 main=0 inc=0 margin=0 prep=0 seed=0"),
    ("ping without its id", "DBP-6.1", b"ping"),
    ("cancel with a why in upper case", "DBP-6.1", b"cancel 1 why=Late"),
    ("bye with a negative version", "DBP-3.7", b"bye why=version min=-1 max=1"),
    ("welcome without caps", "DBP-6.1", b"welcome donuts=1-1 session=ab maxline=4096 ref=r"),
    ("welcome with maxline 0", "DBP-6.1", b"welcome donuts=1-1 session=ab caps= maxline=0 ref=r"),
    (
        "turn without a legal square",
        "DBP-6.7",
        b"turn 1 game=0 ply=0 you=x size=6 rings=15 layout="
        + b"H" * 36
        + b" cells="
        + b"." * 36
        + b" last=- legal= clock=0 oclock=0 inc=0 limit=0 margin=0 spent=0",
    ),
    (
        "turn without last",
        "DBP-6.1",
        b"turn 1 game=0 ply=0 you=x size=6 rings=15 layout="
        + b"H" * 36
        + b" cells="
        + b"." * 36
        + b" legal=a1 clock=0 oclock=0 inc=0 limit=0 margin=0 spent=0",
    ),
    (
        "turn with a layout of 35 letters",
        "DBP-6.1",
        b"turn 1 game=0 ply=0 you=x size=6 rings=15 layout="
        + b"H" * 35
        + b" cells="
        + b"." * 36
        + b" last=- legal=a1 clock=0 oclock=0 inc=0 limit=0 margin=0 spent=0",
    ),
    (
        "turn with a cell of another kind",
        "DBP-6.1",
        b"turn 1 game=0 ply=0 you=x size=6 rings=15 layout="
        + b"H" * 36
        + b" cells="
        + b"." * 35
        + b"X last=- legal=a1 clock=0 oclock=0 inc=0 limit=0 margin=0 spent=0",
    ),
    (
        "end with a result of another word",
        "DBP-6.1",
        b"end 1 result=won winner=x why=five ply=5 cells=" + b"." * 36 + b" moves=a1 more=0",
    ),
    (
        "end without a winner",
        "DBP-6.1",
        b"end 1 result=draw why=group ply=5 cells=" + b"." * 36 + b" moves=a1 more=0",
    ),
    ("a bot's message", "DBP-5.8", b"move 1 a1"),
)
