"""Bots that come and go at any moment of an event, also when all was played: who left meets nobody who came then."""

import random
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from competition.formats.simulated import Event, by_chance, names
from competition.formats.test_replay import FORMATS
from donuts_referee.competition import event as described
from donuts_referee.competition.config import read_event
from donuts_referee.competition.roster import changes

LATE = "late"


@pytest.fixture
def listed(tmp_path: Path) -> described.Event:
    """An event file with nine bots and one that comes later."""
    (tmp_path / "bot").write_text("#!/bin/sh\n")
    (tmp_path / "bot").chmod(0o755)
    path = tmp_path / "event.toml"
    path.write_text("".join(f'[[bot]]\nname = "{name}"\nrun = "./bot"\n' for name in (*names(9), LATE)))
    return read_event(path)


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
@pytest.mark.parametrize("kind", FORMATS)
def test_who_leaves_does_not_meet_who_comes(kind: str, listed: described.Event, data: st.DataObject) -> None:
    count = data.draw(st.integers(2, 9))
    rng = random.Random(data.draw(st.integers(0, 9999)))
    event = Event(FORMATS[kind], names(count), by_chance(data.draw(st.integers(0, 99))))
    event.run(
        rng, data.draw(st.integers(1, 6)), most=data.draw(st.one_of(st.just(10**9), st.integers(0, 40)))
    )
    leaving = data.draw(st.sampled_from(names(count)))
    issued = event.timetable.number
    there = {*names(count), LATE} - {leaving}
    new = replace(listed, bots=tuple(bot for bot in listed.bots if bot.name in there))
    for roster in changes(new, event.state, issued, lambda _: 0):
        event.journal.append(roster)
        event.state.change(roster)
    event.timetable.again()
    event.run(rng, data.draw(st.integers(1, 6)), 0.02, most=issued + 60)
    for encounter in event.encounters():
        assert {encounter.first, encounter.second} != {leaving, LATE}
    # whoever leaves then, what is settled stays, and all can be opened
    for _ in range(data.draw(st.integers(0, 2))):
        event.run(rng, data.draw(st.integers(1, 6)), most=data.draw(st.sampled_from([10**9, issued + 80])))
        there.discard(data.draw(st.sampled_from(sorted(there))) if there else "")
        settled = {n: d for n in range(1, event.state.frontier + 1) if (d := event.state.duel(n)) is not None}
        new = replace(listed, bots=tuple(bot for bot in listed.bots if bot.name in there))
        for roster in changes(new, event.state, event.timetable.number, lambda _: 0):
            event.journal.append(roster)
            event.state.change(roster)
        event.timetable.again()
        event.restart()
        # no walkover is in the journal: each is given when the schedule comes to it
        event.run(rng, 1, most=len(settled))
        assert {number: event.state.duel(number) for number in settled} == settled
    for duel in event.state.duels():
        if leaving in (duel.encounter.first, duel.encounter.second) and duel.encounter.number > issued:
            assert not any(leg.played for leg in duel.legs)
