"""`donuts solve --all`: the first moves of every board of a tile set, into a file that a later run goes on with."""

import argparse
import re
import sys
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING

from donuts_engine.position import DEFAULT_RINGS, MAX_RINGS
from donuts_engine.tiles import TileSet
from donuts_referee.channels.affinity import allowed
from donuts_referee.cli.boards import tile_set
from donuts_referee.cli.extras import need, need_solver
from donuts_referee.cli.fault import ExitCode, Terminated, UsageFault
from donuts_referee.cli.interrupt import terminable
from donuts_referee.cli.opened import plain
from donuts_referee.cli.reading import whole

if TYPE_CHECKING:
    from donuts_engine.solved import Solved
    from donuts_referee.solving.crew import Crew, Task
    from donuts_referee.solving.growing import Growing

__all__ = ["add_arguments", "run", "summary"]

TERMINAL_GAP, LINE_GAP = 0.5, 60.0
"""seconds between two reports of progress, on a terminal and elsewhere"""

_RANGE = re.compile(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", re.ASCII)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of a run over all boards."""
    table = parser.add_argument_group("every board of the tile set, into a file")
    table.add_argument(
        "--all", action="store_true", help="solve every board; with --out; goes on where it ended"
    )
    table.add_argument(
        "--out", metavar="FILE", help="the file: 12 bytes a board; what is in it is not solved again"
    )
    table.add_argument("--boards", metavar="FROM-TO", help="only the boards with these numbers")
    table.add_argument(
        "--workers", type=whole(1, 1024), metavar="N", help="boards at once (default: half the processors)"
    )
    table.add_argument(
        "--executor",
        choices=("local", "dask"),
        default="local",
        help="solve here (default), or on a Dask cluster",
    )
    table.add_argument(
        "--scheduler", metavar="ADDRESS", help="the cluster's scheduler, such as tcp://host:8786"
    )


def run(args: argparse.Namespace) -> int:
    """Solve, write, and say what the file shows; UsageFault on what cannot be done."""
    if args.out is None:
        raise UsageFault("--all writes a file; name it with --out FILE")
    if args.what is not None or args.board is not None or args.moves or args.distance:
        raise UsageFault(
            "--all solves the first moves of all boards; LAYOUT, --board, --moves and --distance do not go with it"
        )
    if args.seconds is not None or args.nodes is not None or args.json or args.threads != 1:
        raise UsageFault(
            "--seconds, --nodes, --threads and --json do not go with --all; Ctrl-C ends it, and it goes on later"
        )
    if (args.executor == "dask") != (args.scheduler is not None):
        raise UsageFault("--executor dask and --scheduler ADDRESS go together; give both or neither")
    tiles = tile_set(args.tiles)
    span = _range(args.boards, tiles)
    rings = DEFAULT_RINGS[6] if args.rings is None else args.rings
    if rings > MAX_RINGS[6]:
        raise UsageFault(f"--rings {rings}: a 6 x 6 board takes 1 to {MAX_RINGS[6]}")
    need_solver()
    from donuts_referee.solving.crew import Task
    from donuts_referee.solving.growing import Growing, GrowingFault

    try:
        with Growing(Path(args.out), tiles, rings) as file:
            if file.mended:
                _say(
                    f"{plain(args.out)}: its last board was cut off while it was written; it is solved again"
                )
            return _solve(args, file, Task(tiles, rings, args.memory << 20), span)
    except GrowingFault as fault:
        raise UsageFault(plain(str(fault))) from None


def _solve(args: argparse.Namespace, file: "Growing", task: "Task", span: tuple[int, int]) -> int:
    from donuts_engine.solved import Solved, shipped
    from donuts_referee.competition.job import ExecutorFault
    from donuts_referee.solving.crew import solve_all
    from donuts_referee.solving.one_board import in_order

    progress = _Progress()
    try:
        with terminable():
            _take_over(shipped(), file, task, span)
            numbers = [number for number in in_order(*span) if number not in file]
            progress.boards = len(numbers)
            with closing(_crew(args, task)) as crew:
                solve_all(file, numbers, crew, progress.tell)
    except KeyboardInterrupt as ended:
        progress.clear()
        _say(f"interrupted: {len(file)} boards are in {plain(args.out)}; the same command goes on")
        if isinstance(ended, Terminated):
            raise
        return ExitCode.INTERRUPTED
    except ExecutorFault as fault:
        progress.clear()
        raise UsageFault(f"{plain(str(fault))} ({len(file)} boards are in {plain(args.out)})") from None
    progress.clear()
    found = Solved.parse(file.path.read_bytes(), task.tiles, args.out)
    boards = f"{len(found)} board{'' if len(found) == 1 else 's'}"
    print("\n".join((f"{plain(args.out)}: {boards}, {progress.done} new", *summary(found))))
    return ExitCode.OK


def _take_over(known: "Solved", file: "Growing", task: "Task", span: tuple[int, int]) -> None:
    """Write what comes with the package, where it is of these tiles and rings."""
    if (known.tiles, known.rings) == (task.tiles, task.rings):
        for number in range(span[0], span[1] + 1):
            if number in known and number not in file:
                file.add(number, known[number])


def _crew(args: argparse.Namespace, task: "Task") -> "Crew":
    if args.executor == "local":
        from donuts_referee.solving.crew import Threads

        return Threads(task, args.workers or max(1, allowed() // 2))
    need("dask", "distributed")
    from donuts_referee.solving.cluster import DaskCrew

    return DaskCrew(task, args.scheduler, lambda text: _say(plain(text)))


def summary(solved: "Solved") -> list[str]:
    """What the boards of a file show, in lines: who wins, by how many first moves, and draws."""
    worth: Counter[str] = Counter()
    winning: Counter[int] = Counter()
    draws = 0
    for number in solved:
        letters = solved[number]
        worth[next(letter for letter in "WDL" if letter in letters)] += 1
        winning[letters.count("W")] += 1
        draws += letters.count("D")
    if not solved:
        return []
    counts = sorted(winning.elements())
    usual = f"median {median(counts):g}, mean {fmean(counts):.2f}"
    return [
        f"  first player wins {worth['W']}, draws {worth['D']}, loses {worth['L']}",
        f"  winning first moves of 36: {counts[0]} to {counts[-1]}, {usual}",
        "  moves:boards " + " ".join(f"{moves}:{boards}" for moves, boards in sorted(winning.items())),
        f"  drawn first moves: {draws} of {36 * len(counts)}",
    ]


def _range(text: str | None, tiles: TileSet) -> tuple[int, int]:
    last = tiles.count - 1
    if text is None:
        return 0, last
    found = _RANGE.fullmatch(text)
    low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
    if not low <= high <= last:
        raise UsageFault(
            f"--boards {plain(text[:40])}: write FROM-TO with numbers from 0 to {last}, such as 0-999"
        )
    return low, high


class _Progress:
    """How far it is, in one line on a terminal that does not stay, else in a line a minute."""

    def __init__(self) -> None:
        self.done = 0
        self.boards = 0
        """to be solved in all"""
        self._shown = sys.stderr.isatty()
        self._began = self._told = time.monotonic()

    def tell(self, number: int, letters: str) -> None:
        self.done += 1
        now = time.monotonic()
        if now - self._told < (TERMINAL_GAP if self._shown else LINE_GAP):
            return
        self._told = now
        pace = self.done / (now - self._began)
        left = _span((self.boards - self.done) / pace)
        line = f"{self.done} of {self.boards} boards, {pace:.2g} a second, {left} left"
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{line}")
            sys.stderr.flush()
        else:
            _say(line)

    def clear(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")


def _span(seconds: float) -> str:
    minutes = int(seconds / 60 + 0.5)
    if not minutes:
        return f"{seconds:.0f} s"
    return f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min"


def _say(line: str) -> None:
    sys.stderr.write(f"donuts: {line}\n")
    sys.stderr.flush()
