"""What Hypothesis draws for the engine's tests: layouts and positions reached by play."""

from hypothesis import strategies as st

from donuts_engine.board import Board
from donuts_engine.position import MAX_RINGS, Position
from donuts_engine.rules import play
from donuts_engine.squares import SIZES

sizes = st.sampled_from(SIZES)


def layouts(size: int) -> st.SearchStrategy[str]:
    return st.text("HVDA", min_size=size * size, max_size=size * size)


@st.composite
def games(draw: st.DrawFn) -> tuple[Position, list[int]]:
    """A start and legal moves from it, up to the end or to any ply before."""
    size = draw(sizes)
    board = Board.of(draw(layouts(size)))
    rings = draw(st.one_of(st.none(), st.integers(1, MAX_RINGS[size])))
    start = position = Position.start(board, rings)
    moves: list[int] = []
    for choice in draw(st.lists(st.integers(0, 2**16), max_size=2 * position.rings)):
        if position.result is not None:
            break
        moves.append(position.legal[choice % len(position.legal)])
        position = play(position, moves[-1])
    return start, moves


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """A position reached by play; over or not."""
    position, moves = draw(games())
    for move in moves:
        position = play(position, move)
    return position
