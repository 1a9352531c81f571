"""What `donuts check` shows: a line for each check, what is wrong with those that failed, and a summary; or JSON."""

from collections.abc import Iterable, Sequence

import msgspec

from donuts_referee.check.suite import NumberedCheck
from donuts_referee.check.verdicts import Outcome, Verdict
from donuts_referee.cli.stage import Stage

__all__ = ["Listed", "Report", "Summary", "listing", "opening"]

_WORDS = {
    Outcome.OK: "ok",
    Outcome.FAILED: "FAILED",
    Outcome.UNREACHED: "not reached",
    Outcome.SKIPPED: "skipped",
}


class Listed(msgspec.Struct, frozen=True):
    """One check of the list, as JSON has it."""

    number: int
    id: str
    title: str
    clauses: tuple[str, ...]
    over: str
    """stdio, zmq or both"""
    encoding: str
    """text, msgpack or both"""


class Summary(msgspec.Struct, frozen=True):
    """What all checks came to."""

    checks: int
    ok: int
    failed: int
    unreached: int
    skipped: int
    seconds: float
    conformant: bool | None
    """None: nothing is wrong, but not everything was asked"""


class Report:
    """Shows verdicts as they come, on one stream."""

    def __init__(self, stage: Stage, *, json: bool, whole: bool) -> None:
        self._stage = stage
        self._json = json
        self._whole = whole
        """all checks are made"""
        self._verdicts: list[Verdict] = []
        self._alike: list[Verdict] = []
        """not made or not reached one after the other, for the same reason"""

    def show(self, verdict: Verdict) -> None:
        """Show one; what is not made for the same reason as the one before it is kept for one line."""
        self._verdicts.append(verdict)
        if self._json:
            self._stage.write(msgspec.json.encode(verdict).decode() + "\n")
            return
        alike = self._alike
        if alike and (verdict.outcome, verdict.note) != (alike[0].outcome, alike[0].note):
            self._flush()
        if verdict.outcome in (Outcome.SKIPPED, Outcome.UNREACHED):
            self._alike.append(verdict)
        else:
            self._stage.write(_line(verdict) + "\n")

    def close(self, seconds: float, *, broken_off: bool = False) -> Summary:
        """Show what is wrong, and the summary."""
        summary = _summary(self._verdicts, seconds, whole=self._whole and not broken_off)
        if self._json:
            self._stage.write(msgspec.json.encode({"summary": summary}).decode() + "\n")
            return summary
        self._flush()
        failed = [verdict for verdict in self._verdicts if verdict.outcome == Outcome.FAILED]
        for verdict in failed:
            self._stage.write(_details(verdict))
        self._stage.write(_sentence(summary, failed))
        return summary

    def _flush(self) -> None:
        self._stage.write(_not_made(self._alike))
        self._alike = []


def opening(count: int) -> str:
    """What is said before the first check."""
    made = "1 check" if count == 1 else f"{count} checks"
    return f"{made}; a bot that answers at once is through within a minute, one that is slow or silent takes minutes"


def listing(selection: Iterable[NumberedCheck], *, json: bool) -> str:
    """A line for each check."""
    return "".join(f"{_listed(one) if json else _heading(one)}\n" for one in selection)


def _listed(one: NumberedCheck) -> str:
    check = one.check
    listed = Listed(one.number, check.id, check.title, check.clauses, check.over, check.encoding)
    return msgspec.json.encode(listed).decode()


def _heading(one: NumberedCheck) -> str:
    return f"{one.number:>3} {one.check.id:<16} {one.check.title} ({', '.join(one.check.clauses)})"


def _not_made(alike: Sequence[Verdict]) -> str:
    """One line for checks that were not made for one reason."""
    if len(alike) < 2:
        return "".join(f"{_line(verdict)}\n" for verdict in alike)
    return f"{alike[0].number}-{alike[-1].number} {_WORDS[Outcome(alike[0].outcome)]}: {alike[0].note}\n"


def _line(verdict: Verdict) -> str:
    note = f": {verdict.note}" if verdict.note else ""
    return (
        f"{verdict.number:>3} {_WORDS[Outcome(verdict.outcome)]:<11} {verdict.id:<16} {verdict.title}{note}"
    )


def _details(verdict: Verdict) -> str:
    assert verdict.finding is not None
    finding = verdict.finding
    return (
        f"\n{verdict.number} {verdict.id}: {verdict.title} ({', '.join(verdict.clauses)})\n"
        f"    sent:  {finding.sent}\n    came:  {finding.came}\n    right: {finding.right}\n"
    )


def _summary(verdicts: Sequence[Verdict], seconds: float, *, whole: bool) -> Summary:
    count = {outcome: sum(one.outcome == outcome for one in verdicts) for outcome in Outcome}
    failed, ok = count[Outcome.FAILED], count[Outcome.OK]
    return Summary(
        checks=len(verdicts),
        ok=ok,
        failed=failed,
        unreached=count[Outcome.UNREACHED],
        skipped=count[Outcome.SKIPPED],
        seconds=round(seconds, 1),
        conformant=False if failed else True if whole and ok else None,
    )


def _sentence(summary: Summary, failed: Sequence[Verdict]) -> str:
    if failed:
        word = "NOT conformant"
    elif summary.ok == 0:
        word = "nothing was checked"
    else:
        word = "conformant" if summary.conformant else "these hold"
    advice = ""
    if len(failed) > 1:
        advice = f"begin with {failed[0].number} {failed[0].id}: the others may follow from it\n"
    unreached = f"{summary.unreached} not reached, " if summary.unreached else ""
    return (
        f"\n{advice}checks: {summary.checks} in {summary.seconds:.1f} s: {summary.ok} ok, {summary.failed} failed, "
        f"{unreached}{summary.skipped} skipped; {word}\n"
    )
