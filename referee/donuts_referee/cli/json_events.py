"""`--json`: a match as one JSON object a line, for programs that look on.

The objects are told apart by `event`: game, move, warning, verdict, score. Bots are named as the operator named them;
squares are names (`c4`); `null` stands for none. Within a major version keys are added, never renamed or retyped.
"""

from pathlib import Path

import msgspec
from msgspec import Struct

from donuts_engine.rules import flips
from donuts_engine.squares import NAMES
from donuts_referee.cli.stage import Stage
from donuts_referee.table.events import Event, GameOver, GameStarted, MatchOver, MovePlayed, Warned

__all__ = ["GameEvent", "JsonEvents", "MoveEvent", "ScoreEvent", "VerdictEvent", "WarningEvent"]


class _Line(Struct, frozen=True, kw_only=True, tag_field="event"):
    """What all lines share: the key `event`."""


class GameEvent(_Line, frozen=True, kw_only=True, tag="game"):
    """A game is about to be played."""

    game: int
    of: int
    x: str
    o: str
    size: int
    layout: str
    board: int | None
    rings: int
    seed: int
    opening: tuple[str, ...]


class MoveEvent(_Line, frozen=True, kw_only=True, tag="move", omit_defaults=True):
    """A ring was placed; `cells` are those after it, `ply` counts the placements before it, times as charged.

    What the bot said of its search comes last, where it said anything (DBP-6.8).
    """

    game: int
    ply: int
    side: str
    move: str
    flips: tuple[str, ...]
    cells: str
    used_us: int
    spent: int
    clock: int
    eval: int | None = None
    proof: str | None = None
    nodes: int | None = None
    depth: int | None = None
    pv: tuple[str, ...] | None = None
    text: str | None = None


class WarningEvent(_Line, frozen=True, kw_only=True, tag="warning"):
    """The first line of its kind that was dropped and counted: noise, late, state or rate."""

    game: int
    side: str
    why: str
    shown: str
    text: str


class VerdictEvent(_Line, frozen=True, kw_only=True, tag="verdict"):
    """A game is over; `record` is its id in the journal."""

    game: int
    winner: str
    why: str
    text: str
    fault: str | None
    void: bool
    ply: int
    record: str


class ScoreEvent(_Line, frozen=True, kw_only=True, tag="score"):
    """The match is over; "1" and "2" are the first- and the second-named bot, wins and losses those of the first."""

    games: int
    bots: dict[str, str]
    score: dict[str, float]
    wins: int
    draws: int
    losses: int
    voids: int
    seed: int
    stopped: str | None
    records: str


class JsonEvents:
    """The onlooker that writes those lines."""

    each_move = True

    def __init__(self, stage: Stage, bots: tuple[str, str], records: Path, seed: int) -> None:
        self._stage = stage
        self._bots = bots
        self._records = records
        self._seed = seed
        self._encode = msgspec.json.Encoder().encode

    def see(self, event: Event, record: str) -> None:
        """Write the event's line."""
        self._stage.write(self._encode(self._line(event, record)).decode() + "\n")

    def _line(self, event: Event, record: str) -> _Line:
        match event:
            case MovePlayed(number, before, after, square, turn):
                names = NAMES[before.board.size]
                return MoveEvent(
                    game=number,
                    ply=before.ply,
                    side=turn.side,
                    move=names[square],
                    flips=tuple(names[at] for at in flips(before, square)),
                    cells=after.cells,
                    used_us=turn.used // 1000,
                    spent=turn.spent,
                    clock=turn.clock,
                    eval=turn.eval,
                    proof=turn.proof,
                    nodes=turn.nodes,
                    depth=turn.depth,
                    pv=turn.pv,
                    text=turn.text,
                )
            case GameStarted(number, of, x, o, setting):
                board = setting.board
                return GameEvent(
                    game=number,
                    of=of,
                    x=x,
                    o=o,
                    size=board.size,
                    layout=board.layout,
                    board=setting.number,
                    rings=setting.rings,
                    seed=setting.seed,
                    opening=tuple(NAMES[board.size][square] for square in setting.opening),
                )
            case Warned():
                return WarningEvent(
                    game=event.number, side=event.side, why=event.why, shown=event.shown, text=event.text
                )
            case GameOver(game):
                verdict = game.verdict
                return VerdictEvent(
                    game=game.number,
                    winner=verdict.winner,
                    why=verdict.why,
                    text=verdict.text,
                    fault=verdict.fault,
                    void=verdict.void,
                    ply=len(game.moves),
                    record=record,
                )
            case MatchOver(score):
                first, second = score.points
                return ScoreEvent(
                    games=score.games,
                    bots={"1": self._bots[0], "2": self._bots[1]},
                    score={"1": first, "2": second},
                    wins=score.wins,
                    draws=score.draws,
                    losses=score.losses,
                    voids=score.voids,
                    seed=self._seed,
                    stopped=score.stopped,
                    records=str(self._records),
                )
