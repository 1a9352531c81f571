"""Waits for a thread that a machine which stands still does not use up."""

import threading
from math import ceil

__all__ = ["SLICE", "ends"]

SLICE = 0.1
"""seconds that a standstill can take of such a wait"""


def ends(thread: threading.Thread, seconds: float) -> bool:
    """Wait until the thread has ended, for so many seconds in which it could have run; has it?"""
    for _ in range(ceil(seconds / SLICE)):
        thread.join(SLICE)
        if not thread.is_alive():
            return True
    return False
