"""`donuts bench`: what the referee costs, measured on this machine."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, cast

from donuts_referee.cli.extras import absent
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.reading import whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from donuts_referee.bench.arena import ArenaFigures
    from donuts_referee.bench.solving import SolveFigures
    from donuts_referee.bench.tournament import TournamentFigures
    from donuts_referee.bench.workers import Figures
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

PLY = """\
Plays games between two C bots that answer at once, exactly as `donuts play` would (text, records on), and says what a
ply costs the referee; pingpong is the bare cost of the round trip on this machine: a C parent and two C children.
"""

ARENA = """\
Starts an arena (10+0.1, records on, tcp over loopback) and lets bots dial in that answer at once, all in one process.
First two bots play one game at a time, beside a bare ping-pong between a ROUTER and a DEALER; then a crowd plays at
once. Says what a ply costs, how late the referee was, and what memory it holds, with the goals beside it.
"""

TOURNAMENT = """\
Runs an event between C bots that answer at once, as `donuts tournament` would, and says what a ply costs in it
beside a ply of `donuts bench ply` at the same concurrency, and how the memory of the event's own process grows.
"""

SOLVE = """\
Solves all 36 openings of ten boards whose values are known, and positions after eight plies, on one core and each from
an empty table; says how many positions were searched and in what time, with the goals beside it. Exits with 1 where a
value is wrong.
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser with one below it for each thing that can be measured."""
    parser = subparsers.add_parser(
        "bench", help="measure the referee", description="Measures what the referee costs on this machine."
    )
    parts = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    ply = parts.add_parser("ply", help="the cost of a ply between two processes", description=PLY)
    ply.add_argument(
        "--games", type=whole(1, 100_000), default=500, metavar="N", help="games of each worker (default 500)"
    )
    ply.add_argument(
        "--workers", type=whole(1, 64), default=1, metavar="N", help="referees at once (default 1)"
    )
    ply.set_defaults(act=_ply)
    event = parts.add_parser("tournament", help="what a competition adds to a ply", description=TOURNAMENT)
    event.add_argument(
        "--games",
        type=whole(20, 1_000_000),
        default=4000,
        metavar="N",
        help="games of the event (default 4000); more where all bots are to meet equally often",
    )
    event.add_argument(
        "--workers", type=whole(1, 64), default=1, metavar="N", help="games at once (default 1)"
    )
    event.add_argument(
        "--bots",
        type=whole(2, 64),
        default=2,
        metavar="N",
        help="bots of the event (default 2)",
    )
    event.set_defaults(act=_tournament)
    arena = parts.add_parser("arena", help="the cost of a ply over ZeroMQ, and a crowd", description=ARENA)
    arena.add_argument(
        "--plies",
        type=whole(100, 100_000_000),
        default=24_000,
        metavar="N",
        help="plies of the crowd; a fourth of that is played by two bots alone (default 24000)",
    )
    arena.add_argument(
        "--bots", type=whole(2, 400), default=200, metavar="N", help="bots of the crowd (default 200)"
    )
    arena.set_defaults(act=_arena)
    solving = parts.add_parser("solve", help="the cost of exact values", description=SOLVE)
    solving.add_argument(
        "--positions",
        type=whole(1, 100_000),
        default=200,
        metavar="N",
        help="positions after eight plies (default 200)",
    )
    solving.set_defaults(act=_solve)
    for part in (ply, event, arena, solving):
        part.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Measure and print; returns the exit status. UsageFault where something that is needed is not installed."""
    from donuts_referee.bench.build import NoCompiler

    act = cast("Callable[[argparse.Namespace, Path], object]", args.act)
    with tempfile.TemporaryDirectory(prefix="donuts-bench-") as folder:
        try:
            figures = act(args, Path(folder))
        except NoCompiler as fault:
            raise UsageFault(str(fault)) from None
    if args.json:
        import msgspec

        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
    else:
        lines = {
            "ply": _ply_lines,
            "tournament": _tournament_lines,
            "arena": _arena_lines,
            "solve": _solve_lines,
        }[args.what]
        sys.stdout.write(cast("Callable[[object], str]", lines)(figures))
    return ExitCode.FAULTED if getattr(figures, "wrong", ()) else ExitCode.OK


