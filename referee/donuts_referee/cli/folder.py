"""What `standings`, `crosstable` and `compare` share: the records that DIR names, their faults, and what is printed."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.contest import JOURNAL
from donuts_referee.records.faults import RecordsFault
from donuts_referee.records.journal import Torn

if TYPE_CHECKING:
    from donuts_referee.competition.results import Results

__all__ = ["DIR", "EVENT", "event", "journal", "need_numpy", "print_text", "results", "tell_torn"]

DIR = f"a directory of records, or its {JOURNAL}"

EVENT = "event.json"
"""The file that makes a directory of records that of an event, as `competition.description` has it; named here too, so
that a ladder does not wait for that room to be imported."""

REMEDY = f"name the directory of records of an event, of an arena or of `donuts play`, or its {JOURNAL}"


def journal(word: str) -> Path:
    """The journal that DIR names. Raises UsageFault."""
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
    if path.suffix.lower() == ".pgn":
        raise UsageFault(f"{plain(word)} is a PGN file, which knows no versions and no faults; {REMEDY}")
    return path


def event(word: str) -> Path | None:
    """The directory that DIR names, where it is that of an event."""
    path = Path(word)
    try:
        return path if (path / EVENT).is_file() else None
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
    """UsageFault where numpy is not installed."""
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise UsageFault("numpy is not installed: pip install 'donuts-arena[tournament]'") from None


def tell_torn(path: Path, torn: Iterable[Torn]) -> None:
    """Tell on stderr of games that were never finished."""
    where = plain(str(path / JOURNAL if path.is_dir() else path))
    for one in torn:
        sys.stderr.write(
            f"donuts: {where}:{one.line}: a game that was never finished ({one.size} bytes), skipped\n"
        )


def print_text(text: str) -> None:
    """Text that may hold letters which this stdout cannot show."""
    encoding = sys.stdout.encoding or "ascii"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
