"""Runs an event: takes what the schedule offers, has it played, keeps every game, and goes on until nothing is left.

The journal is written before anybody is told, and nothing but the journal decides what is still to be played. So the
runner may be killed at any moment; the next one finds what is missing.
"""

import time
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Literal, NamedTuple

from donuts_referee.competition.batching import Batching, Task
from donuts_referee.competition.books import EventBooks
from donuts_referee.competition.encounter import Encounter
from donuts_referee.competition.event import Event
from donuts_referee.competition.formats.ranking import last_counted
from donuts_referee.competition.happenings import (
    Began,
    Benched,
    Ended,
    GameEnded,
    JobLost,
    JobStarted,
    Onlooker,
    RosterChanged,
    Rows,
    StandingsChanged,
)
from donuts_referee.competition.job import (
    INTERRUPTED,
    Done,
    Executor,
    ExecutorFault,
    Lost,
    Played,
    Report,
)
from donuts_referee.competition.jobs import job_of, players
from donuts_referee.competition.plan import planned
from donuts_referee.competition.roster import RosterWatch, changes, mended
from donuts_referee.competition.rows import rows
from donuts_referee.competition.state import Game
from donuts_referee.competition.trouble import Trouble
from donuts_referee.records.journal import JournalReader
from donuts_referee.table.game import POLICY
from donuts_referee.teams.bot import Bot

__all__ = ["Ending", "Outcome", "Runner"]

LOOK = 0.5
"""seconds between two looks at the event file, and until a signal is noticed"""

PATIENCE = 15.0
"""seconds in which games under way must have come in once the event is ended"""


class Ending(Enum):
    """Why nothing is played any more."""

    OVER = "over"
    INTERRUPTED = "interrupted"
    STOPPED = "stopped"
    """by the policy `stop`, or because what was frozen has changed"""
    FAILED = "failed"
    """by a fault of the referee or its workers"""


REASONS: dict[Ending, Literal["over", "interrupted", "stopped"]] = {
    Ending.OVER: "over",
    Ending.INTERRUPTED: "interrupted",
    Ending.STOPPED: "stopped",
    Ending.FAILED: "stopped",
}
"""What onlookers are told."""


class Outcome(NamedTuple):
    """How a run of an event ended, and in words why where that needs any."""

    ending: Ending
    text: str = ""


