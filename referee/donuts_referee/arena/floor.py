"""Many matches at once on one thread: arrivals are dealt out, deadlines are kept, a match that fails harms no other.

What `channels.drive` does for one match of children, this does for all matches of an arena.
"""

import heapq
import itertools
from collections.abc import Callable, Generator, Iterable, Sequence
from typing import NamedTuple, TypeAlias

from donuts_referee.channels.link import Arrival, Link
from donuts_referee.table.events import Score

__all__ = ["Floor", "Match", "Outcome"]

SLACK = 64
"""deadlines that were moved and are held all the same, beside as many as there are matches"""

Match: TypeAlias = Generator[int | None, Sequence[Arrival], Score]


class Outcome(NamedTuple):
    """How a match ended: its score, or what went wrong with us."""

    score: Score | None
    error: Exception | None


class _Sitting:
    """One match in play."""

    __slots__ = ("deadline", "done", "links", "steps")

    def __init__(self, steps: Match, links: tuple[Link, Link], done: Callable[[Outcome], None]) -> None:
        self.steps = steps
        self.links = links
        self.done = done
        self.deadline: int | None = None


class Floor:
    """The matches in play."""

    def __init__(self, now: Callable[[], int]) -> None:
        self._now = now
        self._by_link: dict[Link, _Sitting] = {}
        self._due: list[tuple[int, int, _Sitting]] = []
        self._tick = itertools.count()
        self._playing: set[_Sitting] = set()

    def __len__(self) -> int:
        return len(self._playing)

    def begin(self, steps: Match, links: tuple[Link, Link], done: Callable[[Outcome], None]) -> None:
        """Play a match between the bots on these links; `done` is called when it is over."""
        sitting = _Sitting(steps, links, done)
        self._playing.add(sitting)
        for link in links:
            self._by_link[link] = sitting
        self._run(sitting, lambda: next(steps))

    def deliver(self, arrivals: Iterable[Arrival]) -> None:
        """Hand out what came in one wake-up; what is for no match is dropped."""
        dealt: dict[_Sitting, list[Arrival]] = {}
        for arrival in arrivals:
            sitting = self._by_link.get(arrival.link)
            if sitting is not None:
                dealt.setdefault(sitting, []).append(arrival)
        for sitting, batch in dealt.items():
            self._run(sitting, lambda steps=sitting.steps, batch=batch: steps.send(batch))  # type: ignore[misc]

    def expire(self) -> None:
        """Wake every match whose deadline has passed, once; to be called when nothing readable is left unread."""
        now, due = self._now(), self._due
        late: list[_Sitting] = []
        while due and due[0][0] <= now:
            deadline, _, sitting = heapq.heappop(due)
            if sitting.deadline == deadline and sitting in self._playing:
                late.append(sitting)
        for sitting in late:
            self._run(sitting, lambda steps=sitting.steps: steps.send(()))  # type: ignore[misc]

    @property
    def deadline(self) -> int | None:
        """When `expire` has something to do next, in ns."""
        due = self._due
        while due and (due[0][2].deadline != due[0][0] or due[0][2] not in self._playing):
            heapq.heappop(due)
        return due[0][0] if due else None

    def stop(self, link: Link | None = None) -> None:
        """Make the match of this link void, or all of them: `abort` (DBP-9.14)."""
        found = tuple(self._playing) if link is None else [s for s in (self._by_link.get(link),) if s]
        for sitting in found:
            self._run(sitting, lambda steps=sitting.steps: steps.throw(KeyboardInterrupt()))  # type: ignore[misc]

    def _run(self, sitting: _Sitting, step: Callable[[], int | None]) -> None:
        try:
            deadline = step()
        except StopIteration as over:
            self._end(sitting, Outcome(over.value, None))
        except Exception as error:  # noqa: BLE001 - the match has made its game void; the others go on
            self._end(sitting, Outcome(None, error))
        else:
            # a deadline that has passed was taken from the heap, so it is put there again: one more look
            again = deadline is not None and (deadline != sitting.deadline or deadline <= self._now())
            sitting.deadline = deadline
            if again and deadline is not None:
                heapq.heappush(self._due, (deadline, next(self._tick), sitting))
                if len(self._due) > 2 * len(self._playing) + SLACK:
                    self._tidy()

    def _tidy(self) -> None:
        """Forget the deadlines that were moved: each turn leaves one, which would lie here until it has passed."""
        self._due = [one for one in self._due if one[2].deadline == one[0] and one[2] in self._playing]
        heapq.heapify(self._due)

    def _end(self, sitting: _Sitting, outcome: Outcome) -> None:
        self._playing.discard(sitting)
        for link in sitting.links:
            if self._by_link.get(link) is sitting:
                del self._by_link[link]
        sitting.done(outcome)
