"""Whole games of a scripted arena against one bot; the other side plays the first legal square."""

from client.scripted_arena import ScriptedArena
from donuts_engine.board import Board
from donuts_engine.outcome import outcome
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import NAMES
from donuts_protocol.messages import End, Move

LAYOUT = "VHDDDHVDHVHVDADHHHVADVVHVVDHDDDVHDAD"
START = Position.start(Board.of(LAYOUT), 3)


def placed(position: Position, square: str) -> Position:
    return play(position, NAMES[6].index(square))


def whole_game(arena: ScriptedArena, you: str = "x") -> End:
    """Play from the first `game` to the `end`, which is returned."""
    arena.begin(you, rings=START.rings)
    position, moves = START, []
    while (over := outcome(position)) is None:
        square = position.legal_names[0]
        if position.you == you:
            answer = arena.answer(position)
            assert isinstance(answer, Move), answer
            square = answer.sq
        position = placed(position, square)
        moves.append(square)
    winner = None if over.winner == "-" else over.winner
    end = End(
        id=arena.game,
        result="draw" if winner is None else "win" if winner == you else "loss",
        winner=winner,
        why=over.why,
        text="as the rules have it",
        ply=position.ply,
        cells=position.cells,
        moves=tuple(moves),
        more=1,
    )
    arena.say(end)
    return end
