"""`donuts tournament EVENT --plan`: what an event will take, after a few games that are not kept."""

import shutil
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from statistics import fmean

from donuts_referee.channels.affinity import allowed
from donuts_referee.cli.fault import ExitCode, UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.cli.words import duration
from donuts_referee.competition.event import Event, Knockout, Sprt
from donuts_referee.competition.forecast import Contest, Forecast, Timing, forecast, timing
from donuts_referee.competition.job import Executor
from donuts_referee.competition.local import LocalWorkers
from donuts_referee.competition.probes import Probing, play_probes
from donuts_referee.competition.standings_table import many

__all__ = ["plan"]

CHAIN = 75
"""bytes by which a line of the journal is longer than its record, LF included"""


def plan(event: Event, workers: int) -> int:
    """Play the probes, print the plan; returns the exit code. Raises UsageFault where no game could be played."""
    with tempfile.TemporaryDirectory(prefix="donuts-plan-") as folder:
        crew = LocalWorkers(
            workers, Path(folder), affinity=event.running.affinity, stagger=event.running.stagger
        )
        with closing(crew):
            probing = _probe(event, crew)
    if not probing.probes:
        why = f": {plain(probing.lost[0])}" if probing.lost else ""
        raise UsageFault(f"no probe game could be played{why}")
    known = timing(probing.probes)
    bots = tuple(bot.name for bot in event.bots if bot.name not in event.withdrawn)
    expected = forecast(Contest(event.format, event.seed, bots, workers), known)
    sys.stdout.write("\n".join(_lines(event, workers, probing, known, expected)) + "\n")
    return ExitCode.OK


def _probe(event: Event, crew: Executor) -> Probing:
    if not sys.stderr.isatty():
        return play_probes(event, crew)

    def told(so_far: Probing) -> None:
        sys.stderr.write(f"\rprobe games: {len(so_far.games)}  {duration(so_far.seconds)}")
        sys.stderr.flush()

    try:
        return play_probes(event, crew, told)
    finally:
        sys.stderr.write("\r\x1b[K")


def _lines(event: Event, workers: int, probing: Probing, known: Timing, expected: Forecast) -> list[str]:
    size = fmean(len(game.line) + CHAIN + len(game.pgn) for game in probing.games)
    lines = [
        f"{plain(event.name)}: {many(len(event.bots), 'bot')}, probed with {many(len(probing.games), 'game')} in "
        f"{duration(probing.seconds)}",
        f"  games  {_games(event, expected)}",
        f"  time   {_time(expected)}",
        f"  cores  {_cores(workers)}",
        f"  disk   {_disk(event.records, size, expected)}",
        *_bots(known, probing),
    ]
    return lines + [f"a probe came to nothing: {plain(why)}" for why in dict.fromkeys(probing.lost)]


def _games(event: Event, expected: Forecast) -> str:
    if expected.encounters is None:
        return "no end"
    beside = ""
    if isinstance(event.format, Sprt):
        beside = " at most; the test ends it as soon as the results decide"
    elif isinstance(event.format, Knockout):
        beside = " without tie-breaks"
    return f"{2 * expected.encounters} ({many(expected.encounters, 'encounter')} of 2 games){beside}"


def _time(expected: Forecast) -> str:
    hourly = f"{expected.games_per_second * 3600:.0f} games an hour"
    if expected.seconds is None:
        return f"no end; {hourly}"
    end = time.time() + expected.seconds
    hours = f"{expected.seconds / 3600:.1f} hours, " if expected.seconds >= 3600 else ""
    over = time.strftime("%Y-%m-%d %H:%M", time.localtime(end))
    return f"{hours}{duration(expected.seconds)}; {hourly}; over on {over}"


def _cores(workers: int) -> str:
    cores = allowed()
    return (
        f"{many(workers, 'game')} at once on {many(cores, 'processor')}; "
        "the bots of a game think in turn, and keep one busy"
    )


def _disk(records: Path, size: float, expected: Forecast) -> str:
    free = shutil.disk_usage(next(each for each in (records, *records.parents) if each.exists())).free
    room = f"{_bytes(free)} are free"
    if expected.encounters is None:
        return f"{_bytes(size * expected.games_per_second * 3600)} an hour; {room}"
    need = 2 * expected.encounters * size
    short = " - THAT IS TOO LITTLE" if need > free else ""
    return f"{_bytes(need)} in {plain(str(records))}; {room}{short}"


def _bots(known: Timing, probing: Probing) -> list[str]:
    faults = Counter[str]()
    for probe in probing.probes:
        for game in probe.games:
            for side in game.verdict.fault or "":
                faults[(game.x if side == "x" else game.o).bot] += 1
    width = max(3, *(len(plain(bot)) for bot in known.thinking))
    lines = [f"  {'bot'.ljust(width)}  thinks in a game  starts in  faults"]
    for bot in known.thinking:
        thinks, starts = f"{known.thinking[bot]:.2f} s", f"{known.starting.get(bot, 0.0):.2f} s"
        lines.append(f"  {plain(bot).ljust(width)}  {thinks:>16}  {starts:>9}  {faults[bot]:>6}")
    return lines


def _bytes(count: float) -> str:
    for unit in ("bytes", "KB", "MB", "GB"):
        if count < 1000 or unit == "GB":
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    raise AssertionError
