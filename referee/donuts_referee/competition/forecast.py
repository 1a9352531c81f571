"""How long an event takes, worked out from a few games: its own schedule and its own jobs, played without the games.

The model: a game lasts as long as its two bots think in one on the average, and a little that is nobody's; a job costs
the start of its two bots beside its games. Results are made up, so that a knockout needs no tie-breaks and a
sequential test never decides.
"""

import heapq
from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import NamedTuple

from donuts_referee.competition.batching import Batching, Task
from donuts_referee.competition.encounter import Encounter, Schedule
from donuts_referee.competition.event import Format, Knockout, Sprt
from donuts_referee.competition.formats import sprt_match
from donuts_referee.competition.formats.choose import schedule_of
from donuts_referee.competition.plan import encounters
from donuts_referee.competition.state import Game, State
from donuts_referee.competition.timetable import Timetable
from donuts_referee.records.record import Place, Record
from donuts_referee.table.finished import Verdict

__all__ = ["Contest", "Forecast", "Probe", "Timing", "forecast", "timing"]

MOST = 3000
"""encounters that are gone through one by one; what is beyond takes as long in proportion"""

X_WINS = Verdict(winner="x", why="five", text="")
O_WINS = Verdict(winner="o", why="five", text="")


class Probe(NamedTuple):
    """A job that was played to see how long it takes."""

    first: str
    second: str
    games: tuple[Record, ...]
    seconds: float
    """from the moment it was handed out until its last report"""
    fresh: bool
    """a worker had to be started for it"""


class Timing(NamedTuple):
    """What was learned from probes; all in seconds. A bot that is not there is like the mean of the others."""

    thinking: Mapping[str, float]
    """of each bot, in one game"""
    starting: Mapping[str, float]
    """a bot's part of what a job costs beside its games"""
    around: float
    """of a game that is not thinking"""
    worker: float
    """to start a worker, once for each"""

    def of_game(self, one: str, other: str) -> float:
        """How long a game of the two takes."""
        return _of(self.thinking, one) + _of(self.thinking, other) + self.around

    def of_job(self, one: str, other: str) -> float:
        """What a job of the two takes beside its games."""
        return _of(self.starting, one) + _of(self.starting, other)


class Contest(NamedTuple):
    """What of an event decides how long it takes."""

    format: Format
    seed: int
    bots: tuple[str, ...]
    workers: int


class Forecast(NamedTuple):
    """What an event takes; None where it has no end."""

    encounters: int | None
    seconds: float | None
    games_per_second: float


def timing(probes: Iterable[Probe]) -> Timing:
    """What the probes say, of which at least one has a game. Raises ValueError for none."""
    played = [probe for probe in probes if probe.games]
    if not played:
        raise ValueError("none of the probes has a game")
    thinking: dict[str, list[float]] = {}
    firsts: list[float] = []
    later: list[float] = []
    for probe in played:
        for number, game in enumerate(probe.games):
            used = {game.x.bot: 0.0, game.o.bot: 0.0}
            for turn in game.turns:
                used[(game.x if turn.side == "x" else game.o).bot] += turn.used / 1e9
            for bot, seconds in used.items():
                thinking.setdefault(bot, []).append(seconds)
            (later if number else firsts).append(max(0.0, game.seconds - sum(used.values())))
    around = fmean(later or firsts)
    # the bots are started in the time of the first game of a job
    costs = [_beside(probe) + max(0.0, first - around) for probe, first in zip(played, firsts, strict=True)]
    steady = [cost for probe, cost in zip(played, costs, strict=True) if not probe.fresh]
    fresh = [cost for probe, cost in zip(played, costs, strict=True) if probe.fresh]
    usual = fmean(steady or fresh)
    starting: dict[str, list[float]] = {}
    for probe, cost in zip(played, costs, strict=True):
        if not probe.fresh or not steady:
            for bot in (probe.first, probe.second):
                starting.setdefault(bot, []).append(cost / 2)
    return Timing(
        thinking={bot: fmean(each) for bot, each in thinking.items()},
        starting={bot: fmean(each) for bot, each in starting.items()},
        around=around,
        worker=max(0.0, fmean(fresh) - usual) if fresh else 0.0,
    )


