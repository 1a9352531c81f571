"""The same event whatever the order of arrivals, the number of workers, restarts, benchings and changes of the list."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competition.formats.simulated import Event, by_chance, names
from donuts_referee.competition.event import Format, Gauntlet, Knockout, Ladder, RoundRobin, Sprt, Swiss
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.formats.ranking import last_counted
from donuts_referee.competition.state import Roster

FORMATS: dict[str, Format] = {
    "round robin": RoundRobin(),
    "round robin, 3 cycles": RoundRobin(cycles=3),
    "gauntlet": Gauntlet(cycles=2, seeds=2),
    "swiss": Swiss(),
    "swiss, too many rounds": Swiss(rounds=9),
    "knockout": Knockout(third_place=True),
    "knockout, 2 encounters": Knockout(encounters=2, tie_breaks=1),
    "ladder": Ladder(encounters=40),
    "ladder, narrow": Ladder(encounters=30, window=1),
}


@st.composite
def rosters(draw: st.DrawFn, bots: int) -> tuple[Roster, ...]:
    """Entries and withdrawals, some of them of whoever plays there."""
    found: list[Roster] = []
    for at in range(draw(st.integers(0, 3))):
        start = draw(st.integers(1, 25))
        if draw(st.booleans()):
            found.append(Roster(start, added=(f"new{at}",)))
        else:
            found.append(Roster(start, withdrawn=(draw(st.sampled_from(names(bots))),)))
    return tuple(sorted(found, key=lambda roster: roster.start))


@settings(max_examples=8)
@given(data=st.data())
@pytest.mark.parametrize("kind", FORMATS)
def test_nothing_but_the_numbers_decides(kind: str, data: st.DataObject) -> None:
    bots = data.draw(st.integers(2, 9))
    changes = data.draw(rosters(bots))
    crashers = data.draw(st.lists(st.sampled_from(names(bots)), max_size=2))
    play = by_chance(data.draw(st.integers(0, 99)), data.draw(st.sampled_from([0, 20, 100])), crashers, 5)
    events = [Event(FORMATS[kind], names(bots), play, changes) for _ in range(2)]
    events[0].run(random.Random(1), 1)
    for _ in range(2):
        rng = random.Random(data.draw(st.integers(0, 9999)))
        event = Event(FORMATS[kind], names(bots), play, changes)
        event.run(rng, data.draw(st.integers(1, 16)), data.draw(st.sampled_from([0.0, 0.05, 0.3])))
        made = [change for change in event.journal if isinstance(change, Roster)]
        if made != [change for change in events[0].journal if isinstance(change, Roster)]:
            continue  # the event was over before the operator could act in one of them
        assert event.encounters() == events[0].encounters()
        assert event.byes() == events[0].byes()
        assert event.ranking() == events[0].ranking()


@settings(max_examples=8)
@given(data=st.data())
def test_a_sequential_test_decides_at_the_same_encounter(data: st.DataObject) -> None:
    play = by_chance(data.draw(st.integers(0, 99)), 30, voids=3)
    format = Sprt(elo0=-100, elo1=200, alpha=0.2, beta=0.2, encounters=60)
    first = Event(format, names(2), play)
    first.run(random.Random(1), 1)
    last = last_counted(format, first.state)
    event = Event(format, names(2), play)
    event.run(random.Random(data.draw(st.integers(0, 9999))), data.draw(st.integers(1, 16)), 0.05)
    assert last_counted(format, event.state) == last
    some, others = sorted((first.encounters(), event.encounters()), key=len)
    assert others[: len(some)] == some
    assert event.ranking() == first.ranking()
    event.restart()
    assert (last_counted(format, event.state), event.ranking()) == (last, first.ranking())


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("bots", [0, 1])
def test_nobody_to_meet_is_an_end(kind: str, bots: int) -> None:
    event = Event(FORMATS[kind], names(bots), by_chance(1))
    assert list(schedule_of(FORMATS[kind], 1, event.state)) == []


@pytest.mark.parametrize("kind", FORMATS)
def test_everybody_leaving_is_an_end(kind: str) -> None:
    event = Event(FORMATS[kind], names(5), by_chance(1), (Roster(3, withdrawn=names(5)),))
    event.run(random.Random(2), 4)
    assert event.timetable.over
    assert [duel.encounter.number for duel in event.state.duels() if duel.legs[0].played] == [1, 2]