class Runner:
    """One run of an event, with its books open, to its end."""

    def __init__(
        self,
        event: Event,
        books: EventBooks,
        executor: Executor,
        onlooker: Onlooker,
        note: Callable[[str], None],
        signals: Callable[[], int],
        frozen: Callable[[Sequence[Bot]], str | None] = lambda _: None,
    ) -> None:
        """`note` is told what the operator should know, a sentence each; `signals`: how often a stop was asked for.

        `frozen` is asked before each job what of its bots is not as it was frozen; an answer ends the event.
        """
        self._event = event
        self._books = books
        self._executor = executor
        self._onlooker = onlooker
        self._note = note
        self._signals = signals
        self._frozen = frozen
        self._state = books.kept.state
        self._timetable = books.kept.timetable
        self._batching = Batching(self._timetable.next, executor.capacity)
        self._jobs: dict[int, list[Task]] = {}
        self._under_way: set[tuple[int, int]] = set()
        """encounter and leg of every game that was handed out"""
        self._begun_jobs: set[int] = set()
        """jobs of which a game has come in"""
        self._last_job = 0
        self._trouble = Trouble()
        self._outcome: Outcome | None = None
        self._heads = JournalReader(books.folder)
        self._benched = frozenset(self._state.benched())
        self._watch = RosterWatch(event, books.description, self._state, note)
        self._looked = time.monotonic()
        self._bots = {bot.name: bot for bot in event.bots}

    def run(self) -> Outcome:
        """Play what is left. Raises WriteFault when a game cannot be kept; nothing that was kept is harmed."""
        last = last_counted(self._books.description.format, self._state)
        for encounter in reversed(self._state.unsettled()):
            if last is None or encounter.number <= last:
                self._batching.again(encounter)
        self._began()
        self._watch.compare(self._event)
        self._tell_of_mended()
        self._look_at_roster(self._event)
        try:
            self._play()
            if self._outcome is not None:
                self._wind_up()
        except ExecutorFault as fault:  # nothing comes in any more
            self._outcome = self._outcome or Outcome(Ending.FAILED, str(fault))
        outcome = self._outcome or self._at_the_end()
        self._onlooker.see(
            Ended(REASONS[outcome.ending], outcome.text, self._state.games, self._state.frontier, self._rows)
        )
        return outcome

    def _play(self) -> None:
        """Hand out and take in until nothing is left, or something ends the event."""
        while self._outcome is None:
            self._hand_out()
            if not self._jobs:
                return
            self._take(self._executor.wait(LOOK))
            self._look_at_file()
            if self._signals() and self._outcome is None:
                self._outcome = Outcome(Ending.INTERRUPTED)

    def _at_the_end(self) -> Outcome:
        """Nothing can be handed out any more: all is played, or what is left was set aside."""
        return (
            Outcome(Ending.FAILED, self._trouble.text()) if self._trouble.any_aside else Outcome(Ending.OVER)
        )

    # --- what is handed out --------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        while self._outcome is None and len(self._jobs) < self._executor.capacity:
            tasks = self._batching.job(self._missing)
            if not tasks:
                return
            self._submit(*self._under_policy(tasks))

    def _missing(self, encounter: Encounter) -> tuple[int, ...]:
        number = encounter.number
        if self._trouble.aside(encounter):
            return ()
        return tuple(leg for leg in self._state.missing(encounter) if (number, leg) not in self._under_way)

    def _under_policy(self, tasks: list[Task]) -> tuple[list[Task], bool]:
        """The part of a job that is played under one policy, and whether faults are void in it.

        A leg that was void as often as is allowed is played by itself, and then the loss stands (DBP-9.15).
        """
        if self._trouble.suspects(tasks[0][0]):
            tasks = self._shortened(tasks, 1)
        if self._event.policies.on_fault != "void":
            return tasks, False
        for at, (encounter, legs) in enumerate(tasks):
            spent = [leg for leg in legs if self._spent(encounter, leg)]
            if not spent:
                continue
            if at:
                return self._shortened(tasks, at), True
            self._shortened(tasks, 1)
            return [(encounter, (spent[0],))], False
        return tasks, True

    def _shortened(self, tasks: list[Task], most: int) -> list[Task]:
        """The first `most` of a job; the others go back to where they came from."""
        for later, _ in reversed(tasks[most:]):
            self._batching.again(later)
        return tasks[:most]

    def _spent(self, encounter: Encounter, leg: int) -> bool:
        return self._state.replays(encounter.number, leg) >= self._event.policies.replays

    def _submit(self, tasks: list[Task], void: bool) -> None:
        first, second = players(tasks)
        changed = self._frozen((self._bots[first], self._bots[second]))
        if changed is not None:
            self._outcome = Outcome(Ending.STOPPED, changed)
            return
        self._last_job += 1
        job = job_of(self._event, self._books.description.id, self._last_job, self._bots, tasks, void=void)
        self._jobs[job.id] = tasks
        self._under_way.update((each.number, leg) for each, legs in tasks for leg in legs)
        self._executor.submit(job)
        encounter = tasks[0][0]
        self._onlooker.see(
            JobStarted(job.id, encounter.number, encounter.label, first, second, len(job.fixtures))
        )

    # --- what comes in -------------------------------------------------------------------------------------------

    def _take(self, reports: Sequence[Report]) -> None:
        for report in reports:
            if report.job not in self._jobs:
                continue  # of a job that was given up and handed out anew
            if isinstance(report, Played):
                self._keep(report)
            else:
                self._conclude(report)

    def _keep(self, game: Played) -> None:
        head = self._heads.head(self._books.kept.entries, game.line)
        assert head.place is not None
        self._books.keep(game.line, game.pgn)
        before, verdict = self._state.frontier, head.verdict
        self._state.count(Game(head.place, head.x.bot, head.o.bot, verdict))
        number, benched = head.place.encounter, self._state.benched()
        counted = not verdict.void
        walkover = any(benched.get(bot, number) < number for bot in (head.x.bot, head.o.bot))
        if counted:
            self._trouble.over(frozenset((head.x.bot, head.o.bot)))
            if game.job in self._begun_jobs:  # in the time of its first game a job's bots are started
                self._batching.took(head.seconds)
            self._begun_jobs.add(game.job)
        self._onlooker.see(GameEnded(head, counted and not walkover, self._state.frontier))
        if self._state.frontier > before:
            self._settled()
        if self._event.policies.on_fault == "stop" and verdict.fault and verdict.why in POLICY:
            place = head.place
            self._outcome = Outcome(
                Ending.STOPPED, f"leg {place.leg} of encounter {place.encounter}: {verdict.text}"
            )

    def _settled(self) -> None:
        for bot, number in self._state.benched().items():
            if bot not in self._benched:
                self._onlooker.see(Benched(bot, number))
        self._benched = frozenset(self._state.benched())
        self._onlooker.see(StandingsChanged(self._state.frontier, self._rows, self._planned()))

    def _conclude(self, report: Done | Lost) -> None:
        tasks = self._jobs.pop(report.job)
        fruitless = report.job not in self._begun_jobs
        self._begun_jobs.discard(report.job)
        why = self._came_to_nothing(report)
        if why is not None:
            self._onlooker.see(JobLost(report.job, why))
            if self._trouble.note(tasks[0][0], why, fruitless=fruitless) and self._outcome is None:
                self._outcome = Outcome(Ending.FAILED, self._trouble.text())
        for encounter, legs in reversed(tasks):
            self._under_way.difference_update((encounter.number, leg) for leg in legs)
            if self._state.missing(encounter):
                self._batching.again(encounter, last=why is not None)

    def _came_to_nothing(self, report: Done | Lost) -> str | None:
        """Why a job ended that nobody ended; None where it did as it should."""
        if isinstance(report, Lost):
            return report.why
        if report.failed:
            return report.stopped or "the referee failed"
        if report.stopped == INTERRUPTED and self._outcome is None:
            return "its worker was told to end, and not by this event"
        return None

    def _wind_up(self) -> None:
        """Void what is under way and keep it; a second signal, or patience at its end, leaves the rest."""
        self._executor.stop()
        until, asked = time.monotonic() + PATIENCE, self._signals()
        while self._jobs and (left := until - time.monotonic()) > 0 and self._signals() <= asked:
            self._take(self._executor.wait(min(LOOK, left)))

    # --- who takes part ------------------------------------------------------------------------------------------

    def _look_at_file(self) -> None:
        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        event = self._watch.look()
        if event is not None:
            self._look_at_roster(event)

    def _tell_of_mended(self) -> None:
        """Note in the journal, and to the operator, which bots are not those of the last start."""
        if self._timetable.over:
            return
        roster, told = mended(self._event, self._books.description, self._state)
        if roster is not None:
            self._books.change(roster)
            self._state.change(roster)
        for text in told:
            self._note(text)

    def _look_at_roster(self, event: Event) -> None:
        """Take over the list of bots of `event`, and note in the journal what is new in it."""
        told = changes(event, self._state, self._timetable.number, self._begun)
        for bot in event.bots:
            self._bots.setdefault(bot.name, bot)
        for roster in told:
            self._books.change(roster)
            self._state.change(roster)
        if told:
            self._timetable.again()
        for roster in told:
            self._onlooker.see(RosterChanged(roster.start, roster.added, roster.withdrawn, self._planned()))

    def _begun(self, bot: str) -> int:
        """The last encounter of a bot of which a game is under way, 0 for none."""
        return max(
            (
                encounter.number
                for tasks in self._jobs.values()
                for encounter, _ in tasks
                if bot in (encounter.first, encounter.second)
            ),
            default=0,
        )

    # --- what is told --------------------------------------------------------------------------------------------

    def _began(self) -> None:
        books, state = self._books, self._state
        self._onlooker.see(
            Began(
                description=books.description,
                planned=self._planned(),
                settled=state.frontier,
                games=state.games,
                workers=self._executor.capacity,
                resumed=books.resumed,
                records=books.folder,
                names=state.names(),
                gone=tuple(
                    bot for bot in state.names() if bot in state.withdrawn() or bot in state.benched()
                ),
                over=self._timetable.over and {bot.name for bot in self._event.bots} <= set(state.names()),
                standings=self._rows,
            )
        )

    def _planned(self) -> int | None:
        if self._timetable.over:  # the schedule itself knows best: bots may have left
            return self._timetable.number
        return planned(self._books.description.format, self._state)

    def _rows(self) -> Rows:
        return rows(self._books.description, self._state)
