"""Waiting for a thread: a machine that stands still takes no more than one slice of it."""

import threading

import pytest

from donuts_referee.patience import SLICE, ends


class Late(threading.Thread):
    """One that has ended once it was given `needs` seconds; the machine stands still as soon as it is waited for."""

    def __init__(self, needs: float) -> None:
        super().__init__()
        self._needs = needs
        self.waited = 0.0

    def join(self, timeout: float | None = None) -> None:
        assert timeout is not None
        self.waited += timeout  # however long it took by the clock of the wall

    def is_alive(self) -> bool:
        return self.waited < self._needs


def test_it_waits_in_slices_until_the_thread_has_ended() -> None:
    thread = Late(3.5 * SLICE)
    assert ends(thread, 20 * SLICE)
    assert thread.waited < 5 * SLICE


def test_and_no_longer_than_it_is_told() -> None:
    thread = Late(float("inf"))
    assert not ends(thread, 20 * SLICE)
    assert thread.waited == pytest.approx(20 * SLICE)


def test_nor_for_a_whole_slice_where_it_is_told_less() -> None:
    thread = Late(float("inf"))
    assert not ends(thread, SLICE / 2)
    assert thread.waited == SLICE / 2


def test_a_thread_that_has_ended_is_not_waited_for() -> None:
    thread = threading.Thread(target=str)
    thread.start()
    thread.join()
    assert ends(thread, 1000.0) and ends(thread, 0.0)
