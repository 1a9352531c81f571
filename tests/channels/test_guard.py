"""When the guard of a ROUTER looks at its connections, on a clock of the test: at once when the memory grows."""

import sys
from typing import cast

import pytest

from donuts_referee.channels import guard
from donuts_referee.channels.connections import Connections
from donuts_referee.channels.guard import Guard

MS = 1_000_000
MIB = 1 << 20

LOOK = 10
"""ms between two looks at the memory"""


class Machine:
    """A process whose memory the test sets, and its connections: what the guard does with them is noted by the ms."""

    def __init__(self) -> None:
        self.held = 100 * MIB
        self.alarm = False
        self.inspected: list[int] = []
        self.given_back: list[int] = []
        self.guilty = False
        """the next inspection cuts somebody"""
        self.at = 0

    def inspect(self) -> None:
        """What `Connections.inspect` does."""
        self.inspected.append(self.at)
        self.alarm, self.guilty = self.alarm or self.guilty, False

    def pass_by(self, watch: Guard, until: int) -> list[int]:
        """Let the time pass to this ms, with a call of the guard at each; the inspections that it made."""
        first = len(self.inspected)
        while self.at < until:
            self.at += 1
            watch.watch(self.at * MS)
        return self.inspected[first:]


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    one = Machine()
    monkeypatch.setattr(Guard, "_resident", lambda self: one.held)
    monkeypatch.setattr(guard, "_give_back", lambda: one.given_back.append(one.at))
    return one


@pytest.fixture
def watch(machine: Machine) -> Guard:
    made = Guard(cast(Connections, machine), 0)
    made.close()  # it does not ask the system
    machine.pass_by(made, 1500)
    assert machine.inspected == [1, 1001]
    machine.inspected.clear()
    return made


def test_in_peace_the_connections_are_looked_at_once_a_second(machine: Machine, watch: Guard) -> None:
    machine.held += 4 * MIB
    assert machine.pass_by(watch, 5500) == [2001, 3001, 4001, 5001]
    assert machine.given_back == []


def test_growth_is_seen_at_the_next_look_and_looked_into_for_a_while(machine: Machine, watch: Guard) -> None:
    machine.held += 5 * MIB
    # the first inspection may only note how much somebody has brought
    assert machine.pass_by(watch, 2000) == [1501, 1511, 1521, 1531, 1541]


def test_who_grows_slowly_is_seen_as_well(machine: Machine, watch: Guard) -> None:
    for number in range(1, 6):
        machine.held += MIB
        machine.pass_by(watch, 1500 + number * LOOK)
    assert machine.inspected == [1541]


def test_after_a_cut_every_look_of_a_second_is_at_all_and_what_was_freed_is_given_back(
    machine: Machine, watch: Guard
) -> None:
    machine.held += 5 * MIB
    machine.guilty = True
    assert machine.pass_by(watch, 2500) == list(range(1501, 2500, LOOK))
    assert machine.given_back == list(range(1511, 2500, LOOK))
    machine.held -= 5 * MIB
    assert machine.pass_by(watch, 4500) == [3491, 4491]


def test_an_alarm_that_another_raised_is_heard_at_the_next_look(machine: Machine, watch: Guard) -> None:
    machine.alarm = True
    assert machine.pass_by(watch, 2500) == list(range(1511, 2501, LOOK))


@pytest.mark.skipif(sys.platform != "linux", reason="the system tells no memory")
def test_the_memory_is_that_of_this_process() -> None:
    one = Guard(cast(Connections, Machine()), 0)
    before = one._resident()
    block = bytearray(64 * MIB)
    grown = one._resident() - before
    one.close()
    assert len(block) == 64 * MIB and 32 * MIB < grown < 128 * MIB
