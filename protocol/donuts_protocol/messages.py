"""Every message of DBP as a frozen, typed value; who sends it, with which fields, is said here and nowhere else.

The attributes named in `args` are positional in text (`move 732 e1`); all others are `key=value` fields. In msgpack
every attribute stands under its own key, beside the verb under `"t"`. A field without a default is required. A
required field of type `X | None` is written `-` in text when it is None, and left out in msgpack; an optional
field that is None is left out in both. SPEC.md's message table and the JSON Schema are generated from these classes.
"""

from typing import ClassVar, TypeAlias

from msgspec import Struct

from donuts_protocol import keys as k


class Message(Struct, frozen=True, kw_only=True, tag_field="t", omit_defaults=True):
    """One message; the subclasses are the verbs."""

    verb: ClassVar[str] = ""
    args: ClassVar[tuple[str, ...]] = ()
    nonempty: ClassVar[tuple[str, ...]] = ()
    """lists that hold at least one item in this message"""
    dashed_with: ClassVar[tuple[tuple[str, str], ...]] = ()
    """pairs of optional fields: the first is written `-` where it is None and the second is not"""
    constant: ClassVar[tuple[str, ...]] = ()
    """required fields that are the same in all such messages of one game, so that they are written once"""


# --- from the bot ------------------------------------------------------------------------------------------------


class Hello(Message, frozen=True, tag="hello", kw_only=True):
    """First, once per connection: who the bot is and which versions of DBP it speaks."""

    verb: ClassVar[str] = "hello"
    donuts: k.Versions
    name: k.Name
    ver: k.BotVersion | None = None
    author: k.Author | None = None
    caps: k.Caps | None = None
    seat: k.Seat | None = None
    session: k.SessionToken | None = None
    tc: k.Wish | None = None


class Ready(Message, frozen=True, tag="ready", kw_only=True):
    """Answers `game`: the bot can be asked now."""

    verb: ClassVar[str] = "ready"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id


class Report(Message, frozen=True, kw_only=True):
    """What a bot may tell of its search; the fields that `move` and `info` share."""

    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id
    eval: k.Eval | None = None
    proof: k.Proof | None = None
    nodes: k.Nodes | None = None
    depth: k.Depth | None = None
    pv: k.Pv | None = None
    text: k.Text | None = None


class Move(Report, frozen=True, tag="move", kw_only=True):
    """Answers `turn`: the square on which the bot places its ring."""

    verb: ClassVar[str] = "move"
    args: ClassVar[tuple[str, ...]] = ("id", "sq")
    sq: k.Sq


class Resign(Message, frozen=True, tag="resign", kw_only=True):
    """Answers `turn`: the bot gives the game up."""

    verb: ClassVar[str] = "resign"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id


class Info(Report, frozen=True, tag="info", kw_only=True):
    """A report while the bot thinks, where the capability `info` was granted."""

    verb: ClassVar[str] = "info"


class Pong(Message, frozen=True, tag="pong", kw_only=True):
    """Answers `ping`."""

    verb: ClassVar[str] = "pong"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id


class Leave(Message, frozen=True, tag="bye", kw_only=True):
    """The bot leaves; a running game is resigned by it."""

    verb: ClassVar[str] = "bye"
    text: k.Text | None = None


# --- both ways ---------------------------------------------------------------------------------------------------


class Error(Message, frozen=True, tag="error", kw_only=True):
    """A message of the other end could not be used; for people to read, nothing follows from it."""

    verb: ClassVar[str] = "error"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id | None
    code: k.Code | None = None
    text: k.Text | None = None


# --- from the referee --------------------------------------------------------------------------------------------


class Welcome(Message, frozen=True, tag="welcome", kw_only=True):
    """Answers `hello`: the version chosen, the session and what is granted."""

    verb: ClassVar[str] = "welcome"
    donuts: k.Versions
    session: k.SessionToken
    caps: k.Caps
    maxline: k.MaxLine
    ref: k.Ref
    name: k.Name | None = None


