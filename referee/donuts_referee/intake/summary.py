"""The summary of an intake for its organizers: who is entered, who is refused and why; and where everything is kept."""

import json
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from donuts_protocol.escape import shown
from donuts_referee.files import FileFault, locked, write_whole
from donuts_referee.intake.examination import Cause, Examined, Why
from donuts_referee.intake.report import report, title, within

__all__ = ["Line", "Summary", "distinct", "summary_text", "write_reports"]

WRITES = "writes into its folder, which a frozen event may not bear: see its report"


class Line(Struct, frozen=True, kw_only=True):
    """One team."""

    folder: str
    name: str | None
    version: str | None
    entered: bool
    cause: str | None
    """a value of `Why`"""
    text: str | None
    """what about it"""
    writes: bool
    """it is entered, and wrote into its own folder, which a frozen event does not bear where that changes its files"""
    report: str
    """file of its report"""
    ms: int


class Summary(Struct, frozen=True, kw_only=True):
    """What `summary.json` holds."""

    entered: int
    refused: int
    teams: tuple[Line, ...]


def distinct(found: Sequence[Examined]) -> tuple[Examined, ...]:
    """The same, with those refused whose name another has. The folder that is called so itself keeps it, if one is.

    So nobody is refused because another took the name of his folder; and where no folder is called so, nobody says
    whose the name is.
    """
    groups: dict[str, list[Examined]] = {}
    for one in found:
        if one.name is not None:
            groups.setdefault(one.name.lower(), []).append(one)
    return tuple(one if one.name is None else _named(one, groups[one.name.lower()]) for one in found)


def _named(one: Examined, group: list[Examined]) -> Examined:
    owner = _owner(group)
    if one.cause is not None or len(group) == 1 or one is owner:
        return one
    text = f"the bot of another team is called {one.name}, too, and no folder is"
    if owner is not None:
        text = f"the name {one.name} is that of another team's folder"
    return msgspec.structs.replace(one, cause=Cause(Why.NAME, text))


def _owner(group: list[Examined]) -> Examined | None:
    """Whose folder is called as its bot is, to the letter, or else but for case."""

    def only(owners: Iterable[Examined]) -> Examined | None:
        found = [*owners]
        return found[0] if len(found) == 1 else None

    return only(one for one in group if one.name == Path(one.folder).name) or only(
        one for one in group if one.name is not None and one.name.lower() == Path(one.folder).name.lower()
    )


def write_reports(found: Sequence[Examined], reports: Path) -> Summary:
    """Write a report for each team and the summary, for nobody else to read. Raises FileFault."""
    try:
        reports.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as fault:
        raise FileFault(f"{shown(str(reports))}: {(fault.strerror or str(fault)).lower()}") from None
    lines: list[Line] = []
    taken = {"summary"}
    with locked(reports):
        for one in found:
            file = f"{_stem(one, taken)}.md"
            write_whole(reports / file, report(one))
            cause = one.cause
            lines.append(
                Line(
                    folder=shown(one.folder, None),
                    name=one.name,
                    version=one.version,
                    entered=cause is None,
                    cause=None if cause is None else str(cause.why),
                    text=None if cause is None else within(cause.text, one.folder),
                    writes=bool(one.wrote),
                    report=file,
                    ms=one.ms,
                )
            )
        entered = sum(line.entered for line in lines)
        summary = Summary(entered=entered, refused=len(lines) - entered, teams=tuple(lines))
        write_whole(reports / "summary.json", json.dumps(msgspec.to_builtins(summary), indent=1) + "\n")
        write_whole(reports / "summary.txt", summary_text(found))
    return summary


def summary_text(found: Sequence[Examined]) -> str:
    """A line for each team, those that are refused first, and the counts."""
    refused = [one for one in found if one.cause is not None]
    entered = [one for one in found if one.cause is None]
    width = max((len(title(one)) for one in found), default=0)
    lines = [
        f"refused  {title(one):<{width}}  {one.cause.why}: {within(one.cause.text, one.folder)}"
        for one in refused
        if one.cause is not None
    ]
    for one in entered:
        more = "; ".join(filter(None, (one.version, WRITES if one.wrote else "")))
        lines.append(f"entered  {title(one):<{width}}  {more}".rstrip())
    return "\n".join([*lines, f"{len(entered)} entered, {len(refused)} refused"]) + "\n"


def _stem(one: Examined, taken: set[str]) -> str:
    """A file name for a report that no other has: that of the folder, as far as it is harmless."""
    stem = re.sub(r"[^A-Za-z0-9_+-]", "_", one.folder.rstrip("/").rpartition("/")[2])[:60] or "team"
    chosen, number = stem, 2
    while chosen.lower() in taken:
        chosen, number = f"{stem}-{number}", number + 1
    taken.add(chosen.lower())
    return chosen
