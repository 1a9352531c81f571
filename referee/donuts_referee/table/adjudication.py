"""When a referee ends a game before its rules do, where the operator asked for it (DBP-9.21)."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from donuts_engine.position import Position
from donuts_referee.table import sentences

__all__ = [
    "ADJUDICATED",
    "FORMS",
    "Adjudication",
    "AdjudicationError",
    "Oracle",
    "Resignation",
    "Ruling",
    "agreed",
    "ruling",
]

ADJUDICATED = "adjudicated"
"""the code of the verdict"""

FORMS = "resign, resign=EVAL,PLIES (such as resign=900,3) or plies=N"
"""What an operator may write, for a sentence; besides, `solver` where there is one."""

Oracle: TypeAlias = Callable[[Position], Literal["x", "o", "-"] | None]
"""Says who wins a position that is not over, `-` for a draw, under best play by both; None where it does not know."""


class AdjudicationError(ValueError):
    """An adjudication that cannot be; the text names the fault and what would be right."""


@dataclass(frozen=True, slots=True)
class Resignation:
    """The game is given to the side of which both bots say that it wins, each in its own last `plies` answers.

    A bot says so by the `eval` of its moves: its own chances in permille, 0 to 1000 (SPEC, `move`).
    """

    eval: int = 900
    """the winner reports at least this, the loser at most 1000 less this; 501 to 1000"""
    plies: int = 3
    """answers of each side in a row"""

    def __post_init__(self) -> None:
        """Raises AdjudicationError on numbers out of their bounds."""
        if not 501 <= self.eval <= 1000:
            raise AdjudicationError(f"an eval of {self.eval} says of no side that it wins; give 501 to 1000")
        if self.plies < 1:
            raise AdjudicationError(f"{self.plies} answers of each side say nothing; give 1 or more")


@dataclass(frozen=True, slots=True)
class Adjudication:
    """Off in all its parts unless asked for."""

    resignation: Resignation | None = None
    max_plies: int | None = None
    """a game that has this many placements is a draw"""
    solver: bool = False
    """a 6 x 6 position whose exact value is known ends the game; needs the solver (see `competition.oracle`)"""

    def __post_init__(self) -> None:
        """Raises AdjudicationError on a number out of its bounds."""
        if self.max_plies is not None and self.max_plies < 1:
            raise AdjudicationError(f"a game of {self.max_plies} placements is none; give 1 or more")

    @classmethod
    def parse(cls, words: Iterable[str]) -> "Adjudication | None":
        """Read what `str` writes, a rule a word: `resign`, `resign=900,3`, `plies=60`, `solver`; None without a word.

        Raises AdjudicationError.
        """
        asked = cls()
        found: set[str] = set()
        for word in words:
            name, equals, value = word.partition("=")
            numbers = _NUMBERS.fullmatch(value) if equals else None
            if name in found:
                raise AdjudicationError(f"{name} is asked for twice; say it once")
            if name == "resign" and not equals:
                asked = cls(Resignation(), asked.max_plies, asked.solver)
            elif name == "resign" and numbers is not None:
                given = [int(number) for number in numbers.groups() if number is not None]
                asked = cls(Resignation(*given), asked.max_plies, asked.solver)
            elif name == "plies" and numbers is not None and numbers[2] is None:
                asked = cls(asked.resignation, int(numbers[1]), asked.solver)
            elif word == "solver":
                asked = cls(asked.resignation, asked.max_plies, True)
            else:
                raise AdjudicationError(f"{word[:40]!a} is not understood; write {FORMS}")
            found.add(name)
        return asked if found else None

    def __str__(self) -> str:
        """As `parse` reads it, with a space between the rules: `resign=900,3 plies=60 solver`; "" for none."""
        words = []
        if self.resignation is not None:
            words.append(f"resign={self.resignation.eval},{self.resignation.plies}")
        if self.max_plies is not None:
            words.append(f"plies={self.max_plies}")
        if self.solver:
            words.append("solver")
        return " ".join(words)


_NUMBERS = re.compile(r"([0-9]{1,6})(?:,([0-9]{1,6}))?", re.ASCII)


class Ruling(NamedTuple):
    """A game is ended: for whom (`-`: a draw), and the sentence with the numbers."""

    winner: Literal["x", "o", "-"]
    text: str


def ruling(
    asked: Adjudication, oracle: Oracle | None, position: Position, reports: Sequence[int | None]
) -> Ruling | None:
    """What the rules that were `asked` for make of a position that is not over by those of the game; None: play on.

    `reports` are the evals of all answers so far, oldest first, the last one that of the side not on turn; None where
    an answer had none. The oracle comes first, since it knows; then what both bots say, then the length of the game.
    """
    ply = position.ply
    if asked.solver and oracle is not None:
        value = oracle(position)
        if value is not None:
            return Ruling(value, sentences.known(ply, value))
    resignation = asked.resignation
    if resignation is not None:
        winner = agreed(resignation, reports, position.you)
        if winner is not None:
            last = reports[-2 * resignation.plies :]
            x, o = (last[::2], last[1::2]) if position.you == "x" else (last[1::2], last[::2])
            return Ruling(winner, sentences.agreed(ply, winner, x, o, resignation.eval))
    if asked.max_plies is not None and ply >= asked.max_plies:
        return Ruling("-", sentences.too_long(ply, asked.max_plies))
    return None


def agreed(
    resignation: Resignation, reports: Sequence[int | None], you: Literal["x", "o"]
) -> Literal["x", "o"] | None:
    """The side of which the last reports of both sides say that it wins; None while they do not.

    `reports` as `ruling` has them; `you` is the side on turn, whose last report is the last but one.
    """
    count = 2 * resignation.plies
    if len(reports) < count or reports[-1] is None:
        return None
    high, low = resignation.eval, 1000 - resignation.eval
    last_wins = reports[-1] >= high
    for at in range(1, count + 1):
        report = reports[-at]
        if report is None or (report < high if last_wins == (at % 2 == 1) else report > low):
            return None
    return you if not last_wins else "o" if you == "x" else "x"
