"""Waits for a thread that a machine which stands still does not use up."""

import threading

__all__ = ["SLICE", "ends"]

SLICE = 0.1
"""seconds that a standstill can take of such a wait at most"""


def ends(thread: threading.Thread, seconds: float) -> bool:
    """Wait until the thread has ended, for so many seconds in which it could have run; has it?"""
    left = seconds
    while thread.is_alive() and left > 0:
        thread.join(min(SLICE, left))
        left -= SLICE
    return not thread.is_alive()
