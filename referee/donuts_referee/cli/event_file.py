"""Which event file a word of the command line means: a file, or a folder that holds one."""

from pathlib import Path

from donuts_referee.cli.fault import UsageFault
from donuts_referee.cli.opened import plain
from donuts_referee.contest import DESCRIPTION, default_records
from donuts_referee.files import FileFault, read_table

__all__ = ["EVENT", "event_file", "files_of_records"]

EVENT = "event.toml"

MOST = 100
"""Files beside a folder of records that are looked into."""


def event_file(word: str) -> Path:
    """The event file: that of a folder is its event.toml. Raises UsageFault for a folder without one."""
    path = Path(word)
    if not path.is_dir():
        return path
    if (path / EVENT).exists():
        return path / EVENT
    if (path / DESCRIPTION).exists():
        found = [plain(str(file)) for file in files_of_records(path)]
        right = f"name its event file: {' or '.join(found)}" if found else "name the file of its event"
        raise UsageFault(f"{plain(word)} holds the records of an event; {right}")
    others = [plain(str(file)) for file in sorted(path.glob("*.toml"))[:3]]
    right = f"did you mean {' or '.join(others)}?" if others else "`donuts tournament --init` writes one"
    raise UsageFault(f"{plain(word)} holds no {EVENT}; {right}")


def files_of_records(folder: Path) -> list[Path]:
    """The files beside a folder of records that are of its event, as far as they can be read."""
    found: list[Path] = []
    beside = folder.parent if folder.name not in ("", "..") else folder.absolute().parent
    for file in sorted(beside.glob("*.toml"))[:MOST]:
        try:
            table, _ = read_table(file)
        except FileFault:
            continue
        named = table.get("records", default_records(file))
        takes_part = not {"bots", "bot"}.isdisjoint(table)
        if takes_part and isinstance(named, str) and (beside / named).resolve() == folder.resolve():
            found.append(file)
    return found
