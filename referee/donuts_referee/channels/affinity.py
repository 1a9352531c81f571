"""Which processors each of several workers may run on, so that the games of one do not take those of another."""

import os
from collections.abc import Iterable

__all__ = ["allowed", "processors"]


def allowed() -> int:
    """How many processors this process may run on; all of the machine where the system does not tell."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processors(worker: int, workers: int, available: Iterable[int] | None = None) -> set[int]:
    """The processors of worker number `worker` (from 0) of `workers`; what it starts inherits them.

    `available` are the numbers to share out, by default those this process may run on; so all workers must ask before
    any of them is bound, or be told. Neighbouring numbers stay together. While there are enough, no two workers share
    one and none is left over; with more workers than processors each has one, and has it together with as few others
    as can be. Empty where the system does not tell (there is nothing to bind then). Raises ValueError when there is no
    such worker.
    """
    if not 0 <= worker < workers:
        raise ValueError(f"there is no worker {worker} of {workers}; they are counted from 0")
    if available is None:
        available = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else ()
    all_ = sorted(set(available))
    if workers >= len(all_):
        return {all_[worker % len(all_)]} if all_ else set()
    return set(all_[len(all_) * worker // workers : len(all_) * (worker + 1) // workers])
