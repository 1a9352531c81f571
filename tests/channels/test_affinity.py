"""Processors are shared out among workers: all of them, none twice while there are enough."""

import os
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from donuts_referee.channels.affinity import allowed, processors


@given(st.sets(st.integers(0, 1023), min_size=1, max_size=64), st.integers(1, 96))
def test_every_processor_is_somebodys_and_nobody_has_more_than_one_too_many(available, workers):
    shares = [processors(worker, workers, available) for worker in range(workers)]
    assert set().union(*shares) == available
    assert all(shares)
    holders = Counter(number for share in shares for number in share)
    if workers <= len(available):
        assert set(holders.values()) == {1}
        assert max(map(len, shares)) - min(map(len, shares)) <= 1
    else:
        assert {len(share) for share in shares} == {1}
        assert max(holders.values()) - min(holders.values()) <= 1


def test_neighbours_stay_together():
    assert [processors(worker, 2, {8, 1, 9, 0}) for worker in range(2)] == [{0, 1}, {8, 9}]


def test_what_is_shared_out_is_what_this_process_may_run_on(monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {3, 5}, raising=False)
    assert [processors(worker, 2) for worker in range(2)] == [{3}, {5}] and allowed() == 2


def test_a_system_that_does_not_tell_has_nothing_to_share_out(monkeypatch):
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    assert processors(0, 3) == set() and allowed() == os.cpu_count()


@pytest.mark.parametrize(("worker", "workers"), [(-1, 2), (2, 2), (0, 0)])
def test_a_worker_that_there_is_not_is_refused(worker, workers):
    with pytest.raises(ValueError, match="they are counted from 0"):
        processors(worker, workers, {0, 1})
