"""The schedule of an event as it is unrolled, encounter by encounter, while results come in."""

from collections.abc import Callable

from donuts_referee.competition.encounter import Bye, Encounter, Schedule
from donuts_referee.competition.state import State

__all__ = ["Timetable"]


class Timetable:
    """Takes encounters from a schedule and tells `state` of them; `begin` makes the schedule, anew where need be."""

    def __init__(self, begin: Callable[[], Schedule], state: State) -> None:
        self.number = 0
        """of the last encounter that was taken"""
        self.over = False
        """the schedule has come to its end"""
        self._begin = begin
        self._state = state
        self._schedule = begin()

    def next(self) -> Encounter | None:
        """The next encounter; None while it depends on results that are not in, and at the end (`over`).

        Raises state.ScheduleFault when games of other bots are known under its number.
        """
        if self.over:
            return None
        for due in self._schedule:
            if due is None:
                return None
            if isinstance(due, Bye):
                self._state.give_bye(due)
            else:
                self.number = due.number
                self._state.schedule(due)
                return due
        self.over = True
        return None

    def again(self) -> None:
        """Unroll the schedule from its beginning to where it stood, after the roster has changed."""
        reached = self.number
        self._state.forget_byes()
        self._schedule, self.number, self.over = self._begin(), 0, False
        while self.number < reached and self.next() is not None:
            pass

    def catch_up(self) -> None:
        """Unroll over every encounter of which there are games, and over all that are settled without any."""
        while self.number < self._state.highest or self._state.frontier == self.number:
            if self.next() is None:
                return
