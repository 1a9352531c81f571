"""A Dask cluster of two workers on this machine: three processes that talk over TCP."""

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from distributed import Client

from donuts_referee.modules import own_modules


class Dask(NamedTuple):
    """A scheduler and its workers, each a process."""

    address: str
    scheduler: "subprocess.Popen[bytes]"
    workers: "list[subprocess.Popen[bytes]]"
    folder: Path

    def add_worker(self) -> None:
        words = [self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1"]
        self.workers.append(_dask(self.folder, "worker", *words, "--death-timeout", "200"))


def _dask(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "dask", *words],
        cwd=folder,
        env={**own_modules(), "DASK_DISTRIBUTED__WORKER__MEMORY__TERMINATE": "false"},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE if words[0] == "scheduler" else subprocess.DEVNULL,
    )


@contextmanager
def dask_cluster(folder: Path) -> Iterator[Dask]:
    """The cluster, for as long as the block lasts."""
    words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"]
    scheduler = _dask(folder, "scheduler", *words)
    made: list[subprocess.Popen[bytes]] = [scheduler]
    try:
        assert scheduler.stderr is not None
        address = ""
        for line in scheduler.stderr:
            if b"Scheduler at:" in line:
                address = line.split()[-1].decode()
                break
        assert address, "the scheduler did not start"
        drain = threading.Thread(target=scheduler.stderr.read, daemon=True)
        drain.start()
        cluster = Dask(address, scheduler, [], folder)
        made = cluster.workers
        cluster.add_worker()
        cluster.add_worker()
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(2, timeout=200)
        yield cluster
    finally:
        for process in (scheduler, *made):
            process.kill()
            process.wait()
        drain.join()
        scheduler.stderr.close()
