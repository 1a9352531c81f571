"""The bots that think keep to their time, to their level and to what the referee lets them tell."""

from collections.abc import Callable, Sequence

import pytest

from client.conftest import Table
from donuts_client.answer import Answer
from donuts_client.bots.alphabeta import AlphaBetaBot
from donuts_client.bots.mcts import MctsBot
from donuts_client.bots.thinking import LEVELS, Thinker
from donuts_client.position import Clock
from donuts_client.position import Position as Asked
from donuts_client.search.allowance import allowance
from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_protocol.messages import Info, Move, Turn
from donuts_referee.roster import LEVELS as ROSTER

UNLIMITED = 2147483647
HOURS = 36_000_000
"""ms for a move: so many that a bot takes 30 s for one, if nothing else ends its search"""
THINKERS: Sequence[type[Thinker]] = (AlphaBetaBot, MctsBot)


def asked(position: Position, limit: int) -> Asked:
    """The position as a bot is asked about it, with so many ms for each move."""
    return Asked(
        Turn(
            id=1,
            game=0,
            ply=position.ply,
            you=position.you,
            size=position.board.size,
            rings=position.rings,
            layout=position.board.layout,
            cells=position.cells,
            last=position.last_name,
            legal=position.legal_names,
            clock=limit,
            oclock=limit,
            inc=limit if limit != UNLIMITED else 0,
            limit=limit,
            margin=50,
            spent=0,
        )
    )


def after(board: Board, *squares: str) -> Position:
    position = Position.start(board)
    for square in squares:
        position = play(position, index(square, board.size))
    return position


@pytest.mark.parametrize(
    ("clock", "moves", "seconds"),
    [
        (Clock(own=100, other=100, inc=100, limit=100, margin=50, spent=0), 10, 0.075),
        (Clock(own=50, other=50, inc=50, limit=50, margin=50, spent=0), 10, 0.035),
        (Clock(own=5, other=5, inc=5, limit=5, margin=50, spent=0), 10, 0.0),
        (Clock(own=0, other=0, inc=0, limit=0, margin=50, spent=0), 10, 0.0),
        (Clock(own=60_000, other=60_000, inc=0, limit=60_000, margin=50, spent=0), 15, 4.0),
        (Clock(own=60_100, other=60_000, inc=100, limit=60_100, margin=50, spent=0), 15, 4.08),
        (Clock(own=60_100, other=60_000, inc=100, limit=1_000, margin=50, spent=0), 15, 0.795),
        (Clock(own=400, other=60_000, inc=0, limit=400, margin=50, spent=0), 1, 0.1),
        (Clock(own=9_000_000, other=0, inc=0, limit=9_000_000, margin=50, spent=0), 15, 30.0),
        (Clock(own=UNLIMITED, other=UNLIMITED, inc=0, limit=UNLIMITED, margin=50, spent=0), 15, 3.0),
    ],
)
def test_the_share_of_the_clock(clock: Clock, moves: int, seconds: float) -> None:
    assert allowance(clock, moves) == pytest.approx(seconds)


def test_a_game_of_any_length_is_played_to_its_end_on_its_clock() -> None:
    for main, inc in ((1_000, 0), (60_000, 100), (200, 10)):
        own = main
        for made in range(40):
            own += inc
            own -= int(1000 * allowance(Clock(own, own, inc, own, 50, 0), 36 - min(made, 35)))
            assert own >= 0
        assert own > 0


@pytest.mark.parametrize("kind", THINKERS)
@pytest.mark.parametrize("size", [6, 9])
def test_without_time_a_legal_square_is_found(
    kind: type[Thinker], size: int, boards: dict[int, Board]
) -> None:
    bot = kind()
    for limit in (0, 1, 5):
        answer = bot.move(asked(Position.start(boards[size]), limit))
        assert isinstance(answer, Answer)
        assert answer.square in range(size * size)


@pytest.mark.parametrize("kind", THINKERS)
def test_a_bot_that_nobody_waits_for_stops(kind: type[Thinker], board: Board) -> None:
    bot = kind()
    looked = 0

    def given_up() -> bool:
        nonlocal looked
        looked += 1
        return True

    bot._given_up = given_up
    answer = bot.move(asked(after(board, "c3"), 600_000))
    assert isinstance(answer, Answer)
    assert looked == 1


@pytest.mark.parametrize("kind", THINKERS)
def test_a_level_plays_alike_whatever_came_before(kind: type[Thinker], board: Board) -> None:
    bot, fresh = kind(2), kind(2)
    start = Position.start(board)
    first = bot.move(asked(start, HOURS))
    assert isinstance(first, Answer)
    second = bot.move(asked(play(start, int(first.square)), HOURS))
    assert fresh.move(asked(play(start, int(first.square)), HOURS)) == second
    assert fresh.move(asked(start, HOURS)) == first


def test_the_roster_and_the_bots_agree_about_levels() -> None:
    assert {kind.name: LEVELS for kind in THINKERS} == ROSTER
    for kind in THINKERS:
        for level in (0, LEVELS + 1):
            with pytest.raises(ValueError, match=f"level {level}: must be 1 to {LEVELS}"):
                kind(level)


@pytest.mark.parametrize("name", ["alphabeta", "mcts"])
def test_reports_are_granted_or_not_sent(name: str, seat: Callable[..., Table], board: Board) -> None:
    for grants in (("info",), ()):
        table = seat("-m", f"donuts_client.bots.{name}", "--level", "3", grants=grants)
        assert table.greet().caps == ("info",)
        table.begin()
        answer = table.answer(after(board, "c3"))
        assert isinstance(answer, Move)
        assert answer.eval is not None and answer.depth and answer.nodes and answer.pv
        assert answer.pv[0] == answer.sq
        assert any(isinstance(said, Info) for said in table.heard) == bool(grants)
        assert table.leave() == (0, "")


@pytest.mark.parametrize("kind", THINKERS)
def test_a_win_is_taken_and_said_to_be_proved(kind: type[Thinker], board: Board) -> None:
    bot, taken = kind(1), 0
    for seed in range(200):
        position = Position.start(board)
        while position.result is None:
            squares = position.legal
            wins = {s for s in squares if (end := play(position, s).result) and end.winner == position.you}
            if wins:
                answer = bot.move(asked(position, HOURS))
                assert isinstance(answer, Answer)
                assert answer.square in wins
                assert (answer.eval, answer.proof) == (1000, "win")
                taken += 1
                break
            position = play(position, squares[(seed * 31 + position.ply * 17) % len(squares)])
        if taken == 20:
            return
    pytest.fail("the positions must show wins")


@pytest.fixture
def boards(board: Board) -> dict[int, Board]:
    """A board of each size."""
    return {6: board, 9: Board.of("HVDAHVDAH" * 9)}
