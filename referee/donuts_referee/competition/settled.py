"""Settled encounters by number, held in a few bytes each: an event may have millions of them."""

from array import array
from typing import Generic, TypeVar

from donuts_referee.competition.encounter import Duel, Encounter, Leg

__all__ = ["SettledDuels"]

T = TypeVar("T", str, Leg)


class _Known(Generic[T]):
    """Numbers for the few different values that many encounters share."""

    def __init__(self) -> None:
        self.values: list[T] = []
        self._numbers: dict[T, int] = {}

    def number(self, value: T) -> int:
        """The number of this value, from 0."""
        found = self._numbers.get(value)
        if found is None:
            found = self._numbers[value] = len(self.values)
            self.values.append(value)
        return found


class SettledDuels:
    """The duels 1, 2, 3, ... as far as they were added, in that order."""

    def __init__(self) -> None:
        self._words: _Known[str] = _Known()
        self._legs: _Known[Leg] = _Known()
        self._round, self._first, self._second, self._label = (array("I") for _ in range(4))
        self._one, self._two = (array("I") for _ in range(2))

    def __len__(self) -> int:
        return len(self._round)

    def append(self, duel: Duel) -> None:
        """Add the next duel; its number is one more than there are."""
        encounter, (one, two) = duel
        word = self._words.number
        self._round.append(encounter.round)
        self._first.append(word(encounter.first))
        self._second.append(word(encounter.second))
        self._label.append(word(encounter.label))
        self._one.append(self._legs.number(one))
        self._two.append(self._legs.number(two))

    def encounter(self, number: int) -> Encounter:
        """The encounter with this number."""
        at, words = number - 1, self._words.values
        return Encounter(
            number,
            self._round[at],
            words[self._first[at]],
            words[self._second[at]],
            words[self._label[at]],
        )

    def legs(self, number: int) -> tuple[Leg, Leg]:
        """Both legs of the encounter with this number."""
        at, legs = number - 1, self._legs.values
        return legs[self._one[at]], legs[self._two[at]]

    def duel(self, number: int) -> Duel:
        """The duel with this number."""
        return Duel(self.encounter(number), self.legs(number))
