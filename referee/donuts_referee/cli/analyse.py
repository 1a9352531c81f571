"""`donuts analyse`: every move of kept games against the exact values, and how well each bot played."""

import argparse
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

from donuts_referee.analysis.bots import Tally
from donuts_referee.analysis.game import remarks
from donuts_referee.analysis.searching import Effort
from donuts_referee.analysis.table import table
from donuts_referee.cli.analyse_report import analysed_facts, bot_facts, game_line, game_text
from donuts_referee.cli.analysing import MOST_WORKERS, Stage, workers
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.folder import print_text
from donuts_referee.cli.opened import add_game_arguments, opened, plain
from donuts_referee.cli.reading import seconds, whole
from donuts_referee.records.faults import NoSuchGame
from donuts_referee.records.finding import FoundGame, read_games
from donuts_referee.records.pgn import pgn

if TYPE_CHECKING:
    from donuts_referee.cli.parser import Subparsers

__all__ = ["add_parser", "run"]

EPILOG = """\
Values are those for the side that makes the move: win, draw or loss under best play by both. A move is marked ? when it
gives a win or a draw away by one step, and ?? when it makes a win a loss ($2 and $4 in PGN). Moves of an opening, made
for both sides, and void games count for no bot; a move of unknown value (on 9 x 9, after --limit) counts for nothing.

What was computed is kept in analysis.sqlite3 beside FILE, by position, and looked up the next time; the file may be
removed at any time. Interrupted, the command keeps what it has found, and the same command goes on from there.

With --all and --json each line is a game, and the last one has the figures of the bots.
exit codes: 0 analysed, 2 there is no such game or it does not hold by the rules, 130 interrupted
"""


def add_parser(subparsers: "Subparsers") -> None:
    """Add the command's own parser."""
    parser = subparsers.add_parser(
        "analyse",
        help="what was right and wrong in a game, move by move",
        description="Says of every move of a game what it was worth and how many moves would have kept the value, and "
        "of every bot\nhow accurately it played. Needs the extra `solver`, and a 6 x 6 board.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_game_arguments(parser)
    parser.add_argument("--all", action="store_true", help="analyse all games of the file, a line for each")
    parser.add_argument("--json", action="store_true", help="print one JSON object, with --all one a line")
    parser.add_argument(
        "--pgn", metavar="OUT", help="write the games with their mistakes marked as PGN to OUT"
    )
    parser.add_argument(
        "--distance", action="store_true", help="say how many plies are left when the winner hurries"
    )
    parser.add_argument("--limit", metavar="SECONDS", help="leave a position unknown after so long")
    parser.add_argument(
        "--memory",
        type=whole(1, 1 << 20),
        default=256,
        metavar="MIB",
        help="most MiB to use in each process (default 256)",
    )
    parser.add_argument(
        "--workers",
        type=whole(0, 64),
        metavar="N",
        help=f"processes that search (default: one per processor, {MOST_WORKERS} at most)",
    )


def run(args: argparse.Namespace) -> int:
    """Analyse and print; UsageFault when the games cannot be read or there is no solver."""
    if args.all and args.game is not None:
        raise UsageFault("--all and --game: give one of them")
    effort = Effort(
        memory=args.memory << 20,
        seconds=seconds("--limit", args.limit),
        plies=args.distance,
        workers=workers() if args.workers is None else args.workers,
    )
    found = _all_of(args.file) if args.all else iter((opened(args),))
    stage, tally = Stage(Path(args.file)), Tally()
    with _written(args.pgn) as out:
        for game in stage.games(found, effort, alone=not args.all):
            tally.add(game)
            if out is not None:
                out.write(pgn(game.sheet, dict(remarks(game))))
            stage.clear()
            if not args.json:
                print_text(f"{game_line(game) if args.all else game_text(game)}\n")
            elif args.all:
                print(json.dumps(analysed_facts(game)))
            else:
                print(json.dumps(analysed_facts(game) | {"bots": bot_facts(tally.rows())}))
    stage.clear()
    if not args.json:
        void = f", {tally.voids} of them void" if tally.voids else ""
        sums = f"\n{tally.games} game{'' if tally.games == 1 else 's'}{void}\n" if args.all else ""
        print_text(f"{sums}\n{table(tally.rows())}")
    elif args.all:
        facts = {"games": tally.games, "voids": tally.voids, "bots": bot_facts(tally.rows())}
        print(json.dumps(facts))
    return ExitCode.OK


def _all_of(path: str) -> Iterator[FoundGame]:
    """All games; those never finished are told on stderr, as for one game. Raises RecordsFault."""
    number = 0
    for number, found in enumerate(read_games(path), 1):
        for torn in found.torn if number == 1 else ():
            sys.stderr.write(
                f"donuts: {plain(path)}:{torn.line}: a game that was never finished ({torn.size} bytes), skipped\n"
            )
        yield found
    if not number:
        raise NoSuchGame(f"{path} holds no finished game")


@contextmanager
def _written(path: str | None) -> "Iterator[IO[str] | None]":
    """The PGN file that was asked for, which goes again when the analysis fails; what is there is left alone."""
    if path is None:
        yield None
        return
    try:
        file = Path(path).open("x", encoding="utf-8", newline="\n")  # noqa: SIM115  closed below, its faults apart
    except FileExistsError:
        raise UsageFault(f"--pgn {plain(path)}: is there already; name another file, or remove it") from None
    except OSError as error:
        raise UsageFault(f"--pgn {plain(path)}: {(error.strerror or str(error)).lower()}") from None
    try:
        with file:
            yield file
    except BaseException:  # so that the same command can be given again
        Path(path).unlink(missing_ok=True)
        raise
