"""The glossary of the wire: one type, one unit and one meaning for every key of every message.

A message (see `messages`) may only use these types, and a test over the generated message table holds that no key
is ever used with two of them. `Meta` carries the bounds that both codecs enforce and the sentence that the message
table in SPEC.md and the JSON Schema print; `reads` completes the sentence "KEY must be ..." of a refusal.
"""

from typing import Annotated, Literal

from msgspec import Meta

_SQUARE = {"reads": "a square such as e4"}
_WORD = {"reads": "a word of at most 32 lower-case letters, digits and _ that begins with a letter"}

MAX_INT = 2**53 - 1
"""The largest integer on the wire, so that a double holds every one of them exactly."""

NO_LIMIT = 2_147_483_647
"""Milliseconds that stand for "no clock at all"."""

Square = Annotated[
    str, Meta(pattern=r"\A[a-i][1-9]\Z", description="a square: column letter, row digit", extra=_SQUARE)
]
Squares = tuple[Square, ...]

Id = Annotated[int, Meta(ge=0, le=MAX_INT, description="the question that is asked or answered")]
Sq = Annotated[
    str,
    Meta(pattern=r"\A[a-i][1-9]\Z", description="the square on which the bot places its ring", extra=_SQUARE),
]

Versions = Annotated[
    str,
    Meta(
        pattern=r"\A(0|[1-9][0-9]{0,5})-(0|[1-9][0-9]{0,5})\Z",
        description="range lo-hi of DBP versions, both included",
        extra={"reads": "a range lo-hi of versions such as 1-1"},
    ),
]
Name = Annotated[str, Meta(min_length=1, max_length=40, description="name of a bot, for display only")]
BotVersion = Annotated[str, Meta(max_length=40, description="the bot's own version")]
Author = Annotated[str, Meta(max_length=40, description="who wrote the bot")]
Cap = Annotated[str, Meta(pattern=r"\A[a-z][a-z0-9_]{0,31}\Z", extra=_WORD)]
Caps = Annotated[
    tuple[Cap, ...],
    Meta(max_length=32, description="capabilities: asked for by the bot, granted by the referee"),
]
Seat = Annotated[str, Meta(min_length=1, max_length=128, description="secret token that claims a seat")]
SessionToken = Annotated[
    str, Meta(min_length=1, max_length=64, description="token of a session; the referee's has 32 hex digits")
]
Wish = Annotated[
    str,
    Meta(
        pattern=r"\A([0-9.]{1,12}\+[0-9.]{1,12}|[0-9.]{1,12}|inf)\Z",
        description="the time control that a remote bot would like: seconds a game + seconds a move",
        extra={"reads": "a time control such as 10+0.1"},
    ),
]
MaxLine = Annotated[
    int, Meta(ge=1, le=MAX_INT, description="bytes of the longest line or payload that is accepted")
]
Ref = Annotated[str, Meta(min_length=1, max_length=80, description="the referee's name/version")]

