"""Runs the event of a file to its end, as `donuts tournament` does, without what people are shown.

python running_event.py EVENT.toml [WORKERS | tcp://ADDRESS of a Dask scheduler]
"""

import sys
from contextlib import closing
from pathlib import Path

from donuts_referee.competition.books import EventBooks
from donuts_referee.competition.config import read_event
from donuts_referee.competition.happenings import Happening
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.runner import Outcome, Runner


class Nobody:
    """An onlooker that looks away."""

    def see(self, happening: Happening) -> None:
        """Nothing."""

    def close(self) -> None:
        """Nothing."""


def run(path: Path, workers: int = 1) -> Outcome:
    """Play what is left of the event."""
    event = read_event(path)
    with EventBooks(event) as books, closing(LocalWorkers(workers, books.folder, stagger=0)) as crew:
        return Runner(event, books, crew, Nobody(), print, lambda: 0).run()


def run_on_dask(path: Path, address: str) -> Outcome:
    """Play what is left of the event on a cluster."""
    from donuts_referee.competition.cluster import Cluster

    event = read_event(path)
    with EventBooks(event) as books, closing(Cluster(address)) as cluster:
        return Runner(event, books, cluster, Nobody(), print, lambda: 0).run()


if __name__ == "__main__":
    where = sys.argv[2] if len(sys.argv) > 2 else "1"
    file = Path(sys.argv[1])
    outcome = run_on_dask(file, where) if where.startswith("tcp://") else run(file, int(where))
    sys.exit(0 if outcome.ending.value == "over" else 1)
