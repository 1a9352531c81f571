"""Many matches on one thread: each hears its own bots, wakes when its own time is up, and fails alone."""

import weakref
from collections.abc import Generator, Sequence
from typing import Any

import pytest

from donuts_referee.arena.floor import Floor, Outcome
from donuts_referee.channels.link import Arrival, Chunk
from donuts_referee.table.events import Score


class Clock:
    def __init__(self) -> None:
        self.time = 0

    def now(self) -> int:
        return self.time


class Sat:
    """A match that only notes what it is handed."""

    def __init__(self, *deadlines: int | None) -> None:
        self.deadlines = list(deadlines)
        self.handed: list[Sequence[Arrival]] = []
        self.stopped = False
        self.outcomes: list[Outcome] = []

    def steps(self) -> Generator[int | None, Sequence[Arrival], Score]:
        try:
            for deadline in self.deadlines:
                self.handed.append((yield deadline))
        except KeyboardInterrupt:
            self.stopped = True
        return Score(games=len(self.handed))


def links(count: int) -> list[Any]:
    return [object() for _ in range(count)]


def seated(floor: Floor, sat: Sat, a: Any, b: Any) -> Sat:
    floor.begin(sat.steps(), (a, b), sat.outcomes.append)
    return sat


def test_each_match_hears_its_own_bots_all_of_one_wake_up_at_once() -> None:
    clock = Clock()
    floor = Floor(clock.now)
    a, b, c, d, stranger = links(5)
    one, two = seated(floor, Sat(None, None), a, b), seated(floor, Sat(None, None), c, d)
    chunks = [Chunk(link, b"x", 0) for link in (a, c, b, stranger)]
    floor.deliver(chunks)
    assert one.handed == [[chunks[0], chunks[2]]] and two.handed == [[chunks[1]]]
    floor.deliver([Chunk(d, b"y", 0)])
    assert len(two.outcomes) == 1 and two.outcomes[0].score == Score(games=2)
    floor.deliver([Chunk(c, b"z", 0)])
    assert len(floor) == 1 and len(two.handed) == 2


def test_whose_time_is_up_is_woken_once_and_the_others_wait() -> None:
    clock = Clock()
    floor = Floor(clock.now)
    one = seated(floor, Sat(100, 100, 300), *links(2))
    two = seated(floor, Sat(200, None), *links(2))
    three = seated(floor, Sat(None), *links(2))
    assert floor.deadline == 100
    clock.time = 99
    floor.expire()
    assert one.handed == []
    clock.time = 100
    floor.expire()
    assert one.handed == [()] and floor.deadline == 100, "it asked for one more look"
    floor.expire()
    assert one.handed == [(), ()] and floor.deadline == 200
    clock.time = 1000
    floor.expire()
    assert len(one.handed) == 3 and len(two.handed) == 1 and three.handed == []
    assert floor.deadline is None and len(floor) == 2


def test_a_deadline_that_was_moved_does_not_wake() -> None:
    clock = Clock()
    floor = Floor(clock.now)
    a, b = links(2)
    one = seated(floor, Sat(100, 500), a, b)
    floor.deliver([Chunk(a, b"x", 0)])
    clock.time = 200
    floor.expire()
    assert len(one.handed) == 1 and floor.deadline == 500


def test_a_match_that_fails_harms_no_other() -> None:
    def fails() -> Generator[int | None, Sequence[Arrival], Score]:
        yield None
        raise ZeroDivisionError("ours")

    clock = Clock()
    floor = Floor(clock.now)
    a, b, c, d = links(4)
    outcomes: list[Outcome] = []
    floor.begin(fails(), (a, b), outcomes.append)
    two = seated(floor, Sat(None, None), c, d)
    floor.deliver([Chunk(a, b"x", 0), Chunk(c, b"y", 0)])
    assert isinstance(outcomes[0].error, ZeroDivisionError) and outcomes[0].score is None
    assert len(two.handed) == 1 and len(floor) == 1


@pytest.mark.parametrize("every", [True, False])
def test_matches_are_stopped(every: bool) -> None:
    floor = Floor(Clock().now)
    a, b, c, d = links(4)
    one, two = seated(floor, Sat(None), a, b), seated(floor, Sat(None), c, d)
    floor.stop(None if every else b)
    assert (one.stopped, two.stopped) == (True, every)
    assert len(floor) == (0 if every else 1)
    floor.stop(a)


def test_a_match_that_ends_at_once_is_told_of() -> None:
    floor = Floor(Clock().now)
    one = seated(floor, Sat(), *links(2))
    assert one.outcomes == [Outcome(Score(), None)] and len(floor) == 0 and floor.deadline is None


def test_a_match_that_is_over_is_forgotten_while_a_slow_one_goes_on() -> None:
    floor = Floor(Clock().now)
    slow = seated(floor, Sat(10**9), *links(2))
    held = []
    for number in range(1000):
        a, b = links(2)
        sat = Sat(10**10 + number, 10**11 + number)
        steps = sat.steps()
        held.append(weakref.ref(steps))
        floor.begin(steps, (a, b), sat.outcomes.append)
        del steps
        for link in (a, b):
            assert floor.deadline == 10**9
            floor.deliver([Chunk(link, b"x", 0)])
    assert sum(one() is not None for one in held) < 100
    assert len(floor) == 1 and not slow.handed