def _ply(args: argparse.Namespace, folder: Path) -> "Figures":
    from donuts_referee.bench.workers import bench_ply

    return bench_ply(args.games, args.workers, folder)


def _ply_lines(figures: "Figures") -> str:
    return (
        f"{figures.us_per_ply} us a ply ({figures.ratio} x the bare round trip of {figures.pingpong_us} us), "
        f"{figures.cpu_us_per_ply} us of it CPU of the referee\n"
        f"{figures.games_per_s} games a second, {figures.rss_mb} MB; "
        f"{figures.plies} plies in {figures.games} games, {figures.workers} worker{'s' * (figures.workers > 1)}\n"
    )


def _tournament(args: argparse.Namespace, folder: Path) -> "TournamentFigures":
    from donuts_referee.bench.tournament import bench_tournament

    return bench_tournament(args.games, args.workers, folder, args.bots)


def _tournament_lines(figures: "TournamentFigures") -> str:
    return (
        f"{figures.us_per_ply} us a ply in an event, {figures.ratio} x the {figures.bare_us_per_ply} us of a bare one "
        f"(goal {figures.goal}); {figures.games_per_s} games a second\n"
        f"memory {figures.rss_early_mib} MiB early, {figures.rss_end_mib} MiB at the end ({figures.growth:+.1%}); "
        f"{figures.plies} plies in {figures.games} games of {figures.bots} bots, "
        f"{figures.workers} worker{'s' * (figures.workers > 1)}\n"
    )


def _arena(args: argparse.Namespace, folder: Path) -> "ArenaFigures":
    try:
        from donuts_referee.bench.arena import bench_arena
    except ImportError:
        raise absent("pyzmq", "arena") from None
    return bench_arena(args.plies, args.bots, folder)


def _arena_lines(figures: "ArenaFigures") -> str:
    solo, crowd, goals = figures.solo, figures.crowd, figures.goals
    return (
        f"one game at a time: {solo.us_per_ply} us a ply, {solo.ratio} x the bare round trip of "
        f"{solo.pingpong_us} us (goal {goals.ratio}); {solo.cpu_us_per_ply} us CPU of the arena\n"
        f"with what lies between games: {solo.whole_us_per_ply} us a ply, {solo.whole_ratio} x; {solo.plies} plies\n"
        f"{crowd.bots} bots at once: {crowd.plies_per_s} plies a second, {crowd.cpu_us_per_ply} us CPU a ply; "
        f"{crowd.plies} plies\n"
        f"timeouts {crowd.timeouts} (goal {goals.timeouts}), faults {crowd.faults} (goal {goals.faults}), "
        f"bots sent away {crowd.sent_away}; the referee was {crowd.latest_ms} ms late at most\n"
        f"memory {crowd.rss_mib} MiB, {crowd.rss_end_mib} MiB at the end (goal {goals.rss_end_mib}): "
        f"{crowd.growth:+.1%} (goal {goals.growth:+.1%})\n"
    )


def _solve(args: argparse.Namespace, folder: Path) -> "SolveFigures":
    try:
        from donuts_referee.bench.solving import bench_solve
    except ImportError as fault:
        raise UsageFault(str(fault)) from None
    return bench_solve(args.positions)


def _solve_lines(figures: "SolveFigures") -> str:
    goals = figures.goals
    boards = "".join(
        f"{each.layout}  {each.cpu_s:.3f} s, {each.nodes / 1e6:.2f} M positions, "
        f"{each.nodes_per_s / 1e6:.2f} M a second, {each.mib} MiB{'' if each.right else '; WRONG VALUES'}\n"
        for each in figures.layouts
    )
    return (
        f"{boards}"
        f"36 openings: median {figures.median_s} s (goal {goals.median_s}), at worst {figures.worst_s} s "
        f"(goal {goals.worst_s}); {figures.nodes / 1e6:.1f} M positions, {figures.nodes_per_s / 1e6:.2f} M a second\n"
        f"after 8 plies: median {figures.early_ms} ms (goal {goals.early_ms}), at worst {figures.early_worst_ms} ms; "
        f"{figures.early_positions} positions\n"
        f"times are CPU time on one core, after {figures.warm_up_s} s to load what is compiled\n"
    )