class Game(Message, frozen=True, tag="game", kw_only=True):
    """A game is about to begin; `ready` is due within `prep` and no clock runs before it."""

    verb: ClassVar[str] = "game"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id
    you: k.Side
    size: k.Size
    rings: k.Rings
    main: k.Main
    inc: k.Inc
    margin: k.Margin
    prep: k.Prep
    movemax: k.MoveMax | None = None
    opp: k.Opp | None = None
    seed: k.Seed


class Turn(Message, frozen=True, tag="turn", kw_only=True):
    """A question that holds all there is to know: the whole position, the legal squares, the clocks."""

    verb: ClassVar[str] = "turn"
    args: ClassVar[tuple[str, ...]] = ("id",)
    constant: ClassVar[tuple[str, ...]] = ("game", "you", "size", "rings", "layout", "inc")
    nonempty: ClassVar[tuple[str, ...]] = ("legal",)
    id: k.Id
    game: k.GameId
    ply: k.Ply
    you: k.Side
    size: k.Size
    rings: k.Rings
    layout: k.Layout
    cells: k.Cells
    last: k.Last | None
    legal: k.Legal
    clock: k.Clock
    oclock: k.OClock
    inc: k.Inc
    limit: k.Limit
    margin: k.Margin
    spent: k.Spent
    resend: k.Resend | None = None


class Cancel(Message, frozen=True, tag="cancel", kw_only=True):
    """The question is closed; an answer to it will be dropped."""

    verb: ClassVar[str] = "cancel"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id
    why: k.Why | None = None


class Ping(Message, frozen=True, tag="ping", kw_only=True):
    """Asked only between turns; `pong` is due."""

    verb: ClassVar[str] = "ping"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id


class End(Message, frozen=True, tag="end", kw_only=True):
    """The game is over; the bot stays alive."""

    verb: ClassVar[str] = "end"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id
    result: k.Result
    winner: k.Winner | None
    why: k.Why
    text: k.Text | None = None
    ply: k.Ply
    cells: k.Cells
    five: k.Five | None = None
    moves: k.Moves
    more: k.More


class Bye(Message, frozen=True, tag="bye", kw_only=True):
    """The referee is done with the bot, which exits within a second."""

    verb: ClassVar[str] = "bye"
    why: k.Why | None = None
    min: k.Min | None = None
    max: k.Max | None = None


# --- the rules as a service: a profile of its own, without handshake ----------------------------------------------


class Query(Message, frozen=True, tag="query", kw_only=True):
    """Asks the rules about a position, given by the placements from the start (`moves`) or as it stands (`cells`)."""

    verb: ClassVar[str] = "query"
    args: ClassVar[tuple[str, ...]] = ("id",)
    id: k.Id
    layout: k.Layout
    size: k.Size | None = None
    rings: k.Rings | None = None
    moves: k.Moves | None = None
    cells: k.Cells | None = None
    last: k.Last | None = None
    you: k.Side | None = None


class State(Message, frozen=True, tag="state", kw_only=True):
    """Answers `query`; `winner` and `why` appear when the game is over, and then `legal` is empty."""

    verb: ClassVar[str] = "state"
    args: ClassVar[tuple[str, ...]] = ("id",)
    dashed_with: ClassVar[tuple[tuple[str, str], ...]] = (("winner", "why"),)
    id: k.Id
    ply: k.Ply
    you: k.Side
    cells: k.Cells
    last: k.Last | None
    legal: k.Legal
    flips: k.Flips
    winner: k.Winner | None = None
    why: k.Why | None = None


BotMessage: TypeAlias = Hello | Ready | Move | Resign | Info | Pong | Error | Leave
RefereeMessage: TypeAlias = Welcome | Game | Turn | Cancel | Ping | Error | End | Bye

FROM_BOT: tuple[type[Message], ...] = (Hello, Ready, Move, Resign, Info, Pong, Error, Leave)
FROM_REFEREE: tuple[type[Message], ...] = (Welcome, Game, Turn, Cancel, Ping, Error, End, Bye)
SERVICE_ASKS: tuple[type[Message], ...] = (Query,)
SERVICE_ANSWERS: tuple[type[Message], ...] = (State, Error)
