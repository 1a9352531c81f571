"""Plays a few games of an event to see how long they take, by its own conditions and workers; nothing of it is kept."""

import time
from collections.abc import Callable, Iterator

from msgspec.structs import replace

from donuts_referee.competition.encounter import LEGS, Encounter
from donuts_referee.competition.event import Event
from donuts_referee.competition.forecast import Probe
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.job import Done, Executor, Job, Lost, Played
from donuts_referee.competition.jobs import job_of
from donuts_referee.competition.state import State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.records.record import Record, decode

__all__ = ["Probing", "choose", "play_probes"]

SECONDS = 5.0
"""for which probes are handed out at least, where games are quick"""

PATIENCE = 120.0
"""after which none is handed out any more"""

MOST = 100
"""encounters that are looked through, and played at most"""

STEADY = 3
"""probes beside the first one of each worker"""


class Probing:
    """What came of the probes so far."""

    def __init__(self) -> None:
        self.probes: list[Probe] = []
        self.games: list[Played] = []
        self.seconds = 0.0
        self.lost: list[str] = []
        """why jobs came to nothing"""


def choose(event: Event, most: int = MOST) -> Iterator[Encounter]:
    """The encounters to probe: those of the schedule that need no result, first one for each bot, then the others."""
    bots = tuple(bot.name for bot in event.bots if bot.name not in event.withdrawn)
    state = State(bots, replays=0, limit=None)
    timetable = Timetable(lambda: schedule_of(event.format, event.seed, state), state)
    others: list[Encounter] = []
    seen: set[str] = set()
    while timetable.number < max(most, len(bots) ** 2) and (encounter := timetable.next()) is not None:
        two = {encounter.first, encounter.second}
        if two <= seen:
            if len(others) < most:
                others.append(encounter)
        else:
            seen |= two
            yield encounter
        if len(seen) == len(bots) and len(others) >= most:
            break
    yield from others


def play_probes(
    event: Event,
    executor: Executor,
    told: Callable[[Probing], None] = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
) -> Probing:
    """Play them, as many at once as the event will; `told` after each. Raises ExecutorFault."""
    wanted = choose(event)
    at_once = executor.capacity
    least = max(at_once + STEADY, (len(event.bots) + 1) // 2)
    probing = Probing()
    open_jobs: dict[int, tuple[Job, float, list[Record]]] = {}
    began = clock()
    handed = 0
    while True:
        while len(open_jobs) < at_once and handed < MOST:
            spent = clock() - began
            if spent > PATIENCE or (handed >= least and spent > SECONDS):
                break
            encounter = next(wanted, None)
            if encounter is None:
                break
            handed += 1
            job = _job(event, handed, encounter)
            open_jobs[handed] = job, clock(), []
            executor.submit(job)
        if not open_jobs:
            return probing
        for report in executor.wait(None):
            job, start, games = open_jobs[report.job]
            probing.seconds = clock() - began
            match report:
                case Played(_, line, _):
                    games.append(decode(line))
                    probing.games.append(report)
                case Done(_, stopped, failed):
                    del open_jobs[report.job]
                    if failed:
                        probing.lost.append(stopped or "a fault of the referee")
                    elif games:
                        fresh = report.job <= at_once
                        probing.probes.append(
                            Probe(job.first.name, job.second.name, tuple(games), clock() - start, fresh)
                        )
                case Lost(_, why):
                    del open_jobs[report.job]
                    probing.lost.append(why)
            told(probing)


def _job(event: Event, number: int, encounter: Encounter) -> Job:
    """As the event would play it, without a policy that ends the event: a probe is to tell what bots take."""
    bots = {bot.name: bot for bot in event.bots}
    void = event.policies.on_fault == "void"
    job = job_of(event, "plan", number, bots, [(encounter, LEGS)], void=void)
    return replace(job, on_fault="forfeit") if job.on_fault == "stop" else job
