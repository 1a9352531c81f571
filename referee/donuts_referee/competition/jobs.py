"""Draws up the job in which some encounters are played: who, on which boards, under which conditions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from donuts_referee.competition.batching import Task
from donuts_referee.competition.encounter import Encounter
from donuts_referee.competition.event import Event
from donuts_referee.competition.job import Fixture, Job
from donuts_referee.competition.openings import opening
from donuts_referee.records.record import Place
from donuts_referee.teams.bot import Bot

__all__ = ["job_of", "players"]


def players(tasks: Sequence[Task]) -> tuple[str, str]:
    """Who is x in the first game of these tasks, and the other."""
    encounter, legs = tasks[0]
    pair = encounter.first, encounter.second
    return pair if legs[0] == 1 else (pair[1], pair[0])


def job_of(
    event: Event, event_id: str, number: int, bots: Mapping[str, Bot], tasks: Sequence[Task], *, void: bool
) -> Job:
    """The job with this number; `void`: faults make a game void under the policy that says so."""
    first, second = players(tasks)
    policy = event.policies.on_fault
    return Job(
        id=number,
        first=_playing(bots[first]),
        second=_playing(bots[second]),
        fixtures=tuple(_fixture(event, event_id, each, leg) for each, legs in tasks for leg in legs),
        control=event.control,
        on_fault="void" if void else "forfeit" if policy == "void" else policy,
        reveal=event.reveal,
        adjudication=event.adjudication,
    )


def _fixture(event: Event, event_id: str, encounter: Encounter, leg: int) -> Fixture:
    start = opening(event, encounter.number)
    return Fixture(
        place=Place(
            event=event_id, encounter=encounter.number, round=encounter.round, leg=leg, label=encounter.label
        ),
        layout=start.board.layout,
        rings=start.rings,
        seed=start.seed,
        board=start.board_number,
        opening=start.placements,
    )


def _playing(bot: Bot) -> Bot:
    """The bot as a job takes it along: what it takes to start it."""
    return replace(bot, folder=None, build=())
