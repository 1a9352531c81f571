"""What exact values cost: ten boards whose openings are known, and positions after eight plies, on one core.

`solved.jsonl` beside this file holds the boards with the value of each first move, found by another program.
"""

import time
from importlib.resources import files
from random import Random
from statistics import median

import msgspec
from msgspec import Struct

from donuts_engine.board import Board
from donuts_engine.position import Position
from donuts_engine.rules import play
from donuts_engine.solved import LETTER_OF
from donuts_engine.solver import Solver

__all__ = ["LayoutFigures", "SolveFigures", "SolveGoals", "bench_solve"]

EARLY = 8
"""plies played before a position is solved alone"""
SEED = 8


class LayoutFigures(Struct, frozen=True, kw_only=True):
    """All 36 openings of one board, from an empty table."""

    layout: str
    seconds: float
    """of wall time; `cpu_s` of this process alone"""
    cpu_s: float
    nodes: int
    nodes_per_s: int
    """by CPU time"""
    mib: float
    """of the table at the end"""
    right: bool
    """every value is the one that is known"""


class SolveGoals(Struct, frozen=True, kw_only=True):
    """What the figures are held against."""

    median_s: float = 1.5
    worst_s: float = 10
    early_ms: float = 20


class SolveFigures(Struct, frozen=True, kw_only=True):
    """What `donuts bench solve` prints; the times of boards and positions are CPU time, after warming up."""

    layouts: tuple[LayoutFigures, ...]
    median_s: float
    worst_s: float
    nodes: int
    nodes_per_s: int
    early_ms: float
    """median for the value of a position after 8 plies, from an empty table"""
    early_worst_ms: float
    early_positions: int
    warm_up_s: float
    """wall time to load what is compiled, or to compile it when there is nothing yet"""
    goals: SolveGoals

    @property
    def wrong(self) -> tuple[str, ...]:
        """The layouts with a value that is not the known one."""
        return tuple(each.layout for each in self.layouts if not each.right)


class _Row(Struct, frozen=True, forbid_unknown_fields=True):
    layout: str
    rings: int
    openings: str


def bench_solve(positions: int) -> SolveFigures:
    """Solve the ten boards, and this many positions after eight plies of random play on them."""
    text = files("donuts_referee.bench").joinpath("solved.jsonl").read_bytes()
    rows = [msgspec.json.decode(line, type=_Row) for line in text.splitlines()]
    began = time.perf_counter()
    Solver(Board("H" * 36), 4).openings()
    warm_up = time.perf_counter() - began
    layouts = tuple(_layout(row) for row in rows)
    early = _early([Board(row.layout) for row in rows], positions)
    seconds = [each.cpu_s for each in layouts]
    nodes = sum(each.nodes for each in layouts)
    return SolveFigures(
        layouts=layouts,
        median_s=round(median(seconds), 3),
        worst_s=max(seconds),
        nodes=nodes,
        nodes_per_s=round(nodes / sum(seconds)),
        early_ms=round(1000 * median(early), 3),
        early_worst_ms=round(1000 * max(early), 3),
        early_positions=len(early),
        warm_up_s=round(warm_up, 3),
        goals=SolveGoals(),
    )


def _layout(row: _Row) -> LayoutFigures:
    solver = Solver(Board(row.layout), row.rings)
    wall, cpu = time.perf_counter(), time.process_time()
    choices = solver.openings()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    found = "".join(LETTER_OF[choice.verdict.value] for choice in choices)
    return LayoutFigures(
        layout=row.layout,
        seconds=round(wall, 3),
        cpu_s=round(cpu, 3),
        nodes=solver.nodes,
        nodes_per_s=round(solver.nodes / cpu),
        mib=round(solver.used_memory / 2**20, 1),
        right=found == row.openings,
    )


def _early(boards: list[Board], count: int) -> list[float]:
    """CPU seconds for each position, the making of its solver included."""
    rng = Random(SEED)
    seconds = []
    for number in range(count):
        position = _reached(boards[number % len(boards)], rng)
        cpu = time.process_time()
        Solver(position.board).value(position)
        seconds.append(time.process_time() - cpu)
    return seconds


def _reached(board: Board, rng: Random) -> Position:
    position = Position.start(board)
    while position.ply < EARLY:
        position = play(position, rng.choice(position.legal))
        if position.result is not None:
            position = Position.start(board)
    return position