def forecast(contest: Contest, known: Timing) -> Forecast:
    """What the whole event takes, begun anew, if its games take as long as is known."""
    planned = encounters(contest.format, len(contest.bots))
    run = _Rehearsal(contest, known)
    run.play()
    if not run.games:
        return Forecast(planned, 0.0 if planned == 0 else None, 0.0)
    pace = run.games / run.now if run.now else float("inf")
    if planned is None:
        return Forecast(None, None, pace)
    done = run.timetable.number
    if run.timetable.over and done < MOST:
        planned = done  # the schedule itself knows best
    return Forecast(planned, run.now * planned / done if done else 0.0, pace)


class _Rehearsal:
    """An event that runs by the clock alone, as `runner` would run it."""

    def __init__(self, contest: Contest, known: Timing) -> None:
        self.now = 0.0
        self.games = 0
        self._known = known
        self._workers = contest.workers
        self._seeded = isinstance(contest.format, Knockout)
        self._order = {bot: place for place, bot in enumerate(contest.bots)}
        self._state = state = State(contest.bots, replays=0, limit=None)
        self.timetable = Timetable(lambda: _schedule(contest, state), state)
        self._batching = Batching(self._next, contest.workers)
        self._under_way: set[tuple[int, int]] = set()
        self._jobs: list[tuple[float, int, list[Task]]] = []
        self._count = self._started = 0

    def play(self) -> None:
        """Go through the schedule."""
        while True:
            while len(self._jobs) < self._workers and (tasks := self._batching.job(self._missing)):
                self._begin(tasks)
            if not self._jobs:
                return
            self.now, _, tasks = heapq.heappop(self._jobs)
            self._end(tasks)

    def _next(self) -> Encounter | None:
        return None if self.timetable.number >= MOST else self.timetable.next()

    def _missing(self, encounter: Encounter) -> tuple[int, ...]:
        number = encounter.number
        return tuple(leg for leg in self._state.missing(encounter) if (number, leg) not in self._under_way)

    def _begin(self, tasks: list[Task]) -> None:
        one, other = tasks[0][0].first, tasks[0][0].second
        games = sum(len(legs) for _, legs in tasks)
        self._count += 1
        seconds = self._known.of_job(one, other) + games * self._known.of_game(one, other)
        if len(self._jobs) == self._started:  # no worker is idle
            self._started += 1
            seconds += self._known.worker
        self._under_way.update((each.number, leg) for each, legs in tasks for leg in legs)
        heapq.heappush(self._jobs, (self.now + seconds, self._count, tasks))

    def _end(self, tasks: list[Task]) -> None:
        first = True
        for encounter, legs in tasks:
            for leg in legs:
                self.games += 1
                self._under_way.discard((encounter.number, leg))
                x, o = (encounter.first, encounter.second)[:: 1 if leg == 1 else -1]
                won = not self._seeded or self._order[x] < self._order[o]
                place = Place(event="", encounter=encounter.number, round=encounter.round, leg=leg)
                self._state.count(Game(place, x, o, X_WINS if won else O_WINS))
                if not first:  # as the runner does
                    self._batching.took(self._known.of_game(x, o))
                first = False


class _Undecided:
    """A sequential test that never decides."""

    encounters = 0

    def extend(self, points: list[float]) -> str | None:
        return None


def _schedule(contest: Contest, state: State) -> Schedule:
    if isinstance(contest.format, Sprt):
        return sprt_match.schedule(contest.format, state, _Undecided())
    return schedule_of(contest.format, contest.seed, state)


def _beside(probe: Probe) -> float:
    return max(0.0, probe.seconds - sum(game.seconds for game in probe.games))


def _of(known: Mapping[str, float], bot: str) -> float:
    found = known.get(bot)
    return fmean(known.values()) if found is None else found