GameId = Annotated[int, Meta(ge=0, le=MAX_INT, description="id of the game a turn belongs to")]
Side = Annotated[Literal["x", "o"], Meta(description="the side: x (Chocolate, moves first) or o (Vanilla)")]
Size = Annotated[Literal[6, 9], Meta(description="squares per edge of the board")]
Rings = Annotated[int, Meta(ge=1, le=40, description="rings per side at the start of the game")]
Main = Annotated[int, Meta(ge=0, le=MAX_INT, description="ms on each clock at the start of the game")]
Inc = Annotated[int, Meta(ge=0, le=MAX_INT, description="ms added to a clock before each of its moves")]
Margin = Annotated[int, Meta(ge=0, le=MAX_INT, description="ms of overrun that are tolerated now")]
Prep = Annotated[int, Meta(ge=0, le=MAX_INT, description="ms within which `ready` is due")]
MoveMax = Annotated[int, Meta(ge=0, le=MAX_INT, description="ms at most for one move")]
Opp = Annotated[
    str, Meta(min_length=1, max_length=40, description="name of the opponent, where it is not hidden")
]
Seed = Annotated[
    int,
    Meta(ge=0, le=MAX_INT, description="a number for the bot's own dice, the same when a game is replayed"),
]
Ply = Annotated[int, Meta(ge=0, le=80, description="placements made so far in the game")]
Layout = Annotated[
    str,
    Meta(
        pattern=r"\A([HVDA]{36}|[HVDA]{81})\Z",
        description="the lines of the squares a1 b1 ... in index order",
        extra={"reads": "36 or 81 letters out of H, V, D and A"},
    ),
]
Cells = Annotated[
    str,
    Meta(
        pattern=r"\A([.xo]{36}|[.xo]{81})\Z",
        description="the rings on the squares in index order",
        extra={"reads": "36 or 81 characters out of . x and o"},
    ),
]
Last = Annotated[
    str,
    Meta(pattern=r"\A[a-i][1-9]\Z", description="the square that was filled last; - for none", extra=_SQUARE),
]
Legal = Annotated[Squares, Meta(max_length=81, description="every legal square in index order")]
Clock = Annotated[
    int,
    Meta(ge=0, le=MAX_INT, description="ms left on the clock of the side to move, its increment included"),
]
OClock = Annotated[int, Meta(ge=0, le=MAX_INT, description="ms left on the clock of the other side")]
Limit = Annotated[
    int, Meta(ge=0, le=MAX_INT, description="ms for this move: the smaller of clock and movemax")
]
Spent = Annotated[
    int, Meta(ge=0, le=MAX_INT, description="ms charged for the bot's own last move; 0 before it")
]
Resend = Annotated[Literal[0, 1], Meta(description="1 when the turn is a repetition under the same id")]

Eval = Annotated[
    int, Meta(ge=0, le=1000, description="the bot's own chances in permille: 1000 is a sure win")
]
Proof = Annotated[
    Literal["win", "draw", "loss"], Meta(description="outcome that the bot has proved, from its own side")
]
Nodes = Annotated[int, Meta(ge=0, le=MAX_INT, description="positions visited in the search")]
Depth = Annotated[int, Meta(ge=0, le=MAX_INT, description="depth of the search in plies")]
Pv = Annotated[
    Squares, Meta(max_length=81, description="principal variation: the placements the bot expects")
]
Text = Annotated[str, Meta(max_length=200, description="a sentence for people")]

Code = Annotated[
    str,
    Meta(
        pattern=r"\A[a-z][a-z0-9_]{0,31}\Z",
        description="what the message that could not be used suffers from",
        extra=_WORD,
    ),
]
Why = Annotated[
    str, Meta(pattern=r"\A[a-z][a-z0-9_]{0,31}\Z", description="code of an ending or a fault", extra=_WORD)
]
Min = Annotated[int, Meta(ge=0, le=MAX_INT, description="lowest DBP version the referee speaks")]
Max = Annotated[int, Meta(ge=0, le=MAX_INT, description="highest DBP version the referee speaks")]

Result = Annotated[
    Literal["win", "loss", "draw", "void"], Meta(description="the game's result from the bot's own side")
]
Winner = Annotated[Literal["x", "o"], Meta(description="the side that won; - for none")]
Five = Annotated[
    Squares, Meta(max_length=81, description="every square of every row of five or more, in index order")
]
Moves = Annotated[
    Squares, Meta(max_length=81, description="all placements from the start of the game, in order")
]
More = Annotated[Literal[0, 1], Meta(description="1 when another game of the match follows")]
Flip = Annotated[
    str,
    Meta(
        pattern=r"\A(-|[a-i][1-9](\+[a-i][1-9]){0,7})\Z",
        extra={"reads": "up to eight squares joined by +, or -"},
    ),
]
Flips = Annotated[
    tuple[Flip, ...],
    Meta(max_length=81, description="per placement the squares that flipped, joined by +; - for none"),
]
