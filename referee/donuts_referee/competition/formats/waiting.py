"""How every schedule waits for results, and what it promises so that it can be unrolled again.

A schedule asks `Tables.entrants` for number n in the very step in which it yields encounter n, and looks at no duel
beyond `frontier`. The operator's changes count from a number that was not yielded yet, so that whatever a step saw is
there to be seen again after a restart. A bye therefore follows the encounters of its round and never comes before.
"""

from collections.abc import Iterator

from donuts_referee.competition.encounter import Duel, Tables

__all__ = ["duel_of", "settled"]


def settled(tables: Tables, number: int) -> Iterator[None]:
    """Wait (yield None) until every encounter up to `number` is settled."""
    while tables.frontier < number:
        yield None


def duel_of(tables: Tables, number: int) -> Duel:
    """The duel of an encounter up to the frontier."""
    duel = tables.duel(number)
    if duel is None:
        raise LookupError(f"encounter {number} is not settled")
    return duel
