"""`donuts bench`: what the referee costs, measured on this machine."""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.reading import whole

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

DESCRIPTION = """\
Plays games between two C bots that answer at once, exactly as `donuts play` would (text, records on), and says what a
ply costs the referee; pingpong is the bare cost of the round trip on this machine: a C parent and two C children.
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "bench",
        help="measure the referee",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("ply",), help="what is measured: the cost of a ply")
    parser.add_argument(
        "--games", type=whole(1, 100_000), default=500, metavar="N", help="games of each worker (default 500)"
    )
    parser.add_argument(
        "--workers", type=whole(1, 64), default=1, metavar="N", help="referees at once (default 1)"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Measure and print; UsageFault where there is no compiler."""
    import msgspec

    from donuts_referee.bench.build import NoCompiler
    from donuts_referee.bench.workers import bench_ply

    with tempfile.TemporaryDirectory(prefix="donuts-bench-") as folder:
        try:
            figures = bench_ply(args.games, args.workers, Path(folder))
        except NoCompiler as fault:
            raise UsageFault(str(fault)) from None
    if args.json:
        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
        return 0
    sys.stdout.write(
        f"{figures.us_per_ply} us a ply ({figures.ratio} x the bare round trip of {figures.pingpong_us} us), "
        f"{figures.cpu_us_per_ply} us of it CPU of the referee\n"
        f"{figures.games_per_s} games a second, {figures.rss_mb} MB; "
        f"{figures.plies} plies in {figures.games} games, {figures.workers} worker{'s' * (figures.workers > 1)}\n"
    )
    return 0
