"""A finished game as the table hands it on: everything a record keeps, as plain frozen values."""

from msgspec import Struct

from donuts_referee.table.adjudication import Adjudication


class Conditions(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The time control as the protocol states it, all in ms; `movemax` None: no limit per move."""

    main: int
    inc: int
    movemax: int | None
    margin: int
    prep: int
    adjudication: Adjudication | None = None
    """what may end the game before its rules do; left out of JSON where nothing may"""


class TakenTurn(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One question and what came of it; `sq` is None when no usable answer came."""

    ply: int
    side: str
    id: int
    sq: str | None
    raw: str
    """the answer as it came (text, escaped where not printable ASCII; msgpack as hex); "" when none came"""
    limit: int
    """ms for this move, as sent"""
    margin: int
    """ms of margin in force, as sent"""
    used: int
    """ns from the turn handed over to the end of the answer"""
    spent: int
    """whole ms charged"""
    clock: int
    """ms on the mover's clock after the charge"""
    lateness: int = 0
    """ns by which the referee itself was late, where that was over 2 ms"""
    eval: int | None = None
    proof: str | None = None
    nodes: int | None = None
    depth: int | None = None
    pv: tuple[str, ...] | None = None
    text: str | None = None
    rtt: int | None = None
    """of a remote bot: the round trip that was measured last, in ns (DBP-11.12)"""


class Side(Struct, frozen=True, kw_only=True):
    """One bot in one game."""

    bot: str
    """the name the operator gave it"""
    name: str | None
    """the name it gave itself in `hello`; None when it never did"""
    ver: str | None
    author: str | None
    argv: tuple[str, ...]
    digest: str | None
    """sha256 of the program file"""
    encoding: str | None
    exit_status: int | None
    exit_signal: int | None
    """the signal that ended its process; None where it was that of the referee, see `sent_signal`"""
    stderr: str
    """head and tail of stderr, escaped"""
    stderr_bytes: int
    sent_signal: int | None = None
    """the signal with which the referee ended its process, where that lived on; None: it sent none"""
    said: str | None = None
    """what it said last by `error` or `bye`, code and text, as safe text"""
    noise: int
    first_noise: str | None
    late: int
    state: int
    rate: int


class Verdict(Struct, frozen=True, kw_only=True):
    """How a game ended."""

    winner: str
    """x, o or - (draw or void)"""
    why: str
    """a code of `donuts_protocol.codes.WHY`"""
    text: str
    """a sentence with the numbers"""
    fault: str | None = None
    """the side at fault: x, o, or "xo" for both; None when the rules decided"""
    void: bool = False
    """the game does not count"""


class FinishedGame(Struct, frozen=True, kw_only=True):
    """A game with a verdict."""

    number: int
    """of this match, from 1"""
    started: float
    """Unix time"""
    seconds: float
    size: int
    layout: str
    board: int | None
    """number of the board in the tile set, where it was drawn by number"""
    rings: int
    seed: int
    opening: tuple[str, ...]
    """placements that were made for both sides before the first turn"""
    conditions: Conditions
    x: Side
    o: Side
    moves: tuple[str, ...]
    """all placements, the opening included"""
    turns: tuple[TakenTurn, ...]
    cells: str
    five: tuple[str, ...]
    groups: tuple[int, int]
    verdict: Verdict
