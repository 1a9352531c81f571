"""The first moves of boards that come solved with the package, as the solver says them but without a search."""

from ..position import Position
from ..solved import WORDS, known_moves
from .verdict import Choice, Verdict


def known_choices(position: Position) -> tuple[Choice, ...]:
    """Return each move of `position`, the plies to the end unsaid, where `known_moves` knows them; () elsewhere.

    SolvedFault when the installation is damaged.
    """
    letters = known_moves(position) or ""
    return tuple(
        Choice(square, Verdict(WORDS[letter], WORDS[letter]))
        for square, letter in zip(position.legal, letters, strict=bool(letters))
    )
