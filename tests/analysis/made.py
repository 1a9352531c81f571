"""Games made for the analysis: from moves, from random play, and with values that a test writes down itself."""

from collections.abc import Callable, Sequence
from random import Random

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.squares import index
from donuts_referee.analysis.worth import Worth
from donuts_referee.records.finding import FoundGame
from donuts_referee.records.sheet import Sheet
from donuts_referee.table.finished import Conditions

LAYOUT = "VHDDDHVDHVHVDADHHHVADVVHVVDHDDDVHDAD"


def sheet(moves: Sequence[str], layout: str = LAYOUT, rings: int = 15, **changed: object) -> Sheet:
    """A game with these moves; where they do not end it, x resigned nothing and wins by a fault of o."""
    values: dict[str, object] = {
        "id": "20260104-101500-000000-0badcafe-0001",
        "match": "20260104-101500-000000-0badcafe",
        "number": 1,
        "started": 1_767_521_730,
        "x": "ann",
        "o": "bob",
        "size": 6,
        "layout": layout,
        "board": None,
        "rings": rings,
        "seed": 1,
        "conditions": Conditions(main=60_000, inc=0, movemax=None, margin=50, prep=10_000),
        "opening": 0,
        "moves": tuple(moves),
        "marks": (None,) * len(moves),
        "winner": "x",
        "why": "crash",
        "text": "crash: o is gone",
        "fault": "o",
        "void": False,
    }
    return Sheet(**values | changed)  # type: ignore[arg-type]


def random_game(seed: int, rings: int = 15, **changed: object) -> Sheet:
    """A random game to its end by the rules."""
    dice = Random(seed)
    position = Position.start(Board.of("".join(dice.choices("HVDA", k=36))), rings)
    moves = []
    while position.result is None:
        square = dice.choice(position.legal)
        moves.append(position.legal_names[position.legal.index(square)])
        position = play(position, square)
    over = position.result
    ending = {"winner": over.winner, "why": over.why, "text": over.why, "fault": None}
    return sheet(moves, position.board.layout, rings, **ending | changed)


def found(game: Sheet, number: int = 1, of: int = 1) -> FoundGame:
    """The game as it is found in a file."""
    return FoundGame(game, None, f"games.pgn:{number}", number, of, ())


def scripted(game: Sheet, script: str) -> Callable[[Position], Worth | None]:
    """Values for each move of the game, two letters a ply, spaces aside: of the position, and of the move made.

    `?` is unknown. Of the other moves the first keeps the value, and the rest lose; where there is no other, the move
    made is said to be what it is.
    """
    plies = script.split()

    def worth_of(position: Position) -> Worth | None:
        before, after = plies[position.ply]
        if before == "?":
            return None
        made = position.legal.index(index(game.moves[position.ply], 6))
        letters = ["L"] * len(position.legal)
        letters[0 if made else -1] = before
        letters[made] = after
        return Worth("".join(letters))

    return worth_of
