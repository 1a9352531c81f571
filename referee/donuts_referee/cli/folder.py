"""What `standings`, `crosstable` and `compare` share: the records that DIR names, their faults, and what is printed."""

import sys
from collections.abc import Iterable
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, TextIO

from donuts_referee.cli.extras import need
from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.contest import DESCRIPTION, JOURNAL, default_records
from donuts_referee.records.faults import RecordsFault
from donuts_referee.records.journal import Torn

if TYPE_CHECKING:
    from donuts_referee.competition.results import Results

__all__ = [
    "DIR",
    "event",
    "journal",
    "need_numpy",
    "print_text",
    "refuse_event_file",
    "results",
    "room",
    "tell_torn",
]

DIR = f"a directory of records, or its {JOURNAL}"

REMEDY = f"name the directory of records of an event, of an arena or of `donuts play`, or its {JOURNAL}"


def journal(word: str) -> Path:
    """The journal that DIR names. Raises UsageFault."""
    refuse_event_file(word)
    path = Path(word)
    try:
        if path.is_dir():
            path = path / JOURNAL
            if not path.exists():
                raise UsageFault(f"{plain(word)} holds no {JOURNAL}; {REMEDY}")
        elif not path.exists():
            raise UsageFault(f"there is no {plain(word)}; {REMEDY}")
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageFault(f"cannot look at {plain(word)}: {reason}; {REMEDY}") from None
    if path.suffix.lower() == ".zip":
        raise UsageFault(
            f"{plain(word)} is a zip file, which `donuts verify` checks; unpack it and name the directory"
        )
    if path.suffix.lower() == ".pgn":
        raise UsageFault(f"{plain(word)} is a PGN file, which knows no versions and no faults; {REMEDY}")
    return path


def refuse_event_file(word: str) -> None:
    """UsageFault where DIR names the file that describes an event, with the directory in which its records are."""
    path = Path(word)
    if path.suffix.lower() != ".toml" or not path.is_file():
        return
    import tomllib

    records = default_records(path)
    try:
        with path.open("rb") as file:
            records = str(tomllib.load(file).get("records") or records)
    except (OSError, ValueError):
        pass  # `donuts tournament` says what is wrong with it
    where = str(path.parent / Path(records).expanduser())
    raise UsageFault(f"{plain(word)} is an event file; its records are in {plain(where)}: name that")


def event(word: str) -> Path | None:
    """The directory that DIR names, where it is that of an event."""
    path = Path(word)
    try:
        return path if (path / DESCRIPTION).is_file() else None
    except OSError:
        return None  # `journal` says what is wrong


def results(word: str) -> "Results":
    """What the records say of points and strength; games never finished are told on stderr. Raises UsageFault."""
    need_numpy()
    from donuts_referee.competition.results import read_results

    path = event(word) or journal(word)
    try:
        found = read_results(path)
    except RecordsFault as fault:
        raise UsageFault(plain(str(fault))) from None
    tell_torn(path, found.torn)
    return found


def need_numpy() -> None:
    """UsageFault where numpy or scipy is not installed."""
    need("tournament", "numpy", "scipy")


def tell_torn(path: Path, torn: Iterable[Torn]) -> None:
    """Tell on stderr of games that were never finished."""
    where = plain(str(path / JOURNAL if path.is_dir() else path))
    for one in torn:
        sys.stderr.write(
            f"donuts: {where}:{one.line}: a game that was never finished ({one.size} bytes), skipped\n"
        )


def room(stream: TextIO | None = None) -> int | None:
    """The columns of the terminal that stdout, or another stream, is; None where it is none."""
    return get_terminal_size().columns if (stream or sys.stdout).isatty() else None


def print_text(text: str) -> None:
    """Text that may hold letters which this stdout cannot show."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
