"""Finished games for the tests of this room: played at random by the rules, clocked by the rules of the clock."""

import random
from typing import NamedTuple

from hypothesis import strategies as st

from donuts_engine.board import Board
from donuts_engine.outcome import fives, groups, outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES
from donuts_referee.table.adjudication import ADJUDICATED, Adjudication, Resignation, ruling
from donuts_referee.table.clock import SideClock
from donuts_referee.table.control import TimeControl
from donuts_referee.table.finished import Conditions, FinishedGame, Side, TakenTurn, Verdict

MS = 1_000_000

CONTROLS = (
    TimeControl(),
    TimeControl(main=1_234, inc=7, movemax=900, margin=31),
    TimeControl.each("0.1"),
    TimeControl.parse("inf"),
    TimeControl(main=3_600_000, inc=0, margin=0, prep=1),
)

ADJUDICATIONS = (
    None,
    None,
    Adjudication(max_plies=7),
    Adjudication(Resignation(501, 1)),
    Adjudication(Resignation(), 60, solver=True),
)


class Ending(NamedTuple):
    """A verdict that the rules did not give, at the ply on which it fell."""

    why: str
    ply: int
    sq: str | None = None


def side(bot: str = "donuts:greedy", **changed: object) -> Side:
    """A bot in a game."""
    values: dict[str, object] = {
        "bot": bot,
        "name": "greedy",
        "ver": "1",
        "author": None,
        "argv": ("python3", "-m", "bots", bot),
        "digest": "00" * 32,
        "encoding": "text",
        "exit_status": None,
        "exit_signal": None,
        "stderr": "",
        "stderr_bytes": 0,
        "noise": 0,
        "first_noise": None,
        "late": 0,
        "state": 0,
        "rate": 0,
    }
    return Side(**values | changed)  # type: ignore[arg-type]


def played(
    seed: int = 1,
    *,
    size: int = 6,
    number: int = 1,
    control: TimeControl = CONTROLS[0],
    opening: int = 0,
    ending: Ending | None = None,
    x: Side | None = None,
    o: Side | None = None,
    started: float = 1_767_521_730.482913,
    layout: str | None = None,
    adjudication: Adjudication | None = None,
) -> FinishedGame:
    """A random game that holds in every respect; `ending` cuts it short with a fault of the side to move."""
    dice = random.Random(seed)
    layout = layout or "".join(dice.choice("HVDA") for _ in range(size * size))
    names = NAMES[size]
    position = Position.start(Board.of(layout))
    moves: list[str] = []
    turns: list[TakenTurn] = []
    clocks = {"x": SideClock(control), "o": SideClock(control)}
    ruled = None
    while (over := outcome(position)) is None:
        if adjudication is not None:
            ruled = ruling(adjudication, None, position, [turn.eval for turn in turns])
            if ruled is not None:
                break
        ply, mover = position.ply, position.you
        square = dice.choice(position.legal)
        if ply >= opening:
            allowed = clocks[mover].begin()
            used = dice.randrange(5 * MS)
            sq: str | None = names[square]
            if ending is not None and ply == ending.ply:
                sq = ending.sq
                if ending.why == "timeout":
                    assert allowed.budget is not None
                    used = allowed.budget + 3 * MS + 17
            charge = clocks[mover].charge(used)
            turns.append(
                TakenTurn(
                    ply=ply,
                    side=mover,
                    id=1000 + 2 * ply,
                    sq=sq,
                    raw="" if sq is None else f"move {1000 + 2 * ply} {sq}",
                    limit=allowed.limit,
                    margin=allowed.margin,
                    used=used,
                    spent=charge.spent,
                    clock=charge.left,
                    eval=dice.choice([None, dice.randrange(1001)]),
                )
            )
            if ending is not None and ply == ending.ply:
                break
        position = play(position, square)
        moves.append(names[square])
    if over is not None:
        verdict = Verdict(winner=over.winner, why=over.why, text=f"{over.why} at ply {position.ply}")
    elif ruled is not None:
        verdict = Verdict(winner=ruled.winner, why=ADJUDICATED, text=ruled.text)
    else:
        assert ending is not None
        void = ending.why in ("abort", "referee")
        winner = "-" if void else "ox"["xo".index(position.you)]
        verdict = Verdict(
            winner=winner,
            why=ending.why,
            text=f"{ending.why} at ply {position.ply}: numbers",
            fault=None if void else position.you,
            void=void,
        )
    return FinishedGame(
        number=number,
        started=started,
        seconds=1.5,
        size=size,
        layout=layout,
        board=None,
        rings=position.rings,
        seed=seed,
        opening=tuple(moves[:opening]),
        conditions=Conditions(
            main=control.main,
            inc=control.inc,
            movemax=control.movemax,
            margin=control.margin,
            prep=control.prep,
            adjudication=adjudication,
        ),
        x=x or side(),
        o=o or side("donuts:random"),
        moves=tuple(moves),
        turns=tuple(turns),
        cells=position.cells,
        five=tuple(names[at] for at in fives(position)),
        groups=groups(position),
        verdict=verdict,
    )


def words(most: int = 30) -> st.SearchStrategy[str]:
    """What people and bots call themselves: any character, line ends, quotes, bidi controls and braces among them."""
    nasty = st.sampled_from(
        ['"', "\\", "\n", "\r\n", "\u202e", "]", "}", "{", '"]', "\\u0041", "\u2028", "é", "🍩", "\0"]
    )
    return st.lists(st.one_of(nasty, st.text(max_size=4)), max_size=most // 4).map("".join)


@st.composite
def games(draw: st.DrawFn) -> FinishedGame:
    """Random games of both sizes, under every kind of time control, with every kind of ending."""
    ending = draw(
        st.none()
        | st.builds(Ending, st.sampled_from(["timeout", "crash", "abort", "resign"]), st.integers(1, 8))
    )
    control = draw(st.sampled_from(CONTROLS))
    if ending is not None and ending.why == "timeout" and control.unlimited:
        control = CONTROLS[0]
    return played(
        draw(st.integers(0, 2**53 - 1)),
        size=draw(st.sampled_from((6, 9))),
        number=draw(st.integers(1, 99_999)),
        control=control,
        opening=draw(st.integers(0, 1)) if ending else draw(st.integers(0, 4)),
        ending=ending,
        x=side(draw(words()), argv=tuple(draw(st.lists(words(), max_size=3))), stderr=draw(words(200))),
        o=side(draw(words()), name=None, first_noise=draw(st.none() | words(60))),
        started=draw(st.floats(0, 4e9, allow_nan=False)),
        adjudication=draw(st.sampled_from(ADJUDICATIONS)),
    )
