"""What all tests share: examples may take as long as a busy machine needs, and children are as a user's would be."""

import gc
import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import settings

os.environ.pop("PYTHONUNBUFFERED", None)  # it would hide what is never flushed

if (
    os.name == "posix"
):  # who runs the suite with nohup, or behind an &, has them ignored, and so would all children
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("patient", deadline=None, max_examples=40)
settings.register_profile("thorough", deadline=None)
settings.load_profile("thorough" if os.environ.get("DONUTS_CLIENTS") == "all" else "patient")


@pytest.fixture(autouse=True)
def _no_tracker() -> Iterator[None]:
    """End the process by which multiprocessing tracks its own: other tests count the children that are left."""
    yield
    module = sys.modules.get("multiprocessing.resource_tracker")
    tracker = getattr(module, "_resource_tracker", None)
    if tracker is not None and tracker._pid is not None:
        gc.collect()  # what it tracks goes first
        tracker._stop()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """`-n auto`: two workers a core, since half of the time a test waits for a bot, a socket or a deadline."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return 2 * (cores or 1)
